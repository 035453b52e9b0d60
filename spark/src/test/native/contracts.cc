// What the contract tests do natively (Contracts.java): only to show facts about the JVM and Spark.
#include <jni.h>

#include <cstring>

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

JNINativeMethod method(const char* name, const char* signature, void* function) {
  return {const_cast<char*>(name), const_cast<char*>(signature), function};
}

}  // namespace

extern "C" JNIEXPORT jint JNICALL JNI_OnLoad(JavaVM* vm, void*) {
  void* env_pointer = nullptr;
  if (vm->GetEnv(&env_pointer, JNI_VERSION_10) != JNI_OK) return JNI_ERR;
  auto* const env = static_cast<JNIEnv*>(env_pointer);
  const jclass contracts = env->FindClass("org/apache/spark/colonnade/Contracts");
  if (contracts == nullptr) return JNI_ERR;
  const JNINativeMethod methods[] = {
      method("longField", "(Ljava/lang/Object;Ljava/lang/String;)J",
             reinterpret_cast<void*>(&long_field)),
      method("objectField",
             "(Ljava/lang/Object;Ljava/lang/String;Ljava/lang/String;)Ljava/lang/Object;",
             reinterpret_cast<void*>(&object_field)),
      method("nothing", "()V", reinterpret_cast<void*>(&nothing)),
      method("callBack", "(Ljava/lang/Runnable;J)V", reinterpret_cast<void*>(&call_back)),
      method("copyCritical", "(Ljava/lang/Object;JJ)V", reinterpret_cast<void*>(&copy_critical)),
  };
  if (env->RegisterNatives(contracts, methods, 5) != JNI_OK) return JNI_ERR;
  return JNI_VERSION_10;
}
