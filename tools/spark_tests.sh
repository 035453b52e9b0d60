#!/usr/bin/env bash
# Builds the Spark plugin's Maven module and runs its tests: tools/spark_tests.sh RESULTS [MAVEN OPTION...]
# RESULTS gets what the tests came to, as JUnit XML.
set -u
cd "$(dirname "$0")/../spark"
results=$1
shift
folder=$PWD/../build/spark/maven
rm -rf "$folder/reports"
mkdir -p "$folder/tmp"
# Whichever JDK compiled the native part runs the tests.
JAVA_HOME=$(sed -n 's/^JNI_INCLUDE_DIR:PATH=\(.*\)\/include$/\1/p' ../build/spark/CMakeCache.txt)
export JAVA_HOME
mvn --batch-mode --quiet test "$@"
status=$?
{
  echo '<testsuites>'
  for report in "$folder"/reports/TEST-*.xml; do
    if [ -f "$report" ]; then grep -v '^<?xml' "$report"; fi
  done
  echo '</testsuites>'
} >"$results"
exit $status
