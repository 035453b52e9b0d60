// Binding of native functions by RegisterNatives, and not by the names of exported functions, which
// would tie the symbols of a library to Java's packages.
#pragma once

#include <jni.h>

#include <span>

namespace colonnade::spark {

inline JNINativeMethod native_method(const char* name, const char* signature, void* function) {
  return {const_cast<char*>(name), const_cast<char*>(signature), function};
}

// What JNI_OnLoad returns after it bound `methods` to the class of that name, which is looked for
// where the caller of System.load was found.
inline jint register_natives(JavaVM* vm, const char* class_name,
                             std::span<const JNINativeMethod> methods) {
  void* env_pointer = nullptr;
  if (vm->GetEnv(&env_pointer, JNI_VERSION_10) != JNI_OK) return JNI_ERR;
  auto* const env = static_cast<JNIEnv*>(env_pointer);
  const jclass found = env->FindClass(class_name);
  if (found == nullptr) return JNI_ERR;
  const auto count = static_cast<jint>(methods.size());
  return env->RegisterNatives(found, methods.data(), count) == JNI_OK ? JNI_VERSION_10 : JNI_ERR;
}

}  // namespace colonnade::spark
