#include <gtest/gtest.h>

#include <cstring>
#include <memory>
#include <string>

#include <colonnade/file.h>

#include "io/testing/error_of.h"

namespace colonnade {
namespace {

TEST(MemoryFile, ReadsItsBytes) {
  auto text = std::make_shared<const std::string>("colonnade");
  const FilePtr file = open_memory_file(Buffer::wrap(text->data(), 9, text));
  EXPECT_EQ(file->name(), "<memory>");
  EXPECT_EQ(file->size(), 9);
  EXPECT_EQ(file->identity(), file->identity());
  EXPECT_EQ(file->identity().size, 9);
  uint8_t out[6] = {};
  const ReadRange ranges[] = {{4, 5, out}, {0, 1, out + 5}, {9, 0, nullptr}};
  file->read_many(ranges);
  EXPECT_EQ(std::memcmp(out, "nnadec", 6), 0);
}

TEST(MemoryFile, RefusesRangesOutside) {
  const FilePtr file = open_memory_file(Buffer(), "nothing");
  EXPECT_EQ(file->size(), 0);
  uint8_t out = 0;
  const ReadRange range{0, 1, &out};
  const auto error = io::testing::error_of([&] { file->read_many({&range, 1}); });
  ASSERT_TRUE(error);
  EXPECT_EQ(error->code(), ErrorCode::kInvalidArgument);
  EXPECT_STREQ(error->what(), "range outside the file: file 'nothing': 1 bytes at 0, file of 0");
}

TEST(MemoryFile, KeepsItsBytesAlive) {
  auto text = std::make_shared<const std::string>("colonnade");
  const std::weak_ptr<const std::string> alive = text;
  FilePtr file = open_memory_file(Buffer::wrap(text->data(), 9, text));
  text.reset();
  EXPECT_FALSE(alive.expired());
  file.reset();
  EXPECT_TRUE(alive.expired());
}

}  // namespace
}  // namespace colonnade
