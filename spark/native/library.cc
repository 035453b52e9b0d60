// The JNI side of NativeLibrary.java and Native.java.
#include <jni.h>

namespace {

// What Native.java declares. Bound here and not by the names of exported functions, which would tie
// the symbols of the library to Java's packages.
jstring version(JNIEnv* env, jclass) { return env->NewStringUTF(COLONNADE_VERSION); }

}  // namespace

extern "C" JNIEXPORT jint JNICALL JNI_OnLoad(JavaVM* vm, void*) {
  void* env_pointer = nullptr;
  if (vm->GetEnv(&env_pointer, JNI_VERSION_10) != JNI_OK) return JNI_ERR;
  auto* const env = static_cast<JNIEnv*>(env_pointer);
  // The class loader of whoever called System.load is asked.
  const jclass native = env->FindClass("org/apache/spark/colonnade/Native");
  if (native == nullptr) return JNI_ERR;
  char name[] = "version";
  char signature[] = "()Ljava/lang/String;";
  const JNINativeMethod methods[] = {{name, signature, reinterpret_cast<void*>(&version)}};
  if (env->RegisterNatives(native, methods, 1) != JNI_OK) return JNI_ERR;
  return JNI_VERSION_10;
}
