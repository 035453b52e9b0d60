#!/usr/bin/env bash
# Builds the Spark plugin's Maven module, whose native part build/spark has, and runs
#
#   tools/spark.sh test RESULTS [MAVEN OPTION...]   its tests; RESULTS gets what they came to, as JUnit XML
#   tools/spark.sh costs RESULT                     Costs.scala, pinned to one CPU; RESULT gets the JSON
set -u
cd "$(dirname "$0")/.."
command=$1
result=$(realpath --canonicalize-missing "$2")
shift 2
folder=$PWD/build/spark/maven
# Whichever JDK compiled the native part runs the rest.
JAVA_HOME=$(sed -n 's/^JNI_INCLUDE_DIR:PATH=\(.*\)\/include$/\1/p' build/spark/CMakeCache.txt)
export JAVA_HOME
maven() { mvn --batch-mode --quiet --file spark/pom.xml "$@"; }

case $command in
  test)
    rm -rf "$folder/reports"
    mkdir -p "$folder/tmp"
    maven test "$@"
    status=$?
    {
      echo '<testsuites>'
      for report in "$folder"/reports/TEST-*.xml; do
        if [ -f "$report" ]; then grep -v '^<?xml' "$report"; fi
      done
      echo '</testsuites>'
    } >"$result"
    exit $status
    ;;
  costs)
    maven test-compile dependency:build-classpath -Dmdep.outputFile="$folder/classpath" \
      -Dmdep.includeScope=test || exit
    taskset --cpu-list 0 "$JAVA_HOME/bin/java" -Xmx1g --add-opens=java.base/java.nio=ALL-UNNAMED \
      --add-opens=java.base/jdk.internal.ref=ALL-UNNAMED --add-opens=java.base/sun.nio.ch=ALL-UNNAMED \
      -Dcolonnade.contracts="$PWD/build/spark/libcolonnade_spark_contracts.so" \
      -cp "$folder/test-classes:$folder/classes:$(cat "$folder/classpath")" \
      org.apache.spark.colonnade.Costs "$result"
    ;;
  *)
    echo "spark.sh: no such command: $command" >&2
    exit 2
    ;;
esac
