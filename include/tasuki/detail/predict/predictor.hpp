// Predictors of the next message: what they are asked, and what they answer.
//
// Made by the registry (registry.hpp), used by the MPI interposer, the runtime and `tasuki
// predict`. Source of the method: Iwamoto, Adachi, Ootsu, Yoshinaga, Baba, "High Speed Receiving
// Process of MPI by Receiving Message Prediction", 2001. Thread-safety: one per thread.
#pragma once

#include <algorithm>
#include <cstdint>

#include <tasuki/detail/predict/receive.hpp>

namespace tasuki::predict {

/// Of `Prediction::confidence`.
inline constexpr std::uint8_t confidence_most = 7;

struct Prediction {
  Message message;
  FieldSet fields;  ///< Those that are predicted. The others of `message` say nothing.
  /// How often in succession this rule has been right, at most confidence_most.
  std::uint8_t confidence = 0;

  constexpr bool is_complete() const { return fields == FieldSet::all(); }
};

/// Puts in what the arguments of the receive fix, and makes no message longer than the buffer.
inline void put_arguments(Prediction& prediction, const Receive& receive) noexcept {
  const FieldSet fixed = receive.fixed();
  const Message& arguments = receive.arguments;
  Message& message = prediction.message;
  if (fixed.contains(Field::source)) message.source = arguments.source;
  if (fixed.contains(Field::tag)) message.tag = arguments.tag;
  if (fixed.contains(Field::communicator)) message.communicator = arguments.communicator;
  if (fixed.contains(Field::kind)) message.kind = arguments.kind;
  if (receive.given.contains(Field::message_bytes)) {
    message.message_bytes = std::min(message.message_bytes, arguments.message_bytes);
  }
  prediction.fields = prediction.fields.with(fixed);
}

/// Both functions take the same time however many messages there were, and allocate nothing.
class Predictor {
 public:
  virtual ~Predictor() = default;

  /// What the receive will get, if it gets the next message.
  virtual Prediction predict(const Receive& receive) const noexcept = 0;
  /// Learns what has come. Every message is told, predicted or not, in the order of arrival.
  virtual void observe(const Arrival& arrival) noexcept = 0;
};

}  // namespace tasuki::predict
