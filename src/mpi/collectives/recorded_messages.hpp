// Records the messages of collectives that Tasuki carries out in a program, which no call of the
// program receives.
//
// A tuned communicator has one while the program is profiled with --record.
//
// Thread-safety: none; the rank's own thread.
#pragma once

#include "events/event.hpp"
#include "mpi/record/communicators.hpp"

#include <mpi.h>
#include <tasuki/detail/coll/message_listener.hpp>

namespace tasuki::mpi::collectives {

class RecordedMessages final : public coll::MessageListener {
 public:
  /// `communicator` is the program's, whose collectives they are. Requires: the recorder is on.
  explicit RecordedMessages(MPI_Comm communicator) noexcept
      : communicator_(record::word_of(communicator)) {}

  std::uint64_t now() noexcept override;
  void received(const coll::CollectiveMessage& message) noexcept override;

 private:
  record::Word communicator_;
};

}  // namespace tasuki::mpi::collectives
