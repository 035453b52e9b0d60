#include <colonnade/error.h>

#include <cerrno>
#include <limits>
#include <string>

#include <gtest/gtest.h>

#include "base/checked.h"
#include "base/fail.h"

namespace colonnade {
namespace {

Place full_place() {
  Place place;
  place.file = "a.parquet";
  place.column = "k";
  place.row_group = 2;
  place.page_offset = 4;
  return place;
}

TEST(Error, MessageSaysWhatThenWhereThenValues) {
  Error error(ErrorCode::kCorruptData, "dictionary index outside the dictionary",
              "index 7, size 5");
  EXPECT_STREQ(error.what(), "dictionary index outside the dictionary: index 7, size 5");
  error.locate(full_place());
  EXPECT_STREQ(
      error.what(),
      "dictionary index outside the dictionary: file 'a.parquet', column 'k', row group 2, "
      "page at 4: index 7, size 5");
  EXPECT_EQ(error.code(), ErrorCode::kCorruptData);
  EXPECT_EQ(error.what_happened(), "dictionary index outside the dictionary");
  EXPECT_EQ(error.values(), "index 7, size 5");
}

TEST(Error, PlaceIsFilledInOnTheWayUpAndNeverReplaced) {
  Error error(ErrorCode::kCorruptData, "bad page");
  Place page;
  page.row_group = 0;
  page.page_offset = 0;
  error.locate(page);
  EXPECT_STREQ(error.what(), "bad page: row group 0, page at 0");
  error.locate(full_place());
  EXPECT_STREQ(error.what(), "bad page: file 'a.parquet', column 'k', row group 0, page at 0");
  EXPECT_EQ(error.place().row_group, 0);
}

TEST(Error, ErrnoIsNamed) {
  Error error(ErrorCode::kNotFound, "cannot open");
  Place place;
  place.file = "x";
  error.locate(place).with_errno(ENOENT);
  EXPECT_STREQ(error.what(), "cannot open: file 'x': No such file or directory (errno 2)");
  EXPECT_EQ(error.system_errno(), ENOENT);
}

TEST(Error, ClassAndParametersAreKept) {
  Error error(ErrorCode::kDataError, "division by zero");
  error.with_class("DIVIDE_BY_ZERO", {{"config", "ansi"}});
  const Error copy = error;
  EXPECT_EQ(copy.error_class(), "DIVIDE_BY_ZERO");
  ASSERT_EQ(copy.parameters().size(), 1u);
  EXPECT_EQ(copy.parameters()[0].second, "ansi");
  EXPECT_STREQ(copy.what(), "division by zero");
}

TEST(Error, EveryCodeHasItsOwnName) {
  std::string seen;
  for (int code = 1; code <= 10; ++code) {
    const std::string name = error_code_name(static_cast<ErrorCode>(code));
    EXPECT_NE(name, "unknown error");
    EXPECT_EQ(seen.find("|" + name + "|"), std::string::npos) << name;
    seen += "|" + name + "|";
  }
  EXPECT_STREQ(error_code_name(static_cast<ErrorCode>(99)), "unknown error");
}

TEST(Error, FailFormatsItsValues) {
  try {
    fail(ErrorCode::kNotFound, "no such column", "'{}' of {}", "a", 3);
  } catch (const Error& error) {
    EXPECT_STREQ(error.what(), "no such column: 'a' of 3");
    EXPECT_EQ(error.code(), ErrorCode::kNotFound);
    return;
  }
  FAIL();
}

TEST(Checked, SumsAndProductsUpToTheLimit) {
  constexpr int64_t kMax = std::numeric_limits<int64_t>::max();
  EXPECT_EQ(checked_add(kMax - 1, 1, "x"), kMax);
  EXPECT_EQ(checked_mul(kMax / 2, 2, "x"), kMax - 1);
  EXPECT_THROW(checked_add(kMax, 1, "x"), Error);
  try {
    checked_mul(kMax / 2 + 1, 2, "offsets");
    FAIL();
  } catch (const Error& error) {
    EXPECT_EQ(error.code(), ErrorCode::kOutOfBudget);
    EXPECT_NE(std::string(error.what()).find("offsets"), std::string::npos);
  }
}

}  // namespace
}  // namespace colonnade
