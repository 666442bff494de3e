// Which blocking receive a program posts after another: the one that followed it the last time, a
// Markov model of order 1 as in the paper, of the arguments of receives.
//
// Bounce receives ask it while the program waits. Thread-safety: none.
#pragma once

#include "mpi/record/communicators.hpp"

#include <cstddef>
#include <cstdint>
#include <optional>
#include <unordered_map>

namespace tasuki::mpi::ahead {

/// What a receive without wildcards asks for.
struct Channel {
  int source = 0;
  int tag = 0;
  record::Word communicator = 0;
  bool operator==(const Channel&) const = default;
};

class NextReceives {
 public:
  /// The receives of a program with more channels do not repeat: all is forgotten then.
  static constexpr std::size_t most_channels = 4096;

  struct Expected {
    Channel channel;
    std::int64_t message_bytes = 0;  ///< Of its last message; 0 if none has come.
  };

  void begins(const Channel& channel);
  /// The message of the receive that has begun last has come.
  void ended(std::int64_t message_bytes);
  /// The receive that should follow the one that has begun last.
  std::optional<Expected> expected() const;
  /// The communicator is freed: another one may get its word.
  void forget(record::Word communicator);
  void forget_all() noexcept;

 private:
  struct Known {
    std::int64_t message_bytes = 0;
    bool has_next = false;
    Channel next;
  };
  struct Hash {
    std::size_t operator()(const Channel& channel) const noexcept;
  };

  const Known* find(const Channel& channel) const;

  std::unordered_map<Channel, Known, Hash> known_;
  bool has_last_ = false;
  Channel last_;
};

}  // namespace tasuki::mpi::ahead
