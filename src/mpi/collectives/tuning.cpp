#include "mpi/collectives/tuning.hpp"

#include "events/event.hpp"
#include "mpi/collectives/job_policy.hpp"
#include "mpi/collectives/native_forms.hpp"
#include "mpi/collectives/progress.hpp"
#include "mpi/collectives/tuned.hpp"
#include "mpi/collectives/world_ranks.hpp"
#include "mpi/messages/job_end.hpp"
#include "mpi/messages/own_communicator.hpp"
#include "mpi/record/communicators.hpp"
#include "mpi/wait/job_facts.hpp"
#include "mpi/wait/own_calls.hpp"

#include <fmt/format.h>
#include <tasuki/detail/base/settings.hpp>
#include <tasuki/detail/coll/policy_file.hpp>
#include <tasuki/detail/node/algorithms.hpp>

#include <algorithm>
#include <array>
#include <cstddef>
#include <new>
#include <string>
#include <vector>

namespace tasuki::mpi::collectives {
namespace {

// A communicator's shared memory costs about a millisecond, and a collective in it saves some
// microseconds; programs that make a communicator for one call shall not pay for it.
constexpr std::uint64_t calls_before_tuning = 4;

// A bound on memory, not a matter of speed: each takes 1.1 MiB for each rank (heap_bytes of
// tuned_communicator.cpp), and these 68 MiB. Communicators of the same ranks share one: in a grid
// of two dimensions a rank has three, those of all ranks, of its row and of its column.
constexpr std::size_t most_tuned_communicators = 64;

constexpr const char* other_ranks = "one rank, or ranks of another group or job";
constexpr const char* many_communicators = "one of many communicators";

/// Requires: an intracommunicator.
std::vector<std::int32_t> ranks_in_world(MPI_Comm communicator) {
  MPI_Group group = MPI_GROUP_NULL;
  PMPI_Comm_group(communicator, &group);
  std::vector<std::int32_t> ranks = world_ranks_of(group);
  PMPI_Group_free(&group);
  return ranks;
}

/// Whether it is an intracommunicator of several ranks, all of them in MPI_COMM_WORLD: the others
/// know nothing of what this job has agreed on.
bool is_part_of_world(MPI_Comm communicator, RankAndSize& own) {
  int is_inter = 0;
  if (PMPI_Comm_test_inter(communicator, &is_inter) != MPI_SUCCESS || is_inter != 0) return false;
  PMPI_Comm_rank(communicator, &own.rank);
  PMPI_Comm_size(communicator, &own.size);
  if (own.size == 1) return false;
  const std::vector<std::int32_t> ranks = ranks_in_world(communicator);
  return std::find(ranks.begin(), ranks.end(), events::no_rank) == ranks.end();
}

}  // namespace

Tuning& tuning_of_process() noexcept {
  // Never destroyed: to free a communicator takes MPI, which has ended by then.
  alignas(Tuning) static std::array<std::byte, sizeof(Tuning)> room;
  static Tuning& tuning = *new (room.data()) Tuning;
  return tuning;
}

void Tuning::start() {
  const std::string wanted = base::setting::tuned.text();
  if (wanted.empty()) return;
  PMPI_Comm_rank(MPI_COMM_WORLD, &world_rank_);
  if (wait::job_facts().calls_at_once) {
    if (world_rank_ == 0) {
      std::fputs(
          "tasuki: the program's threads call MPI at once (MPI_THREAD_MULTIPLE); its\n"
          "  collectives are not tuned\n",
          stderr);
    }
    return;
  }
  node::register_algorithms();
  register_native_forms();
  policy_ = read_job_policy(wanted, world_rank_);
  listens_ = wanted == asked_for;
  // Hardly a program does without it, and here no iteration of the program has to wait for it.
  Entry& world = entry_of(MPI_COMM_WORLD);
  if (is_on() && world.excluded_because == nullptr) tune(world, MPI_COMM_WORLD);
}

void Tuning::ask(AskedPolicy& asked) {
  asked.is_heard = true;
  if (asked.text != nullptr) {
    try {
      policy_.emplace(coll::parse_policy_file(asked.text, "what the program asks for").rows);
    } catch (const std::exception& failure) {
      give_up(failure);
    }
    for (auto& [ranks, tuned] : tuned_) tuned->forget_ways();
    used_ = used_parameters_ = "";
  }
  asked.used = used_;
  asked.used_parameters = used_parameters_;
}

void Tuning::end() {
  const std::string report = base::setting::tuned_report.text();
  if (is_on() && !was_ended_ && !report.empty()) {
    int ranks = 0;
    PMPI_Comm_size(MPI_COMM_WORLD, &ranks);
    usage_.append_to(report, world_rank_, ranks);
  }
  end_progress();
  free_own_communicator();
  was_ended_ = true;
  // MPI_Finalize may call the program once more, as it deletes the attributes of MPI_COMM_SELF.
  detail::is_tuning = false;
}

Tuning::Entry& Tuning::entry_of(MPI_Comm communicator) {
  const std::uint64_t word = record::word_of(communicator);
  if (last_ == nullptr || word != last_word_) {
    const auto [found, is_new] = communicators_.try_emplace(word);
    last_word_ = word;
    last_ = &found->second;
    if (is_new && !is_part_of_world(communicator, last_->own)) {
      last_->excluded_because = other_ranks;
    }
  }
  return *last_;
}

bool Tuning::decides_for(MPI_Comm communicator) {
  return communicator != MPI_COMM_NULL && entry_of(communicator).excluded_because == nullptr;
}

TunedCommunicator* Tuning::tuned_of(Entry& entry, const char* name, MPI_Comm communicator) {
  if (entry.tuned == nullptr && entry.excluded_because == nullptr) {
    if (++entry.calls <= calls_before_tuning && !listens_) {
      count_left(name, "one of the first calls");
      return nullptr;
    }
    tune(entry, communicator);
  }
  if (entry.tuned == nullptr) {
    count_left(name, entry.excluded_because);
    return nullptr;
  }
  entry.tuned->call_on(communicator);
  return entry.tuned.get();
}

bool Tuning::has_room() {
  if (tuned_.size() < most_tuned_communicators) return true;
  const auto unused = std::find_if(tuned_.begin(), tuned_.end(), [](const auto& one) {
    return one.second.use_count() == 1 && !one.second->has_messages();
  });
  if (unused == tuned_.end()) return false;
  tuned_.erase(unused);
  return true;
}

void Tuning::tune(Entry& entry, MPI_Comm communicator) {
  const std::vector<std::int32_t> ranks = ranks_in_world(communicator);
  // Ranks may be in different numbers of communicators, and have kept different ones.
  const bool is_known = tuned_.contains(ranks);
  std::array<int, 2> facts{is_known ? 1 : 0, is_known || has_room() ? 1 : 0};
  wait::allreduce(facts, MPI_INT, MPI_MIN, communicator);
  const auto [is_known_to_all, has_room_on_all] = facts;
  if (has_room_on_all == 0) {
    entry.excluded_because = many_communicators;
    return;
  }
  std::shared_ptr<TunedCommunicator>& tuned = tuned_[ranks];
  try {
    if (is_known_to_all == 0) tuned = std::make_shared<TunedCommunicator>(communicator);
  } catch (const std::exception& failure) {
    give_up(failure);
  }
  entry.tuned = tuned;
}

int Tuning::run(TunedCommunicator& tuned, coll::Call& call, const char* name) {
  call.shape.ranks = tuned.size();
  call.shape.rank = tuned.rank();
  const Way& way = tuned.way_of(call.collective, call.shape, *policy_);
  used_ = way.algorithm;
  used_parameters_ = way.parameters.c_str();
  usage_.count(name != nullptr ? name : coll::name_of(call.collective), way.algorithm, way.why,
               call.shape.count * call.shape.element_bytes);
  if (way.is_native()) return left_to_library;
  try {
    tuned.run(way, call);
  } catch (const std::exception& failure) {
    give_up(failure);
  }
  return MPI_SUCCESS;
}

int Tuning::leave(const char* name, const char* why) {
  count_left(name, why);
  return left_to_library;
}

void Tuning::count_left(const char* name, const char* why) { usage_.count(name, "native", why, 0); }

void Tuning::forget(MPI_Comm communicator) {
  communicators_.erase(record::word_of(communicator));
  last_ = nullptr;
}

void Tuning::give_up(const std::exception& failure) {
  const std::string text = failure.what();
  // An error of Tasuki says by itself what failed.
  end_job(text.starts_with("tasuki: ") ? text : fmt::format("a tuned collective failed: {}", text));
}

void start_tuning() {
  tuning_of_process().start();
  detail::is_tuning = tuning_of_process().is_on();
}
bool decides_for(MPI_Comm communicator) { return tuning_of_process().decides_for(communicator); }
const char* algorithm_used() noexcept { return tuning_of_process().algorithm_used(); }
void end_tuning() { tuning_of_process().end(); }
void count_left(const char* name, const char* why) { tuning_of_process().count_left(name, why); }
void ask(AskedPolicy& asked) { tuning_of_process().ask(asked); }
bool listens() { return tuning_of_process().listens(); }
void forget(MPI_Comm communicator) { tuning_of_process().forget(communicator); }

}  // namespace tasuki::mpi::collectives
