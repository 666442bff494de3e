// What a receive's own arguments say of the message that it waits for, and what came.
//
// Used by predictors and those who ask them. Thread-safety: values and pure functions.
#pragma once

#include <cstdint>

#include <tasuki/detail/predict/message.hpp>

namespace tasuki::predict {

/// A receive without any arguments, as of an active message, has `given` empty.
struct Receive {
  Message arguments;  ///< `message_bytes`: what the buffer holds.
  FieldSet given;     ///< The fields that have an argument which is no wildcard.

  /// The fields that the message can only have as the arguments say. Its size is not one of them,
  /// because a message may be shorter than the buffer, unless the buffer is empty.
  constexpr FieldSet fixed() const {
    FieldSet fields = given;
    if (arguments.message_bytes != 0) fields.erase(Field::message_bytes);
    return fields;
  }
  constexpr FieldSet free() const { return FieldSet::all().without(fixed()); }
};

/// A message and the receive that took it.
struct Arrival {
  Receive receive;
  Message message;
  std::int64_t arrival_ns = 0;  ///< By any clock that does not go back; below 2^61.
};

}  // namespace tasuki::predict
