#include "rpc/sessions/call_arguments.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <complex>
#include <cstring>
#include <functional>
#include <numeric>
#include <string>
#include <tasuki/error.hpp>

#include "rpc/interface/call_layout.hpp"

namespace tasuki::rpc {
namespace {

using nlohmann::json;

[[noreturn]] void refuse(const Routine& routine, const std::string& happened,
                         const std::string& remedy) {
  throw error(fmt::format("call {}", routine.name), happened, remedy);
}

template <class Type>
Type read(const void* memory) {
  Type value;
  std::memcpy(&value, memory, sizeof value);
  return value;
}

/// JSON has no such numbers as NaN.
json real_as_json(double value) {
  if (std::isnan(value)) return "nan";
  if (std::isinf(value)) return value > 0 ? "inf" : "-inf";
  return value;
}

template <class Type>
json complex_as_json(const void* memory) {
  const auto value = read<std::complex<Type>>(memory);
  return {real_as_json(value.real()), real_as_json(value.imag())};
}

json as_json(Number number, const void* memory) {
  switch (number) {
    case Number::int8:
      return read<std::int8_t>(memory);
    case Number::int16:
      return read<std::int16_t>(memory);
    case Number::int32:
      return read<std::int32_t>(memory);
    case Number::int64:
      return read<std::int64_t>(memory);
    case Number::uint8:
      return read<std::uint8_t>(memory);
    case Number::uint16:
      return read<std::uint16_t>(memory);
    case Number::uint32:
      return read<std::uint32_t>(memory);
    case Number::uint64:
      return read<std::uint64_t>(memory);
    case Number::float32:
      return real_as_json(static_cast<double>(read<float>(memory)));
    case Number::float64:
      return real_as_json(read<double>(memory));
    case Number::complex64:
      return complex_as_json<float>(memory);
    case Number::complex128:
      break;
  }
  return complex_as_json<double>(memory);
}

bool is_complex(Number number) {
  return number == Number::complex64 || number == Number::complex128;
}

std::int64_t elements_count(const std::vector<std::int64_t>& extents) {
  return std::accumulate(extents.begin(), extents.end(), std::int64_t{1}, std::multiplies<>());
}

json scalar_of(const Routine& routine, const Parameter& parameter, const Argument& argument) {
  if (elements_count(argument.extents) != 1 || argument.kept) {
    refuse(routine, fmt::format("{} is a scalar, and an array is given", parameter.name),
           "give one number");
  }
  json value = as_json(argument.number.value_or(parameter.number), argument.memory);
  if (is_complex(parameter.number) && !value.is_array()) value = json::array({value, 0.0});
  return value;
}

std::vector<std::int64_t> extents_of(const layout::ArrayLayout& layout) {
  std::vector<std::int64_t> extents;
  for (int i = 0; i < layout.dimensions(); ++i) extents.push_back(layout.axis(i).extent());
  return extents;
}

void check_extents(const Routine& routine, const Parameter& parameter,
                   const layout::ArrayLayout& layout, const Argument& argument) {
  if (argument.extents.empty()) return;
  const std::vector<std::int64_t> wanted = extents_of(layout);
  const bool is_as_wanted =
      argument.extents.size() == 1 && argument.stride_bytes.empty()
          ? argument.extents.front() * layout.element_bytes() == layout.whole_bytes()
          : argument.extents == wanted;
  if (is_as_wanted) return;
  std::vector<std::string> sizes;
  for (const Expression& size : parameter.sizes) sizes.push_back(size.text());
  refuse(routine,
         fmt::format("{} must have {} = {} elements, and has {}", parameter.name,
                     fmt::join(sizes, " x "), fmt::join(wanted, " x "),
                     fmt::join(argument.extents, " x ")),
         "give an array of that size");
}

/// An array on the ranks is not read from the caller's memory, but has to be somewhere in it.
ArrayArgument nowhere(const layout::ArrayLayout& layout) {
  static std::array<std::byte, sizeof(std::complex<double>)> memory;
  const auto dimensions = static_cast<std::size_t>(layout.dimensions());
  return {memory.data(), memory.size(), {0, std::vector<std::int64_t>(dimensions, 0)}};
}

/// From the lowest of its bytes to the highest. Throws tasuki::error if no memory has such strides.
ArrayArgument strided(const layout::ArrayLayout& layout, const Argument& argument) {
  ArrayArgument array{static_cast<std::byte*>(argument.memory), 0, {0, argument.stride_bytes}};
  if (layout.whole_bytes() == 0) return array;
  std::int64_t highest = layout.element_bytes();
  std::int64_t& lowest = array.view.first_offset_bytes;  // Minus that, until all are counted.
  for (std::size_t i = 0; i < argument.stride_bytes.size(); ++i) {
    const std::int64_t steps = layout.axis(static_cast<int>(i)).extent() - 1;
    std::int64_t reach_bytes = 0;
    std::int64_t& end = argument.stride_bytes[i] < 0 ? lowest : highest;
    if (__builtin_mul_overflow(argument.stride_bytes[i], steps, &reach_bytes) ||
        __builtin_add_overflow(end, reach_bytes, &end)) {
      throw error("ArrayView", "the strides are longer than any memory", "give them in bytes");
    }
  }
  lowest = -lowest;
  array.memory -= lowest;
  array.memory_bytes = static_cast<std::size_t>(lowest) + static_cast<std::size_t>(highest);
  return array;
}

CallArray array_of(const Routine& routine, const Parameter& parameter,
                   const layout::ArrayLayout& layout, const Argument& argument) {
  if (argument.kept) return *argument.kept;
  if (argument.number && *argument.number != parameter.number) {
    refuse(routine,
           fmt::format("{} must be of {}, and is of {}", parameter.name, name_of(parameter.number),
                       name_of(*argument.number)),
           "give an array of that type");
  }
  if (argument.is_read_only && parameter.is_returned()) {
    refuse(routine, fmt::format("{} is written, and what is given is constant", parameter.name),
           "give a variable");
  }
  check_extents(routine, parameter, layout, argument);
  if (argument.memory == nullptr && layout.whole_bytes() > 0) {
    refuse(routine, fmt::format("{} is a null pointer", parameter.name), "give an array");
  }
  if (!argument.stride_bytes.empty()) return strided(layout, argument);
  return ArrayArgument{static_cast<std::byte*>(argument.memory),
                       static_cast<std::size_t>(layout.whole_bytes()),
                       layout::contiguous_view(layout, argument.order)};
}

struct NamedArray {
  const Parameter& parameter;
  ArrayArgument array;
};

/// What comes back may overwrite nothing that is still to be sent, nor another result.
void check_apart(const Routine& routine, const std::vector<NamedArray>& arrays) {
  const std::less<> before;
  for (const NamedArray& one : arrays) {
    for (const NamedArray& other : arrays) {
      const std::byte* const one_end = one.array.memory + one.array.memory_bytes;
      const std::byte* const other_end = other.array.memory + other.array.memory_bytes;
      const bool overlap = one.array.memory_bytes > 0 && other.array.memory_bytes > 0 &&
                           before(one.array.memory, other_end) &&
                           before(other.array.memory, one_end);
      if (!one.parameter.is_returned() || &one == &other || !overlap) continue;
      refuse(routine,
             fmt::format("the array for {} overlaps that of {}", one.parameter.name,
                         other.parameter.name),
             "give another array, or a copy");
    }
  }
}

std::vector<std::string_view> names_of_given(const Routine& routine) {
  std::vector<std::string_view> names;
  for (const Parameter& one : routine.parameters) {
    if (is_given(one)) names.emplace_back(one.name);
  }
  return names;
}

[[noreturn]] void refuse_count(const Routine& routine, const std::vector<std::string_view>& names,
                               std::span<const Argument> arguments) {
  refuse(routine,
         fmt::format("{} arguments are given, but it has {}", arguments.size(), names.size()),
         fmt::format("give {}", fmt::join(names, ", ")));
}

/// Requires: there is an argument for each parameter that is given.
json scalars_of(const Routine& routine, std::span<const Argument> arguments) {
  json scalars = json::object();
  auto next = arguments.begin();
  for (const Parameter& one : routine.parameters) {
    if (!is_given(one)) continue;
    if (one.is_scalar()) scalars[one.name] = scalar_of(routine, one, *next);
    ++next;
  }
  return scalars;
}

}  // namespace

bool is_given(const Parameter& parameter) noexcept { return parameter.mode != Mode::work; }

std::vector<MissingResult> missing_results(const Routine& routine,
                                           std::span<const Argument> arguments) {
  const std::vector<std::string_view> names = names_of_given(routine);
  const auto is_result = [](const Parameter& one) {
    return !one.is_scalar() && one.mode == Mode::out;
  };
  const auto results_count =
      static_cast<std::size_t>(std::ranges::count_if(routine.parameters, is_result));
  if (arguments.size() == names.size()) return {};
  if (arguments.size() + results_count != names.size()) refuse_count(routine, names, arguments);
  std::vector<Argument> whole;
  auto next = arguments.begin();
  for (const Parameter& one : routine.parameters) {
    if (is_given(one)) whole.push_back(is_result(one) ? Argument{} : *next++);
  }
  const CallLayout layout =
      whole_layout_of(routine, integers_of(routine, scalars_of(routine, whole)));
  std::vector<MissingResult> missing;
  std::size_t position = 0;
  for (std::size_t i = 0; i < layout.size(); ++i) {
    const Parameter& one = routine.parameters[i];
    if (is_result(one)) {
      missing.push_back({position, one.number, extents_of(*layout[i]),
                         static_cast<std::size_t>(layout[i]->whole_bytes())});
    }
    if (is_given(one)) ++position;
  }
  return missing;
}

CallArguments call_arguments(const Routine& routine, std::span<const Argument> arguments) {
  const std::vector<std::string_view> names = names_of_given(routine);
  if (names.size() != arguments.size()) refuse_count(routine, names, arguments);
  CallArguments result;
  result.scalars = scalars_of(routine, arguments);
  const CallLayout layout = whole_layout_of(routine, integers_of(routine, result.scalars));
  std::vector<NamedArray> given;
  auto next = arguments.begin();
  for (std::size_t i = 0; i < layout.size(); ++i) {
    const Parameter& one = routine.parameters[i];
    if (layout[i] && is_given(one)) {
      result.arrays.push_back(array_of(routine, one, *layout[i], *next));
      if (const auto* const array = std::get_if<ArrayArgument>(&result.arrays.back())) {
        given.push_back({one, *array});
      }
    } else if (layout[i]) {
      result.arrays.emplace_back(nowhere(*layout[i]));
    }
    if (is_given(one)) ++next;
  }
  check_apart(routine, given);
  return result;
}

}  // namespace tasuki::rpc
