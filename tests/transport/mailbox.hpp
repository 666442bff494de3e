// A mailbox: blocking send and receive on a transport, for tests.
//
// Arrivals met while waiting for something else are kept in order. Thread-safety: none.
#pragma once

#include <cstddef>
#include <cstdint>
#include <cstring>
#include <deque>
#include <optional>
#include <tasuki/transport/transport.hpp>
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
  explicit Mailbox(Transport& transport) : transport_(transport) {}

  std::int64_t wait_most_us = 1000;

  int rank() const noexcept { return transport_.rank(); }
  int size() const noexcept { return transport_.size(); }

  void send(int rank, std::span<const std::byte> bytes) {
    std::byte* slot = nullptr;
    while ((slot = transport_.acquire(rank, bytes.size())) == nullptr) step();
    idle_count_ = 0;
    std::memcpy(slot, bytes.data(), bytes.size());
    transport_.commit(rank, bytes.size());
  }
  void send_bulk(int rank, std::span<const std::byte> header, std::span<const std::byte> data,
                 Completion* completion) {
    while (!transport_.send_bulk(rank, header, data, completion)) step();
    idle_count_ = 0;
  }
  /// The oldest letter from `source`, or from anybody (-1).
  Letter receive(int source = -1) {
    for (;;) {
      for (auto letter = letters_.begin(); letter != letters_.end(); ++letter) {
        if (source >= 0 && letter->source != source) continue;
        Letter found = std::move(*letter);
        letters_.erase(letter);
        return found;
      }
      step();
    }
  }
  void wait_for(const Flag& flag, int count = 1) {
    while (flag.count < count) step();
  }
  /// Makes progress; waits if there is none.
  void step() {
    Arrival arrival;
    if (!transport_.poll(arrival)) return transport_.wait(idle_count_++, wait_most_us);
    idle_count_ = 0;
    letters_.push_back({arrival.kind,
                        arrival.source,
                        {arrival.bytes.begin(), arrival.bytes.end()},
                        arrival.bulk_bytes,
                        arrival.bulk_token});
    if (reinterpret_cast<std::uintptr_t>(arrival.bytes.data()) % 8 != 0) all_were_aligned_ = false;
    transport_.release(arrival);
  }
  /// All ranks have come here (Hensgen, Finkel, Manber: dissemination barrier, 1988). Requires:
  /// nothing else is under way between the ranks.
  void barrier() {
    for (int distance = 1; distance < size(); distance *= 2) {
      const std::uint64_t mark = 0xbadbeef;
      send((rank() + distance) % size(), std::as_bytes(std::span(&mark, 1)));
      const Letter letter = receive((rank() - distance + size()) % size());
      std::uint64_t got = 0;
      std::memcpy(&got, letter.bytes.data(), std::min(sizeof(got), letter.bytes.size()));
      if (got != mark) std::abort();  // a test that does not receive what it sends
    }
  }
  bool all_were_aligned() const noexcept { return all_were_aligned_; }

 private:
  Transport& transport_;
  std::deque<Letter> letters_;
  std::uint64_t idle_count_ = 0;
  bool all_were_aligned_ = true;
};

}  // namespace tasuki::transport::conformance
