// The messages that a call of the program waits for, as MPI names them, and what came.
//
// Calls that wait by polls make one, let it do steps between the polls, and tell it what has ended
// (predictions.hpp). Receives that do not block are noted when they are posted, as a wait knows
// only their requests. Where nothing is predicted all of this does nothing.
//
// Thread-safety: as Predictions.
#pragma once

#include "mpi/ahead/predictions.hpp"
#include "mpi/ahead/reporting.hpp"
#include "mpi/record/communicators.hpp"

#include <tasuki/detail/predict/mode.hpp>

#include <mpi.h>

#include <cstdint>
#include <vector>

namespace tasuki::mpi::ahead {

namespace detail {
inline Predictions* predictions_of_process = nullptr;
/// Functions of the program that MPI calls in a wait, as that of a generalized request, may wait
/// too: the predictions are those of the outer wait.
inline bool is_awaiting = false;
}  // namespace detail

/// After MPI_Init. `waits_by_polls`: otherwise there is no time between polls.
void start_predicting(predict::Mode mode, bool waits_by_polls);
inline bool is_predicting() noexcept { return detail::predictions_of_process != nullptr; }
/// Whether it is noted which requests are persistent receives: each start counts as a receive.
inline bool follows_persistent() noexcept { return is_predicting() || is_reporting(); }

/// Is a call of the program waiting for messages? The predictions are its own meanwhile.
inline bool is_awaiting() noexcept { return detail::is_awaiting; }
/// Requires: is_predicting().
inline Predictions& predictions() noexcept { return *detail::predictions_of_process; }

/// Of the message that has come; 0 where MPI does not tell.
std::int64_t message_bytes_of(const MPI_Status& status) noexcept;

/// What a receive puts its message into; none for a probe.
struct Buffer {
  void* begin = nullptr;
  MPI_Count count = 0;
  MPI_Datatype datatype = MPI_DATATYPE_NULL;
};

/// Notes a receive that the program has posted without waiting for it.
/// Requires: is_predicting().
void note_posted(MPI_Request request, const Buffer& buffer, int source, int tag, MPI_Comm comm);

/// Notes a receive that the program has prepared: a persistent one, which it may start many times.
/// Requires: follows_persistent().
void note_prepared(MPI_Request request, const Buffer& buffer, int source, int tag, MPI_Comm comm);
/// The program has started these, of which some may be receives.
void note_started(const MPI_Request* requests, int count) noexcept;

/// The program frees the request: nobody waits for it.
void forget_posted(MPI_Request request) noexcept;

class Awaited {
 public:
  /// A receive or probe. Requires: MPI has accepted the arguments.
  Awaited(const Buffer& buffer, int source, int tag, MPI_Comm comm);
  /// Those of the requests that are receives. MPI overwrites the handles of what ends.
  Awaited(const MPI_Request* requests, int count);
  ~Awaited();
  Awaited(const Awaited&) = delete;
  Awaited& operator=(const Awaited&) = delete;

  bool is_empty() const noexcept { return places_.empty(); }
  /// Between two polls: the next step; returns whether there was one.
  bool step() noexcept { return !is_empty() && detail::predictions_of_process->step(); }

  /// The message of a receive or matched probe, with `index` 0, or of request `index` has come.
  void ended(int index, const MPI_Status& status) noexcept;
  /// A probe has found its message, which a receive will take.
  void seen(const MPI_Status& status) noexcept;
  /// Those have ended whose handles are null now, and nobody knows how.
  void forget_ended(const MPI_Request* requests) noexcept;

 private:
  /// A receive among the requests, by `index`; its place here is its number in the predictions.
  struct Place {
    int index;
    record::Word word;
  };

  std::vector<Place> places_;
};

}  // namespace tasuki::mpi::ahead
