#include "io/folder.h"

#include <dirent.h>
#include <fcntl.h>
#include <sys/stat.h>

#include <algorithm>
#include <cerrno>
#include <memory>

#include "io/system_error.h"

namespace colonnade::io {
namespace {

constexpr const char* kCannotRead = "the folder cannot be read";

struct CloseFolder {
  void operator()(DIR* folder) const noexcept { ::closedir(folder); }
};

EntryKind kind_of(mode_t mode) {
  if (S_ISREG(mode)) return EntryKind::kFile;
  if (S_ISDIR(mode)) return EntryKind::kFolder;
  return EntryKind::kOther;
}

// False when the entry is gone by now.
bool find_kind(int folder_fd, const dirent& entry, const std::string& folder, EntryKind& kind) {
  if (entry.d_type == DT_REG) {
    kind = EntryKind::kFile;
    return true;
  }
  if (entry.d_type == DT_DIR) {
    kind = EntryKind::kFolder;
    return true;
  }
  struct stat status;
  if (::fstatat(folder_fd, entry.d_name, &status, 0) == 0) {
    kind = kind_of(status.st_mode);
    return true;
  }
  const int system_errno = errno;
  if (system_errno != ENOENT && system_errno != ELOOP) {
    throw system_error(system_errno, kCannotRead, join(folder, entry.d_name));
  }
  kind = EntryKind::kFile;
  return ::fstatat(folder_fd, entry.d_name, &status, AT_SYMLINK_NOFOLLOW) == 0;
}

}  // namespace

std::string join(const std::string& folder, std::string_view name) {
  std::string path = folder;
  if (!path.empty() && path.back() != '/') path += '/';
  return path.append(name);
}

std::optional<Folder> read_folder(const CancelToken& cancel, const std::string& path) {
  cancel.poll();
  const std::unique_ptr<DIR, CloseFolder> stream(::opendir(path.empty() ? "." : path.c_str()));
  if (!stream) {
    if (errno == ENOENT || errno == ENOTDIR) return {};
    throw system_error(errno, kCannotRead, path);
  }
  const int fd = ::dirfd(stream.get());
  struct stat status;
  if (::fstat(fd, &status) != 0) throw system_error(errno, kCannotRead, path);

  Folder folder;
  folder.identity = {static_cast<uint64_t>(status.st_dev), static_cast<uint64_t>(status.st_ino)};
  while (true) {
    errno = 0;
    const dirent* entry = ::readdir(stream.get());
    if (entry == nullptr) {
      if (errno != 0) throw system_error(errno, kCannotRead, path);
      break;
    }
    const std::string_view name = entry->d_name;
    if (name == "." || name == "..") continue;
    EntryKind kind;
    if (folder.entries.size() % kEntriesBetweenPolls == 0) cancel.poll();
    if (find_kind(fd, *entry, path, kind)) folder.entries.push_back({std::string(name), kind});
  }
  std::sort(folder.entries.begin(), folder.entries.end(),
            [](const FolderEntry& a, const FolderEntry& b) { return a.name < b.name; });
  return folder;
}

}  // namespace colonnade::io
