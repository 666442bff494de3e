#include "mpi/ahead/next_receives.hpp"

#include <functional>

namespace tasuki::mpi::ahead {

std::size_t NextReceives::Hash::operator()(const Channel& channel) const noexcept {
  const std::uint64_t pair =
      (static_cast<std::uint64_t>(channel.source) << 32U) ^ static_cast<std::uint32_t>(channel.tag);
  return std::hash<std::uint64_t>()(pair ^ (channel.communicator << 16U));
}

void NextReceives::begins(const Channel& channel) {
  if (known_.size() >= most_channels) forget_all();
  if (has_last_) {
    Known& last = known_[last_];
    last.has_next = true;
    last.next = channel;
  }
  last_ = channel;
  has_last_ = true;
}

void NextReceives::ended(std::int64_t message_bytes) {
  if (has_last_) known_[last_].message_bytes = message_bytes;
}

const NextReceives::Known* NextReceives::find(const Channel& channel) const {
  const auto found = known_.find(channel);
  return found == known_.end() ? nullptr : &found->second;
}

std::optional<NextReceives::Expected> NextReceives::expected() const {
  if (!has_last_) return {};
  const Known* const last = find(last_);
  if (last == nullptr || !last->has_next) return {};
  const Known* const next = find(last->next);
  return Expected{last->next, next == nullptr ? 0 : next->message_bytes};
}

void NextReceives::forget(record::Word communicator) {
  std::erase_if(known_, [communicator](const auto& one) {
    return one.first.communicator == communicator || one.second.next.communicator == communicator;
  });
  if (has_last_ && last_.communicator == communicator) has_last_ = false;
}

void NextReceives::forget_all() noexcept {
  known_.clear();
  has_last_ = false;
}

}  // namespace tasuki::mpi::ahead
