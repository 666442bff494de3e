// The tuning of one process: its policy, its communicators, and the counts of what was done.
//
// The tuned collectives ask it for a communicator, and let it carry a call out or hand it to MPI.
//
// Thread-safety: none; the rank's own thread.
#pragma once

#include "mpi/collectives/arguments.hpp"
#include "mpi/collectives/program_policy.hpp"
#include "mpi/collectives/tuned_communicator.hpp"
#include "mpi/collectives/usage.hpp"

#include <mpi.h>
#include <tasuki/detail/mpi/collectives/asked_policy.hpp>

#include <cstdint>
#include <cstdio>
#include <exception>
#include <map>
#include <memory>
#include <optional>
#include <unordered_map>
#include <vector>

namespace tasuki::mpi::collectives {

class Tuning {
 public:
  /// Reads the policy. Collective over MPI_COMM_WORLD.
  void start();
  bool is_on() const noexcept { return policy_.has_value(); }
  void end();
  /// May the program ask for a policy?
  bool listens() const noexcept { return listens_; }
  void ask(AskedPolicy& asked);
  const char* algorithm_used() const noexcept { return used_; }

  /// The communicator, or nullptr where the call goes to the MPI library. `accepts(RankAndSize)`
  /// says whether the arguments are such that the library does not report an error at once: a call
  /// that it does is none, as other ranks may not have made it. Counts the call; collective over
  /// `communicator` when that is due.
  template <typename Accepts>
  TunedCommunicator* find(const char* name, MPI_Comm communicator, const Accepts& accepts) {
    if (communicator == MPI_COMM_NULL) return nullptr;
    Entry& entry = entry_of(communicator);
    if (entry.excluded_because == nullptr && !accepts(entry.own)) {
      count_left(name, wrong_arguments);
      return nullptr;
    }
    return tuned_of(entry, name, communicator);
  }
  /// Whether all ranks of the communicator are of this job, and decide alike.
  bool decides_for(MPI_Comm communicator);
  void forget(MPI_Comm communicator);

  /// Carries the call out and returns MPI_SUCCESS, or leaves it to the MPI library. `name` is what
  /// it is counted as, nullptr: the collective's.
  int run(TunedCommunicator& tuned, coll::Call& call, const char* name = nullptr);
  /// Returns left_to_library, and counts why.
  int leave(const char* name, const char* why);
  /// One more call of a collective for which there are no algorithms.
  void count_left(const char* name, const char* why);

 private:
  /// A communicator of the program.
  struct Entry {
    RankAndSize own;
    std::uint64_t calls = 0;
    /// Why all of its collectives go to the MPI library; nullptr if they need not.
    const char* excluded_because = nullptr;
    std::shared_ptr<TunedCommunicator> tuned;
  };

  static constexpr const char* wrong_arguments = "wrong arguments";

  Entry& entry_of(MPI_Comm communicator);
  TunedCommunicator* tuned_of(Entry& entry, const char* name, MPI_Comm communicator);
  /// Gives the entry a tuned communicator of its ranks, unless there are too many. Collective.
  void tune(Entry& entry, MPI_Comm communicator);
  /// Is there room for one more, perhaps instead of one that no communicator of the program has?
  bool has_room();
  [[noreturn]] static void give_up(const std::exception& failure);

  std::optional<ProgramPolicy> policy_;
  bool was_ended_ = false;
  bool listens_ = false;
  const char* used_ = "";             ///< As AskedPolicy::used.
  const char* used_parameters_ = "";  ///< As AskedPolicy::used_parameters.
  int world_rank_ = 0;
  std::unordered_map<std::uint64_t, Entry> communicators_;
  /// By the ranks in MPI_COMM_WORLD: communicators of the same ranks in the same order share one.
  std::map<std::vector<std::int32_t>, std::shared_ptr<TunedCommunicator>> tuned_;
  std::uint64_t last_word_ = 0;
  Entry* last_ = nullptr;
  Usage usage_;
};

Tuning& tuning_of_process() noexcept;

}  // namespace tasuki::mpi::collectives
