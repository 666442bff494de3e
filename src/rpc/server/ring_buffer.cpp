#include "rpc/server/ring_buffer.hpp"

#include <algorithm>
#include <tasuki/error.hpp>

namespace tasuki::rpc {
namespace {

/// Of the longest number.
constexpr std::int64_t alignment = 16;

std::int64_t aligned(std::int64_t position) {
  return (position + alignment - 1) / alignment * alignment;
}

}  // namespace

RingBuffer::RingBuffer(std::size_t bytes, std::size_t drain_bytes)
    : capacity_bytes_(static_cast<std::int64_t>(bytes)),
      drain_bytes_(static_cast<std::int64_t>(drain_bytes)),
      memory_(std::make_unique_for_overwrite<std::byte[]>(bytes)) {}

void RingBuffer::begin_filling_array() {
  const Lock lock(mutex_);
  filled_ = aligned(filled_);
}

void RingBuffer::begin_draining_array() {
  const Lock lock(mutex_);
  drained_ = aligned(drained_);
}

std::size_t RingBuffer::whole_bytes(std::int64_t position, std::int64_t bytes,
                                    std::size_t number_bytes) const {
  const std::int64_t to_end_bytes = capacity_bytes_ - position % capacity_bytes_;
  const auto piece_bytes =
      static_cast<std::size_t>(std::clamp<std::int64_t>(bytes, 0, to_end_bytes));
  return piece_bytes / number_bytes * number_bytes;
}

void RingBuffer::check_not_given_up() const {
  if (has_given_up_) throw error("buffer arrays", "the other side has gone", "call again");
}

std::span<std::byte> RingBuffer::room(std::size_t number_bytes) {
  Lock lock(mutex_);
  while (true) {
    check_not_given_up();
    const std::size_t bytes = whole_bytes(filled_, capacity_bytes_ - used_bytes(), number_bytes);
    if (bytes > 0) return {memory_.get() + filled_ % capacity_bytes_, bytes};
    changed_.wait(lock);
  }
}

void RingBuffer::fill(std::size_t bytes) {
  const Lock lock(mutex_);
  filled_ += static_cast<std::int64_t>(bytes);
  if (used_bytes() >= drain_bytes_) changed_.notify_all();
}

void RingBuffer::end_filling() {
  const Lock lock(mutex_);
  is_all_there_ = true;
  changed_.notify_all();
}

std::span<const std::byte> RingBuffer::content(std::size_t number_bytes) {
  Lock lock(mutex_);
  while (true) {
    check_not_given_up();
    is_draining_ = is_draining_ || is_all_there_ || used_bytes() >= drain_bytes_;
    const std::size_t bytes = whole_bytes(drained_, used_bytes(), number_bytes);
    if (is_draining_ && bytes > 0) return {memory_.get() + drained_ % capacity_bytes_, bytes};
    is_draining_ = false;
    changed_.wait(lock);
  }
}

void RingBuffer::drain(std::size_t bytes) {
  const Lock lock(mutex_);
  drained_ += static_cast<std::int64_t>(bytes);
  changed_.notify_all();
}

void RingBuffer::give_up() noexcept {
  const Lock lock(mutex_);
  has_given_up_ = true;
  changed_.notify_all();
}

}  // namespace tasuki::rpc
