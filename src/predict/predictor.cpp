#include <tasuki/detail/predict/predictor.hpp>

#include <algorithm>

namespace tasuki::predict {

Prediction with_arguments(Prediction prediction, const Receive& receive) noexcept {
  const FieldSet fixed = receive.fixed();
  const Message& arguments = receive.arguments;
  if (fixed.contains(Field::source)) prediction.message.source = arguments.source;
  if (fixed.contains(Field::tag)) prediction.message.tag = arguments.tag;
  if (fixed.contains(Field::communicator)) prediction.message.communicator = arguments.communicator;
  if (fixed.contains(Field::kind)) prediction.message.kind = arguments.kind;
  if (receive.given.contains(Field::message_bytes)) {
    prediction.message.message_bytes =
        std::min(prediction.message.message_bytes, arguments.message_bytes);
  }
  prediction.fields = prediction.fields.with(fixed);
  return prediction;
}

}  // namespace tasuki::predict
