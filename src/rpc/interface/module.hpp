// What a server offers: modules of routines, their parameters and how arrays lie on the ranks.
//
// Read from the JSON that `tasuki idl show --json` prints (docs/formats/interface.md) by the
// server, by clients and by the ranks of a routine. Thread-safety: values that nobody changes.
#pragma once

#include <cstdint>
#include <nlohmann/json.hpp>
#include <optional>
#include <string>
#include <string_view>
#include <variant>
#include <vector>

#include "rpc/interface/expression.hpp"

namespace tasuki::rpc {

enum class Mode : std::uint8_t { in, out, inout, work };

/// Numbers that travel as they lie in memory.
enum class Number : std::uint8_t {
  int8,
  int16,
  int32,
  int64,
  uint8,
  uint16,
  uint32,
  uint64,
  float32,
  float64,
  complex64,
  complex128,
};

std::size_t bytes_of(Number number) noexcept;
/// Of what has a byte order: a complex number has two words, another one.
std::size_t word_bytes_of(Number number) noexcept;
bool is_integer(Number number) noexcept;
/// As NumPy calls it.
std::string_view name_of(Number number) noexcept;
/// The reverse. Returns: nothing if there is no such number.
std::optional<Number> number_of(std::string_view name) noexcept;

/// All elements of the dimension on each process.
struct Undivided {};
/// BLOCK; without a width, one block for each process.
struct BlockDivision {
  std::optional<Expression> width;
};
/// CYCLIC(width).
struct CyclicDivision {
  Expression width;
};
using Division = std::variant<Undivided, BlockDivision, CyclicDivision>;

/// The elements of a dimension that travel.
struct Range {
  Expression lower;
  Expression upper;
  Expression step;
};

/// What an argument holds.
enum class Content : std::uint8_t {
  numbers,
  texts,  ///< Texts of any length, without NUL.
  file,   ///< The contents of a file; the routine gets the name of a copy.
};

/// A scalar or an array; the dimensions of a scalar are none.
struct Parameter {
  std::string name;
  Mode mode = Mode::in;
  Content content = Content::numbers;
  Number number = Number::int32;
  /// Of an element in a copy that the routine gets, as C's `long` has more bits than travel; 0: it
  /// gets the block itself.
  std::size_t copied_element_bytes = 0;
  std::vector<Expression> sizes;
  std::vector<std::optional<Range>> ranges;  ///< One for each size: nothing where all travels.
  std::vector<Division> divisions;           ///< One for each dimension, or none.
  std::vector<Expression> grid;              ///< One for each divided dimension, or none.

  /// Is it one number?
  bool is_scalar() const noexcept { return content == Content::numbers && sizes.empty(); }
  /// Is it an array of numbers?
  bool is_array() const noexcept { return content == Content::numbers && !sizes.empty(); }
  bool is_sent() const noexcept { return mode == Mode::in || mode == Mode::inout; }
  bool is_returned() const noexcept { return mode == Mode::out || mode == Mode::inout; }
};

/// A function of the client, which the routine calls.
struct Callback {
  std::string name;
  std::size_t place = 0;  ///< How many of the routine's parameters stand before it.
  std::vector<Parameter> parameters = {};  ///< Arrays of numbers that are not distributed.
};

struct Routine {
  std::string name;  ///< Of a method: "Class.method".
  std::string text = {};
  std::vector<Parameter> parameters = {};
  std::vector<Callback> callbacks = {};
  std::vector<std::string> aliases = {};      ///< Further names that calls may give.
  std::optional<Expression> operations = {};  ///< How many a call takes, if the interface says it.

  /// Is it called on an object?
  bool is_method() const noexcept { return name.find('.') != std::string::npos; }
  /// Requires: it is a method.
  std::string class_name() const { return name.substr(0, name.find('.')); }
};

/// Objects of a class live on the ranks, each with a state of its own that the methods share.
struct RemoteClass {
  std::string name;
  std::string text;
  std::vector<Routine> methods;
};

/// Returns: the same routine, of whose arrays all elements travel and none is copied, as of arrays
/// that are put.
Routine without_ranges(Routine routine);

struct Module {
  std::string name;
  std::vector<Routine> routines;
  nlohmann::json json;  ///< What it was made from.
  std::vector<RemoteClass> classes = {};

  /// By its name or an alias; a method as "Class.method". Returns: nullptr if there is none.
  const Routine* find(std::string_view routine) const noexcept;
  /// Returns: nullptr if there is none.
  const RemoteClass* find_class(std::string_view name) const noexcept;
};

/// Throws tasuki::error that names the field if the JSON is no module of version 1 or has something
/// that calls do not support.
Module module_from_json(nlohmann::json json);

}  // namespace tasuki::rpc
