// What the contract tests do natively (Contracts.java): only to show facts about the JVM and Spark.
#include <jni.h>

#include <chrono>
#include <cstring>
#include <thread>

#include "registration.h"

namespace {

jlong long_field(JNIEnv* env, jclass, jobject object, jstring name) {
  const char* const text = env->GetStringUTFChars(name, nullptr);
  const jfieldID field = env->GetFieldID(env->GetObjectClass(object), text, "J");
  env->ReleaseStringUTFChars(name, text);
  return field == nullptr ? 0 : env->GetLongField(object, field);
}

jobject object_field(JNIEnv* env, jclass, jobject object, jstring name, jstring signature) {
  const char* const text = env->GetStringUTFChars(name, nullptr);
  const char* const type = env->GetStringUTFChars(signature, nullptr);
  const jfieldID field = env->GetFieldID(env->GetObjectClass(object), text, type);
  env->ReleaseStringUTFChars(name, text);
  env->ReleaseStringUTFChars(signature, type);
  return field == nullptr ? nullptr : env->GetObjectField(object, field);
}

void nothing(JNIEnv*, jclass) {}

// Calls runnable.run() `times` times.
void call_back(JNIEnv* env, jclass, jobject runnable, jlong times) {
  const jmethodID run = env->GetMethodID(env->GetObjectClass(runnable), "run", "()V");
  for (jlong i = 0; i < times && env->ExceptionCheck() == JNI_FALSE; ++i) {
    env->CallVoidMethod(runnable, run);
  }
}

// The first `bytes` bytes of a primitive array to an address, within a critical section.
void copy_critical(JNIEnv* env, jclass, jarray array, jlong address, jlong bytes) {
  void* const from = env->GetPrimitiveArrayCritical(array, nullptr);
  if (from == nullptr) return;
  std::memcpy(reinterpret_cast<void*>(address), from, static_cast<size_t>(bytes));
  env->ReleasePrimitiveArrayCritical(array, from, JNI_ABORT);
}

// Stays in a critical section of a primitive array for so many nanoseconds.
void hold_critical(JNIEnv* env, jclass, jarray array, jlong nanoseconds) {
  void* const held = env->GetPrimitiveArrayCritical(array, nullptr);
  if (held == nullptr) return;
  std::this_thread::sleep_for(std::chrono::nanoseconds(nanoseconds));
  env->ReleasePrimitiveArrayCritical(array, held, JNI_ABORT);
}

}  // namespace

extern "C" JNIEXPORT jint JNICALL JNI_OnLoad(JavaVM* vm, void*) {
  using colonnade::spark::native_method;
  const JNINativeMethod methods[] = {
      native_method("longField", "(Ljava/lang/Object;Ljava/lang/String;)J",
                    reinterpret_cast<void*>(&long_field)),
      native_method("objectField",
                    "(Ljava/lang/Object;Ljava/lang/String;Ljava/lang/String;)Ljava/lang/Object;",
                    reinterpret_cast<void*>(&object_field)),
      native_method("nothing", "()V", reinterpret_cast<void*>(&nothing)),
      native_method("callBack", "(Ljava/lang/Runnable;J)V", reinterpret_cast<void*>(&call_back)),
      native_method("copyCritical", "(Ljava/lang/Object;JJ)V",
                    reinterpret_cast<void*>(&copy_critical)),
      native_method("holdCritical", "(Ljava/lang/Object;J)V",
                    reinterpret_cast<void*>(&hold_critical)),
  };
  return colonnade::spark::register_natives(vm, "org/apache/spark/colonnade/Contracts", methods);
}
