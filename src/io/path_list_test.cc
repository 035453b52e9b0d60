#include "io/path_list.h"

#include <gtest/gtest.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <filesystem>

#include "io/folder.h"
#include "io/testing/as_other_user.h"
#include "io/testing/error_of.h"
#include "io/testing/temporary_folder.h"

namespace colonnade::io {
namespace {

namespace fs = std::filesystem;
using testing::code_of;
using Paths = std::vector<std::string>;

class PathListTest : public ::testing::Test {
 protected:
  // Writes empty files.
  void make(std::initializer_list<const char*> names) {
    for (const char* name : names) folder_.write(name, "");
  }
  // The files that a path below the folder stands for, without the folder's own path.
  Paths list(const std::string& path) {
    Paths paths = list_files({}, path.empty() ? folder_.path() : folder_ / path);
    for (std::string& found : paths) {
      EXPECT_TRUE(found.starts_with(folder_.path() + "/")) << found;
      found.erase(0, folder_.path().size() + 1);
    }
    return paths;
  }

  testing::TemporaryFolder folder_;
};

TEST_F(PathListTest, AFileStandsForItself) {
  make({"a.parquet", "_hidden", ".dot", "a.parquet.crc", "_dir/b"});
  for (const char* name : {"a.parquet", "_hidden", ".dot", "a.parquet.crc", "_dir/b"}) {
    EXPECT_EQ(list(name), Paths{name});
  }
}

TEST_F(PathListTest, AFolderStandsForTheFilesBelow) {
  make({"b", "a", "sub/z", "sub/deeper/y", "Z", "é", "sub.x/q", "a b"});
  fs::create_directories(folder_ / "empty");
  const Paths all = {"Z", "a", "a b", "b", "sub.x/q", "sub/deeper/y", "sub/z", "é"};
  EXPECT_TRUE(std::is_sorted(all.begin(), all.end()));
  EXPECT_EQ(list(""), all);
  // The path begins with what was given.
  EXPECT_EQ(list("sub/"), (Paths{"sub/deeper/y", "sub/z"}));
  EXPECT_EQ(list_files({}, folder_.path() + "//sub")[1], folder_.path() + "//sub/z");
}

TEST_F(PathListTest, LeavesOutWhatIsNoData) {
  make({"part-0", "_SUCCESS", "_metadata", "_common_metadata", ".part-0.crc", "part-0.crc",
        ".hidden", "_temporary/0/part-1", ".spark-staging/part-2", "year=2024/part-3",
        "year=2024/_SUCCESS", "_delta_log/00000.json", "x.crc/part-4", "crc", "a_b", "a.b",
        "_k=_file"});
  EXPECT_EQ(list(""), (Paths{"a.b", "a_b", "crc", "part-0", "year=2024/part-3"}));
}

TEST_F(PathListTest, TakesPartitionsWhoseColumnBeginsWithAnUnderscore) {
  make({"_year=2024/part-0", "_year=2025/_SUCCESS", "_year=2025/part-1"});
  EXPECT_EQ(list(""), (Paths{"_year=2024/part-0", "_year=2025/part-1"}));
  EXPECT_EQ(list("*/part-*"), (Paths{"_year=2024/part-0", "_year=2025/part-1"}));
}

TEST_F(PathListTest, WildcardsMatchWithinAFolder) {
  make({"a1.parquet", "a2.parquet", "b1.parquet", "a1.csv", "sub/a3.parquet", "year=1/x",
        "year=2/x", "year=2/y/z", "_a.parquet", ".a.parquet", "a3.crc"});
  EXPECT_EQ(list("*.parquet"), (Paths{"a1.parquet", "a2.parquet", "b1.parquet"}));
  EXPECT_EQ(list("a?.parquet"), (Paths{"a1.parquet", "a2.parquet"}));
  EXPECT_EQ(list("[!a]*.parquet"), (Paths{"b1.parquet"}));
  EXPECT_EQ(list("year=[12]/x"), (Paths{"year=1/x", "year=2/x"}));
  EXPECT_EQ(list("*/x"), (Paths{"year=1/x", "year=2/x"}));
  // A folder that the last component matches stands for what is below it.
  EXPECT_EQ(list("year=*"), (Paths{"year=1/x", "year=2/x", "year=2/y/z"}));
  EXPECT_EQ(list("*/*"), (Paths{"sub/a3.parquet", "year=1/x", "year=2/x", "year=2/y/z"}));
  EXPECT_EQ(list("year=2/*"), (Paths{"year=2/x", "year=2/y/z"}));
  EXPECT_EQ(list("a*"), (Paths{"a1.csv", "a1.parquet", "a2.parquet"}));
}

TEST_F(PathListTest, AGlobThatSaysSoTakesHiddenNames) {
  make({"_a", "_b/c", ".a", "x.crc", "y"});
  EXPECT_EQ(list("_*"), (Paths{"_a", "_b/c"}));
  EXPECT_EQ(list(".a*"), (Paths{".a"}));
  EXPECT_EQ(list("*.crc"), (Paths{"x.crc"}));
  EXPECT_EQ(list("*"), (Paths{"y"}));
  EXPECT_EQ(list("?*"), (Paths{"y"}));
  EXPECT_EQ(list("_b/*"), (Paths{"_b/c"}));
}

TEST_F(PathListTest, TwoStarsMatchAnyNumberOfFolders) {
  make({"x.parquet", "a/x.parquet", "a/b/x.parquet", "a/b/y.parquet", "_t/x.parquet",
        "a/.h/x.parquet", "c/y.parquet"});
  EXPECT_EQ(list("**/x.parquet"), (Paths{"a/b/x.parquet", "a/x.parquet", "x.parquet"}));
  EXPECT_EQ(list("a/**/x.parquet"), (Paths{"a/b/x.parquet", "a/x.parquet"}));
  EXPECT_EQ(list("**/b/*"), (Paths{"a/b/x.parquet", "a/b/y.parquet"}));
  EXPECT_EQ(list("**"),
            (Paths{"a/b/x.parquet", "a/b/y.parquet", "a/x.parquet", "c/y.parquet", "x.parquet"}));
  EXPECT_EQ(list("**/**/x.parquet"), list("**/x.parquet"));
  EXPECT_EQ(list("**/a/**/x.parquet"), (Paths{"a/b/x.parquet", "a/x.parquet"}));
  // Two ways lead to the same file.
  EXPECT_EQ(list("**/[ab]/**/y.parquet"), (Paths{"a/b/y.parquet"}));
}

TEST_F(PathListTest, AnExistingNameIsNoGlob) {
  make({"a[1].parquet", "a1.parquet", "*", "?", "[x]/b", "x/b", "[x]/*"});
  EXPECT_EQ(list("a[1].parquet"), Paths{"a[1].parquet"});
  EXPECT_EQ(list("*"), Paths{"*"});
  EXPECT_EQ(list("?"), Paths{"?"});
  EXPECT_EQ(list("[x]"), (Paths{"[x]/*", "[x]/b"}));
  EXPECT_EQ(list("[x]/?"), (Paths{"[x]/*", "[x]/b"}));
  EXPECT_EQ(list("[x]/b*"), (Paths{"[x]/b"}));
  fs::remove(folder_ / "a[1].parquet");
  EXPECT_EQ(list("a[1].parquet"), Paths{"a1.parquet"});
}

TEST_F(PathListTest, NothingIsNotFound) {
  make({"_SUCCESS", "a/_x"});
  for (const char* path : {"missing", "missing/x", "_SUCCESS/x", "*", "*.parquet", "a/*", "a", "",
                           "**/nothing", "missing/*/x", "a[", "_SUCCESS/*"}) {
    EXPECT_EQ(code_of([&] { list(path); }), ErrorCode::kNotFound) << path;
  }
  const auto error = testing::error_of([&] { list("*.parquet"); });
  ASSERT_TRUE(error);
  EXPECT_EQ(error->what(), "no files match: file '" + (folder_ / "*.parquet") + "'");
  EXPECT_EQ(code_of([&] { list_files({}, ""); }), ErrorCode::kInvalidArgument);
  EXPECT_EQ(code_of([&] { list_files({}, std::string("a\0b", 3)); }), ErrorCode::kInvalidArgument);
  // Longer than any name can be, but a glob all the same.
  EXPECT_EQ(code_of([&] { list(std::string(300, 'x') + "*"); }), ErrorCode::kNotFound);
}

TEST_F(PathListTest, CanBeCancelled) {
  make({"a/x", "b"});
  CancelToken token;
  token.cancel();
  for (const char* path : {"", "a", "*", "**/x"}) {
    EXPECT_EQ(code_of([&] { list_files(token, folder_ / path); }), ErrorCode::kCancelled) << path;
  }
}

TEST_F(PathListTest, AFolderThatVanishedHoldsNothing) {
  EXPECT_FALSE(read_folder({}, folder_ / "gone"));
  make({"file"});
  EXPECT_FALSE(read_folder({}, folder_ / "file"));
}

TEST_F(PathListTest, LinksInACircleEnd) {
  make({"a/x", "b/y"});
  fs::create_directory_symlink("..", folder_ / "a/up");
  fs::create_directory_symlink(".", folder_ / "self");
  EXPECT_EQ(list(""), (Paths{"a/x", "b/y"}));
  EXPECT_EQ(list("**/y"), (Paths{"b/y"}));
  EXPECT_EQ(list("a"), (Paths{"a/up/b/y", "a/x"}));
  // Where the glob itself says how deep to go, it may go round.
  EXPECT_EQ(list("a/*/a/x"), (Paths{"a/up/a/x"}));
}

TEST_F(PathListTest, ManyLinksToTheSameFoldersEnd) {
  // Each of 30 folders has two links to the next: 2^30 paths to one file.
  for (int i = 0; i < 30; ++i) {
    const std::string here = folder_ / ("d" + std::to_string(i));
    fs::create_directories(here);
    const std::string next = "../d" + std::to_string(i + 1);
    fs::create_directory_symlink(next, here + "/l1");
    fs::create_directory_symlink(next, here + "/l2");
  }
  make({"d30/file"});
  EXPECT_EQ(list("d0").size(), 1u);
  EXPECT_EQ(list("").size(), 1u);
}

TEST_F(PathListTest, FollowsLinks) {
  make({"data/x", "set/y"});
  fs::create_directory_symlink("../data", folder_ / "set/link");
  fs::create_symlink("../data/x", folder_ / "set/file");
  EXPECT_EQ(list("set"), (Paths{"set/file", "set/link/x", "set/y"}));
  EXPECT_EQ(list("set/l*/x"), (Paths{"set/link/x"}));
  // One that leads nowhere is not passed over in silence.
  fs::create_symlink("nowhere", folder_ / "set/broken");
  fs::create_symlink("circle", folder_ / "set/circle");
  EXPECT_EQ(list("set"), (Paths{"set/broken", "set/circle", "set/file", "set/link/x", "set/y"}));
}

TEST_F(PathListTest, PipesAreNoData) {
  make({"x"});
  ASSERT_EQ(::mkfifo((folder_ / "pipe").c_str(), 0600), 0);
  EXPECT_EQ(list(""), Paths{"x"});
  EXPECT_EQ(list("*"), Paths{"x"});
  EXPECT_EQ(list("pipe"), Paths{"pipe"});
}

TEST_F(PathListTest, AFolderThatCannotBeReadIsAnError) {
  make({"open/x", "closed/y"});
  ASSERT_EQ(::chmod(folder_.path().c_str(), 0755), 0);
  ASSERT_EQ(::chmod((folder_ / "closed").c_str(), 0), 0);
  {
    const testing::AsOtherUser other;
    for (const char* path : {"", "closed", "closed/*", "closed/y", "*", "**/x"}) {
      EXPECT_EQ(code_of([&] { list(path); }), ErrorCode::kPermissionDenied) << path;
    }
    EXPECT_EQ(list("open"), Paths{"open/x"});
  }
  ASSERT_EQ(::chmod((folder_ / "closed").c_str(), 0700), 0);
}

TEST_F(PathListTest, RelativePathsStayRelative) {
  make({"in/a", "in/b"});
  const fs::path before = fs::current_path();
  fs::current_path(folder_.path());
  EXPECT_EQ(list_files({}, "in/*"), (Paths{"in/a", "in/b"}));
  EXPECT_EQ(list_files({}, "./in/*"), (Paths{"./in/a", "./in/b"}));
  EXPECT_EQ(list_files({}, "*"), (Paths{"in/a", "in/b"}));
  EXPECT_EQ(list_files({}, "**/a"), (Paths{"in/a"}));
  EXPECT_EQ(list_files({}, "."), (Paths{"./in/a", "./in/b"}));
  fs::current_path(before);
}

}  // namespace
}  // namespace colonnade::io
