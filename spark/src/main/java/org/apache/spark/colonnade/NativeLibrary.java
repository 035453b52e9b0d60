package org.apache.spark.colonnade;

import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.util.Locale;
import java.util.Optional;
import java.util.Properties;

/**
 * Loads the native library of this jar. A jar may be loaded by several class loaders of one
 * process, and a library's path can be bound to one of them only: each loads a copy of its own,
 * which is deleted as soon as it is mapped.
 */
public final class NativeLibrary {
  private NativeLibrary() {}

  /** A file to load instead of the one in the jar. */
  static final String PATH_PROPERTY = "colonnade.native.path";

  private static final class Holder {
    static final Optional<String> FAILURE = load();
  }

  /**
   * Empty when the library is loaded and of the jar's version; otherwise why not, in one line: then
   * Spark does the work itself. The first call loads; the answer stays.
   */
  public static Optional<String> failure() {
    return Holder.FAILURE;
  }

  private static Optional<String> load() {
    try {
      String path = System.getProperty(PATH_PROPERTY);
      if (path != null) {
        System.load(Path.of(path).toAbsolutePath().toString());
      } else {
        loadFromJar();
      }
      String expected = version();
      String found = Native.version();
      if (found.equals(expected)) return Optional.empty();
      return Optional.of("native library of version " + found + ", jar of version " + expected);
    } catch (IOException | RuntimeException | LinkageError failed) {
      String reason = failed.getMessage() == null ? failed.toString() : failed.getMessage();
      return Optional.of("native library not loaded: " + reason.lines().findFirst().orElse(""));
    }
  }

  private static void loadFromJar() throws IOException {
    String name = "/native/" + platform() + "/libcolonnade_spark.so";
    try (InputStream library = NativeLibrary.class.getResourceAsStream(name)) {
      if (library == null) throw new IOException("this jar has none for " + platform());
      Path copy = Files.createTempFile("libcolonnade_spark-", ".so");
      try {
        Files.copy(library, copy, StandardCopyOption.REPLACE_EXISTING);
        System.load(copy.toString());
      } finally {
        Files.deleteIfExists(copy);
      }
    }
  }

  /** "linux-x86_64", as the folders below /native are named. */
  private static String platform() {
    String system = System.getProperty("os.name").toLowerCase(Locale.ROOT);
    String machine = System.getProperty("os.arch");
    return system + "-" + (machine.equals("amd64") ? "x86_64" : machine);
  }

  private static String version() throws IOException {
    Properties properties = new Properties();
    try (InputStream text = NativeLibrary.class.getResourceAsStream("version.properties")) {
      properties.load(text);
    }
    return properties.getProperty("version");
  }
}
