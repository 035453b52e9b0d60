// Locks that must be free, and threads that must be forgotten, in the child of a fork().
#pragma once

namespace colonnade {

// Told of every fork() of the process. Whoever holds locks that the child may need takes them in
// before_fork() and frees them in both after_...: the forking thread then owns each of them, so the
// child finds what they guard whole. The functions must not register hooks.
class ForkHook {
 public:
  virtual void before_fork() noexcept = 0;
  virtual void after_fork_in_parent() noexcept = 0;
  virtual void after_fork_in_child() noexcept = 0;

 protected:
  ~ForkHook() = default;
};

// Keeps a hook registered. Make it the last member of what it registers: everything else then
// stands before the first fork is told and until the last one was.
class ForkRegistration {
 public:
  explicit ForkRegistration(ForkHook& hook);
  ~ForkRegistration();
  ForkRegistration(const ForkRegistration&) = delete;
  ForkRegistration& operator=(const ForkRegistration&) = delete;

 private:
  ForkHook& hook_;
};

}  // namespace colonnade
