#include "base/json.h"

#include <gtest/gtest.h>

#include "base/utf8.h"

namespace colonnade {
namespace {

TEST(Json, EscapesWhatMustNotStandInAString) {
  std::string out;
  json::append_string(out, std::string_view("a\"\\\n\r\t\0\x1f\x7f/é", 12));
  EXPECT_EQ(out, "\"a\\\"\\\\\\n\\r\\t\\u0000\\u001f\\u007f/é\"");
}

TEST(Json, ReplacesBytesThatAreNotUtf8) {
  std::string out;
  json::append_string(out, "x\xff\xc3(\xed\xa0\x80");
  EXPECT_EQ(out, "\"x\xEF\xBF\xBD\xEF\xBF\xBD(\xEF\xBF\xBD\xEF\xBF\xBD\xEF\xBF\xBD\"");
}

TEST(Json, PutsCommasBetweenMembers) {
  json::Writer writer;
  writer.begin_object()
      .key("a")
      .value(int64_t{-1})
      .key("b")
      .begin_array()
      .value(true)
      .null()
      .begin_object()
      .end_object();
  writer.end_array().key("c").value("x").key("d").begin_array().end_array().end_object();
  EXPECT_EQ(std::move(writer).take(), R"({"a":-1,"b":[true,null,{}],"c":"x","d":[]})");
}

TEST(Utf8, FindsTheFirstInvalidByte) {
  const auto invalid = [](std::string_view text) {
    return utf8::first_invalid({reinterpret_cast<const uint8_t*>(text.data()), text.size()});
  };
  EXPECT_EQ(invalid(""), 0u);
  EXPECT_EQ(invalid("plain ascii of some length"), 26u);
  EXPECT_EQ(invalid("é日本\xF0\x9F\x98\x80"), 12u);
  EXPECT_EQ(invalid("12345678\xC0\x80"), 8u);    // overlong
  EXPECT_EQ(invalid("ab\xE0\x9F\xBF"), 2u);      // overlong
  EXPECT_EQ(invalid("ab\xED\xA0\x80"), 2u);      // surrogate
  EXPECT_EQ(invalid("ab\xF4\x90\x80\x80"), 2u);  // above U+10FFFF
  EXPECT_EQ(invalid("ab\xF0\x9F\x98"), 2u);      // cut short
  EXPECT_EQ(invalid("ab\x80"), 2u);
}

}  // namespace
}  // namespace colonnade
