#include <fmt/format.h>

#include <array>
#include <bit>
#include <tasuki/detail/base/element_name.hpp>
#include <tasuki/detail/runtime/calls/common_value.hpp>
#include <tasuki/error.hpp>

namespace tasuki::runtime {
namespace {

constexpr std::array kind_names = {"nothing",    "a boolean",     "an integer",
                                   "an integer", "a real number", "text",
                                   "bytes",      "an array",      "a list"};

constexpr std::array element_sizes_bytes = {0U, 1U, 2U, 4U, 8U, 1U, 2U, 4U, 8U, 4U, 8U};

/// As in "an integer", with what tells values of a kind apart.
std::string in_words(const CommonValue& value) {
  switch (value.kind) {
    case ValueKind::integer:
      return fmt::format("the integer {}", static_cast<std::int64_t>(value.word));
    case ValueKind::natural:
      return fmt::format("the integer {}", value.word);
    case ValueKind::real:
      return fmt::format("the real number {}", value.real());
    case ValueKind::array:
      return array_of(value.element);
    default:
      return kind_names[static_cast<std::size_t>(value.kind)];
  }
}

}  // namespace

std::string array_of(base::ElementType element) {
  return fmt::format("an array of {}", base::name_of(element));
}

double CommonValue::real() const noexcept { return std::bit_cast<double>(word); }

// ---- writing -----------------------------------------------------------------------------------

void ValueWriter::append(const void* from, std::size_t bytes) {
  const auto* const begin = static_cast<const std::byte*>(from);
  bytes_.insert(bytes_.end(), begin, begin + bytes);
}

void ValueWriter::put_word(ValueKind kind, std::uint64_t word) {
  append(&kind, sizeof kind);
  append(&word, sizeof word);
}

void ValueWriter::put_nothing() {
  const ValueKind kind = ValueKind::nothing;
  append(&kind, sizeof kind);
}

void ValueWriter::put_boolean(bool value) {
  const std::uint8_t bytes[] = {static_cast<std::uint8_t>(ValueKind::boolean), value};
  append(bytes, sizeof bytes);
}

void ValueWriter::put_real(double value) {
  put_word(ValueKind::real, std::bit_cast<std::uint64_t>(value));
}

void ValueWriter::put_data(ValueKind kind, std::span<const std::byte> data) {
  put_word(kind, data.size());
  append(data.data(), data.size());
}

void ValueWriter::put_array(base::ElementType element, std::size_t count,
                            std::span<const std::byte> data) {
  const std::uint8_t head[] = {static_cast<std::uint8_t>(ValueKind::array),
                               static_cast<std::uint8_t>(element)};
  const std::uint64_t word = count;
  append(head, sizeof head);
  append(&word, sizeof word);
  append(data.data(), data.size());
}

// ---- reading -----------------------------------------------------------------------------------

std::span<const std::byte> ValueReader::read_data(std::uint64_t bytes) {
  if (bytes > left_.size()) {
    throw error(fmt::format("calling {}", name_),
                arguments_count_ == 0 ? std::string("its result ends too early")
                                      : fmt::format("argument {} is missing", arguments_count_),
                "give as many arguments as the function takes");
  }
  const auto data = left_.first(bytes);
  left_ = left_.subspan(bytes);
  return data;
}

template <class T>
T ValueReader::read() {
  T value;
  std::memcpy(&value, read_data(sizeof value).data(), sizeof value);
  return value;
}

CommonValue ValueReader::next() {
  CommonValue value;
  value.kind = read<ValueKind>();
  switch (value.kind) {
    case ValueKind::nothing:
      break;
    case ValueKind::boolean:
      value.word = read<std::uint8_t>();
      break;
    case ValueKind::array:
      value.element = base::ElementType(read<std::uint8_t>() % base::element_names.size());
      value.word = read<std::uint64_t>();
      value.data =
          read_data(value.word * element_sizes_bytes[static_cast<std::size_t>(value.element)]);
      break;
    case ValueKind::text:
    case ValueKind::bytes:
      value.word = read<std::uint64_t>();
      value.data = read_data(value.word);
      break;
    default:
      value.word = read<std::uint64_t>();
  }
  return value;
}

void ValueReader::expect_end(std::size_t arguments_count) const {
  if (left_.empty()) return;
  throw error(fmt::format("calling {}", name_),
              fmt::format("there are more than the {} arguments that it takes", arguments_count),
              "give as many arguments as the function takes");
}

void ValueReader::throw_other(const CommonValue& is, const std::string& wanted) const {
  const std::string what =
      arguments_count_ == 0 ? "its result" : fmt::format("argument {}", arguments_count_);
  throw error(fmt::format("calling {}", name_),
              fmt::format("{} is {}, not {}", what, in_words(is), wanted),
              "pass and return the types that the function is declared with");
}

std::uint64_t ValueReader::integer(std::int64_t least, std::uint64_t most) {
  const CommonValue value = next();
  const bool is_negative =
      value.kind == ValueKind::integer && static_cast<std::int64_t>(value.word) < 0;
  const bool is_integer = value.kind == ValueKind::integer || value.kind == ValueKind::natural;
  const bool fits =
      is_negative ? static_cast<std::int64_t>(value.word) >= least : value.word <= most;
  if (is_integer && fits) return value.word;
  throw_other(value, fmt::format("an integer from {} to {}", least, most));
}

bool ValueReader::boolean() {
  const CommonValue value = next();
  if (value.kind == ValueKind::boolean) return value.word != 0;
  throw_other(value, "a boolean");
}

double ValueReader::real() {
  const CommonValue value = next();
  switch (value.kind) {
    case ValueKind::real:
      return value.real();
    case ValueKind::integer:
      return static_cast<double>(static_cast<std::int64_t>(value.word));
    case ValueKind::natural:
      return static_cast<double>(value.word);
    default:
      throw_other(value, "a number");
  }
}

std::string ValueReader::text() {
  const CommonValue value = next();
  if (value.kind != ValueKind::text) throw_other(value, "text");
  return {reinterpret_cast<const char*>(value.data.data()), value.data.size()};
}

std::vector<std::byte> ValueReader::bytes() {
  const CommonValue value = next();
  if (value.kind != ValueKind::bytes) throw_other(value, "bytes");
  return {value.data.begin(), value.data.end()};
}

}  // namespace tasuki::runtime
