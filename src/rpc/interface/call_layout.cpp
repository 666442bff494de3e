#include "rpc/interface/call_layout.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cstring>
#include <limits>
#include <optional>
#include <string_view>
#include <tasuki/error.hpp>
#include <utility>

namespace tasuki::rpc {
namespace {

using nlohmann::json;

[[noreturn]] void refuse(const Routine& routine, const std::string& happened,
                         const std::string& remedy) {
  throw error(fmt::format("call {}", routine.name), happened, remedy);
}

/// Calls `use` with a value of the C type.
template <class Use>
void with_type(Number number, Use use) {
  switch (number) {
    case Number::int8:
      return use(std::int8_t{});
    case Number::int16:
      return use(std::int16_t{});
    case Number::int32:
      return use(std::int32_t{});
    case Number::int64:
      return use(std::int64_t{});
    case Number::uint8:
      return use(std::uint8_t{});
    case Number::uint16:
      return use(std::uint16_t{});
    case Number::uint32:
      return use(std::uint32_t{});
    case Number::uint64:
      return use(std::uint64_t{});
    case Number::float32:
    case Number::complex64:
      return use(float{});
    case Number::float64:
    case Number::complex128:
      return use(double{});
  }
}

bool is_complex(Number number) {
  return number == Number::complex64 || number == Number::complex128;
}

/// JSON has no such numbers.
constexpr std::array<std::pair<std::string_view, double>, 3> special_numbers = {
    {{"nan", std::numeric_limits<double>::quiet_NaN()},
     {"inf", std::numeric_limits<double>::infinity()},
     {"-inf", -std::numeric_limits<double>::infinity()}}};

std::optional<double> real_of(const json& value) {
  if (value.is_number()) return value.get<double>();
  if (!value.is_string()) return {};
  for (const auto& [name, number] : special_numbers) {
    if (value == name) return number;
  }
  return {};
}

template <class Type>
bool holds(const json& value) {
  if constexpr (std::is_floating_point_v<Type>) {
    return real_of(value).has_value();
  } else {
    if (value.is_number_unsigned()) return std::in_range<Type>(value.get<std::uint64_t>());
    return value.is_number_integer() && std::in_range<Type>(value.get<std::int64_t>());
  }
}

bool fits(const json& value, Number number) {
  if (is_complex(number)) {
    return value.is_array() && value.size() == 2 && real_of(value[0]) && real_of(value[1]);
  }
  bool result = false;
  with_type(number, [&](auto example) { result = holds<decltype(example)>(value); });
  return result;
}

/// What `make` returns, a part of the array's layout. Its errors do not know of which argument.
template <class Make>
auto named(const Parameter& parameter, Make make) {
  try {
    return make();
  } catch (const error& fault) {
    throw error("compute the shape of an array",
                fmt::format("{}: {}", parameter.name, fault.happened()), fault.remedy());
  }
}

layout::Axis axis_of(const Parameter& parameter, const Division& division, std::int64_t extent,
                     int processes, const Integers& integers) {
  if (const auto* block = std::get_if<BlockDivision>(&division)) {
    if (!block->width) return {extent, layout::Block{}, processes};
    const std::int64_t width = block->width->evaluate(integers, parameter.name);
    if (width < 1 || (extent + width - 1) / width > processes) {
      throw error("divide an array",
                  fmt::format("{}: blocks of {} do not cover {} elements on {} processes",
                              parameter.name, width, extent, processes),
                  "use wider blocks, more processes, or CYCLIC");
    }
    return {extent, layout::BlockCyclic{width}, processes};
  }
  if (const auto* cyclic = std::get_if<CyclicDivision>(&division)) {
    const std::int64_t width = cyclic->width.evaluate(integers, parameter.name);
    return named(parameter,
                 [&] { return layout::Axis(extent, layout::BlockCyclic{width}, processes); });
  }
  return {extent, layout::Whole{}, 1};
}

layout::Grid grid_of(const Parameter& parameter, const Integers& integers, int ranks) {
  std::vector<int> extents;
  std::size_t next = 0;
  for (const Division& division : parameter.divisions) {
    if (std::holds_alternative<Undivided>(division)) {
      extents.push_back(1);
    } else if (parameter.grid.empty()) {
      extents.push_back(0);
    } else {
      const std::int64_t extent = parameter.grid[next++].evaluate(integers, parameter.name);
      extents.push_back(
          static_cast<int>(std::clamp<std::int64_t>(extent, -1, std::numeric_limits<int>::max())));
    }
  }
  return named(parameter, [&] { return layout::Grid::balanced(ranks, std::move(extents)); });
}

/// The elements that travel. Throws tasuki::error if they are not inside the dimension.
layout::IndexRange index_range_of(const Parameter& parameter, const Range& range, std::int64_t size,
                                  const Integers& integers) {
  const std::int64_t lower = range.lower.evaluate(integers, parameter.name);
  const std::int64_t upper = range.upper.evaluate(integers, parameter.name);
  const std::int64_t step = range.step.evaluate(integers, parameter.name);
  if (0 <= lower && lower <= upper && upper <= size && step >= 1) return {lower, upper, step};
  throw error("compute the shape of an array",
              fmt::format("{} has the range {} to {} by {} of {} elements", parameter.name, lower,
                          upper, step, size),
              "give sizes by which 0 <= lower <= upper <= size, and the step is 1 or more");
}

/// The layout with the ranges of the parameter, if it has any.
layout::ArrayLayout with_ranges(const Parameter& parameter, const Integers& integers,
                                const layout::ArrayLayout& array) {
  std::vector<layout::IndexRange> ranges;
  bool has_ranges = false;
  for (std::size_t i = 0; i < parameter.ranges.size(); ++i) {
    const std::int64_t size = array.axis(static_cast<int>(i)).extent();
    const std::optional<Range>& range = parameter.ranges[i];
    ranges.push_back(range ? index_range_of(parameter, *range, size, integers)
                           : layout::IndexRange{0, size, 1});
    has_ranges = has_ranges || range;
  }
  return has_ranges ? array.selecting(std::move(ranges)) : array;
}

std::vector<std::int64_t> sizes_of(const Parameter& parameter, const Integers& integers) {
  std::vector<std::int64_t> sizes;
  for (const Expression& size : parameter.sizes) {
    sizes.push_back(size.evaluate(integers, parameter.name));
    if (sizes.back() < 0) {
      throw error("compute the shape of an array",
                  fmt::format("{} has size {} = {}", parameter.name, size.text(), sizes.back()),
                  "no size may be negative");
    }
  }
  return sizes;
}

/// The array undivided on each rank.
layout::ArrayLayout replicated_layout_of(const Parameter& parameter, const Integers& integers,
                                         int ranks) {
  std::vector<layout::Axis> axes;
  for (const std::int64_t size : sizes_of(parameter, integers)) {
    axes.emplace_back(size, layout::Whole{}, 1);
  }
  const auto whole = named(parameter, [&] {
    return layout::ArrayLayout(std::move(axes), layout::Replicated{ranks},
                               bytes_of(parameter.number));
  });
  return with_ranges(parameter, integers, whole);
}

layout::ArrayLayout array_layout_of(const Parameter& parameter, const Integers& integers,
                                    int ranks) {
  if (parameter.divisions.empty()) return replicated_layout_of(parameter, integers, ranks);
  const std::vector<std::int64_t> sizes = sizes_of(parameter, integers);
  std::vector<layout::Axis> axes;
  layout::Grid grid = grid_of(parameter, integers, ranks);
  for (std::size_t i = 0; i < sizes.size(); ++i) {
    axes.push_back(
        axis_of(parameter, parameter.divisions[i], sizes[i], grid.extents()[i], integers));
  }
  const auto whole = named(parameter, [&] {
    return layout::ArrayLayout(std::move(axes), std::move(grid), bytes_of(parameter.number));
  });
  return with_ranges(parameter, integers, whole);
}

/// Nothing for scalars.
template <class LayoutOf>
CallLayout layouts_of(const Routine& routine, LayoutOf layout_of_array) {
  CallLayout layouts;
  for (const Parameter& parameter : routine.parameters) {
    if (parameter.is_array()) {
      layouts.emplace_back(layout_of_array(parameter));
    } else {
      layouts.emplace_back();
    }
  }
  return layouts;
}

}  // namespace

Integers integers_of(const Routine& routine, const json& scalars) {
  Integers integers;
  std::size_t wanted_count = 0;
  for (const Parameter& parameter : routine.parameters) {
    if (!parameter.is_scalar()) continue;
    ++wanted_count;
    const auto found = scalars.find(parameter.name);
    if (found == scalars.end()) {
      refuse(routine, fmt::format("argument {} is missing", parameter.name), "give it");
    }
    if (!fits(*found, parameter.number)) {
      refuse(routine,
             fmt::format("{} = {} is no {}", parameter.name,
                         found->dump(-1, ' ', false, json::error_handler_t::replace).substr(0, 40),
                         name_of(parameter.number)),
             "give a value that the type holds");
    }
    if (!is_integer(parameter.number)) continue;
    const bool is_beyond =
        found->is_number_unsigned() && !std::in_range<std::int64_t>(found->get<std::uint64_t>());
    if (!is_beyond) integers.emplace(parameter.name, found->get<std::int64_t>());
  }
  if (scalars.size() != wanted_count) {
    refuse(routine,
           fmt::format("{} scalars are given, but it has {}", scalars.size(), wanted_count),
           "give those that the interface names");
  }
  return integers;
}

void write_scalar(const Parameter& parameter, const json& scalars, std::byte* to) {
  const json& value = scalars.at(parameter.name);
  with_type(parameter.number, [&](auto example) {
    using Type = decltype(example);
    if (is_complex(parameter.number)) {
      const Type parts[2] = {static_cast<Type>(*real_of(value[0])),
                             static_cast<Type>(*real_of(value[1]))};
      std::memcpy(to, parts, sizeof parts);
    } else {
      Type number{};
      if constexpr (std::is_floating_point_v<Type>) {
        number = static_cast<Type>(*real_of(value));
      } else {
        number = value.get<Type>();
      }
      std::memcpy(to, &number, sizeof number);
    }
  });
}

CallLayout layout_of(const Routine& routine, const Integers& integers, int ranks) {
  return layouts_of(routine, [&](const Parameter& parameter) {
    return array_layout_of(parameter, integers, ranks);
  });
}

CallLayout whole_layout_of(const Routine& routine, const Integers& integers) {
  return layouts_of(routine, [&](const Parameter& parameter) {
    return replicated_layout_of(parameter, integers, 1);
  });
}

std::vector<layout::ArrayLayout> layout_of(const Callback& callback, const Integers& integers) {
  std::vector<layout::ArrayLayout> layouts;
  for (const Parameter& one : callback.parameters) {
    layouts.push_back(replicated_layout_of(one, integers, 1));
  }
  return layouts;
}

bool is_returned_by(int rank, const Parameter& parameter) noexcept {
  return parameter.is_returned() && (rank == 0 || !parameter.divisions.empty());
}

}  // namespace tasuki::rpc
