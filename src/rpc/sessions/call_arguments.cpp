#include "rpc/sessions/call_arguments.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <complex>
#include <cstring>
#include <exception>
#include <functional>
#include <map>
#include <numeric>
#include <string>
#include <tasuki/detail/layout/overlap.hpp>
#include <tasuki/error.hpp>
#include <utility>

#include "rpc/interface/call_layout.hpp"

namespace tasuki::rpc {
namespace {

using nlohmann::json;

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

void check_is_number(const Routine& routine, const Parameter& parameter, const Argument& argument) {
  if (!argument.text_bytes && !argument.is_function) return;
  refuse(routine,
         fmt::format("{} must be of {}, and a {} is given", parameter.name,
                     name_of(parameter.number), argument.is_function ? "function" : "text"),
         parameter.is_array() ? "give an array of that type" : "give a number");
}

json scalar_of(const Routine& routine, const Parameter& parameter, const Argument& argument) {
  check_is_number(routine, parameter, argument);
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
  check_is_number(routine, parameter, argument);
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
  layout::PlacedElements elements;
};

/// What comes back may overwrite nothing that is still to be sent, nor another result.
void check_apart(const Routine& routine, const std::vector<NamedArray>& arrays) {
  for (const NamedArray& one : arrays) {
    if (!one.parameter.is_returned()) continue;
    for (const NamedArray& other : arrays) {
      if (&one == &other) continue;
      const layout::Overlap overlap = layout::overlap_of(one.elements, other.elements);
      if (overlap == layout::Overlap::none) continue;
      const bool is_sure = overlap == layout::Overlap::some;
      refuse(routine,
             fmt::format("the array for {} {} that of {}", one.parameter.name,
                         is_sure ? "overlaps" : "may overlap", other.parameter.name),
             is_sure ? "give another array, or a copy"
                     : "give an array of other memory, or parts of one with the same strides");
    }
  }
}

std::vector<std::string_view> names_of(const std::vector<Given>& given) {
  std::vector<std::string_view> names;
  for (const Given& one : given) {
    names.push_back(std::visit([](const auto* each) { return std::string_view(each->name); }, one));
  }
  return names;
}

using Pointer = void*;
template <std::size_t... place>
void call_with(void* function, void* const* arguments, std::index_sequence<place...>) {
  reinterpret_cast<void (*)(decltype(place, Pointer())...)>(function)(arguments[place]...);
}
template <std::size_t count>
void call_function(void* function, void* const* arguments) {
  call_with(function, arguments, std::make_index_sequence<count>());
}
/// By how many pointers the function takes.
constexpr std::array functions_of_pointers = {
    call_function<0>, call_function<1>, call_function<2>, call_function<3>, call_function<4>,
    call_function<5>, call_function<6>, call_function<7>, call_function<8>, call_function<9>,
};

ClientFunction function_of(const Routine& routine, const Callback& callback,
                           const Argument& argument) {
  if (argument.number || argument.kept || argument.text_bytes) {
    refuse(routine, fmt::format("{} must be a function, and is none", callback.name),
           "give a function");
  }
  if (argument.memory == nullptr) {
    refuse(routine, fmt::format("{} is a null pointer", callback.name), "give a function");
  }
  const std::size_t count = callback.parameters.size();
  if (count >= functions_of_pointers.size()) {
    refuse(routine, fmt::format("{} takes {} arrays", callback.name, count),
           fmt::format("declare a callback of at most {}", functions_of_pointers.size() - 1));
  }
  return [function = argument.memory, count](void* const* arguments) -> std::optional<std::string> {
    try {
      functions_of_pointers[count](function, arguments);
      return std::nullopt;
    } catch (const std::exception& fault) {
      return fault.what();
    } catch (...) {
      return "it has thrown what is no std::exception";
    }
  };
}

/// What is sent of the texts, or the name of the file; notes where texts go that come back.
void add_texts(const Routine& routine, const Parameter& parameter, const Integers& integers,
               const Argument& argument, CallArguments& result) {
  if (parameter.sizes.empty()) {
    result.scalars[parameter.name] = text_of(routine, parameter, argument);
    return;
  }
  if (parameter.is_sent()) {
    result.scalars[parameter.name] = texts_of(routine, parameter, integers, argument);
  }
  if (parameter.is_returned()) {
    result.texts.push_back(text_results_of(routine, parameter, integers, argument));
  }
}

[[noreturn]] void refuse_count(const Routine& routine, const std::vector<Given>& slots,
                               std::span<const Argument> arguments) {
  refuse(routine,
         fmt::format("{} arguments are given, but it has {}", arguments.size(), slots.size()),
         fmt::format("give {}", fmt::join(names_of(slots), ", ")));
}

/// An array that only comes back.
bool is_result(const Given& one) {
  const auto* const parameter = std::get_if<const Parameter*>(&one);
  return parameter != nullptr && (*parameter)->is_array() && (*parameter)->mode == Mode::out;
}

using Assigned = std::map<const Parameter*, const Argument*>;

/// Requires: there is an argument for each of the slots.
Assigned assigned(const std::vector<Given>& slots, std::span<const Argument> arguments) {
  Assigned result;
  for (std::size_t i = 0; i < slots.size(); ++i) {
    const auto* const parameter = std::get_if<const Parameter*>(&slots[i]);
    if (parameter != nullptr) result[*parameter] = &arguments[i];
  }
  return result;
}

json scalars_of(const Routine& routine, const Assigned& arguments) {
  json scalars = json::object();
  for (const auto& [parameter, argument] : arguments) {
    if (!parameter->is_scalar()) continue;
    scalars[parameter->name] = scalar_of(routine, *parameter, *argument);
  }
  return scalars;
}

}  // namespace

bool is_given(const Parameter& parameter) noexcept { return parameter.mode != Mode::work; }

std::vector<Given> given_of(const Routine& routine) {
  std::vector<Given> given;
  auto callback = routine.callbacks.begin();
  for (std::size_t i = 0; i <= routine.parameters.size(); ++i) {
    for (; callback != routine.callbacks.end() && callback->place == i; ++callback) {
      given.emplace_back(&*callback);
    }
    if (i < routine.parameters.size() && is_given(routine.parameters[i])) {
      given.emplace_back(&routine.parameters[i]);
    }
  }
  return given;
}

std::vector<MissingResult> missing_results(const Routine& routine,
                                           std::span<const Argument> arguments) {
  const std::vector<Given> slots = given_of(routine);
  const auto results_count = static_cast<std::size_t>(std::ranges::count_if(slots, is_result));
  if (arguments.size() == slots.size()) return {};
  if (arguments.size() + results_count != slots.size()) refuse_count(routine, slots, arguments);
  std::vector<Argument> whole;
  auto next = arguments.begin();
  for (const Given& one : slots) whole.push_back(is_result(one) ? Argument{} : *next++);
  const json scalars = scalars_of(routine, assigned(slots, whole));
  const CallLayout layout = whole_layout_of(routine, integers_of(routine, scalars));
  std::vector<MissingResult> missing;
  for (std::size_t position = 0; position < slots.size(); ++position) {
    if (!is_result(slots[position])) continue;
    const Parameter* const one = std::get<const Parameter*>(slots[position]);
    const auto& array = *layout[static_cast<std::size_t>(one - routine.parameters.data())];
    missing.push_back({position, std::string(name_of(one->number)), extents_of(array),
                       static_cast<std::size_t>(array.whole_bytes())});
  }
  return missing;
}

ArrayArgument array_to_put(const Routine& routine, const std::string& parameter, json& scalars,
                           const Argument& argument) {
  const Routine described = without_ranges(routine);
  const auto found = std::ranges::find(described.parameters, parameter, &Parameter::name);
  if (found == described.parameters.end() || !found->is_array() || argument.kept) {
    refuse(routine, fmt::format("{} is no array of it, or what is given is none", parameter),
           "choose one of the routine's arrays");
  }
  for (const auto& [name, value] : scalars.items()) {
    const auto given = std::ranges::find(described.parameters, name, &Parameter::name);
    if (given != described.parameters.end() && given->is_scalar()) continue;
    refuse(routine, fmt::format("there is no size {}", name), "name those of its arrays");
  }
  for (const Parameter& one : described.parameters) {
    if (!one.is_scalar() || scalars.contains(one.name)) continue;
    scalars[one.name] = is_complex(one.number) ? json::array({0.0, 0.0}) : json(0);
  }
  const CallLayout layout = whole_layout_of(described, integers_of(described, scalars));
  Argument read_only = argument;
  read_only.is_read_only = false;  // It is only read.
  const auto index = static_cast<std::size_t>(found - described.parameters.begin());
  return std::get<ArrayArgument>(array_of(described, *found, *layout[index], read_only));
}

CallArguments call_arguments(const Routine& routine, std::span<const Argument> arguments) {
  const std::vector<Given> slots = given_of(routine);
  if (slots.size() != arguments.size()) refuse_count(routine, slots, arguments);
  CallArguments result;
  for (std::size_t i = 0; i < slots.size(); ++i) {
    const auto* const callback = std::get_if<const Callback*>(&slots[i]);
    if (callback == nullptr) continue;
    result.functions[(*callback)->name] = function_of(routine, **callback, arguments[i]);
  }
  const Assigned by_parameter = assigned(slots, arguments);
  result.scalars = scalars_of(routine, by_parameter);
  const Integers integers = integers_of(routine, result.scalars);
  const CallLayout layout = whole_layout_of(routine, integers);
  std::vector<NamedArray> given;
  for (std::size_t i = 0; i < layout.size(); ++i) {
    const Parameter& one = routine.parameters[i];
    if (layout[i] && is_given(one)) {
      result.arrays.push_back(array_of(routine, one, *layout[i], *by_parameter.at(&one)));
      if (const auto* const array = std::get_if<ArrayArgument>(&result.arrays.back())) {
        given.push_back({one, layout::placed_elements(*layout[i], array->view, array->memory)});
      }
    } else if (layout[i]) {
      result.arrays.emplace_back(nowhere(*layout[i]));
    } else if (one.content != Content::numbers && is_given(one)) {
      add_texts(routine, one, integers, *by_parameter.at(&one), result);
    }
  }
  check_apart(routine, given);
  return result;
}

}  // namespace tasuki::rpc
