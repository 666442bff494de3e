#include "mpi/collectives/tuned_communicator.hpp"

#include "mpi/messages/placement.hpp"
#include "mpi/messages/returned_errors.hpp"
#include "mpi/record/recorder.hpp"
#include "mpi/wait/job_facts.hpp"
#include "node/segment/slots.hpp"

#include <tasuki/error.hpp>

#include <numeric>
#include <variant>
#include <vector>

namespace tasuki::mpi::collectives {
namespace {

// A rank's slots of the staging buffer, and room to align them.
constexpr std::size_t heap_bytes = 17 * node::slot_bytes;

}  // namespace

PrivateCommunicator::PrivateCommunicator(MPI_Comm communicator) {
  const ReturnedErrors errors(communicator);
  int rank = 0;
  PMPI_Comm_rank(communicator, &rank);
  if (PMPI_Comm_split(communicator, 0, rank, &handle_) != MPI_SUCCESS) {
    throw error("making a communicator for tuned collectives", "the MPI library has none left",
                "run the program without --tuned");
  }
  PMPI_Comm_set_errhandler(handle_, MPI_ERRORS_RETURN);
}

TunedCommunicator::TunedCommunicator(MPI_Comm communicator) : communicator_(communicator) {
  PMPI_Comm_rank(communicator, &rank_);
  PMPI_Comm_size(communicator, &size_);
  const bool shares_cores = wait::job_facts().shares_cores;
  memory_ = SharedMemory::make(communicator, node::NodeSegment::bytes_for(size_), heap_bytes,
                               shares_cores);
  if (memory_ == nullptr) {
    placement_ = find_placement(PrivateCommunicator(communicator).handle());
    return;
  }
  const node::HostTraits traits{
      .rank = rank_, .may_spin = !shares_cores, .reads_peers = memory_->reads_peers()};
  host_ = std::make_unique<ProgramHost>(*memory_, traits);
  node::Members members{std::vector<int>(static_cast<std::size_t>(size_)), rank_, 0};
  std::iota(members.world_ranks.begin(), members.world_ranks.end(), 0);
  segment_ = std::make_unique<node::NodeSegment>(*host_, members, memory_->common());
  segment_->agree();
}

const Way& TunedCommunicator::way_of(coll::Collective collective, const coll::Shape& shape,
                                     const ProgramPolicy& policy) {
  Known& known = known_[static_cast<std::size_t>(collective)];
  // Counts that not all ranks know must not decide.
  const std::size_t count =
      coll::has_common_count(collective) ? coll::common_count(collective, shape) : 0;
  const Key key{count, shape.element_bytes, shape.arithmetic, shape.in_place};
  if (!known.is_known || known.key != key) {
    known = {true, key, choose(collective, shape, policy)};
  }
  return known.way;
}

Way TunedCommunicator::choose(coll::Collective collective, coll::Shape shape,
                              const ProgramPolicy& policy) const {
  shape.placement = placement_.get();
  const bool shares_memory = segment_ != nullptr;
  const coll::Media media{.shared_memory = shares_memory,
                          .peer_memory = shares_memory && segment_->reads_peers(),
                          .mpi_library = true};
  const std::optional<coll::Choice> choice = policy.choose(collective, shape, media);
  Way way;
  if (!choice.has_value()) {
    way.why = shares_memory ? "no algorithm in node memory fits" : "the ranks share no node";
    return way;
  }
  const coll::AlgorithmDescriptor& algorithm = *choice->algorithm;
  if (const auto* in_memory = std::get_if<coll::InNodeMemory>(&algorithm.way)) {
    way = {algorithm.name, "node memory", in_memory->function};
    const char* const piece_bytes = node::staged_piece_bytes.name;
    if (choice->parameters.contains(piece_bytes)) {
      way.piece_bytes = static_cast<std::size_t>(choice->parameters.get(piece_bytes));
    }
  } else if (algorithm.medium() == coll::Medium::mpi_library) {
    way.why = "the policy says so";
  } else {
    way.algorithm = algorithm.name;
    way.why = "messages";
    way.by_messages = choice;
  }
  way.parameters = choice->parameters.to_text();
  return way;
}

void TunedCommunicator::run(const Way& way, coll::Call& call) {
  call.shape.rank = rank();
  call.shape.ranks = size();
  if (way.in_memory == nullptr) {
    run_by_messages(*way.by_messages, call);
    return;
  }
  if (const auto* barrier = std::get_if<node::BarrierFunction>(&way.in_memory->call)) {
    (segment_->barrier.**barrier)();
  } else {
    std::get<node::Function>(way.in_memory->call)(segment_->buffer, call, way.piece_bytes);
  }
}

void TunedCommunicator::run_by_messages(const coll::Choice& choice, const coll::Call& call) {
  if (!executor_.has_value()) {
    messages_.emplace(communicator_);
    executor_.emplace(messages_->handle());
    if (record::recorder().is_on()) executor_->set_listener(recorded_.emplace(communicator_));
    if (AwaitedMessages::are_wanted()) executor_->set_waiter(awaited_.emplace(communicator_));
  }
  // An earlier run knows how long calls of a place of the program have lasted, and not each wait.
  if (awaited_.has_value()) awaited_->begin(choice.algorithm);
  executor_->run(*choice.algorithm, choice.parameters, call.shape, call.input, call.output,
                 &call.op);
}

}  // namespace tasuki::mpi::collectives
