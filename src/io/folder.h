// What stands in a folder.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include <colonnade/context.h>

namespace colonnade::io {

enum class EntryKind : uint8_t { kFile, kFolder, kOther };

struct FolderEntry {
  std::string name;
  EntryKind kind =
      EntryKind::kFile;  // of what a link leads to; kFile for a link that leads nowhere
};

// Device and inode: what tells folders apart, whatever path they were reached by.
using FolderIdentity = std::pair<uint64_t, uint64_t>;

struct Folder {
  FolderIdentity identity;
  std::vector<FolderEntry> entries;  // without "." and "..", sorted by name, bytewise
};

// Absent where there is no folder (any more). kPermissionDenied, kIo; kCancelled, asked every
// kEntriesBetweenPolls entries. The empty path is the current folder.
std::optional<Folder> read_folder(const CancelToken& cancel, const std::string& path);
constexpr size_t kEntriesBetweenPolls = 1024;

// "folder/name"; "name" for the empty path.
std::string join(const std::string& folder, std::string_view name);

}  // namespace colonnade::io
