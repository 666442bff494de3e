#include "runtime/collectives/collectives.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <numeric>
#include <tasuki/detail/base/assert.hpp>
#include <tasuki/detail/node/algorithms.hpp>
#include <tasuki/error.hpp>
#include <thread>
#include <utility>

#include "node/staged/allreduce.hpp"
#include "runtime/collectives/collective_operation.hpp"
#include "runtime/collectives/mpi_collective.hpp"
#include "runtime/memory/puts.hpp"
#include "runtime/waiting/counted.hpp"

namespace tasuki::runtime {
namespace {

constexpr std::uint64_t world_team_id = 1;
constexpr std::uint64_t service_team_id = 2;

// A poll of the MPI library takes as long as a switch to the poller and back or, where ranks
// share cores, as it takes them to have their turns. What the poller does then is several looks.
constexpr int polls_per_turn = 64;
constexpr int turns_before_suspending = 16;

coll::Policy built_in_policy() {
  node::register_algorithms();
  return coll::default_policy();
}

Team everybody(const World& world, std::uint64_t id, bool is_world) {
  auto state = std::make_shared<TeamState>();
  state->id = id;
  state->ranks.resize(static_cast<std::size_t>(world.size()));
  std::iota(state->ranks.begin(), state->ranks.end(), 0);
  state->rank = world.rank();
  state->is_world = is_world;
  return Team(std::move(state));
}

/// Scratch of a blocking collective. Little lies on its fiber's stack. More is allocated each time,
/// for the allocator keeps it at hand: to keep it here instead is not seen beside an allreduce of 8
/// bytes to 32 MiB (recursive_doubling and rabenseifner, 2 ranks on shm, Xeon Sapphire Rapids: 0.6
/// ns of 212 at 8 bytes, less than the noise above).
class Scratch {
 public:
  explicit Scratch(std::size_t bytes)
      : more_(bytes <= sizeof few_ ? nullptr : std::make_unique_for_overwrite<std::byte[]>(bytes)) {
  }
  std::byte* data() { return more_ == nullptr ? few_ : more_.get(); }

