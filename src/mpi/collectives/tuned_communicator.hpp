// The communicators of a program that have the same ranks in the same order, with what Tasuki needs
// to carry out their collectives. The ranks of a collective all call it before the next one, on
// whichever of these communicators that is, so that one memory serves all.
//
// Made by the tuned collectives when a communicator has called enough of them to be worth it. All
// ranks of the communicator decide alike: from the collective, the size in bytes, and the element
// and operator of a reduction, which the standard requires to be the same on all of them.
//
// Thread-safety: none; the rank's own thread.
#pragma once

#include "mpi/collectives/awaited_messages.hpp"
#include "mpi/collectives/program_host.hpp"
#include "mpi/collectives/program_policy.hpp"
#include "mpi/collectives/recorded_messages.hpp"
#include "mpi/collectives/shared_memory.hpp"
#include "node/segment/node_function.hpp"
#include "node/teams/node_segment.hpp"

#include <mpi.h>
#include <tasuki/detail/coll/call.hpp>
#include <tasuki/detail/coll/placement.hpp>
#include <tasuki/mpi_executor.hpp>

#include <array>
#include <memory>
#include <optional>
#include <string>

namespace tasuki::mpi::collectives {

/// A communicator of the same ranks, on which the program sends nothing. It has no attributes: to
/// duplicate one would call the program's functions that copy them.
class PrivateCommunicator {
 public:
  /// Collective, as the destructor. Requires of that: MPI is not finalized. Throws tasuki::error if
  /// the MPI library has no room for one more.
  explicit PrivateCommunicator(MPI_Comm communicator);
  ~PrivateCommunicator() { PMPI_Comm_free(&handle_); }
  PrivateCommunicator(const PrivateCommunicator&) = delete;
  PrivateCommunicator& operator=(const PrivateCommunicator&) = delete;

  MPI_Comm handle() const noexcept { return handle_; }

 private:
  MPI_Comm handle_ = MPI_COMM_NULL;
};

/// How a collective is carried out, and why.
struct Way {
  const char* algorithm = "native";
  const char* why = "";
  const coll::NodeFunction* in_memory = nullptr;
  std::size_t piece_bytes = 0;
  std::string parameters = {};
  std::optional<coll::Choice> by_messages = {};

  bool is_native() const noexcept { return in_memory == nullptr && !by_messages.has_value(); }
};

class TunedCommunicator {
 public:
  /// Collective over `communicator`. Throws tasuki::error (MPI).
  ///
  /// What it calls there disturbs nothing of the program: these are collectives, which match no
  /// message of the program's, and all ranks call them at the same place among the collectives of
  /// the program, before one of these begins; those that it has started before go on.
  explicit TunedCommunicator(MPI_Comm communicator);
  TunedCommunicator(const TunedCommunicator&) = delete;
  TunedCommunicator& operator=(const TunedCommunicator&) = delete;

  /// The collectives that follow are called on this one.
  void call_on(MPI_Comm communicator) noexcept { communicator_ = communicator; }
  /// Has it made communicators for collectives by messages, which all ranks must free together?
  bool has_messages() const noexcept { return messages_.has_value(); }

  int rank() const noexcept { return rank_; }
  int size() const noexcept { return size_; }

  /// The way of a collective of this shape, the same on all ranks.
  const Way& way_of(coll::Collective collective, const coll::Shape& shape,
                    const ProgramPolicy& policy);
  /// The policy has changed.
  void forget_ways() noexcept { known_ = {}; }
  /// Carries it out. Collective over the communicator. Requires: `way` is way_of the call, and not
  /// native.
  void run(const Way& way, coll::Call& call);

 private:
  /// What the way follows from.
  struct Key {
    std::size_t count = 0;
    std::size_t element_bytes = 0;
    base::Arithmetic arithmetic;
    bool in_place = false;
    bool operator==(const Key&) const = default;
  };
  struct Known {
    bool is_known = false;
    Key key;
    Way way;
  };

  void run_by_messages(const coll::Choice& choice, const coll::Call& call);
  Way choose(coll::Collective collective, coll::Shape shape, const ProgramPolicy& policy) const;

  MPI_Comm communicator_;  ///< The program's that is in use.
  int rank_ = 0;
  int size_ = 0;
  /// Made for the first collective by messages.
  std::optional<PrivateCommunicator> messages_;
  std::optional<RecordedMessages> recorded_;  ///< Outlives the executor, as the next one.
  std::optional<AwaitedMessages> awaited_;
  std::optional<Executor> executor_;
  std::unique_ptr<const coll::Placement> placement_;  ///< nullptr: all ranks are on one node.
  std::unique_ptr<SharedMemory> memory_;
  std::unique_ptr<ProgramHost> host_;
  std::unique_ptr<node::NodeSegment> segment_;
  std::array<Known, coll::collectives_count> known_;
};

}  // namespace tasuki::mpi::collectives
