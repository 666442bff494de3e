// The requests that a program has open: from the handle to what completes with it.
//
// The shim adds one when the program starts a non-blocking call or makes a persistent request, and
// looks it up when the program waits. Handles are opaque words. Some MPIs give all sends that are
// complete at once the same handle; then the last one counts.
//
// Thread-safety: one thread at a time.
#pragma once

#include "mpi/record/communicators.hpp"
#include "mpi/record/hash.hpp"

#include <bit>
#include <cstddef>
#include <cstdint>
#include <utility>
#include <vector>

namespace tasuki::mpi::record {

enum class Direction : std::uint8_t { send, receive, other };

struct Request {
  std::uint32_t number = 0;  ///< 0: none.
  Direction direction = Direction::other;
  bool is_persistent = false;
  bool is_active = true;
  bool may_be_cancelled = false;
  std::uint16_t communicator = 0;
  Word communicator_word = 0;
  std::int32_t peer = 0;  ///< In MPI_COMM_WORLD.
  std::int32_t tag = 0;
  std::uint64_t bytes = 0;
  const void* buffer = nullptr;  ///< Where a receive puts its message, where that matters.
  std::uint32_t site = 0;
};

/// A hash table with open addressing (Knuth 1973, algorithms L and R), as each non-blocking call
/// adds and forgets one: a table that allocates costs a call 40 ns more.
class Requests {
 public:
  Requests() : slots_(first_capacity) {}

  /// The reference holds until the next `add` or `forget`.
  Request& add(Word word) {
    if (2 * (count_ + 1) > slots_.size()) grow();
    Slot& slot = slots_[place_of(word)];
    if (slot.request.number == 0) ++count_;
    // 0 stands for no request; after 2^32 requests their numbers begin anew.
    if (++last_number_ == 0) ++last_number_;
    slot.word = word;
    slot.request = Request{};
    slot.request.number = last_number_;
    return slot.request;
  }

  Request* find(Word word) noexcept {
    Request& request = slots_[place_of(word)].request;
    return request.number == 0 ? nullptr : &request;
  }

  void forget(Word word) noexcept {
    std::size_t hole = place_of(word);
    if (slots_[hole].request.number == 0) return;
    --count_;
    // What follows moves up, so that no search ends at the hole.
    for (std::size_t i = next(hole); slots_[i].request.number != 0; i = next(i)) {
      const std::size_t home = home_of(slots_[i].word);
      const bool is_between = hole < i ? hole < home && home <= i : hole < home || home <= i;
      if (is_between) continue;
      slots_[hole] = slots_[i];
      hole = i;
    }
    slots_[hole].request.number = 0;
  }

 private:
  static constexpr std::size_t first_capacity = 64;

  struct Slot {
    Word word = 0;
    Request request;
  };

  std::size_t home_of(Word word) const noexcept {
    return hash_of(word, std::countr_zero(slots_.size()));
  }
  std::size_t next(std::size_t place) const noexcept { return (place + 1) & (slots_.size() - 1); }

  /// The slot of `word`, or the empty one where it would be.
  std::size_t place_of(Word word) const noexcept {
    std::size_t place = home_of(word);
    while (slots_[place].request.number != 0 && slots_[place].word != word) place = next(place);
    return place;
  }

  void grow() {
    const auto before = std::exchange(slots_, std::vector<Slot>(2 * slots_.size()));
    for (const Slot& slot : before) {
      if (slot.request.number != 0) slots_[place_of(slot.word)] = slot;
    }
  }

  std::vector<Slot> slots_;  ///< Their number is a power of two.
  std::size_t count_ = 0;
  std::uint32_t last_number_ = 0;
};

}  // namespace tasuki::mpi::record
