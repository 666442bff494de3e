#include "node/single_copy/uneven_blocks.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cstring>
#include <tasuki/detail/base/copy_bytes.hpp>
#include <tasuki/error.hpp>

#include "node/single_copy/exposure.hpp"

namespace tasuki::node {

UnevenBlocks::UnevenBlocks(StagingBuffer& buffer, const coll::Call& call, std::size_t piece_bytes,
                           int takers_count)
    : buffer_(buffer),
      turn_(buffer, 1, call),
      step_(turn_.first_step()),
      what_(coll::name_of(call.collective)),
      is_for_one_(takers_count <= 1) {
  const auto shares = static_cast<std::size_t>(std::max(takers_count, 1));
  constexpr std::size_t word_bytes = sizeof(Size);
  line_share_bytes_ = StagingBuffer::line_data_bytes / shares / word_bytes * word_bytes;
  constexpr std::size_t step_bytes = share_least_bytes;
  slot_share_bytes_ = slot_bytes / shares / step_bytes * step_bytes;
  slot_data_offset_ = lines_have_sizes() ? 0 : word_bytes;
  slot_most_bytes_ = std::min(piece_bytes, slot_share_bytes_ - slot_data_offset_);
}

std::size_t UnevenBlocks::share_of(int giver, int taker) const noexcept {
  if (is_for_one_) return 0;
  return static_cast<std::size_t>(taker > giver ? taker - 1 : taker);
}

void UnevenBlocks::give(int taker, std::span<const std::byte> block) {
  if (line_ == nullptr) line_ = buffer_.open_line(step_);
  const std::size_t share = share_of(buffer_.rank(), taker);
  const Size bytes = block.size();
  std::byte* const in_line = line_ + share * line_share_bytes_;
  if (lines_have_sizes()) {
    std::memcpy(in_line, &bytes, sizeof bytes);
    if (bytes <= line_most_bytes()) {
      base::copy_bytes(in_line + sizeof bytes, block.data(), bytes);
      return;
    }
  }
  if (slot_ == nullptr) slot_ = buffer_.open_slot(step_);
  std::byte* const in_slot = slot_ + share * slot_share_bytes_;
  if (!lines_have_sizes()) std::memcpy(in_slot, &bytes, sizeof bytes);
  if (bytes <= slot_most_bytes_) {
    base::copy_bytes(in_slot + slot_data_offset_, block.data(), bytes);
    return;
  }
  const auto address = reinterpret_cast<Address>(block.data());
  std::memcpy(in_slot + slot_data_offset_, &address, sizeof address);
  takers_of_long_.push_back(taker);
}

void UnevenBlocks::publish() {
  if (line_ == nullptr) buffer_.open(step_, 0);
  buffer_.publish(step_);
}

void UnevenBlocks::take(int giver, std::span<std::byte> into) {
  if (into.empty()) return;
  const std::size_t share = share_of(giver, buffer_.rank());
  const auto in_slot = [&] { return buffer_.await_slot(giver, step_) + share * slot_share_bytes_; };
  const std::byte* const size_at =
      lines_have_sizes() ? buffer_.await_line(giver, step_) + share * line_share_bytes_ : in_slot();
  // Before all else: who gives little may have no slots.
  check_size(giver, size_at, into.size());
  if (into.size() <= line_most_bytes()) {
    base::copy_bytes(into.data(), size_at + sizeof(Size), into.size());
    return;
  }
  const std::byte* const data = in_slot() + slot_data_offset_;
  if (into.size() <= slot_most_bytes_) {
    base::copy_bytes(into.data(), data, into.size());
    return;
  }
  Address address = 0;
  std::memcpy(&address, data, sizeof address);
  copy_from(buffer_, giver, address, into);
  givers_of_long_.push_back(giver);
}

void UnevenBlocks::check_size(int giver, const std::byte* size_at,
                              std::size_t expected_bytes) const {
  Size bytes = 0;
  std::memcpy(&bytes, size_at, sizeof bytes);
  if (bytes == expected_bytes) return;
  base::die(fmt::format(
      "{}: rank {} gives {} bytes where rank {} expects {}. Remedy: let the counts of both say the "
      "same",
      what_, buffer_.members().world_rank(giver), bytes, buffer_.host().traits().rank,
      expected_bytes));
}

void UnevenBlocks::end() {
  if (!givers_of_long_.empty()) buffer_.note_taken(step_, givers_of_long_);
  for (const int taker : takers_of_long_) buffer_.await_taken(taker, step_);
}

}  // namespace tasuki::node
