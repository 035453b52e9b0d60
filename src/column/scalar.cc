#include "column/scalar.h"

#include "column/binary_view.h"
#include "column/float16.h"

namespace colonnade {

ScalarRef::ScalarRef(const Column& column, int64_t row) noexcept
    : column_(&column), place_(column.offset() + row), valid_(column.is_valid(row)) {
  if (column.encoding() == Encoding::kFlat) return;
  column_ = column.parts().dictionary->values.get();
  if (column.encoding() == Encoding::kConstant) {
    place_ = column_->offset();
  } else {
    // The id of a null row may point anywhere.
    place_ = column_->offset() +
             (valid_ ? column.parts().values.as<int32_t>()[static_cast<size_t>(place_)] : 0);
  }
}

int64_t ScalarRef::as_int64() const noexcept {
  switch (parts().byte_width) {
    case 1:
      return load<int8_t>();
    case 2:
      return load<int16_t>();
    case 4:
      return load<int32_t>();
    default:
      return load<int64_t>();
  }
}

uint64_t ScalarRef::as_uint64() const noexcept {
  switch (parts().byte_width) {
    case 1:
      return load<uint8_t>();
    case 2:
      return load<uint16_t>();
    case 4:
      return load<uint32_t>();
    default:
      return load<uint64_t>();
  }
}

double ScalarRef::as_double() const noexcept {
  switch (parts().byte_width) {
    case 2:
      return float_of_half(load<uint16_t>());
    case 4:
      return load<float>();
    default:
      return load<double>();
  }
}

Interval ScalarRef::as_interval() const noexcept {
  struct DayTime {
    int32_t days;
    int32_t milliseconds;
  };
  struct MonthDayNano {
    int32_t months;
    int32_t days;
    int64_t nanoseconds;
  };
  switch (parts().byte_width) {
    case 4:
      return {load<int32_t>(), 0, 0};
    case 8: {
      const auto value = load<DayTime>();
      return {0, value.days, int64_t{value.milliseconds} * 1'000'000};
    }
    default: {
      const auto value = load<MonthDayNano>();
      return {value.months, value.days, value.nanoseconds};
    }
  }
}

std::string_view ScalarRef::as_bytes() const noexcept {
  const auto place = static_cast<size_t>(place_);
  switch (parts().storage) {
    case Storage::kOffsets32: {
      const auto offsets = parts().offsets.as<int32_t>();
      return {reinterpret_cast<const char*>(parts().bytes.data()) + offsets[place],
              static_cast<size_t>(offsets[place + 1] - offsets[place])};
    }
    case Storage::kOffsets64: {
      const auto offsets = parts().offsets.as<int64_t>();
      return {reinterpret_cast<const char*>(parts().bytes.data()) + offsets[place],
              static_cast<size_t>(offsets[place + 1] - offsets[place])};
    }
    case Storage::kViews:
      return parts().values.as<BinaryView>()[place].bytes(parts().view_buffers);
    default:
      return {reinterpret_cast<const char*>(fixed()), static_cast<size_t>(parts().byte_width)};
  }
}

ScalarRange ScalarRef::as_list() const noexcept {
  const Column* child = parts().children[0].get();
  const auto place = static_cast<size_t>(place_);
  switch (parts().storage) {
    case Storage::kList32: {
      const auto offsets = parts().offsets.as<int32_t>();
      return {child, offsets[place], offsets[place + 1] - offsets[place]};
    }
    case Storage::kList64: {
      const auto offsets = parts().offsets.as<int64_t>();
      return {child, offsets[place], offsets[place + 1] - offsets[place]};
    }
    default: {
      const int64_t size = type().list_size();
      return {child, place_ * size, size};
    }
  }
}

ScalarRef ScalarRef::field(size_t index) const noexcept {
  return ScalarRef(*parts().children[index], place_);
}

}  // namespace colonnade
