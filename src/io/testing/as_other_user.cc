#include "io/testing/as_other_user.h"

#include <unistd.h>

#include <cstdlib>
#include <stdexcept>

namespace colonnade::io::testing {
namespace {

constexpr uid_t kNobody = 65534;

}  // namespace

AsOtherUser::AsOtherUser() {
  if (::geteuid() != 0) return;
  if (::seteuid(kNobody) != 0) throw std::runtime_error("cannot act as another user");
  changed_ = true;
}

AsOtherUser::~AsOtherUser() {
  if (changed_ && ::seteuid(0) != 0) std::abort();
}

}  // namespace colonnade::io::testing
