#include <tasuki/detail/predict/payload.hpp>

#include <algorithm>
#include <cstring>

namespace tasuki::predict {
namespace {

/// What follows `now`, which came after `before`, in equal steps. Two numbers of half the size in
/// one word step at once, as long as none of them passes its end.
std::uint64_t next_word(std::uint64_t before, std::uint64_t now) noexcept {
  return now + (now - before);
}

}  // namespace

PayloadPredictor::PayloadPredictor(std::size_t payload_bytes)
    : last_(payload_bytes), guess_(payload_bytes) {}

void PayloadPredictor::observe(std::span<const std::byte> payload) noexcept {
  for (std::size_t at = 0; at < payload.size(); at += sizeof(std::uint64_t)) {
    const std::size_t bytes = std::min(sizeof(std::uint64_t), payload.size() - at);
    std::uint64_t before = 0;
    std::uint64_t now = 0;
    std::memcpy(&before, last_.data() + at, bytes);
    std::memcpy(&now, payload.data() + at, bytes);
    const std::uint64_t next = next_word(before, now);
    std::memcpy(guess_.data() + at, &next, bytes);
    std::memcpy(last_.data() + at, &now, bytes);
  }
  if (seen_count_ < 2) ++seen_count_;
}

}  // namespace tasuki::predict
