#include "base/fork_hook.h"

#include <pthread.h>

#include <algorithm>
#include <mutex>
#include <vector>

namespace colonnade {

namespace {

// Never destroyed: a fork may come after the statics are gone.
struct Registry {
  std::mutex mutex;  // held from before_fork() to after_fork_...()
  std::vector<ForkHook*> hooks;
};

Registry& registry() {
  static Registry& the_one = *new Registry;
  return the_one;
}

void before_fork() {
  registry().mutex.lock();
  for (ForkHook* hook : registry().hooks) hook->before_fork();
}

void after_fork_in_parent() {
  auto& hooks = registry().hooks;
  std::for_each(hooks.rbegin(), hooks.rend(), [](ForkHook* h) { h->after_fork_in_parent(); });
  registry().mutex.unlock();
}

void after_fork_in_child() {
  auto& hooks = registry().hooks;
  std::for_each(hooks.rbegin(), hooks.rend(), [](ForkHook* h) { h->after_fork_in_child(); });
  registry().mutex.unlock();
}

}  // namespace

ForkRegistration::ForkRegistration(ForkHook& hook) : hook_(hook) {
  static const int registered =
      pthread_atfork(&before_fork, &after_fork_in_parent, &after_fork_in_child);
  static_cast<void>(
      registered);  // fails only without memory for a handler; fork() then works unaided
  const std::lock_guard lock(registry().mutex);
  registry().hooks.push_back(&hook_);
}

ForkRegistration::~ForkRegistration() {
  const std::lock_guard lock(registry().mutex);
  std::erase(registry().hooks, &hook_);
}

}  // namespace colonnade
