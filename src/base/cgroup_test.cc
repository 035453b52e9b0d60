#include "base/cgroup.h"

#include <filesystem>
#include <fstream>
#include <string>

#include <gtest/gtest.h>

namespace colonnade {
namespace {

namespace fs = std::filesystem;

// A made-up file system with the files that the kernel shows.
class CgroupTest : public ::testing::Test {
 protected:
  void SetUp() override {
    std::string pattern = (fs::temp_directory_path() / "colonnade-cgroup-XXXXXX").string();
    ASSERT_NE(mkdtemp(pattern.data()), nullptr);
    root_ = pattern;
  }
  void TearDown() override { fs::remove_all(root_); }

  void write(const std::string& path, const std::string& text) {
    const std::string full = root_ + path;
    fs::create_directories(fs::path(full).parent_path());
    std::ofstream(full) << text;
  }
  double cpus() const { return cgroup_cpus(root_); }

  static constexpr const char* kUnified =
      "30 23 0:26 / /sys/fs/cgroup rw,nosuid shared:9 - cgroup2 cgroup2 rw,nsdelegate\n";

  std::string root_;
};

TEST_F(CgroupTest, NothingToReadIsNoQuota) { EXPECT_EQ(cpus(), 0); }

TEST_F(CgroupTest, Version2) {
  write("/proc/self/cgroup", "0::/a/b\n");
  write("/proc/self/mountinfo", kUnified);
  write("/sys/fs/cgroup/a/b/cpu.max", "150000 100000\n");
  EXPECT_DOUBLE_EQ(cpus(), 1.5);
}

TEST_F(CgroupTest, TheSmallestQuotaOnTheWayUpCounts) {
  write("/proc/self/cgroup", "0::/a/b/c\n");
  write("/proc/self/mountinfo", kUnified);
  write("/sys/fs/cgroup/a/b/c/cpu.max", "max 100000\n");
  write("/sys/fs/cgroup/a/b/cpu.max", "400000 100000\n");
  write("/sys/fs/cgroup/a/cpu.max", "50000 100000\n");
  EXPECT_DOUBLE_EQ(cpus(), 0.5);
}

TEST_F(CgroupTest, MaxIsNoQuota) {
  write("/proc/self/cgroup", "0::/a\n");
  write("/proc/self/mountinfo", kUnified);
  write("/sys/fs/cgroup/a/cpu.max", "max 100000\n");
  EXPECT_EQ(cpus(), 0);
}

TEST_F(CgroupTest, InsideAContainerTheMountIsTheGroup) {
  write("/proc/self/cgroup", "0::/\n");
  write("/proc/self/mountinfo", kUnified);
  write("/sys/fs/cgroup/cpu.max", "200000 100000\n");
  EXPECT_DOUBLE_EQ(cpus(), 2);
}

TEST_F(CgroupTest, Version1) {
  write("/proc/self/cgroup", "4:cpu,cpuacct:/docker/abc\n3:memory:/other\n");
  write("/proc/self/mountinfo",
        "32 31 0:29 /docker/abc /sys/fs/cgroup/cpu,cpuacct ro - cgroup cgroup rw,cpu,cpuacct\n"
        "33 31 0:30 / /sys/fs/cgroup/memory ro - cgroup cgroup rw,memory\n");
  write("/sys/fs/cgroup/cpu,cpuacct/cpu.cfs_quota_us", "250000\n");
  write("/sys/fs/cgroup/cpu,cpuacct/cpu.cfs_period_us", "100000\n");
  EXPECT_DOUBLE_EQ(cpus(), 2.5);
  write("/sys/fs/cgroup/cpu,cpuacct/cpu.cfs_quota_us", "-1\n");
  EXPECT_EQ(cpus(), 0);
}

TEST_F(CgroupTest, DamagedFilesAreNoQuota) {
  write("/proc/self/cgroup", "nonsense\n0::/a\n:\n");
  write("/proc/self/mountinfo", std::string("x - y\n\n") + kUnified);
  write("/sys/fs/cgroup/a/cpu.max", "many few\n");
  EXPECT_EQ(cpus(), 0);
  write("/sys/fs/cgroup/a/cpu.max", "100000 0\n");
  EXPECT_EQ(cpus(), 0);
}

}  // namespace
}  // namespace colonnade
