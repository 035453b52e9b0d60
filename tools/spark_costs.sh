#!/usr/bin/env bash
# Measures what crossing between the JVM and native code costs (Costs.scala): tools/spark_costs.sh RESULT
# RESULT, relative to the root, gets the JSON. Pinned to one CPU; a machine that does nothing else is wanted.
set -eu
cd "$(dirname "$0")/.."
result=$PWD/$1
folder=$PWD/build/spark/maven
JAVA_HOME=$(sed -n 's/^JNI_INCLUDE_DIR:PATH=\(.*\)\/include$/\1/p' build/spark/CMakeCache.txt)
export JAVA_HOME
mvn --batch-mode --quiet --file spark/pom.xml test-compile dependency:build-classpath \
  -Dmdep.outputFile="$folder/classpath" -Dmdep.includeScope=test
taskset --cpu-list 0 "$JAVA_HOME/bin/java" -Xmx1g --add-opens=java.base/java.nio=ALL-UNNAMED \
  --add-opens=java.base/jdk.internal.ref=ALL-UNNAMED --add-opens=java.base/sun.nio.ch=ALL-UNNAMED \
  -Dcolonnade.contracts="$PWD/build/spark/libcolonnade_spark_contracts.so" \
  -cp "$folder/test-classes:$folder/classes:$(cat "$folder/classpath")" org.apache.spark.colonnade.Costs "$result"
