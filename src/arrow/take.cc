#include "arrow/take.h"

#include <cstring>
#include <limits>

#include "arrow/gather_strings.h"
#include "arrow/row_blocks.h"
#include "base/bits.h"
#include "base/checked.h"
#include "base/fail.h"
#include "column/binary_view.h"

namespace colonnade::arrow {
namespace {

// Calls run(begin, end) for runs of valid rows.
template <typename Run>
void for_each_valid_run(const CancelToken& cancel, const GatheredValidity& validity, int64_t length,
                        Run&& run) {
  for_each_block(cancel, length, [&](int64_t begin, int64_t end) {
    if (validity.bits.empty()) {
      run(begin, end);
    } else {
      bits::for_each_run(
          validity.bits.data(), begin, end - begin,
          [&](int64_t first, int64_t count) { run(begin + first, begin + first + count); });
    }
  });
}

template <int kBytes>
struct Opaque {
  uint8_t bytes[kBytes];
};

template <int kBytes, typename Ids>
void gather_fixed(const uint8_t* in, Ids ids, int64_t begin, int64_t end, uint8_t* out) {
  using Value = Opaque<kBytes>;
  for (int64_t i = begin; i < end; ++i) {
    std::memcpy(out + i * kBytes, in + ids[i] * kBytes, sizeof(Value));
  }
}

template <typename Ids>
void gather_any_width(const uint8_t* in, Ids ids, int64_t begin, int64_t end, uint8_t* out,
                      int64_t width) {
  for (int64_t i = begin; i < end; ++i) {
    std::memcpy(out + i * width, in + ids[i] * width, static_cast<size_t>(width));
  }
}

// Values of `width` bytes; `in` is row 0 of the source.
Buffer gather_values(const Context& context, const uint8_t* in, int64_t width,
                     const RowSelection& rows, const GatheredValidity& validity) {
  MutableBuffer out = context.memory->allocate(checked_mul(rows.length, width, "gathered values"));
  if (validity.null_count > 0) out.fill_zero();
  if (width == 0) return std::move(out).freeze();
  std::visit(
      [&](const auto& ids) {
        for_each_valid_run(context.cancel, validity, rows.length, [&](int64_t begin, int64_t end) {
          switch (width) {
            case 1:
              return gather_fixed<1>(in, ids, begin, end, out.data());
            case 2:
              return gather_fixed<2>(in, ids, begin, end, out.data());
            case 4:
              return gather_fixed<4>(in, ids, begin, end, out.data());
            case 8:
              return gather_fixed<8>(in, ids, begin, end, out.data());
            case 16:
              return gather_fixed<16>(in, ids, begin, end, out.data());
            case 32:
              return gather_fixed<32>(in, ids, begin, end, out.data());
            default:
              return gather_any_width(in, ids, begin, end, out.data(), width);
          }
        });
      },
      rows.ids);
  return std::move(out).freeze();
}

Buffer gather_bits(const Context& context, const ColumnParts& source, const RowSelection& rows,
                   const GatheredValidity& validity) {
  MutableBuffer out = context.memory->allocate_zeroed(bits::bytes_for(rows.length));
  std::visit(
      [&](const auto& ids) {
        for_each_valid_run(context.cancel, validity, rows.length, [&](int64_t begin, int64_t end) {
          for (int64_t i = begin; i < end; ++i) {
            if (bits::get(source.values.data(), source.offset + ids[i])) bits::set(out.data(), i);
          }
        });
      },
      rows.ids);
  return std::move(out).freeze();
}

// The rows that a nested column's child gets.
struct ChildRows {
  MutableBuffer ids;       // int64
  MutableBuffer validity;  // empty: all valid
  int64_t length = 0;

