// The header of a message as a symbol of a stream, and its fields.
//
// Used by whoever predicts headers: predictors, the MPI interposer, the runtime. Thread-safety:
// values and pure functions.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>

namespace tasuki::predict {

/// `kind` of the messages inside collectives of MPI programs; of others it is 0.
inline constexpr std::uint32_t kind_in_collective = 1;

/// What is known of a message before its data are read. The order of the fields is such that a copy
/// in words of 8 or 16 bytes does not wait for a single field that was just written.
struct Message {
  std::int32_t source = 0;  ///< Rank in the communicator.
  std::int32_t tag = 0;
  std::uint32_t communicator = 0;  ///< A number that the rank itself gives it.
  /// What sort of message it is. In MPI programs it says whether it is inside a collective; in the
  /// runtime it is the handler.
  std::uint32_t kind = 0;
  std::int64_t message_bytes = 0;

  friend bool operator==(const Message&, const Message&) = default;
};

enum class Field : std::uint8_t { source, tag, message_bytes, communicator, kind };

inline constexpr std::array<Field, 5> all_fields = {Field::source, Field::tag, Field::message_bytes,
                                                    Field::communicator, Field::kind};
inline constexpr std::size_t fields_count = all_fields.size();

class FieldSet {
 public:
  constexpr FieldSet() = default;
  static constexpr FieldSet all() { return FieldSet((1U << fields_count) - 1); }

  constexpr FieldSet& insert(Field field) {
    bits_ |= 1U << static_cast<unsigned>(field);
    return *this;
  }
  constexpr FieldSet& erase(Field field) {
    bits_ &= ~(1U << static_cast<unsigned>(field));
    return *this;
  }
  constexpr bool contains(Field field) const {
    return (bits_ >> static_cast<unsigned>(field) & 1U) != 0;
  }
  constexpr bool contains(FieldSet other) const { return (other.bits_ & ~bits_) == 0; }
  constexpr unsigned bits() const { return bits_; }
  constexpr bool is_empty() const { return bits_ == 0; }
  /// Those that are in this set and not in the other.
  constexpr FieldSet without(FieldSet other) const { return FieldSet(bits_ & ~other.bits_); }
  constexpr FieldSet with(FieldSet other) const { return FieldSet(bits_ | other.bits_); }

  friend constexpr bool operator==(FieldSet, FieldSet) = default;

 private:
  constexpr explicit FieldSet(unsigned bits) : bits_(bits) {}

  unsigned bits_ = 0;
};

/// As traces and tables call it.
const char* name_of(Field field) noexcept;

constexpr std::int64_t value_of(const Message& message, Field field) {
  switch (field) {
    case Field::source:
      return message.source;
    case Field::tag:
      return message.tag;
    case Field::message_bytes:
      return message.message_bytes;
    case Field::communicator:
      return message.communicator;
    case Field::kind:
      return message.kind;
  }
  return 0;
}

/// Requires: the value is one that the field can have; others are truncated.
constexpr void set_value(Message& message, Field field, std::int64_t value) {
  switch (field) {
    case Field::source:
      message.source = static_cast<std::int32_t>(value);
      return;
    case Field::tag:
      message.tag = static_cast<std::int32_t>(value);
      return;
    case Field::message_bytes:
      message.message_bytes = value;
      return;
    case Field::communicator:
      message.communicator = static_cast<std::uint32_t>(value);
      return;
    case Field::kind:
      message.kind = static_cast<std::uint32_t>(value);
      return;
  }
}

/// The fields in which two messages differ: what has to be done again after a wrong prediction.
FieldSet differing(const Message& predicted, const Message& actual) noexcept;

}  // namespace tasuki::predict
