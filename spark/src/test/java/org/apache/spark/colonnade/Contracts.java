package org.apache.spark.colonnade;

/** Native functions of the contract tests (src/test/native/contracts.cc). */
final class Contracts {
  private Contracts() {}

  static {
    System.load(System.getProperty("colonnade.contracts"));
  }

  /** A field of type long, private or not, as GetFieldID and GetLongField find it. */
  static native long longField(Object object, String name);

  /** The same for an object; `signature` as in "[I". */
  static native Object objectField(Object object, String name, String signature);

  static native void nothing();

  static native void callBack(Runnable runnable, long times);

  /** Copies from a primitive array inside GetPrimitiveArrayCritical. */
  static native void copyCritical(Object array, long address, long bytes);

  /** Stays in a critical section of a primitive array. */
  static native void holdCritical(Object array, long nanoseconds);
}
