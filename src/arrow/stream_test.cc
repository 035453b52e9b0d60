#include <colonnade/arrow.h>
#include <colonnade/error.h>
#include <gtest/gtest.h>

#include <cerrno>
#include <functional>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "arrow/c_data.h"
#include "arrow/errno_codes.h"
#include "column/builder.h"
#include "column/testing/reference.h"

namespace colonnade::arrow {
namespace {

const SchemaPtr kSchema = std::make_shared<const Schema>(
    std::vector<Field>{{"n", DataType(TypeId::kInt32)}, {"s", DataType(TypeId::kString)}},
    std::vector<KeyValue>{{"k", "v"}});

Batch batch_of(int32_t first, int64_t rows) {
  ColumnBuilder numbers(Context{}, kSchema->field(0).type);
  ColumnBuilder strings(Context{}, kSchema->field(1).type);
  for (int64_t i = 0; i < rows; ++i) {
    numbers.append(first + static_cast<int32_t>(i));
    strings.append_bytes("row " + std::to_string(first + i));
  }
  return Batch(kSchema, rows, {numbers.finish(), strings.finish()});
}

struct Watch {
  bool cancelled = false;
  bool destroyed = false;
};

// Three batches of five rows; `fail_at` is the ordinal of the call that throws.
class Numbers final : public BatchSource {
 public:
  Numbers(Watch* watch, int fail_at, std::function<void()> fail_with)
      : watch_(watch), fail_at_(fail_at), fail_with_(std::move(fail_with)) {}
  ~Numbers() override {
    if (watch_ != nullptr) watch_->destroyed = true;
  }
  const SchemaPtr& schema() const noexcept override { return kSchema; }
  void cancel() noexcept override {
    if (watch_ != nullptr) watch_->cancelled = true;
  }
  Metrics::Snapshot metrics() const override { return {}; }

 protected:
  std::optional<Batch> produce() override {
    if (calls_ == fail_at_) fail_with_();
    if (calls_ == 3) return std::nullopt;
    return batch_of(5 * calls_++, 5);
  }

