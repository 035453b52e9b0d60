// Arrays that other systems make and Colonnade does not: small ids, run ends, missing buffers, odd
// addresses.
#include <colonnade/arrow.h>
#include <colonnade/error.h>
#include <gtest/gtest.h>

#include <cstdint>
#include <functional>
#include <limits>
#include <string>
#include <vector>

#include "arrow/testing/c_array.h"
#include "column/binary_view.h"
#include "column/testing/reference.h"

namespace colonnade::arrow {
namespace {

using colonnade::testing::to_values;
using colonnade::testing::Value;
using testing::CArray;
using Integer = ImportEncoding::Integer;

const DataType kInt32(TypeId::kInt32);
const DataType kString(TypeId::kString);

std::string printed(const Column& column) {
  std::string text;
  for (const Value& value : to_values(column)) text += colonnade::testing::to_string(value) + " ";
  return text;
}

// Imports at both levels of validation, sees to it that the array is released with the column, and
// prints.
std::string imported(const Field& field, const std::function<CArray()>& make) {
  std::string text;
  for (const Validation validation : {Validation::kStructure, Validation::kFull}) {
    int released = 0;
    ArrowArray array;
    make().move_to(&array, &released);
    {
      const ColumnPtr column = import_column(Context{}, field, &array, validation);
      EXPECT_EQ(array.release, nullptr);
      const std::string now = printed(*column);
      if (validation == Validation::kFull) {
        EXPECT_EQ(now, text);
      }
      text = now;
    }
    EXPECT_EQ(released, 1);
  }
  return text;
}

// The message of the refusal; the array must have been released.
std::string refused(const Field& field, const std::function<CArray()>& make,
                    Validation validation = Validation::kStructure,
                    ErrorCode code = ErrorCode::kCorruptData) {
  int released = 0;
  ArrowArray array;
  make().move_to(&array, &released);
  std::string message;
  try {
    import_column(Context{}, field, &array, validation);
    message = "imported";
  } catch (const Error& error) {
    message = error.code() == code ? error.what() : "another code: " + std::string(error.what());
  }
  EXPECT_EQ(array.release, nullptr);
  EXPECT_EQ(released, 1);
  return message;
}

CArray strings(std::vector<int32_t> offsets, const std::string& bytes, int64_t length = 2) {
  return CArray(length).null_buffer().buffer(offsets).buffer(bytes);
}

template <typename Id>
void import_ids(Integer type) {
  Field field{"d", kString, true, {}, Form::kDefault, true};
  field.import_encoding.ids = type;
  const auto make = [](std::vector<Id> ids, std::vector<uint8_t> validity, int64_t nulls) {
    return [=] {
      CArray array(3, nulls, 1);
      validity.empty() ? array.null_buffer() : array.buffer(validity);
      array.buffer(ids);
      return array.dictionary(
          CArray(2).null_buffer().buffer(std::vector<int32_t>{0, 1, 3}).buffer(std::string("abb")));
    };
  };
  EXPECT_EQ(imported(field, make({99, 1, 0, 1}, {}, 0)), "\"bb\" \"a\" \"bb\" ");
  EXPECT_EQ(imported(field, make({99, 1, 77, 1}, {0b1011}, 1)), "\"bb\" null \"bb\" ");
  EXPECT_EQ(refused(field, make({0, 1, 0, 2}, {}, 0)),
            "dictionary index outside the dictionary: column 'd': index 2 in row 2, size 2");
  const Id extreme = std::numeric_limits<Id>::min() < 0 ? std::numeric_limits<Id>::min()
                                                        : std::numeric_limits<Id>::max();
  EXPECT_EQ(refused(field, make({0, extreme, 0, 0}, {}, 0)).substr(0, 23),
            "dictionary index outsid");
}

TEST(ImportTest, TakesDictionaryIdsOfEveryInteger) {
  import_ids<int8_t>(Integer::kInt8);
  import_ids<int16_t>(Integer::kInt16);
  import_ids<int32_t>(Integer::kInt32);
  import_ids<int64_t>(Integer::kInt64);
  import_ids<uint8_t>(Integer::kUInt8);
  import_ids<uint16_t>(Integer::kUInt16);
  import_ids<uint32_t>(Integer::kUInt32);
  import_ids<uint64_t>(Integer::kUInt64);
}

TEST(ImportTest, MovesNullsOfDictionaryValuesToTheIds) {
  const Field field{"d", kInt32, true, {}, Form::kDefault, true};
  const auto make = [] {
    return CArray(4)
        .null_buffer()
        .buffer(std::vector<int32_t>{0, 1, 2, 1})
        .dictionary(CArray(3, 1)
                        .buffer(std::vector<uint8_t>{0b101})
                        .buffer(std::vector<int32_t>{10, -1, 30}));
  };
  EXPECT_EQ(imported(field, make), "10 null 30 null ");
  ArrowArray array;
  make().move_to(&array, nullptr);
  const ColumnPtr column = import_column(Context{}, field, &array);
  EXPECT_EQ(column->null_count(), 2);
  EXPECT_EQ(column->parts().dictionary->values->null_count(), 0);
}

TEST(ImportTest, TakesAnEmptyDictionaryOfNulls) {
  const Field field{"d", kInt32, true, {}, Form::kDefault, true};
  const auto make = [] {
    return CArray(2, 2)
        .buffer(std::vector<uint8_t>{0})
        .buffer(std::vector<int32_t>{5, -1})
        .dictionary(CArray(0).null_buffer().null_buffer());
  };
  EXPECT_EQ(imported(field, make), "null null ");
}

template <typename RunEnd>
CArray runs(int64_t length, int64_t offset, std::vector<RunEnd> ends) {
  const auto num_runs = static_cast<int64_t>(ends.size());
  return CArray(length, 0, offset)
      .child(CArray(num_runs).null_buffer().buffer(ends))
      .child(CArray(3, 1, 1)
                 .buffer(std::vector<uint8_t>{0b1011})
                 .buffer(std::vector<int32_t>{0, 7, 8, 9}));
}

TEST(ImportTest, ExpandsRunEnds) {
  Field field{"r", kInt32};
  field.import_encoding.run_ends = Integer::kInt16;
  EXPECT_EQ(imported(field, [] { return runs<int16_t>(6, 0, {1, 4, 6}); }),
            "7 null null null 9 9 ");
  EXPECT_EQ(imported(field, [] { return runs<int16_t>(3, 2, {1, 4, 6}); }), "null null 9 ");
  EXPECT_EQ(imported(field, [] { return runs<int16_t>(0, 0, {}); }), "");
  field.import_encoding.run_ends = Integer::kInt32;
  EXPECT_EQ(imported(field, [] { return runs<int32_t>(4, 1, {2, 100}); }), "7 null null null ");
  field.import_encoding.run_ends = Integer::kInt64;
  EXPECT_EQ(imported(field, [] { return runs<int64_t>(2, 0, {1, 2}); }), "7 null ");
  EXPECT_NE(refused(field, [] { return runs<int64_t>(3, 0, {1, 2}); }), "imported");
  EXPECT_NE(refused(field, [] { return runs<int64_t>(2, 0, {2, 2}); }), "imported");
  EXPECT_NE(refused(field, [] { return runs<int64_t>(2, 0, {0, 2}); }), "imported");
  EXPECT_NE(refused(field, [] { return runs<int64_t>(2, 0, {-1, 2}); }), "imported");
  EXPECT_NE(refused(field, [] { return runs<int64_t>(2, 0, {1, 2, 3, 4}); }), "imported");
}

TEST(ImportTest, TakesArraysWithoutRowsAndWithoutBuffers) {
  const auto nothing = [](int64_t num_buffers, int64_t offset = 0) {
    return [=] {
      CArray array(0, 0, offset);
      for (int64_t i = 0; i < num_buffers; ++i) array.null_buffer();
      return array;
    };
  };
  EXPECT_EQ(imported({"a", kInt32}, nothing(2)), "");
  EXPECT_EQ(imported({"a", kInt32}, nothing(2, 123)), "");
  EXPECT_EQ(imported({"a", DataType(TypeId::kBool)}, nothing(2, 3)), "");
  EXPECT_EQ(imported({"a", kString}, nothing(3)), "");
  EXPECT_EQ(imported({"a", kString}, nothing(3, 123)), "");
  EXPECT_EQ(imported({"a", kString, true, {}, Form::kOffsets64}, nothing(3)), "");
  EXPECT_EQ(imported({"a", kString, true, {}, Form::kViews}, nothing(3)), "");
  EXPECT_EQ(imported({"a", DataType()}, nothing(0)), "");
  const Field list{"l", DataType::list({"e", kInt32})};
  EXPECT_EQ(imported(list, [&] { return nothing(2)().child(nothing(2)()); }), "");
}

TEST(ImportTest, ReadsBitsAtOddOffsets) {
  const auto make = [] {
    return CArray(4, 1, 3)
        .buffer(std::vector<uint8_t>{0b01011000})
        .buffer(std::vector<uint8_t>{0b01001000});
  };
  EXPECT_EQ(imported({"b", DataType(TypeId::kBool)}, make), "true false null true ");
}

TEST(ImportTest, CopiesBuffersOfOddAddresses) {
  alignas(8) static uint8_t bytes[17] = {0, 1, 0, 0, 0, 2, 0, 0, 0};
  const auto make = [] {
    CArray array = CArray(2).null_buffer().null_buffer();
    array.raw().buffers[1] = bytes + 1;
    return array;
  };
  EXPECT_EQ(imported({"a", kInt32}, make), "1 2 ");
}

TEST(ImportTest, ReadsViews) {
  const std::string long_value = "longer than twelve bytes";
  const auto make = [&](BinaryView second) {
    return [=] {
      return CArray(2)
          .null_buffer()
          .buffer(std::vector<BinaryView>{BinaryView::of_inline("short", 5), second})
          .buffer("--" + long_value)
          .buffer(std::vector<int64_t>{static_cast<int64_t>(long_value.size()) + 2});
    };
  };
  const Field field{"v", kString, true, {}, Form::kViews};
  const auto size = static_cast<int32_t>(long_value.size());
  EXPECT_EQ(imported(field, make(BinaryView::of_reference(long_value.data(), size, 0, 2))),
            "\"short\" \"longer than twelve bytes\" ");
  const auto hostile = [&](const std::function<void(BinaryView&)>& change) {
    BinaryView view = BinaryView::of_reference(long_value.data(), size, 0, 2);
    change(view);
    return refused(field, make(view), Validation::kFull);
  };
  EXPECT_EQ(hostile([](BinaryView& v) { v.buffer_index = 1; }).substr(0, 14), "view names a b");
  EXPECT_EQ(hostile([](BinaryView& v) { v.buffer_index = -1; }).substr(0, 14), "view names a b");
  EXPECT_EQ(hostile([](BinaryView& v) { v.buffer_offset = 3; }).substr(0, 14), "view reaches b");
  EXPECT_EQ(hostile([](BinaryView& v) { v.buffer_offset = -1; }).substr(0, 14), "view reaches b");
  EXPECT_EQ(
      hostile([](BinaryView& v) { v.length = std::numeric_limits<int32_t>::max(); }).substr(0, 14),
      "view reaches b");
  EXPECT_EQ(hostile([](BinaryView& v) { v.length = -1; }).substr(0, 14), "negative lengt");
  EXPECT_EQ(hostile([](BinaryView& v) { v.prefix[0] = 'x'; }).substr(0, 14), "prefix of a vi");
  EXPECT_EQ(hostile([](BinaryView& v) { v.length = 3; }).substr(0, 14), "view holds byt");
}

TEST(HostileArrayTest, RefusesWrongCountsAndMissingParts) {
  const Field number{"a", kInt32};
  const auto numbers = [](const std::function<void(ArrowArray&)>& change) {
    return [=] {
      CArray array = CArray(2).null_buffer().buffer(std::vector<int32_t>{1, 2});
      change(array.raw());
      return array;
    };
  };
  EXPECT_EQ(imported(number, numbers([](ArrowArray&) {})), "1 2 ");
  const int64_t max = std::numeric_limits<int64_t>::max();
  for (const auto& change : std::vector<std::function<void(ArrowArray&)>>{
           [](ArrowArray& a) { a.length = -1; }, [](ArrowArray& a) { a.offset = -1; },
           [=](ArrowArray& a) { a.offset = max; }, [=](ArrowArray& a) { a.length = max; },
           [=](ArrowArray& a) { a.length = a.offset = max / 2; },
           [](ArrowArray& a) { a.null_count = 3; }, [](ArrowArray& a) { a.null_count = -2; },
           [](ArrowArray& a) { a.null_count = 1; }, [](ArrowArray& a) { a.n_buffers = 1; },
           [](ArrowArray& a) { a.n_buffers = 3; }, [](ArrowArray& a) { a.n_buffers = -1; },
           [](ArrowArray& a) { a.buffers = nullptr; },
           [](ArrowArray& a) { a.buffers[1] = nullptr; }, [](ArrowArray& a) { a.n_children = 1; },
           [](ArrowArray& a) { a.n_children = -1; }}) {
    EXPECT_EQ(refused(number, numbers(change)).find("another code"), std::string::npos);
    EXPECT_NE(refused(number, numbers(change)), "imported");
  }
  EXPECT_NE(refused(number, [] { return strings({0, 1, 2}, "ab"); }), "imported");
  EXPECT_NE(refused({"d", kInt32, true, {}, Form::kDefault, true}, numbers([](ArrowArray&) {})),
            "imported");
}

TEST(HostileArrayTest, RefusesOffsetsThatLeadOutside) {
  const Field field{"s", kString};
  EXPECT_EQ(imported(field, [] { return strings({0, 1, 2}, "ab"); }), "\"a\" \"b\" ");
  EXPECT_NE(refused(field, [] { return strings({-1, 1, 2}, "ab"); }), "imported");
  EXPECT_NE(refused(field, [] { return strings({2, 1, 1}, "ab"); }), "imported");
  EXPECT_NE(refused(field, [] { return strings({0, 3, 2}, "ab"); }, Validation::kFull), "imported");
  EXPECT_NE(
      refused(field, [] { return strings({0, -5, 2}, "ab"); }, Validation::kFull), "imported");
  const Field list{"l", DataType::list({"e", kInt32})};
  const auto lists = [](std::vector<int32_t> offsets) {
    return [=] {
      return CArray(2).null_buffer().buffer(offsets).child(
          CArray(2).null_buffer().buffer(std::vector<int32_t>{1, 2}));
    };
  };
  EXPECT_EQ(imported(list, lists({0, 0, 2})), "[] [1, 2] ");
  EXPECT_NE(refused(list, lists({0, 0, 3})), "imported");
  EXPECT_NE(refused(list, lists({-1, 0, 2})), "imported");
  EXPECT_NE(refused(list, lists({2, 0, 1})), "imported");
  EXPECT_NE(refused(list, lists({0, 3, 2}), Validation::kFull), "imported");
}

// What import gathers has to be validated before.
TEST(HostileArrayTest, ValidatesTheValuesOfRunsAndDictionariesBeforeTheyAreGathered) {
  const auto in_runs = [](const std::function<CArray()>& values) {
    return [=] {
      return CArray(3, 0, 1)
          .child(CArray(2).null_buffer().buffer(std::vector<int32_t>{3, 4}))
          .child(values());
    };
  };
  const auto in_list = [](const std::function<CArray()>& elements, std::vector<int32_t> offsets) {
    return [=] { return CArray(2).null_buffer().buffer(offsets).child(elements()); };
  };
  const auto two_strings = [](int32_t middle) {
    return [=] { return strings({0, middle, 2}, "ab"); };
  };
  const auto refuses = [](const Field& field, const std::function<CArray()>& make) {
    EXPECT_EQ(refused(field, make, Validation::kFull).substr(0, 28), "offset of a column decreases")
        << field.to_string();
  };
  Field runs_of_strings{"r", kString};
  runs_of_strings.import_encoding.run_ends = Integer::kInt32;
  Field runs_of_lists{"r", DataType::list({"e", kString})};
  runs_of_lists.import_encoding.run_ends = Integer::kInt32;
  const Field list_of_runs{"l", DataType::list(runs_of_strings)};
  EXPECT_EQ(imported(runs_of_strings, in_runs(two_strings(1))), "\"a\" \"a\" \"b\" ");
  for (const int32_t bad : {-5, 3, 100, 1'000'000'000}) {
    refuses(runs_of_strings, in_runs(two_strings(bad)));
    refuses(runs_of_lists, in_runs(in_list(two_strings(bad), {0, 1, 2})));
    refuses(runs_of_lists, in_runs(in_list(two_strings(1), {0, bad, 2})));
    refuses(list_of_runs, in_list(in_runs(two_strings(bad)), {0, 1, 3}));
    // A null among the values of a dictionary makes import gather the others.
    refuses({"d", kString, true, {}, Form::kDefault, true}, [=] {
      return CArray(2)
          .null_buffer()
          .buffer(std::vector<int32_t>{0, 1})
          .dictionary(CArray(3, 1)
                          .buffer(std::vector<uint8_t>{0b101})
                          .buffer(std::vector<int32_t>{0, bad, 2, 2})
                          .buffer(std::string("ab")));
    });
  }
  EXPECT_EQ(refused(runs_of_strings, in_runs([] { return strings({0, 1, 2}, "a\xFF"); }),
                    Validation::kFull),
            "string is not UTF-8: column 'r': byte 0 of row 1");
}

TEST(ImportTest, NeverFollowsTheViewOfANull) {
  BinaryView nowhere{};
  nowhere.length = 100;
  nowhere.buffer_index = 1'000'000'000;
  const std::string value = "longer than twelve bytes";
  int released = 0;
  ArrowArray array;
  CArray(3, 1)
      .buffer(std::vector<uint8_t>{0b110})
      .buffer(std::vector<BinaryView>{
          nowhere, BinaryView::of_inline("b", 1),
          BinaryView::of_reference(value.data(), static_cast<int32_t>(value.size()), 0, 0)})
      .buffer(value)
      .buffer(std::vector<int64_t>{static_cast<int64_t>(value.size())})
      .move_to(&array, &released);
  const ColumnPtr column =
      import_column(Context{}, {"v", kString, true, {}, Form::kViews}, &array, Validation::kFull);
  for (const bool dictionary : {false, true}) {
    const Field field{"v", kString, true, {}, Form::kDefault, dictionary};
    EXPECT_EQ(printed(*convert_to_form(Context{}, field, column)),
              "null \"b\" \"longer than twelve bytes\" ");
  }
}

TEST(HostileArrayTest, RefusesChildrenThatAreShortMissingOrReleased) {
  const Field field{"s", DataType::struct_of({{"a", kInt32}})};
  const auto structs = [](int64_t child_rows, const std::function<void(ArrowArray&)>& change) {
    return [=] {
      CArray array = CArray(2, 0, 1).null_buffer().child(
          CArray(child_rows)
              .null_buffer()
              .buffer(std::vector<int32_t>(static_cast<size_t>(child_rows), 5)));
      change(array.raw());
      return array;
    };
  };
  EXPECT_EQ(imported(field, structs(3, [](ArrowArray&) {})), "[5] [5] ");
  EXPECT_EQ(refused(field, structs(2, [](ArrowArray&) {})).substr(0, 39),
            "child of an Arrow array is too short: c");
  EXPECT_NE(refused(field, structs(3, [](ArrowArray& a) { a.children = nullptr; })), "imported");
  EXPECT_NE(refused(field, structs(3, [](ArrowArray& a) { a.n_children = 2; })), "imported");
  const Field pair{"p", DataType::fixed_size_list({"e", kInt32}, 2)};
  EXPECT_NE(refused(pair, structs(5, [](ArrowArray&) {})), "imported");
  EXPECT_EQ(imported(pair, structs(6, [](ArrowArray&) {})), "[5, 5] [5, 5] ");
  EXPECT_EQ(refused(field,
                    [] {
                      return CArray(1).null_buffer().child(
                          CArray(1, 1).null_buffer().buffer(std::vector<int32_t>{1}));
                    })
                .substr(0, 59),
            "Arrow array has nulls but no validity buffer: column 's.a':");
}

TEST(HostileArrayTest, FullValidationLooksAtEveryValue) {
  const auto fixed = [](auto value) {
    return [=] { return CArray(1).null_buffer().buffer(std::vector<decltype(value)>{value}); };
  };
  const auto full = [&](const Field& field, const std::function<CArray()>& make) {
    EXPECT_NE(refused(field, make, Validation::kFull), "imported") << field.to_string();
    int released = 0;
    ArrowArray array;
    make().move_to(&array, &released);
    EXPECT_NE(import_column(Context{}, field, &array, Validation::kStructure), nullptr);
  };
  full({"s", kString}, [] { return strings({0, 1, 2}, "a\xFF"); });
  full({"d", DataType::decimal(3, 0), true, {}, Form::kDecimal32}, fixed(int32_t{1000}));
  full({"d", DataType(TypeId::kDate64)}, fixed(int64_t{1}));
  full({"t", DataType::time(TimeUnit::kSecond)}, fixed(int32_t{86'400}));
  full({"t", DataType::time(TimeUnit::kNano)}, fixed(int64_t{-1}));
  full({"n", kInt32}, [] {
    return CArray(2, 2).buffer(std::vector<uint8_t>{0b01}).buffer(std::vector<int32_t>{1, 2});
  });
}

TEST(HostileArrayTest, RefusesNullKeysAndEntriesOfMaps) {
  const Field field{"m", DataType::map({"k", kInt32, false}, {"v", kInt32})};
  const auto map = [](int64_t entry_nulls, int64_t key_nulls) {
    return [=] {
      const auto validity = [](CArray array, int64_t nulls) {
        if (nulls > 0) return array.buffer(std::vector<uint8_t>{0});
        return array.null_buffer();
      };
      return CArray(1)
          .null_buffer()
          .buffer(std::vector<int32_t>{0, 1})
          .child(
              validity(CArray(1, entry_nulls), entry_nulls)
                  .child(validity(CArray(1, key_nulls), key_nulls).buffer(std::vector<int32_t>{1}))
                  .child(CArray(1).null_buffer().buffer(std::vector<int32_t>{2})));
    };
  };
  EXPECT_EQ(imported(field, map(0, 0)), "[[1, 2]] ");
  EXPECT_EQ(refused(field, map(1, 0)).substr(0, 21), "null entries of a map");
  EXPECT_EQ(refused(field, map(0, 1)).substr(0, 18), "null keys of a map");
}

TEST(ImportTest, RefusesReleasedStructures) {
  ArrowArray array{};
  EXPECT_THROW(import_column(Context{}, {"a", kInt32}, &array), Error);
  ArrowSchema schema{};
  EXPECT_THROW(import_schema(&schema), Error);
  ArrowArrayStream stream{};
  EXPECT_THROW(import_stream(Context{}, &stream), Error);
}

}  // namespace
}  // namespace colonnade::arrow
