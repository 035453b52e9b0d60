#include "base/cgroup.h"

#include <algorithm>
#include <fstream>
#include <sstream>
#include <string_view>
#include <vector>

namespace colonnade {

namespace {

bool is_listed(std::string_view list, std::string_view word) {
  while (!list.empty()) {
    const size_t comma = list.find(',');
    if (list.substr(0, comma) == word) return true;
    if (comma == std::string_view::npos) break;
    list.remove_prefix(comma + 1);
  }
  return false;
}

// The process's group in the hierarchy of the cpu controller (version 1) or the unified one (2).
struct Groups {
  std::string unified;
  std::string cpu;
};

// Lines "<id>:<controllers>:<path>"; the unified hierarchy has id 0 and no controllers.
Groups read_groups(const std::string& file) {
  Groups groups;
  std::ifstream in(file);
  for (std::string line; std::getline(in, line);) {
    const size_t first = line.find(':');
    const size_t second = first == std::string::npos ? first : line.find(':', first + 1);
    if (second == std::string::npos) continue;
    const std::string controllers = line.substr(first + 1, second - first - 1);
    if (controllers.empty()) {
      groups.unified = line.substr(second + 1);
    } else if (is_listed(controllers, "cpu")) {
      groups.cpu = line.substr(second + 1);
    }
  }
  return groups;
}

struct Mount {
  bool unified = false;
  std::string root;   // the group that the mount shows at its top
  std::string point;  // where it is mounted
};

// Lines "<id> <parent> <dev> <root> <mount point> <options> <tags>... - <type> <source> <super
// options>".
std::vector<Mount> read_mounts(const std::string& file) {
  std::vector<Mount> mounts;
  std::ifstream in(file);
  for (std::string line; std::getline(in, line);) {
    const size_t separator = line.find(" - ");
    if (separator == std::string::npos) continue;
    std::istringstream left(line.substr(0, separator));
    std::istringstream right(line.substr(separator + 3));
    std::string skipped, type, source, options;
    Mount mount;
    left >> skipped >> skipped >> skipped >> mount.root >> mount.point;
    right >> type >> source >> options;
    if (!left || !right) continue;
    mount.unified = type == "cgroup2";
    if (mount.unified || (type == "cgroup" && is_listed(options, "cpu"))) mounts.push_back(mount);
  }
  return mounts;
}

// Quota by period of one group's folder; 0 when there is none.
double quota_cpus(const std::string& folder, bool unified) {
  double quota = 0;
  double period = 0;
  if (unified) {
    std::ifstream in(folder + "/cpu.max");  // "max 100000" or "150000 100000"
    in >> quota >> period;
    if (!in) return 0;
  } else {
    std::ifstream quota_in(folder + "/cpu.cfs_quota_us");  // -1: none
    std::ifstream period_in(folder + "/cpu.cfs_period_us");
    quota_in >> quota;
    period_in >> period;
    if (!quota_in || !period_in) return 0;
  }
  return quota > 0 && period > 0 ? quota / period : 0;
}

// The group's path below the mount; empty when the mount does not show the group.
std::string path_below(const Mount& mount, const std::string& group) {
  if (mount.root == "/") return group == "/" ? std::string() : group;
  if (group.compare(0, mount.root.size(), mount.root) != 0) return {};
  const std::string rest = group.substr(mount.root.size());
  return rest.empty() || rest.front() == '/' ? rest : std::string();
}

}  // namespace

double cgroup_cpus(const std::string& root) {
  const Groups groups = read_groups(root + "/proc/self/cgroup");
  double smallest = 0;
  for (const Mount& mount : read_mounts(root + "/proc/self/mountinfo")) {
    const std::string& group = mount.unified ? groups.unified : groups.cpu;
    if (group.empty()) continue;
    // From the process's own group up to the top of the mount: each one's quota binds.
    for (std::string path = path_below(mount, group);;) {
      const double cpus = quota_cpus(root + mount.point + path, mount.unified);
      if (cpus > 0) smallest = smallest > 0 ? std::min(smallest, cpus) : cpus;
      if (path.empty()) break;
      path.resize(path.rfind('/') == std::string::npos ? 0 : path.rfind('/'));
    }
  }
  return smallest;
}

}  // namespace colonnade
