#include <colonnade/batch_stream.h>
#include <colonnade/error.h>
#include <gtest/gtest.h>

#include <memory>
#include <string>
#include <vector>

namespace colonnade {
namespace {

// Gives batches of the sizes it is told; -1 stands for an error.
class Script final : public BatchSource {
 public:
  explicit Script(std::vector<int64_t> sizes)
      : schema_(std::make_shared<const Schema>()), sizes_(std::move(sizes)) {}
  const SchemaPtr& schema() const noexcept override { return schema_; }
  void cancel() noexcept override { cancel_.cancel(); }
  Metrics::Snapshot metrics() const override { return {}; }
  size_t calls() const { return calls_; }

 protected:
  std::optional<Batch> produce() override {
    cancel_.check();
    if (calls_ == sizes_.size()) {
      ++calls_;
      return std::nullopt;
    }
    const int64_t size = sizes_[calls_++];
    if (size < 0) throw Error(ErrorCode::kIo, "broken", std::to_string(calls_));
    return Batch(schema_, size, {});
  }
  void check_cancelled() const override { cancel_.check(); }

 private:
  SchemaPtr schema_;
  CancelToken cancel_;
  std::vector<int64_t> sizes_;
  size_t calls_ = 0;
};

int64_t rows_of(const std::optional<Batch>& batch) { return batch ? batch->num_rows() : -1; }

std::string error_of(BatchSource& source) {
  try {
    source.next();
  } catch (const Error& error) {
    return error.what();
  }
  return {};
}

TEST(BatchSourceTest, CutsBatchesAndEndsForGood) {
  Script source({5, 2});
  EXPECT_EQ(rows_of(source.next(2)), 2);
  EXPECT_EQ(rows_of(source.next(1)), 1);
  EXPECT_EQ(rows_of(source.next()), 2);
  EXPECT_EQ(rows_of(source.next(2)), 2);
  EXPECT_FALSE(source.next());
  EXPECT_FALSE(source.next());
  EXPECT_EQ(source.calls(), 3u);
}

TEST(BatchSourceTest, NeverGivesAnEmptyBatch) {
  Script source({0, 3, 0, 0});
  EXPECT_EQ(rows_of(source.next()), 3);
  EXPECT_FALSE(source.next());
}

TEST(BatchSourceTest, ThrowsTheSameErrorAgain) {
  Script source({1, -1, 7});
  EXPECT_EQ(rows_of(source.next()), 1);
  const std::string error = error_of(source);
  EXPECT_EQ(error, "broken: 2");
  EXPECT_EQ(error_of(source), error);
  source.cancel();
  EXPECT_EQ(error_of(source), error);
  EXPECT_EQ(source.calls(), 2u);
}

TEST(BatchSourceTest, CancelsAlsoRowsThatWait) {
  Script source({5, 5});
  EXPECT_EQ(rows_of(source.next(2)), 2);
  source.cancel();
  for (int i = 0; i < 2; ++i) {
    try {
      source.next(2);
      FAIL() << "rows after cancel()";
    } catch (const Error& error) {
      EXPECT_EQ(error.code(), ErrorCode::kCancelled);
    }
  }
}

TEST(BatchSourceTest, RefusesFewerThanOneRowAndGoesOn) {
  Script source({5});
  EXPECT_THROW(source.next(0), Error);
  EXPECT_EQ(rows_of(source.next(5)), 5);
}

}  // namespace
}  // namespace colonnade
