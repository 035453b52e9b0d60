// The JNI side of NativeLibrary.java and Native.java.
#include <jni.h>

#include "registration.h"

namespace {

jstring version(JNIEnv* env, jclass) { return env->NewStringUTF(COLONNADE_VERSION); }

}  // namespace

extern "C" JNIEXPORT jint JNICALL JNI_OnLoad(JavaVM* vm, void*) {
  using colonnade::spark::native_method;
  const JNINativeMethod methods[] = {
      native_method("version", "()Ljava/lang/String;", reinterpret_cast<void*>(&version)),
  };
  return colonnade::spark::register_natives(vm, "org/apache/spark/colonnade/Native", methods);
}
