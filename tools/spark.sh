#!/usr/bin/env bash
# Builds the Spark plugin's Maven module, whose native part build/spark has, and runs
#
#   tools/spark.sh test RESULTS [MAVEN OPTION...]   its tests; RESULTS (*.xml) gets what they came to, as JUnit XML. One suite:
#                                                   -Dsuites=org.apache.spark.colonnade.HashSuite
#   tools/spark.sh golden                           writes tests/golden/spark_hashes.tsv as this Spark hashes
#   tools/spark.sh costs RESULT                     Costs.scala, pinned to one CPU; RESULT gets the JSON
#   tools/spark.sh java RESULTS JAVA_HOME           the tests, slow ones too, on another Java runtime
#   tools/spark.sh hive GOLDEN [write]              compares golden values with Hive's reduce sinks, or writes them
#   tools/spark.sh suite RESULTS SUITE...           suites of Spark's own (class names) with JAVA_OPTIONS, for instance
#                                                   -Dspark.plugins=...; RESULTS gets JUnit XML. Fails, too, when
#                                                   fewer tests passed of a suite than spark/suites.txt says
set -u
cd "$(dirname "$0")/.."
command=${1:-}
case "$command:${2:-}" in
  golden:) result= ;;
  test:*.xml | java:*.xml | suite:*.xml | costs:?* | hive:?*) result=$(realpath --canonicalize-missing "$2") ;;
  test:* | java:* | suite:*)
    # Not a golden file, say, which the results would overwrite.
    echo "spark.sh: the results of $command go to a file *.xml, not to \"${2:-}\"" >&2
    exit 2
    ;;
  *)
    echo "spark.sh: no such command: $*" >&2
    exit 2
    ;;
esac
shift $(($# < 2 ? $# : 2))
native=$PWD/build/spark
folder=$native/maven
# Whichever JDK compiled the native part runs the rest.
JAVA_HOME=$(sed -n 's/^JNI_INCLUDE_DIR:PATH=\(.*\)\/include$/\1/p' build/spark/CMakeCache.txt)
export JAVA_HOME
jvm_options=$(sed -n '/<jvm.options>/,/<\/jvm.options>/{s/<[^>]*>//g;p}' spark/pom.xml)
maven() { mvn --batch-mode --quiet --file spark/pom.xml "$@"; }

# The reports of a folder as one file.
junit() {
  {
    echo '<testsuites>'
    for report in "$1"/TEST-*.xml; do
      if [ -f "$report" ]; then grep -v '^<?xml' "$report"; fi
    done
    echo '</testsuites>'
  } >"$result"
}

# The class path for tests in a file named by the argument; the rest are options for Maven.
classpath() {
  local file=$1
  shift
  maven test-compile && maven dependency:build-classpath -Dmdep.outputFile="$file" -Dmdep.includeScope=test "$@"
}

# Runs the suites of a folder of classes in a Java runtime; the rest are options for Java, then "--", then for the runner.
suites() {
  local java=$1 classes=$2 options=()
  shift 2
  while [ "$1" != -- ]; do options+=("$1") && shift; done
  shift
  rm -rf "$folder/reports"
  "$java/bin/java" "${options[@]}" -Djava.io.tmpdir="$folder/tmp" org.scalatest.tools.Runner \
    -R "$classes" -oW -u "$folder/reports" "$@"
  local status=$?
  junit "$folder/reports"
  return $status
}

# What tests leave behind for who looks into a failure goes when the next run begins.
rm -rf "$folder/tmp"
mkdir -p "$folder/tmp"
case $command in
  test)
    rm -rf "$folder/reports"
    maven test "$@"
    status=$?
    junit "$folder/reports"
    exit $status
    ;;
  golden) maven test -Dsuites=org.apache.spark.colonnade.HashSuite -Dcolonnade.write=true ;;
  java)
    classpath "$folder/classpath" || exit
    # A runtime without the incubator module does not know its option.
    suites "$1" "$folder/test-classes" -Xmx2g $(printf '%s' "$jvm_options" | sed 's/--add-modules=[^ ]*//') \
      -Dcolonnade.contracts="$native/libcolonnade_spark_contracts.so" -Dcolonnade.golden="$PWD/tests/golden" \
      -Dcolonnade.python="$PWD/.venv/bin/python" -Dcolonnade.write=false \
      -cp "$folder/test-classes:$folder/classes:$(cat "$folder/classpath")" --
    ;;
  costs)
    classpath "$folder/classpath" || exit
    taskset --cpu-list 0 "$JAVA_HOME/bin/java" -Xmx1g $jvm_options \
      -Djava.io.tmpdir="$folder/tmp" -Dcolonnade.contracts="$native/libcolonnade_spark_contracts.so" \
      -cp "$folder/test-classes:$folder/classes:$(cat "$folder/classpath")" \
      org.apache.spark.colonnade.Costs "$result"
    ;;
  hive)
    mvn --batch-mode --quiet --file spark/hive/pom.xml compile dependency:build-classpath \
      -Dmdep.outputFile="$native/hive/classpath" || exit
    "$JAVA_HOME/bin/java" --add-opens=java.base/java.net=ALL-UNNAMED \
      -cp "$native/hive/classes:$(cat "$native/hive/classpath")" org.colonnade.hive.HiveKeys "$result" "$@"
    ;;
  suite)
    classpath "$folder/suites.classpath" -Psuites || exit
    # Suites look for their input files beside the classes, and below the home of a checkout; in a jar they are not files.
    tests=$folder/spark-sql-tests
    if [ ! -d "$tests" ]; then
      jar=$(tr : '\n' <"$folder/suites.classpath" | grep '/spark-sql_.*-tests\.jar$')
      rm -rf "$tests.new"
      mkdir -p "$tests.new"
      (cd "$tests.new" && "$JAVA_HOME/bin/jar" xf "$jar") && mv "$tests.new" "$tests" || exit
    fi
    others=$(tr : '\n' <"$folder/suites.classpath" | grep -v '/spark-sql_.*-tests\.jar$' | paste -sd:)
    mkdir -p "$folder/spark-home/sql/core/src/test"
    ln -sfn "$tests" "$folder/spark-home/sql/core/src/test/resources"
    names=()
    for suite in "$@"; do names+=(-s "$suite"); done
    root=$PWD
    cd "$folder/tmp" || exit
    suites "$JAVA_HOME" "$tests" -Xmx4g -Xss4m $jvm_options ${JAVA_OPTIONS:-} -Dspark.testing=true \
      -Dspark.test.home="$folder/spark-home" -Dspark.ui.enabled=false -Dspark.unsafe.exceptionOnMemoryLeak=true \
      -cp "$tests:$folder/test-classes:$folder/classes:$others" -- "${names[@]}"
    status=$?
    python3 "$root/tools/suite_counts.py" "$root/spark/suites.txt" "$result" "$@" || status=1
    exit $status
    ;;
esac