 private:
  Watch* watch_;
  int calls_ = 0;
  int fail_at_;
  std::function<void()> fail_with_;
};

StreamOwner exported(Watch* watch = nullptr, int fail_at = -1,
                     std::function<void()> fail_with = {}) {
  StreamOwner stream;
  export_stream(Context{}, std::make_unique<Numbers>(watch, fail_at, std::move(fail_with)),
                stream.get());
  return stream;
}

TEST(StreamTest, GivesSchemaAndBatchesAndEnds) {
  Watch watch;
  {
    StreamOwner stream = exported(&watch);
    for (int i = 0; i < 2; ++i) {
      SchemaOwner schema;
      ASSERT_EQ(stream->get_schema(stream.get(), schema.get()), 0);
      EXPECT_EQ(*import_schema(schema.get()), *kSchema);
    }
    for (int i = 0; i < 3; ++i) {
      ArrayOwner array;
      ASSERT_EQ(stream->get_next(stream.get(), array.get()), 0);
      EXPECT_EQ(array->length, 5);
    }
    for (int i = 0; i < 2; ++i) {
      ArrowArray array;
      ASSERT_EQ(stream->get_next(stream.get(), &array), 0);
      EXPECT_EQ(array.release, nullptr);
    }
    EXPECT_EQ(stream->get_last_error(stream.get()), nullptr);
  }
  EXPECT_TRUE(watch.destroyed);
}

TEST(StreamTest, CancelsAndDestroysTheSourceWhenReleasedMidway) {
  Watch watch;
  ArrayOwner array;
  {
    StreamOwner stream = exported(&watch);
    ASSERT_EQ(stream->get_next(stream.get(), array.get()), 0);
  }
  EXPECT_TRUE(watch.cancelled);
  EXPECT_TRUE(watch.destroyed);
  const Batch batch = import_batch(Context{}, kSchema, array.get(), Validation::kFull);
  EXPECT_EQ(colonnade::testing::value_at(*batch.column("s"), 4),
            colonnade::testing::Value{std::string("row 4")});
}

TEST(StreamTest, RepeatsAnErrorWithItsMessage) {
  StreamOwner stream =
      exported(nullptr, 1, [] { throw Error(ErrorCode::kCorruptData, "page is broken", "at 7"); });
  ArrayOwner array;
  ASSERT_EQ(stream->get_next(stream.get(), array.get()), 0);
  for (int i = 0; i < 2; ++i) {
    ArrowArray next{};
    EXPECT_EQ(stream->get_next(stream.get(), &next), EBADMSG);
    EXPECT_STREQ(stream->get_last_error(stream.get()), "page is broken: at 7");
  }
}

TEST(StreamTest, LetsNoExceptionCrossC) {
  ArrowArray next{};
  StreamOwner standard = exported(nullptr, 0, [] { throw std::runtime_error("standard"); });
  EXPECT_EQ(standard->get_next(standard.get(), &next), ENOTRECOVERABLE);
  EXPECT_STREQ(standard->get_last_error(standard.get()), "standard");
  StreamOwner other = exported(nullptr, 0, [] { throw 1; });
  EXPECT_EQ(other->get_next(other.get(), &next), ENOTRECOVERABLE);
  StreamOwner memory = exported(nullptr, 0, [] { throw std::bad_alloc(); });
  EXPECT_EQ(memory->get_next(memory.get(), &next), ENOMEM);
}

TEST(StreamTest, ImportsWhatItExports) {
  StreamOwner stream = exported();
  const auto source = import_stream(Context{}, stream.get(), Validation::kFull);
  EXPECT_FALSE(stream);
  EXPECT_EQ(*source->schema(), *kSchema);
  int64_t rows = 0;
  while (const auto batch = source->next(2)) {
    for (int64_t i = 0; i < batch->num_rows(); ++i) {
      EXPECT_EQ(colonnade::testing::value_at(*batch->column(0), i),
                colonnade::testing::Value{rows + i});
    }
    rows += batch->num_rows();
  }
  EXPECT_EQ(rows, 15);
  EXPECT_EQ(source->metrics()["rows"], 15);
}

TEST(StreamTest, TakesErrorsOfAStreamAsTheirCodes) {
  for (const ErrorCode code :
       {ErrorCode::kInvalidArgument, ErrorCode::kNotFound, ErrorCode::kPermissionDenied,
        ErrorCode::kIo, ErrorCode::kCorruptData, ErrorCode::kNotSupported, ErrorCode::kOutOfBudget,
        ErrorCode::kCancelled, ErrorCode::kDataError, ErrorCode::kInternal}) {
    StreamOwner stream =
        exported(nullptr, 0, [=] { throw Error(code, "what happened", "values"); });
    const auto source = import_stream(Context{}, stream.get());
    for (int i = 0; i < 2; ++i) {
      try {
        source->next();
        FAIL() << "no error";
      } catch (const Error& error) {
        EXPECT_EQ(error.code(), code);
        EXPECT_EQ(std::string(error.what()).rfind("what happened: values", 0), 0u) << error.what();
      }
    }
  }
}

TEST(StreamTest, CancelsAnImportedStreamBetweenBatches) {
  Watch watch;
  {
    StreamOwner stream = exported(&watch);
    Context context;
    const auto source = import_stream(context, stream.get());
    ASSERT_TRUE(source->next(2));
    source->cancel();
    EXPECT_THROW(source->next(2), Error);
    EXPECT_FALSE(context.cancel.cancelled());
  }
  EXPECT_TRUE(watch.destroyed);
}

TEST(ErrnoTest, KeepsTheErrnoOfIoErrors) {
  Error full(ErrorCode::kIo, "disk");
  full.with_errno(ENOSPC);
  EXPECT_EQ(errno_of(full), ENOSPC);
  // One that stands for another code would be taken for it.
  Error invalid(ErrorCode::kIo, "read");
  invalid.with_errno(EINVAL);
  EXPECT_EQ(errno_of(invalid), EIO);
  EXPECT_EQ(code_of_errno(ENOSPC), ErrorCode::kIo);
  EXPECT_EQ(code_of_errno(ENOSYS), ErrorCode::kNotSupported);
}

}  // namespace
}  // namespace colonnade::arrow
