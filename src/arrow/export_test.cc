// What an export shares, copies, charges and keeps alive.
#include <colonnade/arrow.h>
#include <colonnade/error.h>
#include <gtest/gtest.h>

#include <cstring>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "arrow/c_data.h"
#include "arrow/convert.h"
#include "column/builder.h"
#include "column/testing/random_column.h"
#include "column/testing/reference.h"

namespace colonnade::arrow {
namespace {

using colonnade::testing::first_difference;
using colonnade::testing::RandomColumns;

ArrayOwner exported(const Context& context, const Field& field, const ColumnPtr& column) {
  ArrayOwner array;
  export_column(context, field, column, array.get());
  return array;
}

TEST(ExportTest, SharesTheBuffersOfColumnsInTheirForm) {
  Context context;
  context.memory = MemoryPool::make_root("test");
  RandomColumns random(context, 1);
  ColumnPtr column = random.make(DataType(TypeId::kInt64), 1000, {0.1})->slice(13, 500);
  const int64_t used = context.memory->used_bytes();
  EXPECT_GT(used, 8000);
  ArrayOwner array = exported(context, {"n", column->type()}, column);
  EXPECT_EQ(array->buffers[0], column->parts().validity.data());
  EXPECT_EQ(array->buffers[1], column->parts().values.data());
  EXPECT_EQ(array->offset, 13);
  EXPECT_EQ(array->length, 500);
  EXPECT_EQ(array->null_count, column->null_count());
  // The consumer pays from now on, and the pool lives as long as its bytes.
  EXPECT_EQ(context.memory->used_bytes(), 0);
  EXPECT_EQ(context.memory->exported_bytes(), used);
  const std::weak_ptr<MemoryPool> pool = context.memory;
  column.reset();
  EXPECT_EQ(context.memory->exported_bytes(), used);
  array.reset();
  EXPECT_EQ(context.memory->exported_bytes(), 0);
}

TEST(ExportTest, HasNoValidityWithoutNulls) {
  RandomColumns random(Context{}, 2);
  // Nulls only outside of the slice.
  ColumnBuilder builder(Context{}, DataType(TypeId::kInt32));
  builder.append_null();
  builder.append(1);
  const ArrayOwner array =
      exported(Context{}, {"n", DataType(TypeId::kInt32)}, builder.finish()->slice(1, 1));
  EXPECT_EQ(array->buffers[0], nullptr);
  EXPECT_EQ(array->null_count, 0);
}

TEST(ExportTest, GivesEveryBufferAnAddressAndOneOffsetWithoutRows) {
  const Context context;
  for (const DataType& type : colonnade::testing::all_types()) {
    SCOPED_TRACE(type.to_string());
    const ArrayOwner array = exported(context, {"f", type}, Column::nulls(type, 0));
    for (int64_t i = 1; i < array->n_buffers; ++i) EXPECT_NE(array->buffers[i], nullptr);
    if (type.is_bytes() || type.id() == TypeId::kList || type.id() == TypeId::kMap) {
      EXPECT_EQ(*static_cast<const int32_t*>(array->buffers[1]), 0);
    }
  }
}

TEST(ExportTest, ChildrenAndDictionariesLiveOnWhenMovedOut) {
  const Context context;
  RandomColumns random(context, 3);
  const DataType type =
      DataType::struct_of({{"a", DataType(TypeId::kString)}, {"b", DataType(TypeId::kInt8)}});
  ColumnPtr column = random.make(type, 20, {0, Encoding::kFlat, Storage::kOffsets32});
  const Field field{"s", type};
  const ColumnPtr expected =
      convert_to_form(context, type.fields()[0], column->parts().children[0]);
  ArrayOwner array = exported(context, field, column);
  column.reset();
  ArrayOwner child(array->children[0]);
  array.reset();
  const ColumnPtr imported =
      import_column(context, type.fields()[0], child.get(), Validation::kFull);
  EXPECT_EQ(first_difference(*expected, *imported), "");
}

TEST(ExportTest, ZeroesTheNullSlotsItConverts) {
  const Context context;
  MutableBuffer values = context.memory->allocate(12);
  const int32_t raw[] = {5, 77, -6};
  std::memcpy(values.data(), raw, 12);
  MutableBuffer validity = context.memory->allocate_zeroed(1);
  validity.data()[0] = 0b101;
  ColumnParts parts;
  parts.type = DataType::decimal(9, 2);
  parts.storage = Storage::kFixed;
  parts.byte_width = 4;
  parts.length = 3;
  parts.values = std::move(values).freeze();
  parts.validity = std::move(validity).freeze();
  const ColumnPtr column = Column::make(std::move(parts));
  for (const Form form : {Form::kDecimal64, Form::kDecimal128, Form::kDecimal256}) {
    const ArrayOwner array = exported(context, {"d", column->type(), true, {}, form}, column);
    const auto* words = static_cast<const int64_t*>(array->buffers[1]);
    const int num_words = form == Form::kDecimal64 ? 1 : form == Form::kDecimal128 ? 2 : 4;
    for (int k = 0; k < num_words; ++k) {
      EXPECT_EQ(words[k], k == 0 ? 5 : 0);
      EXPECT_EQ(words[num_words + k], 0);
      EXPECT_EQ(words[2 * num_words + k], k == 0 ? -6 : -1);
    }
  }
}

TEST(ConvertTest, SharesTheBytesOfStringsWhereItCan) {
  const Context context;
  RandomColumns random(context, 4);
  const DataType type(TypeId::kString);
  const ColumnPtr small = random.make(type, 100, {0.1, Encoding::kFlat, Storage::kOffsets32});
  const auto bytes = [](const ColumnPtr& column) { return column->parts().bytes.data(); };
  const ColumnPtr large = convert_to_form(context, {"s", type, true, {}, Form::kOffsets64}, small);
  EXPECT_EQ(bytes(large), bytes(small));
  EXPECT_EQ(bytes(convert_to_form(context, {"s", type}, large)), bytes(small));
  const ColumnPtr views = convert_to_form(context, {"s", type, true, {}, Form::kViews}, small);
  for (const Buffer& buffer : views->parts().view_buffers) {
    EXPECT_GE(buffer.data(), bytes(small));
    EXPECT_LE(buffer.data() + buffer.size(), bytes(small) + small->parts().bytes.size());
  }
  EXPECT_EQ(convert_to_form(context, {"s", type}, small), small);
}

TEST(ConvertTest, UnifiesValuesByTheirBytes) {
  const Context context;
  ColumnBuilder builder(context, DataType(TypeId::kFloat64));
  for (int i = 0; i < 3'000; ++i) builder.append(static_cast<double>(i % 1'000));
  builder.append(-0.0);
  builder.append_null();
  const ColumnPtr column = builder.finish();
  const ColumnPtr unified =
      convert_to_form(context, {"f", column->type(), true, {}, Form::kDefault, true}, column);
  EXPECT_EQ(unified->parts().dictionary->values->length(), 1'001);
  EXPECT_TRUE(unified->parts().dictionary->unique);
  EXPECT_EQ(first_difference(*column, *unified), "");
}

TEST(ConvertTest, RefusesDecimalsThatDoNotFitANarrowerForm) {
  const Context context;
  ColumnBuilder builder = ColumnBuilder::decimals(context, DataType::decimal(9, 0), 16);
  builder.append_null();
  builder.append_decimal(Decimal256(999'999'999));
  const ColumnPtr fits = builder.finish();
  const Field field{"d", fits->type(), true, {}, Form::kDecimal32};
  EXPECT_EQ(first_difference(*fits, *convert_to_form(context, field, fits)), "");

  ColumnParts parts = fits->parts();
  MutableBuffer values = context.memory->allocate_zeroed(32);
  values.as<int64_t>()[2] = int64_t{1} << 31;
  parts.values = std::move(values).freeze();
  try {
    convert_to_form(context, field, Column::make(std::move(parts)));
    FAIL() << "2^31 in four bytes";
  } catch (const Error& error) {
    EXPECT_EQ(error.code(), ErrorCode::kCorruptData);
    EXPECT_EQ(error.place().column, "d");
  }
}

TEST(ConvertTest, RefusesStringsThatOutgrow32BitOffsets) {
  // 2^16 rows of one value of 2^16 bytes: 4 GiB, of which nothing is allocated before the refusal
  // but offsets.
  const Context context;
  ColumnBuilder value(context, DataType(TypeId::kString));
  value.append_bytes(std::string(1 << 16, 'x'));
  const ColumnPtr column = Column::constant(value.finish(), 1 << 16);
  const DataType type = DataType::struct_of({{"s", column->type()}});
  ColumnParts parts;
  parts.type = type;
  parts.storage = Storage::kStruct;
  parts.length = column->length();
  parts.children = {column};
  try {
    convert_to_form(context, {"outer", type}, Column::make(std::move(parts)));
    FAIL() << "4 GiB behind 32-bit offsets";
  } catch (const Error& error) {
    EXPECT_EQ(error.code(), ErrorCode::kOutOfBudget);
    EXPECT_EQ(error.place().column, "outer.s");
    EXPECT_NE(std::string(error.what()).find("large_string"), std::string::npos);
  }
  const ColumnPtr views =
      convert_to_form(context, {"s", column->type(), true, {}, Form::kViews}, column);
  EXPECT_EQ(views->length(), 1 << 16);
}

TEST(ConvertTest, ConvertsOnlyTheRowsOfASlice) {
  Context context;
  context.memory = MemoryPool::make_root("test");
  RandomColumns random(context, 5);
  const DataType type = DataType::list({"e", DataType::decimal(9, 0)});
  const ColumnPtr column = random.make(type, 10'000, {0, Encoding::kFlat, Storage::kList32});
  const int64_t used = context.memory->used_bytes();
  const ColumnPtr converted = convert_to_form(context, {"l", type}, column->slice(5'000, 10));
  EXPECT_LT(context.memory->used_bytes() - used, 4'096);
  EXPECT_EQ(first_difference(*column->slice(5'000, 10), *converted), "");
}

TEST(ConvertTest, EndsWhenItIsCancelled) {
  RandomColumns random(Context{}, 77);
  Context cancelled;
  const ColumnPtr strings = random.make(DataType(TypeId::kString), 1'000, {0.1});
  const ColumnPtr views =
      convert_to_form(cancelled, {"s", strings->type(), true, {}, Form::kViews}, strings);
  const ColumnPtr dictionary =
      convert_to_form(cancelled, {"s", strings->type(), true, {}, Form::kDefault, true}, strings);
  const ColumnPtr decimals = random.make(DataType::decimal(9, 2), 1'000, {0.1});
  const ColumnPtr lists = random.make(DataType::list({"e", strings->type()}), 1'000, {0.1});
  cancelled.cancel.cancel();
  const auto ends = [&](const Field& field, const ColumnPtr& column) {
    try {
      convert_to_form(cancelled, field, column);
    } catch (const Error& error) {
      return error.code() == ErrorCode::kCancelled && error.place().column.empty();
    }
    return false;
  };
  for (const ColumnPtr& column : {strings, views, dictionary}) {
    for (const Form form : {Form::kDefault, Form::kOffsets64, Form::kViews}) {
      const Field field{"s", strings->type(), true, {}, form};
      if (!has_form(field, *column)) {
        EXPECT_TRUE(ends(field, column)) << field.to_string();
      }
    }
  }
  EXPECT_TRUE(ends({"s", strings->type(), true, {}, Form::kDefault, true}, strings));
  EXPECT_TRUE(ends({"d", decimals->type(), true, {}, Form::kDecimal256}, decimals));
  EXPECT_TRUE(ends({"l", lists->type(), true, {}, Form::kDefault, true}, lists));
  for (const ColumnPtr& column : {strings, views, dictionary, decimals, lists}) {
    try {
      validate(cancelled, {"c", column->type()}, *column, Validation::kFull);
      ADD_FAILURE() << column->type().to_string();
    } catch (const Error& error) {
      EXPECT_EQ(error.code(), ErrorCode::kCancelled);
    }
  }
}

TEST(ExportTest, FailsCleanlyWithoutMemory) {
  Context context;
  context.memory = MemoryPool::make_root("test");
  RandomColumns random(context, 6);
  const DataType type =
      DataType::struct_of({{"a", DataType::decimal(9, 0)}, {"b", DataType(TypeId::kString)}});
  const ColumnPtr column = random.make(type, 500, {0.2, std::nullopt});
  const int64_t used = context.memory->used_bytes();
  for (int64_t n = 1;; ++n) {
    MemoryOptions options;
    options.test_mode.fail_allocation = n;
    Context failing;
    failing.memory = MemoryPool::make_root("failing", options);
    ArrayOwner array;
    try {
      export_column(failing, {"s", type, true, {}, Form::kDefault, true}, column, array.get());
      ASSERT_GT(n, 3);
      break;
    } catch (const Error& error) {
      EXPECT_EQ(error.code(), ErrorCode::kOutOfBudget);
      EXPECT_FALSE(array);
    }
    EXPECT_EQ(failing.memory->used_bytes(), 0);
    EXPECT_EQ(context.memory->used_bytes(), used);
  }
}

}  // namespace
}  // namespace colonnade::arrow
