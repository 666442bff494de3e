#include <tasuki/detail/predict/message.hpp>

namespace tasuki::predict {

const char* name_of(Field field) noexcept {
  switch (field) {
    case Field::source:
      return "source";
    case Field::tag:
      return "tag";
    case Field::message_bytes:
      return "bytes";
    case Field::communicator:
      return "communicator";
    case Field::kind:
      return "kind";
  }
  return "";
}

FieldSet differing(const Message& predicted, const Message& actual) noexcept {
  FieldSet found;
  if (predicted.source != actual.source) found.insert(Field::source);
  if (predicted.tag != actual.tag) found.insert(Field::tag);
  if (predicted.message_bytes != actual.message_bytes) found.insert(Field::message_bytes);
  if (predicted.communicator != actual.communicator) found.insert(Field::communicator);
  if (predicted.kind != actual.kind) found.insert(Field::kind);
  return found;
}

}  // namespace tasuki::predict
