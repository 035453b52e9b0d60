// Permissions do not bind root, as whom tests often run.
#pragma once

namespace colonnade::io::testing {

// For its lifetime the process acts as a user without rights, if it was root.
class AsOtherUser {
 public:
  AsOtherUser();
  ~AsOtherUser();
  AsOtherUser(const AsOtherUser&) = delete;
  AsOtherUser& operator=(const AsOtherUser&) = delete;

 private:
  bool changed_ = false;
};

}  // namespace colonnade::io::testing
