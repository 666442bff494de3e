// The order in which the signalled writes of one other rank count here.
//
// A small write brings its data with it, a bulk write announces data that come later, and data for
// a pre-posted receive of the transport are not announced at all; so data arrive in another order
// than that in which the writes were made. A counter rises for a write when the data of this write
// and of all writes of that rank on the same counter before it are here. Used by Puts and
// PostedPlaces; one object per source.
//
// What the writer tells, in the order of its messages: small writes, announcements, when the first
// write of a counter goes to its receive (`open`), and, before the next that goes another way, how
// many have gone there (`close`). Until then, what comes by messages was written by another fiber
// and keeps no order with the receive. A receive that has been left is not used again: what is sent
// to it keeps no order with messages, so nobody could tell on which side of the others it belongs.
//
// Thread-safety: none; the rank's own thread.
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

namespace tasuki::runtime {

/// The 8-byte counter of this rank that a write raises, and by how much.
struct Signal {
  std::uintptr_t address = 0;  ///< 0: none.
  std::uint64_t increment = 0;
  bool operator==(const Signal&) const = default;
};

/// Raises the counter, so that whoever sees it sees the data. Does nothing without an address.
void raise_signal(const Signal& signal);

class SignalOrder {
 public:
  /// A write whose data are here.
  void arrive(const Signal& signal) {
    if (counters_.empty()) [[likely]] {
      raise_signal(signal);
    } else {
      arrive_behind_others(signal);
    }
  }
  /// A write whose data are on their way.
  /// Returns: its number, for `finish`.
  std::uint64_t announce(const Signal& signal);
  /// The data that were announced with `signal` under this number are here.
  void finish(const Signal& signal, std::uint64_t number);

  /// Data for a receive are here; possibly before its `open` is.
  void arrive_by(int receive, const Signal& signal);
  /// From here on writes on the counter go to the receive.
  void open(int receive, const Signal& signal);
  /// So many went there; those that follow go another way.
  void close(int receive, const Signal& signal, std::uint64_t writes_count);

 private:
  static constexpr int no_receive = -1;
  static constexpr std::uint64_t not_known = UINT64_MAX;

  /// Writes that count together, or those that go to a receive.
  struct Step {
    std::uint64_t number = 0;     ///< Of an announced write.
    std::uint64_t increment = 0;  ///< Of all of them; of each write to a receive.
    bool is_here = false;
    int receive = no_receive;
    std::uint64_t writes_count = not_known;  ///< To the receive, once it is closed.
    bool is_open() const noexcept { return receive != no_receive && writes_count == not_known; }
  };
  /// A counter for which writes are on their way, oldest first.
  struct Counter {
    std::uintptr_t address;
    std::vector<Step> steps;
  };
  struct Received {
    int receive;
    std::uint64_t arrived_count = 0;
    std::uint64_t counted_count = 0;
  };

  void arrive_behind_others(const Signal& signal);
  Counter* find(std::uintptr_t address) noexcept;
  Counter& find_or_add(std::uintptr_t address);
  Received& received(int receive);
  bool count(const Counter& counter, Step& step);
  void settle(Counter& counter);

  std::uint64_t last_number_ = 0;
  std::vector<Counter> counters_;
  std::vector<Received> received_;
};

}  // namespace tasuki::runtime
