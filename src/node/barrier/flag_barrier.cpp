#include "node/barrier/flag_barrier.hpp"

#include <algorithm>
#include <tasuki/detail/base/sanitizers.hpp>

namespace tasuki::node {
namespace {

constexpr int flags_per_word = 8;

/// A set of one byte for each rank, in whole lines.
std::size_t set_bytes(int ranks) {
  const auto count = static_cast<std::size_t>(ranks);
  return (count + FlagBarrier::line_bytes - 1) / FlagBarrier::line_bytes * FlagBarrier::line_bytes;
}

}  // namespace

std::size_t FlagBarrier::bytes_for(int ranks) noexcept {
  return line_bytes * (1 + static_cast<std::size_t>(ranks)) + 4 * set_bytes(ranks);
}

FlagBarrier::FlagBarrier(StagingBuffer& buffer, std::byte* memory)
    : buffer_(buffer),
      wait_(buffer.host(), buffer.members().team),
      rank_(buffer.rank()),
      ranks_(buffer.ranks()),
      release_(memory),
      lines_(release_ + line_bytes),
      flags_{lines_ + line_bytes * static_cast<std::size_t>(ranks_)},
      leaders_flags_{flags_.sets + 2 * set_bytes(ranks_)} {}

inline StagingBuffer::Turn FlagBarrier::take_turn() { return {buffer_, "barrier"}; }

std::byte* FlagBarrier::set_of(const Flags& flags) const noexcept {
  return flags.sets + flags.number % 2 * set_bytes(ranks_);
}

void FlagBarrier::raise(const Flags& flags, int index) const noexcept {
  __atomic_store_n(reinterpret_cast<unsigned char*>(set_of(flags) + index),
                   static_cast<unsigned char>(flags.number), __ATOMIC_RELEASE);
}

void FlagBarrier::wait_for_flags(const Flags& flags, int first, int count) {
  const std::uint64_t pattern = 0x0101'0101'0101'0101U * static_cast<unsigned char>(flags.number);
  for (int at = 0; at < count; at += flags_per_word) {
    std::uint64_t present = ~std::uint64_t{0};
    if (count - at < flags_per_word) present = (std::uint64_t{1} << (8 * (count - at))) - 1;
    const std::byte* word = set_of(flags) + first + at;
    wait_.until([=] { return ((FlagWait::load(word) ^ pattern) & present) == 0; }, -1, "barrier");
#ifdef TASUKI_TSAN
    // To the sanitizer a word and its bytes are different atomics.
    for (int i = 0; i < std::min(count - at, flags_per_word); ++i) {
      __atomic_load_n(reinterpret_cast<const unsigned char*>(word + i), __ATOMIC_ACQUIRE);
    }
#endif
  }
}

void FlagBarrier::wait_for_word(const void* word, std::uint64_t number) {
  wait_.until([=] { return FlagWait::load(word) >= number; }, -1, "barrier");
}

void FlagBarrier::notify(int rank) noexcept {
  buffer_.host().peers().notify(buffer_.members().world_rank(rank));
}

void FlagBarrier::notify_all() noexcept {
  for (int rank = 0; rank < ranks_; ++rank) {
    if (rank != rank_) notify(rank);
  }
}

void FlagBarrier::exchange() {
  const StagingBuffer::Turn turn = take_turn();
  const std::uint64_t number = ++number_;
  if (ranks_ == 2) {
    FlagWait::store(lines_ + static_cast<std::size_t>(rank_) * line_bytes, number);
    notify_all();
    wait_for_word(lines_ + static_cast<std::size_t>(1 - rank_) * line_bytes, number);
    return;
  }
  ++flags_.number;
  raise(flags_, rank_);
  notify_all();
  wait_for_flags(flags_, 0, ranks_);
}

std::uint64_t FlagBarrier::raise_to_root() {
  ++flags_.number;
  raise(flags_, rank_);
  if (rank_ == 0) {
    wait_for_flags(flags_, 0, ranks_);
  } else {
    notify(0);
  }
  return ++number_;
}

void FlagBarrier::tree() {
  const StagingBuffer::Turn turn = take_turn();
  const std::uint64_t number = raise_to_root();
  if (rank_ != 0) {
    wait_for_word(lines_ + static_cast<std::size_t>(rank_) * line_bytes, number);
    return;
  }
  for (int rank = 1; rank < ranks_; ++rank) {
    FlagWait::store(lines_ + static_cast<std::size_t>(rank) * line_bytes, number);
  }
  notify_all();
}

void FlagBarrier::tree_multicast() {
  const StagingBuffer::Turn turn = take_turn();
  const std::uint64_t number = raise_to_root();
  if (rank_ != 0) {
    wait_for_word(release_, number);
    return;
  }
  FlagWait::store(release_, number);
  notify_all();
}

void FlagBarrier::tree_two_level() {
  const StagingBuffer::Turn turn = take_turn();
  const std::uint64_t number = ++number_;
  ++flags_.number;
  ++leaders_flags_.number;
  raise(flags_, rank_);
  const int leader = rank_ / flags_per_word * flags_per_word;
  if (rank_ == leader) {
    const int members = std::min(flags_per_word, ranks_ - leader);
    wait_for_flags(flags_, leader, members);
    raise(leaders_flags_, leader / flags_per_word);
  }
  if (rank_ == 0) {
    wait_for_flags(leaders_flags_, 0, (ranks_ + flags_per_word - 1) / flags_per_word);
    FlagWait::store(release_, number);
    notify_all();
  } else {
    notify(rank_ == leader ? 0 : leader);
    wait_for_word(release_, number);
  }
}

}  // namespace tasuki::node
