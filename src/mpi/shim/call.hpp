// One call of the program: what a wrapper notes of it, from its entry to its return.
//
// A wrapper makes a Call, notes the arguments, calls PMPI, and notes the results. Where the
// recorder is off, MPI cannot be used, or MPI itself makes the call while the program is in
// another, the Call is false and nothing is noted.
//
// Arguments may be wrong, and the program may have asked for an error code: what asks MPI about
// them must not end the program by another error handler. So null handles are left alone.
//
// Thread-safety: each Call belongs to one thread.
#pragma once

#include "mpi/record/recorder.hpp"
#include "mpi/shim/handles.hpp"

#include <mpi.h>

#include <cstdint>

namespace tasuki::mpi::shim {

using record::Direction;

class Call {
 public:
  Call(std::uint16_t function, const void* return_address) noexcept {
    if (depth_++ != 0) return;
    place_ = return_address;
    if (record::recorder().is_recording() || may_record(function)) {
      event_ = &record::recorder().begin(function, return_address, spare_);
    }
  }
  ~Call() {
    // A signal handler may call MPI at any moment: the depth keeps it off the recorder's lock.
    if (event_ != nullptr) record::recorder().end(*event_, spare_);
    --depth_;
  }
  Call(const Call&) = delete;
  Call& operator=(const Call&) = delete;

  explicit operator bool() const noexcept { return event_ != nullptr; }
  /// Is the call that this thread is in the program's, and no call that MPI itself makes?
  static bool is_outermost() noexcept { return depth_ == 1; }
  /// Where in the program this thread has called MPI.
  static const void* place() noexcept { return place_; }
  events::Event& event() noexcept { return *event_; }

  // Arguments. Each requires that the Call is true; `on` comes before what names ranks.

  /// The communicator, which is described if it is not known.
  void on(MPI_Comm communicator) noexcept;
  void to(int destination) noexcept { event_->destination = world_rank(destination); }
  void from(int source) noexcept;
  /// The target of one-sided communication.
  void to_target(int target, MPI_Win window) noexcept;
  void rooted_at(int root) noexcept;
  void tagged(int tag) noexcept { event_->tag = tag; }
  void asks_tag(int tag) noexcept;
  /// The element type of a buffer that is MPI_IN_PLACE says nothing: then the other buffer counts.
  void sends(std::int64_t count, MPI_Datatype type) noexcept {
    event_->sent_bytes += bytes_of(count, type);
  }
  void receives(std::int64_t count, MPI_Datatype type) noexcept {
    if (!is_from_none_) event_->received_bytes += bytes_of(count, type);
  }
  template <typename Count>
  void sends_each(const Count* counts, MPI_Datatype type) noexcept {
    sends(sum_of(counts, peer_count()), type);
  }
  /// The counts of all processes on this side, for a reduction that is scattered over them.
  template <typename Count>
  void sends_each_own(const Count* counts, MPI_Datatype type) noexcept {
    sends(sum_of(counts, own_count()), type);
  }
  template <typename Count>
  void receives_each(const Count* counts, MPI_Datatype type) noexcept {
    receives(sum_of(counts, peer_count()), type);
  }

  /// Processes that a rank exchanges data with in a collective.
  int peer_count() const noexcept { return communicator_ ? communicator_->size() : 0; }
  int own_rank() const noexcept { return communicator_ ? communicator_->rank : -1; }
  /// Processes on this side of the communicator.
  int own_count() const noexcept { return communicator_ ? communicator_->own_size : 0; }
  bool is_root() const noexcept { return is_root_; }
  /// Whether this process exchanges data with the root, or is it: on the root's side of an
  /// intercommunicator the others do not, and the arguments for that mean nothing on either.
  bool is_with_root() const noexcept { return is_with_root_; }

  // Results.

  /// Of a blocking receive or a probe.
  void received(const MPI_Status& status) noexcept;
  void starts(MPI_Request request, Direction direction) noexcept;
  void prepares(MPI_Request request, Direction direction) noexcept;
  /// A communicator made from this one by all of its processes; MPI_COMM_NULL where this one is
  /// not in it.
  void makes(MPI_Comm made) noexcept;
  /// The same by those processes alone that are in the new one.
  void makes_alone(MPI_Comm made) noexcept;
  void frees(MPI_Comm communicator) noexcept;
  void frees_window(MPI_Win window) noexcept;
  /// The same as `makes` of one that may be used only when a request is complete.
  void makes_later(MPI_Comm made) noexcept;
  /// What has carried the collective out, if that is not the MPI library. The text must live as
  /// long as the process.
  void carried_out_by(const char* algorithm) noexcept {
    event_->tag = record::recorder().number_of_algorithm(algorithm);
  }

 private:
  static std::uint64_t bytes_of(std::int64_t count, MPI_Datatype type) noexcept {
    MPI_Count size = 0;
    if (count > 0 && type != MPI_DATATYPE_NULL) PMPI_Type_size_x(type, &size);
    return size > 0 ? static_cast<std::uint64_t>(count) * static_cast<std::uint64_t>(size) : 0;
  }
  template <typename Count>
  static std::int64_t sum_of(const Count* counts, int number) noexcept {
    std::int64_t sum = 0;
    for (int i = 0; counts != nullptr && i < number; ++i) sum += counts[i];
    return sum;
  }
  static bool may_record(std::uint16_t function) noexcept;
  std::int32_t world_rank(int rank) const noexcept;
  record::Request& open(MPI_Request request, Direction direction) noexcept;

  events::Event* event_ = nullptr;
  record::Communicator* communicator_ = nullptr;
  MPI_Comm handle_ = MPI_COMM_NULL;
  bool is_root_ = false;
  bool is_with_root_ = false;
  bool is_from_none_ = false;  ///< From MPI_PROC_NULL.
  events::Event spare_;
  /// Calls that this thread is in: more than one where MPI's own functions call MPI's functions.
  static constinit thread_local int depth_ __attribute__((tls_model("initial-exec")));
  static constinit thread_local const void* place_ __attribute__((tls_model("initial-exec")));
};

/// What the recorder knows of `communicator`, which is described if it is new; nullptr if it is
/// none.
/// Requires: the recorder's lock.
record::Communicator* known(MPI_Comm communicator);

/// The rank in MPI_COMM_WORLD of `rank` in a communicator, MPI_PROC_NULL and MPI_ANY_SOURCE too.
std::int32_t world_rank_in(const record::Communicator& communicator, int rank) noexcept;

/// Payload of a received message.
std::uint64_t received_bytes(const MPI_Status& status) noexcept;

}  // namespace tasuki::mpi::shim