  RowSelection selection() const noexcept {
    return {Ids64{reinterpret_cast<const int64_t*>(ids.data())}, length, validity.data(), 0};
  }
};

template <typename Offset>
void gather_lists(const Context& context, const ColumnParts& source, const RowSelection& rows,
                  ColumnParts& out, ChildRows& child) {
  const Offset* offsets = source.offsets.as<Offset>().data() + source.offset;
  const auto is_valid = [&](int64_t i) {
    return out.validity.empty() || bits::get(out.validity.data(), i);
  };
  std::visit(
      [&](const auto& ids) {
        for_each_block(context.cancel, rows.length, [&](int64_t begin, int64_t end) {
          for (int64_t i = begin; i < end; ++i) {
            if (!is_valid(i)) continue;
            child.length =
                checked_add(child.length, offsets[ids[i] + 1] - offsets[ids[i]], "list elements");
          }
        });
        const bool wide =
            child.length > std::numeric_limits<int32_t>::max() || out.storage == Storage::kList64;
        if (wide && out.type.id() == TypeId::kMap) {
          fail(ErrorCode::kOutOfBudget, "maps outgrow their 32-bit offsets", "{} entries",
               child.length);
        }
        out.storage = wide ? Storage::kList64 : Storage::kList32;
        MutableBuffer new_offsets = context.memory->allocate((rows.length + 1) * (wide ? 8 : 4));
        child.ids = context.memory->allocate(checked_mul(child.length, 8, "list elements"));
        int64_t* child_ids = child.ids.as<int64_t>();
        int64_t elements = 0;
        const auto set_offset = [&](int64_t i) {
          if (wide) {
            new_offsets.as<int64_t>()[i] = elements;
          } else {
            new_offsets.as<int32_t>()[i] = static_cast<int32_t>(elements);
          }
        };
        for_each_block(context.cancel, rows.length, [&](int64_t begin, int64_t end) {
          for (int64_t i = begin; i < end; ++i) {
            set_offset(i);
            if (!is_valid(i)) continue;
            for (int64_t element = offsets[ids[i]]; element < offsets[ids[i] + 1]; ++element) {
              child_ids[elements++] = element;
            }
          }
        });
        set_offset(rows.length);
        out.offsets = std::move(new_offsets).freeze();
      },
      rows.ids);
}

void gather_fixed_size_lists(const Context& context, const ColumnParts& source,
                             const RowSelection& rows, const Buffer& validity, ChildRows& child) {
  const int64_t size = source.type.list_size();
  child.length = checked_mul(rows.length, size, "list elements");
  child.ids = context.memory->allocate(checked_mul(child.length, 8, "list elements"));
  if (!validity.empty())
    child.validity = context.memory->allocate_zeroed(bits::bytes_for(child.length));
  std::visit(
      [&](const auto& ids) {
        for_each_block(context.cancel, rows.length, [&](int64_t begin, int64_t end) {
          for (int64_t i = begin; i < end; ++i) {
            const bool valid = validity.empty() || bits::get(validity.data(), i);
            if (valid && !validity.empty()) bits::fill(child.validity.data(), i * size, size, true);
            for (int64_t k = 0; k < size; ++k) {
              child.ids.as<int64_t>()[i * size + k] =
                  valid ? (source.offset + ids[i]) * size + k : 0;
            }
          }
        });
      },
      rows.ids);
}

ColumnPtr take_flat(const Context& context, const Column& source, const RowSelection& rows) {
  const ColumnParts& in = source.parts();
  if (in.storage == Storage::kNone) return Column::nulls(in.type, rows.length);
  if (in.storage == Storage::kOffsets32 || in.storage == Storage::kOffsets64) {
    return gather_strings(context, source, rows, in.storage);
  }
  GatheredValidity validity = gather_validity(context, source, rows);
  ColumnParts out;
  out.type = in.type;
  out.storage = in.storage;
  out.byte_width = in.byte_width;
  out.length = rows.length;
  out.null_count = validity.null_count;
  out.validity = validity.bits;
  ChildRows child;
  switch (in.storage) {
    case Storage::kBits:
      out.values = gather_bits(context, in, rows, validity);
      break;
    case Storage::kFixed:
      out.values = gather_values(context, in.values.data() + in.offset * in.byte_width,
                                 in.byte_width, rows, validity);
      break;
    case Storage::kViews: {
      constexpr int64_t kWidth = sizeof(BinaryView);
      out.values =
          gather_values(context, in.values.data() + in.offset * kWidth, kWidth, rows, validity);
      out.view_buffers = in.view_buffers;
      break;
    }
    case Storage::kList32:
      gather_lists<int32_t>(context, in, rows, out, child);
      out.children = {take(context, *in.children[0], child.selection())};
      break;
    case Storage::kList64:
      gather_lists<int64_t>(context, in, rows, out, child);
      out.children = {take(context, *in.children[0], child.selection())};
      break;
    case Storage::kFixedSizeList:
      gather_fixed_size_lists(context, in, rows, validity.bits, child);
      out.children = {take(context, *in.children[0], child.selection())};
      break;
    case Storage::kStruct: {
      RowSelection child_rows = rows;
      child_rows.validity = validity.bits.data();
      child_rows.validity_offset = 0;
      for (const ColumnPtr& c : in.children) {
        out.children.push_back(take(context, *c->slice(in.offset, in.length), child_rows));
      }
      break;
    }
    case Storage::kNone:
    case Storage::kOffsets32:
    case Storage::kOffsets64:
      break;  // done above
  }
  return Column::make(std::move(out));
}

// A column of ids into the same dictionary; a constant's are all 0.
ColumnPtr take_encoded(const Context& context, const Column& source, const RowSelection& rows) {
  const ColumnParts& in = source.parts();
  GatheredValidity validity = gather_validity(context, source, rows);
  ColumnParts out;
  out.type = in.type;
  out.storage = in.storage;
  out.byte_width = in.byte_width;
  out.encoding = Encoding::kDictionary;
  out.length = rows.length;
  out.null_count = validity.null_count;
  out.validity = validity.bits;
  out.dictionary = in.dictionary;
  if (in.encoding == Encoding::kConstant) {
    if (!in.dictionary->values->is_valid(0)) return Column::nulls(in.type, rows.length);
    if (validity.null_count == 0) return Column::constant(in.dictionary->values, rows.length);
    out.values = context.memory->allocate_zeroed(rows.length * 4).freeze();
  } else {
    out.values = gather_values(context, in.values.data() + in.offset * 4, 4, rows, validity);
  }
  return Column::make(std::move(out));
}

}  // namespace

ColumnPtr take(const Context& context, const Column& source, const RowSelection& rows) {
  return source.encoding() == Encoding::kFlat ? take_flat(context, source, rows)
                                              : take_encoded(context, source, rows);
}

}  // namespace colonnade::arrow
