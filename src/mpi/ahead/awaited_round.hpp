// The messages of a round of a collective that Tasuki carries out, of which its rank awaits all.
//
// The tuned collectives tell it what they have posted and what has come, and let it do steps
// between polls, as Awaited does for calls of the program. Their arguments fix all of the header: a
// schedule says what comes.
//
// Thread-safety: as Predictions.
#pragma once

#include "mpi/ahead/predictions.hpp"

#include <cstddef>
#include <cstdint>
#include <span>

namespace tasuki::mpi::ahead {

class AwaitedRound {
 public:
  /// `communicator` is the number that predictions give it.
  AwaitedRound(Predictions& predictions, std::uint32_t communicator) noexcept
      : predictions_(predictions), communicator_(communicator) {}

  /// A receive of exactly these bytes has been posted. A round begins with the first one after all
  /// others have come. Returns its number in the round.
  std::size_t expect(int source, std::span<const std::byte> into);
  /// Its message has come.
  void arrived(std::size_t number) noexcept;

  /// Between two polls: the next step; returns whether there was one.
  bool step() noexcept { return open_count_ != 0 && predictions_.step(); }

 private:
  Predictions& predictions_;
  std::uint32_t communicator_;
  std::size_t expected_count_ = 0;  ///< In this round.
  std::size_t open_count_ = 0;      ///< Of these, whose message has not come.
};

}  // namespace tasuki::mpi::ahead
