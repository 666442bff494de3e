// A mailbox: blocking send and receive on a transport, for tests.
//
// Arrivals met while waiting for something else are kept in order, also for the next mailbox on the
// same transport, since ranks do not end a test at the same time. Thread-safety: none.
#pragma once

#include <cstddef>
#include <cstdint>
#include <cstring>
#include <deque>
#include <map>
#include <optional>
#include <tasuki/detail/transport/transport.hpp>
#include <vector>

namespace tasuki::transport::conformance {

/// An arrival, copied out.
struct Letter {
  ArrivalKind kind;
  int source;
  std::vector<std::byte> bytes;
  std::size_t bulk_bytes;
  std::uint64_t bulk_token;
};

/// A completion that remembers how often it was called.
struct Flag : Completion {
  Flag() {
    done = [](Completion* self) { ++static_cast<Flag*>(self)->count; };
  }
  int count = 0;
};

class Mailbox {
 public:
  explicit Mailbox(Transport& transport)
      : wait_most_us(transport.capabilities().peers_need_calls ? 100'000 : 1000),
        transport_(transport),
        kept_(all_kept()[&transport]) {}
  ~Mailbox() {
    if (kept_.letters.empty() && kept_.marks.empty()) all_kept().erase(&transport_);
  }
  Mailbox(const Mailbox&) = delete;
  Mailbox& operator=(const Mailbox&) = delete;

  /// In simulation a long wait is an exact one, and cheaper than many short ones.
  std::int64_t wait_most_us;

  int rank() const noexcept { return transport_.rank(); }
  int size() const noexcept { return transport_.size(); }

  void send(int rank, std::span<const std::byte> bytes) {
    std::byte* slot = nullptr;
    while ((slot = transport_.lane(rank).acquire(bytes.size())) == nullptr) step();
    idle_count_ = 0;
    std::memcpy(slot, bytes.data(), bytes.size());
    transport_.lane(rank).commit(bytes.size());
  }
  void send_bulk(int rank, std::span<const std::byte> header, std::span<const std::byte> data,
                 Completion* completion) {
    while (!transport_.lane(rank).send_bulk(header, data, completion)) step();
    idle_count_ = 0;
  }
  /// The oldest letter from `source`, or from anybody (-1).
  Letter receive(int source = -1) { return receive_from(kept_.letters, source); }
  /// Is there a letter that `receive` would return at once?
  bool has_letter() const noexcept { return !kept_.letters.empty(); }
  void wait_for(const Flag& flag, int count = 1) {
    while (flag.count < count) step();
  }
  /// Makes progress; waits if there is none.
  void step() {
    Arrival arrival;
    if (!transport_.arrivals().poll(arrival))
      return transport_.arrivals().wait(idle_count_++, wait_most_us);
    idle_count_ = 0;
    ++taken_count_;
    taken_bytes_ += arrival.bytes.size() + arrival.bulk_bytes;
    Letter letter{arrival.kind,
                  arrival.source,
                  {arrival.bytes.begin(), arrival.bytes.end()},
                  arrival.bulk_bytes,
                  arrival.bulk_token};
    const bool is_mark = letter.bytes.size() == sizeof(mark) &&
                         std::memcmp(letter.bytes.data(), &mark, sizeof(mark)) == 0;
    (is_mark ? kept_.marks : kept_.letters).push_back(std::move(letter));
    if (reinterpret_cast<std::uintptr_t>(arrival.bytes.data()) % 8 != 0) all_were_aligned_ = false;
    transport_.arrivals().release(arrival);
  }
  /// All ranks have come here (Hensgen, Finkel, Manber: dissemination barrier, 1988).
  void barrier() {
    for (int distance = 1; distance < size(); distance *= 2) {
      send((rank() + distance) % size(), std::as_bytes(std::span(&mark, 1)));
      receive_from(kept_.marks, (rank() - distance + size()) % size());
    }
  }
  bool all_were_aligned() const noexcept { return all_were_aligned_; }
  /// Arrivals that this mailbox has taken from the transport, and their bytes with bulk data.
  std::uint64_t taken_count() const noexcept { return taken_count_; }
  std::uint64_t taken_bytes() const noexcept { return taken_bytes_; }

 private:
  struct Kept {
    std::deque<Letter> letters;
    std::deque<Letter> marks;  ///< Messages of the barrier.
  };
  static constexpr std::uint64_t mark = 0x6b72616d72726162;

  static std::map<const Transport*, Kept>& all_kept() {
    static std::map<const Transport*, Kept> all;
    return all;
  }
  Letter receive_from(std::deque<Letter>& letters, int source) {
    for (;;) {
      for (auto letter = letters.begin(); letter != letters.end(); ++letter) {
        if (source >= 0 && letter->source != source) continue;
        Letter found = std::move(*letter);
        letters.erase(letter);
        return found;
      }
      step();
    }
  }

  Transport& transport_;
  Kept& kept_;
  std::uint64_t idle_count_ = 0;
  std::uint64_t taken_count_ = 0;
  std::uint64_t taken_bytes_ = 0;
  bool all_were_aligned_ = true;
};

}  // namespace tasuki::transport::conformance
