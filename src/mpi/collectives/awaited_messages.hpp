// How a collective by messages waits: as the blocking calls of the program do, and it works ahead
// of its messages meanwhile.
//
// A tuned communicator has one if its process waits by polls or reports what it receives.
//
// Thread-safety: none; the rank's own thread.
#pragma once

#include "mpi/ahead/awaited_round.hpp"

#include <mpi.h>
#include <tasuki/detail/coll/message_waiter.hpp>

#include <optional>

namespace tasuki::mpi::collectives {

class AwaitedMessages final : public coll::MessageWaiter {
 public:
  /// Whether there is anything to do for one.
  static bool are_wanted() noexcept;

  /// `communicator` is one of the program's, whose collectives they are.
  explicit AwaitedMessages(MPI_Comm communicator);

  /// A collective begins. `place`: those that have the same place wait alike.
  void begin(const void* place) noexcept;
  std::size_t posted(int source, std::span<const std::byte> into) override;
  void arrived(std::size_t number) noexcept override;
  void until(const std::function<bool()>& poll) override;

 private:
  std::optional<ahead::AwaitedRound> round_;
  bool is_followed_ = false;  ///< Does the round know of this collective?
  const void* place_ = nullptr;
};

}  // namespace tasuki::mpi::collectives
