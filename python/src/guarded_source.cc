#include "guarded_source.h"

#include <pthread.h>
#include <unistd.h>

#include <mutex>
#include <unordered_set>
#include <utility>

#include "base/fail.h"
#include "errors.h"
#include "gil.h"

namespace colonnade::python {
namespace {

// The sources that are alive. Never destroyed, like the threads that may still use it.
struct Registry {
  std::mutex mutex;
  std::unordered_set<GuardedSource*> sources;
};
Registry& registry() {
  static Registry* const instance = [] {
    auto* const fresh = new Registry;
    // A fork must not copy a locked mutex.
    pthread_atfork([] { registry().mutex.lock(); }, [] { registry().mutex.unlock(); },
                   [] { registry().mutex.unlock(); });
    return fresh;
  }();
  return *instance;
}

}  // namespace

GuardedSource::GuardedSource(std::unique_ptr<BatchSource> inner, Consumer consumer, FileUse use)
    : inner_(std::move(inner)),
      schema_(inner_->schema()),
      consumer_(consumer),
      use_(std::move(use)),
      process_(getpid()) {
  Registry& all = registry();
  const std::lock_guard lock(all.mutex);
  all.sources.insert(this);
}

GuardedSource::~GuardedSource() {
  {
    Registry& all = registry();
    const std::lock_guard lock(all.mutex);
    all.sources.erase(this);
  }
  if (getpid() != process_) {
    static_cast<void>(inner_.release());
    return;
  }
  const LeavePython unlocked;  // its threads may be waiting for the lock
  inner_.reset();
}

void GuardedSource::cancel() noexcept {
  if (getpid() == process_) inner_->cancel();
}

std::optional<Batch> GuardedSource::produce() {
  if (getpid() != process_) {
    fail(ErrorCode::kInvalidArgument,
         "a stream that was begun before fork() cannot go on in the child: open it anew there");
  }
  refuse_inside_read(use_);
  const LeavePython unlocked;
  const ConsumerScope scope(consumer_);
  try {
    return inner_->next();
  } catch (const RaisedInPython& raised) {
    // A foreign consumer hears of an error; an interrupt has to reach Python all the same.
    if (consumer_ == Consumer::kForeign && !raised.is_exception()) raise_on_main_thread(raised);
    throw;
  }
}

void cancel_all_sources() noexcept {
  Registry& all = registry();
  const std::lock_guard lock(all.mutex);
  for (GuardedSource* const source : all.sources) source->cancel();
}

}  // namespace colonnade::python
