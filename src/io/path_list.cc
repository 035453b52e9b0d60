#include "io/path_list.h"

#include <sys/stat.h>

#include <algorithm>
#include <cerrno>
#include <optional>
#include <set>
#include <string_view>
#include <utility>

#include <colonnade/error.h>

#include "io/folder.h"
#include "io/glob_pattern.h"
#include "io/system_error.h"

namespace colonnade::io {
namespace {

// Absent when there is nothing under that path.
std::optional<EntryKind> kind_of(const std::string& path) {
  struct stat status;
  if (::stat(path.empty() ? "." : path.c_str(), &status) == 0) {
    if (S_ISDIR(status.st_mode)) return EntryKind::kFolder;
    return S_ISREG(status.st_mode) ? EntryKind::kFile : EntryKind::kOther;
  }
  const int system_errno = errno;
  // ENAMETOOLONG: a glob may be longer than any name.
  if (system_errno == ENOENT || system_errno == ENOTDIR || system_errno == ENAMETOOLONG) return {};
  throw system_error(system_errno, "the path cannot be looked at", path);
}

// Whether names of this kind are left out, unless `component` (empty below a folder) asks for them.
bool left_out(const FolderEntry& entry, std::string_view component) {
  const std::string_view name = entry.name;
  if (name.ends_with(".crc") && !component.ends_with(".crc")) return true;
  const char first = name.front();
  if (first != '.' && first != '_') return false;
  if (component.starts_with(first)) return false;
  const bool is_partition =
      first == '_' && entry.kind == EntryKind::kFolder && name.find('=') != name.npos;
  return !is_partition;
}

class Search {
 public:
  explicit Search(const CancelToken& cancel) : cancel_(cancel) {}

  // Adds the files below a folder.
  void add_below(const std::string& folder) {
    std::set<FolderIdentity> seen;
    visit_below(folder, seen, [this](const std::string& path, const Folder& content) {
      for (const FolderEntry& entry : content.entries) {
        if (entry.kind == EntryKind::kFile && !left_out(entry, {})) add(join(path, entry.name));
      }
    });
  }

  // Adds what `components`, from the given one on, match in a folder.
  void add_matches(const std::string& folder, const std::vector<std::string>& components,
                   size_t index) {
    const std::string& component = components[index];
    const bool is_last = index + 1 == components.size();
    if (component == "**") {
      if (is_last) return add_below(folder);
      std::set<FolderIdentity> seen;
      visit_below(folder, seen, [&](const std::string& path, const Folder&) {
        add_matches(path, components, index + 1);
      });
      return;
    }
    const std::string literal = join(folder, component);
    const bool is_literal =
        !has_wildcard(component) || (component.find('[') != component.npos && kind_of(literal));
    if (is_literal) {
      if (const auto kind = kind_of(literal)) take(literal, *kind, components, index);
      return;
    }
    const std::optional<Folder> content = read_folder(cancel_, folder);
    if (!content) return;
    for (const FolderEntry& entry : content->entries) {
      if (!matches(component, entry.name) || left_out(entry, component)) continue;
      if (entry.kind == EntryKind::kOther) continue;
      take(join(folder, entry.name), entry.kind, components, index);
    }
  }

  std::vector<std::string> sorted() && {
    std::sort(paths_.begin(), paths_.end());
    // Two ways through "**" may lead to the same path.
    paths_.erase(std::unique(paths_.begin(), paths_.end()), paths_.end());
    return std::move(paths_);
  }

 private:
  void add(std::string path) { paths_.push_back(std::move(path)); }

  // `path` matched the component at `index`.
  void take(const std::string& path, EntryKind kind, const std::vector<std::string>& components,
            size_t index) {
    if (index + 1 < components.size()) {
      if (kind == EntryKind::kFolder) add_matches(path, components, index + 1);
    } else if (kind == EntryKind::kFolder) {
      add_below(path);
    } else {
      add(path);
    }
  }

  // Calls visit(path, content) for a folder and each one below it that is not left out, once for
  // each folder.
  template <typename Visit>
  void visit_below(const std::string& root, std::set<FolderIdentity>& seen, Visit&& visit) {
    std::vector<std::string> waiting = {root};
    while (!waiting.empty()) {
      const std::string path = std::move(waiting.back());
      waiting.pop_back();
      const std::optional<Folder> content = read_folder(cancel_, path);
      if (!content || !seen.insert(content->identity).second) continue;
      visit(path, *content);
      // Backwards, so that they are visited in order.
      for (auto entry = content->entries.rbegin(); entry != content->entries.rend(); ++entry) {
        if (entry->kind == EntryKind::kFolder && !left_out(*entry, {})) {
          waiting.push_back(join(path, entry->name));
        }
      }
    }
  }

  const CancelToken& cancel_;
  std::vector<std::string> paths_;
};

// The folder that a glob starts from ("/", or empty for the current one) and its components.
std::pair<std::string, std::vector<std::string>> split(std::string_view glob) {
  std::pair<std::string, std::vector<std::string>> parts;
  if (glob.starts_with('/')) parts.first = "/";
  while (!glob.empty()) {
    const size_t slash = std::min(glob.find('/'), glob.size());
    const std::string_view component = glob.substr(0, slash);
    // "**/**" means what "**" does, only slower.
    const bool repeats = component == "**" && !parts.second.empty() && parts.second.back() == "**";
    if (slash > 0 && !repeats) parts.second.emplace_back(component);
    glob.remove_prefix(std::min(slash + 1, glob.size()));
  }
  return parts;
}

}  // namespace

std::vector<std::string> list_files(const CancelToken& cancel, const std::string& path_or_glob) {
  check_path(path_or_glob);
  Search search(cancel);
  const char* what_happened =
      path_or_glob.find("://") == path_or_glob.npos
          ? "no such file or folder"
          : "no such file or folder (paths of this machine are read, no URLs)";
  if (const auto kind = kind_of(path_or_glob)) {
    if (*kind != EntryKind::kFolder) return {path_or_glob};
    search.add_below(path_or_glob);
    what_happened = "no files in the folder";
  } else if (has_wildcard(path_or_glob)) {
    const auto [root, components] = split(path_or_glob);
    search.add_matches(root, components, 0);
    what_happened = "no files match";
  }
  std::vector<std::string> paths = std::move(search).sorted();
  if (paths.empty())
    throw Error(ErrorCode::kNotFound, what_happened).locate({.file = path_or_glob});
  return paths;
}

}  // namespace colonnade::io
