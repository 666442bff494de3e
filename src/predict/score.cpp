#include <tasuki/detail/predict/score.hpp>

#include <cstddef>

namespace tasuki::predict {

void Score::count(const Prediction& prediction, const Arrival& arrival) noexcept {
  ++messages_count;
  const FieldSet wrong = differing(prediction.message, arrival.message);
  if (prediction.is_complete()) whole.count(wrong.is_empty());
  for (const Field field : all_fields) {
    if (prediction.fields.contains(field)) {
      fields[static_cast<std::size_t>(field)].count(!wrong.contains(field));
    }
  }
  const FieldSet is_free = arrival.receive.free();
  if (is_free.is_empty()) return;
  ++free_messages_count;
  if (prediction.fields.contains(is_free)) free.count(is_free.without(wrong) == is_free);
}

}  // namespace tasuki::predict
