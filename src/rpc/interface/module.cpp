#include "rpc/interface/module.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <tasuki/error.hpp>
#include <utility>

namespace tasuki::rpc {
namespace {

using nlohmann::json;

struct NumberTraits {
  Number number;
  std::string_view name;
  std::size_t bytes;
  bool is_integer;
};
// In the order of Number.
constexpr std::array<NumberTraits, 12> all_numbers = {{
    {Number::int8, "int8", 1, true},
    {Number::int16, "int16", 2, true},
    {Number::int32, "int32", 4, true},
    {Number::int64, "int64", 8, true},
    {Number::uint8, "uint8", 1, true},
    {Number::uint16, "uint16", 2, true},
    {Number::uint32, "uint32", 4, true},
    {Number::uint64, "uint64", 8, true},
    {Number::float32, "float32", 4, false},
    {Number::float64, "float64", 8, false},
    {Number::complex64, "complex64", 8, false},
    {Number::complex128, "complex128", 16, false},
}};

const NumberTraits& traits_of(Number number) {
  return all_numbers[static_cast<std::size_t>(number)];
}

[[noreturn]] void refuse(const std::string& happened) {
  throw error("read an interface", happened,
              "let server and client use versions of Tasuki that know each other");
}

std::vector<Expression> expressions_from(const json& values) {
  std::vector<Expression> all;
  for (const json& value : values) all.push_back(Expression::from_json(value));
  return all;
}

Division division_from(const json& value) {
  const std::string kind = value.at(0).get<std::string>();
  if (kind == "*" && value.size() == 1) return Undivided{};
  if (kind == "BLOCK" && value.size() == 1) return BlockDivision{};
  if (value.size() == 2) {
    Expression width = Expression::from_json(value[1]);
    if (kind == "BLOCK") return BlockDivision{std::move(width)};
    if (kind == "CYCLIC") return CyclicDivision{std::move(width)};
  }
  refuse(fmt::format("{} is no division of a dimension", value.dump()));
}

Mode mode_from(const std::string& name) {
  constexpr std::array<std::string_view, 4> names = {"in", "out", "inout", "work"};
  const auto* found = std::ranges::find(names, name);
  if (found == names.end()) refuse(fmt::format("there is no mode {}", name));
  return static_cast<Mode>(found - names.begin());
}

std::optional<Range> range_from(const json& dimension) {
  const json& lower = dimension.at("lower");
  const json& upper = dimension.at("upper");
  const json& step = dimension.at("step");
  if (lower == 0 && upper == dimension.at("size") && step == 1) return {};
  return Range{Expression::from_json(lower), Expression::from_json(upper),
               Expression::from_json(step)};
}

Parameter parameter_from(const json& value) {
  Parameter parameter;
  parameter.name = value.at("name").get<std::string>();
  parameter.mode = mode_from(value.at("mode").get<std::string>());
  const auto wire = value.at("wire").get<std::string>();
  if (const std::optional<Number> number = number_of(wire)) {
    parameter.number = *number;
  } else if (wire == "text") {
    parameter.content = Content::texts;
  } else if (wire == "file") {
    parameter.content = Content::file;
  } else {
    refuse(fmt::format("argument {} travels as {}, which calls do not take", parameter.name, wire));
  }
  for (const json& dimension : value.at("dimensions")) {
    const json& size = dimension.at("size");
    parameter.sizes.push_back(Expression::from_json(size));
    parameter.ranges.push_back(range_from(dimension));
  }
  const json& distribution = value.at("distribution");
  for (const json& one : distribution.at("divisions")) {
    parameter.divisions.push_back(division_from(one));
  }
  parameter.grid = expressions_from(distribution.at("grid"));
  const auto divided = std::ranges::count_if(parameter.divisions, [](const Division& one) {
    return !std::holds_alternative<Undivided>(one);
  });
  const bool fits =
      (parameter.divisions.empty() || parameter.divisions.size() == parameter.sizes.size()) &&
      (parameter.grid.empty() || std::cmp_equal(parameter.grid.size(), divided));
  if (!fits) refuse(fmt::format("the distribution of {} does not fit its array", parameter.name));
  if (parameter.content != Content::numbers && !parameter.divisions.empty()) {
    refuse(fmt::format("{} cannot be distributed", parameter.name));
  }
  if (parameter.content == Content::file && !parameter.sizes.empty()) {
    refuse(fmt::format("{} is an array of files, which calls do not take", parameter.name));
  }
  return parameter;
}

Callback callback_from(const json& value, std::size_t place) {
  Callback callback{value.at("name").get<std::string>(), place};
  for (const json& one : value.at("parameters")) {
    callback.parameters.push_back(parameter_from(one));
    const Parameter& made = callback.parameters.back();
    if (made.is_array() && made.divisions.empty()) continue;
    refuse(fmt::format("{} of callback {} is no undivided array of numbers", made.name,
                       callback.name));
  }
  return callback;
}

/// Is the routine written in C or C++, whose `long` has 64 bits?
bool is_in_c(const json& routine) {
  const json implementation = routine.value("implementation", json::object());
  const std::string language = implementation.value("language", "");
  return implementation.value("kind", "") == "c" || language == "C" || language == "C++";
}

/// Of what a routine in C gets for the parameter.
std::size_t copied_element_bytes_of(const Parameter& parameter, const json& value) {
  const std::string type = value.value("type", "");
  const bool is_long = type == "long" || type == "unsigned long";
  const bool is_wider = is_long && bytes_of(parameter.number) < sizeof(long);
  return is_wider && parameter.is_array() ? sizeof(long) : 0;
}

/// `before` precedes its names.
Routine routine_from(const json& value, const std::string& before = "") {
  Routine routine;
  routine.name = before + value.at("name").get<std::string>();
  routine.text = value.at("text").get<std::string>();
  for (const json& one : value.at("aliases")) {
    routine.aliases.push_back(before + one.get<std::string>());
  }
  const bool is_c = is_in_c(value);
  for (const json& one : value.at("parameters")) {
    if (one.at("kind") == "callback") {
      routine.callbacks.push_back(callback_from(one, routine.parameters.size()));
    } else {
      Parameter& made = routine.parameters.emplace_back(parameter_from(one));
      if (is_c) made.copied_element_bytes = copied_element_bytes_of(made, one);
    }
  }
  const json& operations = value.at("calc_order");
  if (!operations.is_null()) routine.operations = Expression::from_json(operations);
  return routine;
}

RemoteClass class_from(const json& value) {
  RemoteClass made;
  made.name = value.at("name").get<std::string>();
  made.text = value.at("text").get<std::string>();
  for (const json& one : value.at("methods")) {
    made.methods.push_back(routine_from(one, made.name + "."));
  }
  return made;
}

const Routine* find_in(const std::vector<Routine>& routines, std::string_view name) noexcept {
  const auto found = std::ranges::find_if(routines, [&](const Routine& one) {
    return one.name == name || std::ranges::find(one.aliases, name) != one.aliases.end();
  });
  return found == routines.end() ? nullptr : &*found;
}

}  // namespace

std::size_t bytes_of(Number number) noexcept { return traits_of(number).bytes; }
std::size_t word_bytes_of(Number number) noexcept {
  const bool is_complex = number == Number::complex64 || number == Number::complex128;
  return is_complex ? bytes_of(number) / 2 : bytes_of(number);
}
bool is_integer(Number number) noexcept { return traits_of(number).is_integer; }
std::string_view name_of(Number number) noexcept { return traits_of(number).name; }

std::optional<Number> number_of(std::string_view name) noexcept {
  const auto* const found = std::ranges::find(all_numbers, name, &NumberTraits::name);
  if (found == all_numbers.end()) return {};
  return found->number;
}

Routine without_ranges(Routine routine) {
  for (Parameter& one : routine.parameters) {
    std::ranges::fill(one.ranges, std::nullopt);
    one.copied_element_bytes = 0;
  }
  return routine;
}

const Routine* Module::find(std::string_view routine) const noexcept {
  const std::size_t dot = routine.find('.');
  if (dot == std::string_view::npos) return find_in(routines, routine);
  const RemoteClass* const owner = find_class(routine.substr(0, dot));
  return owner == nullptr ? nullptr : find_in(owner->methods, routine);
}

const RemoteClass* Module::find_class(std::string_view wanted) const noexcept {
  const auto found = std::ranges::find(classes, wanted, &RemoteClass::name);
  return found == classes.end() ? nullptr : &*found;
}

Module module_from_json(json value) {
  Module module;
  try {
    if (value.at("interface") != 1) {
      refuse(fmt::format("its version is {}, not 1", value.at("interface").dump()));
    }
    module.name = value.at("module").get<std::string>();
    for (const json& one : value.at("routines")) module.routines.push_back(routine_from(one));
    for (const json& one : value.at("classes")) module.classes.push_back(class_from(one));
  } catch (const json::exception& fault) {
    refuse(fault.what());
  }
  module.json = std::move(value);
  return module;
}

}  // namespace tasuki::rpc