 private:
  alignas(std::max_align_t) std::byte few_[256];
  std::unique_ptr<std::byte[]> more_;
};

fiber::WaitReason reason_of(const TeamState* team, const CollectiveCall& call) {
  return {fiber::WaitKind::collective, -1,
          call.label != nullptr ? call.label : coll::name_of(call.collective), 0,
          reinterpret_cast<std::uint64_t>(team)};
}

coll::Buffers buffers_of(const CollectiveCall& call, std::byte* scratch) {
  return {static_cast<const std::byte*>(call.input), static_cast<std::byte*>(call.output), scratch,
          call.shape.element_bytes, call.op.apply == nullptr ? nullptr : &call.op};
}

}  // namespace

/// One that somebody has a future of.
struct Collectives::Started final : StartedParts, Operation {
  Started(Collectives& owner, std::shared_ptr<TeamState> on, CollectiveCall what,
          std::shared_ptr<const coll::Schedule> how, std::uint32_t its_number)
      : StartedParts(std::move(on), std::move(what), std::move(how)),
        Operation(owner, *kept_team, *schedule, buffers_of(call, scratch.get()), its_number),
        under_way(owner.under_way_count_) {}
  void finish() override {
    const std::unique_ptr<Started> self(this);
    note_complete(team, call, number);
    promise.set_value();
  }
  const Counted under_way;
};

/// What a fiber waits for; it lives on that fiber's stack.
struct Collectives::Waiting {
  void tell() {
    is_done = true;
    if (waiter != nullptr) World::current().scheduler().make_ready(waiter);
  }
  bool is_done = false;
  fiber::Fiber* waiter = nullptr;
};

struct Collectives::Awaited final : Operation, Waiting {
  using Operation::Operation;
  void finish() override { tell(); }
};

/// The same two for collectives of the MPI library.
struct Collectives::StartedByMpi : transport::Completion {
  explicit StartedByMpi(CollectiveCall what) : call(std::move(what)) {
    done = [](transport::Completion* completion) {
      const std::unique_ptr<StartedByMpi> self(static_cast<StartedByMpi*>(completion));
      self->promise.set_value();
    };
  }
  CollectiveCall call;
  Promise<void> promise;
};

struct Collectives::AwaitedByMpi : transport::Completion, Waiting {
  AwaitedByMpi() {
    done = [](transport::Completion* completion) {
      static_cast<AwaitedByMpi*>(completion)->tell();
    };
  }
};

/// One whose ranks exchange sizes first: what lives until its second schedule is through.
struct Collectives::SizeExchange {
  Counted under_way;
  Team team;
  CollectiveCall call;
  std::shared_ptr<const coll::Choice> choice;
  std::vector<std::size_t> sizes;
  Promise<void> promise;
};

Collectives::Collectives(World& world)
    : world_(world),
      check_(world),
      world_team_(everybody(world, world_team_id, true)),
      service_team_(everybody(world, service_team_id, false)),
      node_host_(world),
      policy_(built_in_policy()),
      mpi_(world.transport().mpi_operations()),
      mpi_requests_(mpi_, world.scheduler()),
      yields_(mpi_ != nullptr && !mpi_->yields() && world.transport().capabilities().shares_cores),
      team_segments_(node_host_) {
  reached_by_mpi_.resize(static_cast<std::size_t>(world.size()));
  if (mpi_ != nullptr) {
    sent_first_below_bytes = sent_first_over_mpi_bytes;
    mpi_most_bytes_ = mpi_->message_most_bytes();
    for (int rank = 0; rank < world.size(); ++rank) {
      reached_by_mpi_[static_cast<std::size_t>(rank)] = mpi_->reaches(rank);
    }
  }
  transport::Transport& transport = world.transport();
  if (transport.shared_scratch_bytes() < node::NodeSegment::bytes_for(world.size())) return;
  TeamState& everybody = world_team_.state();
  const node::Members members{everybody.ranks, everybody.rank, 0};
  node_segment_.emplace(node_host_, members, transport.shared_scratch());
  everybody.node_segment = &*node_segment_;
}

void Collectives::set_policy(coll::Policy policy) {
  policy_ = std::move(policy);
  ++policy_number_;
}

void Collectives::set_reproducible(bool wanted) {
  is_reproducible_ = wanted;
  ++policy_number_;
}

Collectives::~Collectives() = default;

TeamState::~TeamState() {
  World* const world = World::current_or_null();
  if (team_segment == nullptr || world == nullptr) return;
  world->collectives().team_segments().retire(std::move(team_segment));
}

void Collectives::begin() {
  if (node_segment_.has_value() && world_.size() > 1) node_segment_->agree();
}

void Collectives::prepare(const Team& team, std::span<const int> nodes) {
  TeamState& state = team.state();
  const auto differs = [&](int node) { return node != nodes.front(); };
  if (team.size() == 1 || std::any_of(nodes.begin(), nodes.end(), differs)) return;
  std::uint64_t address = 0;
  if (state.rank == 0) {
    address = reinterpret_cast<std::uint64_t>(team_segments_.allocate(team.size()));
  }
  auto call = describe<std::uint64_t>(coll::Collective::broadcast, 1, {}, std::span(&address, 1));
  call.label = "split";
  start(team, std::move(call)).get();
  const node::Members members{state.ranks, state.rank, reinterpret_cast<std::uint64_t>(&state)};
  state.team_segment = team_segments_.make(members, address);
  if (state.team_segment == nullptr) return;
  state.node_segment = &state.team_segment->segment;
  state.policy_number = 0;  // What followed before there was a segment.
  state.node_segment->agree();
}

int Collectives::node() const {
  const transport::Transport& transport = world_.transport();
  if (!transport.capabilities().maps_peers) return world_.rank();
  int lowest = 0;
  while (lowest != world_.rank() && !transport.same_node(lowest)) ++lowest;
  return lowest;
}

void Collectives::follow_policy(TeamState& team) {
  team.policy_number = policy_number_;
  team.barrier_function = nullptr;
  team.element_most_bytes = 0;
  if (team.node_segment == nullptr) return;
  coll::Shape shape;
  shape.ranks = static_cast<int>(team.ranks.size());
  const coll::Choice choice =
      policy_.select(coll::Collective::barrier, shape, media_without_peers(team));
  if (choice.algorithm->medium() == coll::Medium::shared_memory) {
    const auto& way = std::get<coll::InNodeMemory>(choice.algorithm->way);
    team.barrier_function = std::get<node::BarrierFunction>(way.function->call);
  }
  team.element_most_bytes = find_element_most_bytes(team);
}

inline void Collectives::complete(const TeamState& team, CollectiveCall& call) const {
  call.shape.ranks = static_cast<int>(team.ranks.size());
  call.shape.rank = team.rank;
  const bool reduces = call.op.apply != nullptr;
  call.shape.reproducible = is_reproducible_ && reduces;
  call.shape.in_place = reduces && call.input == call.output && call.input_count != 0 &&
                        call.collective != coll::Collective::reduce_scatter_block &&
                        call.collective != coll::Collective::reduce_scatter;
}

inline Plan& Collectives::plan_for(TeamState& team, const CollectiveCall& call, bool blocking) {
  const auto matches = [&](const Plan& plan) {
    return plan.collective == call.collective && plan.blocking == blocking &&
           plan.policy_number == policy_number_ && plan.shape == call.shape;
  };
  return team.plans.find_or_add(matches, [&] { return make_plan(team, call, blocking); });
}

coll::Media Collectives::media_of(const TeamState& team) const {
  coll::Media media = media_without_peers(team);
  media.peer_memory = media.shared_memory && team.node_segment->reads_peers();
  return media;
}

coll::Media Collectives::media_without_peers(const TeamState& team) const {
  return {.shared_memory = team.node_segment != nullptr,
          .mpi_library = team.is_world && mpi_ != nullptr};
}

Plan Collectives::make_plan(const TeamState& team, const CollectiveCall& call, bool blocking) {
  coll::check(call.collective, call.shape);
  coll::Media media = media_without_peers(team);
  if (blocking) {
    media = media_of(team);
  } else {
    media.shared_memory = false;
  }
  const coll::Choice choice = policy_.select(call.collective, call.shape, media);
  Plan plan;
  plan.collective = call.collective;
  plan.shape = call.shape;
  plan.blocking = blocking;
  plan.policy_number = policy_number_;
  plan.input_count = coll::input_count(call.collective, call.shape);
  plan.output_count = coll::output_count(call.collective, call.shape);
  plan.way = way_of(choice, call);
  return plan;
}

void Collectives::note_complete(TeamState& team, const CollectiveCall& call, std::uint32_t number) {
  const bool has_elements = call.shape.count != 0 || call.collective == coll::Collective::barrier;
  if (!has_elements || !coll::needs_all(call.collective)) return;
  const bool is_latest = static_cast<std::int32_t>(number - team.begun_by_all) >= 0;
  if (is_latest) team.begun_by_all = number + 1;
}

void Collectives::check_alike(TeamState& team, const CollectiveCall& call) {
  if (&team == &service_team_.state()) return;  // what it does is the library's own
  check_.begin(team, call.collective, &call.op, call.shape.root, call.element_type);
}

// ---- blocking and as futures -------------------------------------------------------------------

Future<void> Collectives::start(const Team& team, CollectiveCall call) {
  complete(team.state(), call);
  const Plan& plan = plan_for(team.state(), call, false);
  const Plan::Way way = plan.way;  // The plan may be forgotten where the check waits.
  check_sizes(call, plan);
  check_alike(team.state(), call);
  if (const auto* messages = std::get_if<Plan::ByMessages>(&way)) {
    return start(team, std::move(call), messages->schedule, team.state().next_operation++);
  }
  if (const auto* sizes_first = std::get_if<Plan::AfterSizeExchange>(&way)) {
    return start(team, std::move(call), *sizes_first);
  }
  if (std::holds_alternative<Plan::Nothing>(way)) return ready_future();
  return start_by_mpi(std::move(call));
}

Future<void> Collectives::start(const Team& team, CollectiveCall call,
                                const Plan::AfterSizeExchange& way) {
  const coll::Choice& choice = *way.choice;
  const std::size_t sizes_count =
      coll::exchanged_sizes_count(*choice.algorithm, call.shape, choice.parameters);
  auto sizes = std::make_shared<SizeExchange>(SizeExchange{Counted(under_way_count_),
                                                           team,
                                                           std::move(call),
                                                           way.choice,
                                                           std::vector<std::size_t>(sizes_count),
                                                           {}});
  sizes->promise.set_reason(reason_of(&team.state(), sizes->call));
  CollectiveCall exchange(sizes->call.collective);
  exchange.shape.element_bytes = sizeof(std::size_t);
  exchange.input = sizes->call.shape.send_counts.data();
  exchange.output = sizes->sizes.data();
  exchange.keep_alive = sizes;
  // Both numbers now: other collectives may begin before the second schedule does.
  const std::uint32_t number = team.state().next_operation++;
  const std::uint32_t number_after = team.state().next_operation++;
  Future<void> future = sizes->promise.future();
  // Both chains keep themselves; the promise says when they are through.
  Future<void> exchanged = start(team, std::move(exchange), way.exchange, number);
  static_cast<void>(exchanged.then([this, sizes, number_after] {
    try {
      start_with_sizes(sizes, number_after);
    } catch (...) {
      sizes->promise.set_failure(std::current_exception());
    }
  }));
  return future;
}

void Collectives::start_with_sizes(const std::shared_ptr<SizeExchange>& exchange,
                                   std::uint32_t number) {
  const coll::Choice& choice = *exchange->choice;
  auto schedule = std::make_shared<const coll::Schedule>(coll::make_schedule_after(
      *choice.algorithm, exchange->call.shape, exchange->sizes, choice.parameters));
  Future<void> done = start(exchange->team, std::move(exchange->call), std::move(schedule), number);
  static_cast<void>(done.then([exchange] { exchange->promise.set_value(); }));
}

Future<void> Collectives::start(const Team& team, CollectiveCall call,
                                std::shared_ptr<const coll::Schedule> schedule,
                                std::uint32_t number) {
  auto* operation =
      new Started(*this, team.shared_state(), std::move(call), std::move(schedule), number);
  operation->promise.set_reason(reason_of(operation->kept_team.get(), operation->call));
  Future<void> future = operation->promise.future();
  advance(*operation);
  // What the other ranks wait for must not lie here while this rank computes.
  world_.flush();
  return future;
}

Future<void> Collectives::start_by_mpi(CollectiveCall call) {
  auto operation = std::make_unique<StartedByMpi>(std::move(call));
  const CollectiveCall& what = operation->call;
  operation->promise.set_reason(reason_of(&world_team_.state(), what));
  Future<void> future = operation->promise.future();
  transport::MpiRequest request;
  mpi_->start(mpi_collective(what), request);
  add_to(mpi_requests_, what, request, operation.release());
  world_.flush();
  return future;
}

void Collectives::end_job_by_exception() {
  constexpr const char* text =
      "a collective: its operator threw {}. Remedy: let no exception leave an operator; the other "
      "ranks wait for its result";
  try {
    throw;
  } catch (const error& failure) {
    base::die(failure.what());
  } catch (const std::exception& failure) {
    base::die(fmt::format(text, failure.what()));
  } catch (...) {
    base::die(fmt::format(text, "something that is no std::exception"));
  }
}

void Collectives::run(const Team& team, CollectiveCall& call) {
  TeamState& state = team.state();
  complete(state, call);
  if constexpr (CollectiveCheck::is_on) {
    // Checks the call; not kept, for the next may wait.
    check_sizes(call, plan_for(state, call, true));
    check_alike(state, call);
  }
  Plan& plan = plan_for(state, call, true);
  check_sizes(call, plan);
  if (const auto* messages = std::get_if<Plan::ByMessages>(&plan.way)) {
    return run_schedule(state, call, plan, *messages->schedule);
  }
  if (const auto* sizes_first = std::get_if<Plan::AfterSizeExchange>(&plan.way)) {
    return start(team, std::move(call), *sizes_first).get();
  }
  if (std::holds_alternative<Plan::ByMpiLibrary>(plan.way)) return run_by_mpi(call);
  const auto* node = std::get_if<Plan::InNodeMemory>(&plan.way);
  if (node == nullptr) return;
  world_.flush();
  try {
    node->function(state.node_segment->buffer, call, node->piece_bytes);
  } catch (...) {
    end_job_by_exception();
  }
}

inline void Collectives::run_schedule(TeamState& team, const CollectiveCall& call, Plan& plan,
                                      const coll::Schedule& schedule) {
  Scratch scratch(schedule.scratch_count * call.shape.element_bytes);
  Awaited operation(*this, team, schedule, buffers_of(call, scratch.data()), team.next_operation++);
  ++plan.users_count;
  try {
    advance(operation);
    world_.flush();
    wait_for(operation, operation.mpi_transfer, team, call);
    note_complete(team, call, operation.number);
  } catch (...) {
    end_job_by_exception();  // Messages under way refer to the operation.
  }
  --plan.users_count;
}

void Collectives::run_by_mpi(const CollectiveCall& call) {
  world_.flush();
  AwaitedByMpi operation;
  transport::MpiRequest request;
  mpi_->start(mpi_collective(call), request);
  add_to(mpi_requests_, call, request, &operation);
  try {
    wait_for(operation, operation, world_team_.state(), call);
  } catch (const error& failure) {
    base::die(failure.what());  // the library writes to the caller's memory
  }
}

inline void Collectives::wait_for(Waiting& operation, const transport::Completion& completion,
                                  const TeamState& team, const CollectiveCall& call) {
  if (!mpi_requests_.empty()) poll_for(completion, operation.is_done);
  if (operation.is_done) return;
  operation.waiter = world_.scheduler().current();
  world_.suspend(reason_of(&team, call));
}

/// A fiber that waits polls for itself at first; the poller and others have their turns meanwhile.
void Collectives::poll_for(const transport::Completion& completion, const bool& is_done) {
  for (int turn = turns_before_suspending; turn > 0; --turn) {
    for (int i = polls_per_turn; i > 0; --i) {
      if (is_done || mpi_requests_.empty()) return;
      if (mpi_requests_.progress_for(completion)) continue;
      if (mpi_requests_.has_untold() || world_.scheduler().anything_ready()) break;
      if (yields_) std::this_thread::yield();
    }
    if (is_done || mpi_requests_.empty()) return;
    world_.yield();
  }
}

void Collectives::finish() {
  world_.wait_until([&] { return mpi_requests_.empty() && under_way_count_ == 0; },
                    {fiber::WaitKind::collective, -1, "the end of all collectives"});
}

void Collectives::barrier(const Team& team) {
  TeamState& state = team.state();
  if (state.policy_number != policy_number_) follow_policy(state);
  if (state.barrier_function == nullptr) {
    CollectiveCall call(coll::Collective::barrier);
    run(team, call);
  } else if (state.ranks.size() > 1) {
    check_.begin(state, coll::Collective::barrier, nullptr, 0, nullptr);
    (state.node_segment->barrier.*state.barrier_function)();
  }
}

bool Collectives::allreduce_element(const Team& team, void* in_out, const coll::ReduceOp& op) {
  TeamState& state = team.state();
  if (state.policy_number != policy_number_) follow_policy(state);
  if (op.element_bytes > state.element_most_bytes) return false;
  check_.begin(state, coll::Collective::allreduce, &op, 0, nullptr);
  world_.flush();
  try {
    node::allreduce_element(state.node_segment->buffer, static_cast<std::byte*>(in_out), op);
  } catch (...) {
    end_job_by_exception();
  }
  return true;
}

std::size_t Collectives::find_element_most_bytes(const TeamState& team) const {
  coll::Shape shape;
  shape.ranks = static_cast<int>(team.ranks.size());
  shape.count = 1;
  shape.in_place = true;
  shape.reproducible = is_reproducible_;
  shape.commutative = true;
  shape.arithmetic = {base::ElementType::float64, base::Operator::sum};
  const auto is_staged = [&] {
    const auto choice =
        policy_.select(coll::Collective::allreduce, shape, media_without_peers(team));
    return choice.algorithm->medium() == coll::Medium::shared_memory;
  };
  while (shape.element_bytes <= node::StagingBuffer::line_data_bytes && is_staged()) {
    ++shape.element_bytes;
  }
  return shape.element_bytes - 1;
}

Future<void> start_collective(const Team& team, CollectiveCall call) {
  return World::current().collectives().start(team, std::move(call));
}

void run_collective(const Team& team, CollectiveCall call) {
  World::current().collectives().run(team, call);
}

bool allreduce_element(const Team& team, void* in_out, const coll::ReduceOp& op) {
  return World::current().collectives().allreduce_element(team, in_out, op);
}

}  // namespace tasuki::runtime

namespace tasuki {

Future<void> barrier_async(const Team& team) {
  return runtime::start_collective(team, runtime::CollectiveCall(coll::Collective::barrier));
}

void barrier(const Team& team) {
  runtime::World& world = runtime::World::current();
  world.flush();
  // Stores to memory that this process addresses are ordered by the barrier itself.
  world.puts().fence();
  world.collectives().barrier(team);
}

}  // namespace tasuki
