// Bounce receives: a long message is taken into memory of Tasuki's before the program posts the
// receive for it, and copied from there. Off unless TASUKI_PREDICT_BOUNCE says from which size.
//
// An MPI library sends a message above its eager limit when the receive has been posted. A program
// that waits in MPI_Recv for another message holds it up. Meanwhile this asks whether the message
// of the receive that should come next is there, as the oldest from its source, and receives it.
// So no message is ever too long, and none is taken out of its order. What another function might
// receive or find would have to know of such a message: a communicator on which a wildcard, a probe
// or any receive but MPI_Recv was seen has no bounce receives any more.
//
// The program notices three things: a synchronous send completes before its receive has been
// posted; MPI_Irecv that gets a message waits until that has come, and its request cannot be
// cancelled; and another function that might match a message ends the job.
//
// The blocking calls that wait by polls use it. Thread-safety: none; one call of the program at a
// time.
#pragma once

#include "mpi/ahead/awaited.hpp"
#include "mpi/ahead/next_receives.hpp"
#include "mpi/ahead/report.hpp"

#include <mpi.h>
#include <tasuki/detail/predict/guard.hpp>
#include <tasuki/detail/predict/mode.hpp>

#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <unordered_set>
#include <vector>

namespace tasuki::mpi::ahead {

class BounceReceives {
 public:
  /// Longer messages wait for their receive: a bound on memory.
  static constexpr std::int64_t most_bytes = std::int64_t{64} << 20;

  /// Messages of at least `least_bytes` are received ahead. `is_guarded`: while that gains.
  BounceReceives(std::int64_t least_bytes, bool is_guarded, Report& report);
  BounceReceives(const BounceReceives&) = delete;
  BounceReceives& operator=(const BounceReceives&) = delete;

  /// The program calls MPI_Recv, and its message has come.
  void begins(int source, int tag, MPI_Comm communicator);
  void ended(const MPI_Status& status);
  /// That call has failed.
  void failed() noexcept { next_.reset(); }
  /// Between the polls of a call: takes a message while MPI_Recv waits.
  void step();

  /// Has a message been taken that this receive is to get?
  bool has(int source, int tag, MPI_Comm communicator) const noexcept;
  /// Of that message, to be waited for before it is delivered.
  MPI_Request* request() noexcept { return &taken_->request; }
  /// The request has failed: there is no message.
  void lose() noexcept { taken_.reset(); }
  /// Copies it. Returns: the code of the MPI function that copies. An error, as of a buffer that is
  /// too short, is the caller's to report. Requires: the request has completed.
  int deliver(const Buffer& buffer, MPI_Status* status);

  /// The program calls another function that might match messages of a communicator. Ends the job
  /// if it might match the message that has been taken: it would wait for it for ever.
  void exclude(const char* function, int source, int tag, MPI_Comm communicator);
  /// The communicator is freed.
  void forget(MPI_Comm communicator);

 private:
  /// Of a message that has been taken.
  struct Taken {
    Channel channel;
    std::unique_ptr<std::byte[]> memory;
    int message_bytes = 0;
    MPI_Request request = MPI_REQUEST_NULL;
    std::int64_t begin_ns = 0;
    std::int64_t transfer_ns = 0;  ///< 0: it has not been seen to end.
  };

  /// The message of the receive that should come next, if it is long and the oldest of its source.
  bool is_there(std::int64_t* message_bytes) const;
  void take(std::int64_t message_bytes);
  void note_transfer();

  std::int64_t least_bytes_;
  bool is_guarded_;
  Report& report_;
  predict::Guard guard_;
  NextReceives receives_;
  std::unordered_set<record::Word> excluded_;
  MPI_Comm communicator_ = MPI_COMM_NULL;       ///< Of the receive that waits.
  std::optional<NextReceives::Expected> next_;  ///< What may be taken meanwhile.
  std::optional<Taken> taken_;
  /// Messages that nobody received before their communicator was freed: MPI may still write them.
  std::vector<Taken> abandoned_;
};

namespace detail {
inline BounceReceives* bounces_of_process = nullptr;
}

/// After MPI_Init. Does nothing if `least_bytes` is 0. `waits_by_polls`: otherwise there is no time
/// between polls.
void start_bouncing(std::int64_t least_bytes, predict::Mode mode, bool waits_by_polls);
inline bool is_bouncing() noexcept { return detail::bounces_of_process != nullptr; }
/// Requires: is_bouncing().
inline BounceReceives& bounces() noexcept { return *detail::bounces_of_process; }

}  // namespace tasuki::mpi::ahead
