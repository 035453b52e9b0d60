package org.apache.spark.colonnade;

/**
 * The functions of the native library, bound by its JNI_OnLoad. Called only after {@link
 * NativeLibrary#failure} was empty.
 */
final class Native {
  private Native() {}

  /** The version that the library was built as, for instance "0.1.0". */
  static native String version();
}
