#include "io/glob_pattern.h"

#include <gtest/gtest.h>

#include <string>

namespace colonnade::io {
namespace {

TEST(GlobPattern, MatchesAsShellsDo) {
  const struct {
    const char* pattern;
    const char* name;
    bool expected;
  } cases[] = {
      {"a.parquet", "a.parquet", true},
      {"a.parquet", "aXparquet", false},
      {"", "", true},
      {"", "a", false},
      {"*", "", true},
      {"*", "anything", true},
      {"*.parquet", "a.parquet", true},
      {"*.parquet", "a.parquet.crc", false},
      {"*.parquet", ".parquet", true},
      {"part-*-*.c000", "part-1-2-3.c000", true},
      {"part-*-*.c000", "part-1.c000", false},
      {"a*b*c", "aXbXbc", true},
      {"a*b*c", "aXbXbcd", false},
      {"**", "x", true},
      {"?", "a", true},
      {"?", "", false},
      {"?", "ab", false},
      {"a?c", "abc", true},
      {"[abc]", "b", true},
      {"[abc]", "d", false},
      {"[a-c]x", "bx", true},
      {"[a-c]x", "dx", false},
      {"[!a-c]", "d", true},
      {"[!a-c]", "b", false},
      {"[^a-c]", "d", true},
      {"[]]", "]", true},
      {"[]a]", "a", true},
      {"[!]]", "]", false},
      {"[!]]", "x", true},
      {"[-a]", "-", true},
      {"[a-]", "-", true},
      {"[a-]", "b", false},
      {"[c-a]", "b", false},
      {"[*]", "*", true},
      {"[*]", "x", false},
      {"[?]x", "?x", true},
      {"year=202[0-4]", "year=2024", true},
      {"year=202[0-4]", "year=2025", false},
      {"a[", "a[", true},
      {"a[b", "a[b", true},
      {"a[b", "ab", false},
      {"[]", "[]", true},
      {"[!]", "[!]", true},
      {"*[0-9]", "a1b2", true},
      {"\\*", "\\anything", true},
  };
  for (const auto& c : cases) {
    EXPECT_EQ(matches(c.pattern, c.name), c.expected) << c.pattern << " on " << c.name;
  }
}

TEST(GlobPattern, CharactersAreCodePoints) {
  EXPECT_TRUE(matches("?", "é"));
  EXPECT_TRUE(matches("?", "日"));
  EXPECT_TRUE(matches("?", "🏛"));
  EXPECT_FALSE(matches("?", "éé"));
  EXPECT_TRUE(matches("[à-ü]x", "éx"));
  EXPECT_FALSE(matches("[à-ü]x", "ýx"));
  EXPECT_TRUE(matches("[日本]", "本"));
  EXPECT_TRUE(matches("*é", "ééé"));
  // Bytes that are no UTF-8 count one by one, and as outside of every range.
  EXPECT_TRUE(matches("??", "\xC3\xC3"));
  EXPECT_TRUE(matches("?", "\xFF"));
  EXPECT_TRUE(matches("a\xFF*", "a\xFFz"));
  EXPECT_TRUE(matches("[\xFF]", "\xFF"));
  EXPECT_FALSE(matches("[a-\xF4\x8F\xBF\xBF]", "\xFF"));
  EXPECT_TRUE(matches("???", "\xE6\x97x"));
}

TEST(GlobPattern, TakesNoLongerThanItsLengths) {
  std::string pattern;
  for (int i = 0; i < 100; ++i) pattern += "*a";
  EXPECT_FALSE(matches(pattern + "b", std::string(5'000, 'a')));
  EXPECT_TRUE(matches(pattern, std::string(5'000, 'a')));
}

TEST(GlobPattern, KnowsItsWildcards) {
  for (const char* component : {"*", "a*", "?", "[a]", "x[!a]y", "**"}) {
    EXPECT_TRUE(has_wildcard(component)) << component;
  }
  for (const char* component : {"", "abc", "a[", "a]b", "[]", "[!]"}) {
    EXPECT_FALSE(has_wildcard(component)) << component;
  }
}

}  // namespace
}  // namespace colonnade::io
