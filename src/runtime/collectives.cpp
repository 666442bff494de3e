#include "runtime/collectives.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <numeric>
#include <tasuki/base/assert.hpp>
#include <tasuki/base/error.hpp>
#include <tasuki/runtime/call.hpp>

#include "runtime/bulk.hpp"

namespace tasuki::runtime {
namespace {

constexpr std::uint64_t world_team_id = 1;
constexpr std::uint64_t service_team_id = 2;
// A program alternates between a handful of collectives; the list is searched in order of last use.
constexpr std::size_t cached_plans_count = 16;

struct MessageHeader {
  std::uint64_t team;
  std::uint32_t operation;
  std::uint32_t sequence;
};

Team everybody(const World& world, std::uint64_t id, bool is_world) {
  auto state = std::make_shared<TeamState>();
  state->id = id;
  state->ranks.resize(static_cast<std::size_t>(world.size()));
  std::iota(state->ranks.begin(), state->ranks.end(), 0);
  state->rank = world.rank();
  state->is_world = is_world;
  return Team(std::move(state));
}

void check_sizes(const CollectiveCall& call) {
  const char* name = coll::name_of(call.collective);
  const std::size_t input_count = coll::input_count(call.collective, call.shape);
  const std::size_t output_count = coll::output_count(call.collective, call.shape);
  if (call.input_count < input_count || call.output_count < output_count) {
    throw error(name,
                fmt::format("the buffers hold {} and {} elements, but {} go in and {} come out on "
                            "this rank",
                            call.input_count, call.output_count, input_count, output_count),
                "make the spans as long as the collective's description says");
  }
}

}  // namespace

/// What an operation's execution refers to; a base so that it is made first.
struct OperationParts {
  OperationParts(std::shared_ptr<TeamState> on, CollectiveCall what,
                 std::shared_ptr<const coll::Schedule> how, std::uint32_t its_number)
      : team(std::move(on)),
        number(its_number),
        call(std::move(what)),
        schedule(std::move(how)),
        scratch(std::make_unique_for_overwrite<std::byte[]>(schedule->scratch_count *
                                                            call.shape.element_bytes)) {}
  coll::Buffers buffers() const {
    return {static_cast<const std::byte*>(call.input), static_cast<std::byte*>(call.output),
            scratch.get(), call.shape.element_bytes, call.op.apply == nullptr ? nullptr : &call.op};
  }

  std::shared_ptr<TeamState> team;
  std::uint32_t number;
  CollectiveCall call;
  std::shared_ptr<const coll::Schedule> schedule;
  std::unique_ptr<std::byte[]> scratch;
  Promise<void> promise;
};

/// One collective under way.
struct Collectives::Operation final : OperationParts, coll::Execution {
  Operation(Collectives& owner, std::shared_ptr<TeamState> on, CollectiveCall what,
            std::shared_ptr<const coll::Schedule> how, std::uint32_t its_number)
      : OperationParts(std::move(on), std::move(what), std::move(how), its_number),
        coll::Execution(*schedule, buffers(), owner) {}
};

/// The transport's end of a bulk transfer of an operation.
struct Collectives::BulkTransfer : transport::Completion {
  BulkTransfer(World& of, Operation& part_of) : world(&of), operation(&part_of) {
    done = &bulk_done;
  }
  World* world;
  Operation* operation;
};

Collectives::Collectives(World& world)
    : world_(world),
      check_(world),
      world_team_(everybody(world, world_team_id, true)),
      service_team_(everybody(world, service_team_id, false)),
      policy_(coll::default_policy()) {
  transport::Transport& transport = world.transport();
  if (transport.shared_scratch_bytes() < native::Ground::bytes_for(world.size())) return;
  ground_.emplace(world, transport.shared_scratch());
  set_policy(coll::default_policy());
}

void Collectives::set_policy(coll::Policy policy) {
  policy_ = std::move(policy);
  ++policy_number_;
  if (!ground_.has_value()) return;
  coll::Shape shape;
  shape.ranks = world_.size();
  const coll::Choice choice =
      policy_.select(coll::Collective::barrier, shape, {.shared_memory = true});
  if (choice.algorithm->medium == coll::Medium::shared_memory) {
    barrier_way_ = FlagBarrier::way_of(*choice.algorithm);
  } else {
    barrier_way_ = nullptr;
  }
  element_most_bytes_ = find_element_most_bytes();
}

void Collectives::set_reproducible(bool wanted) {
  is_reproducible_ = wanted;
  if (ground_.has_value()) element_most_bytes_ = find_element_most_bytes();
}

Collectives::~Collectives() = default;

void Collectives::complete(const TeamState& team, CollectiveCall& call) const {
  call.shape.ranks = static_cast<int>(team.ranks.size());
  call.shape.rank = team.rank;
  const bool may_be_in_place = coll::reduces(call.collective) && call.input_count != 0 &&
                               call.collective != coll::Collective::reduce_scatter_block &&
                               call.collective != coll::Collective::reduce_scatter;
  call.shape.reproducible = is_reproducible_ && coll::reduces(call.collective);
  call.shape.in_place = may_be_in_place && call.input == call.output;
}

const Plan& Collectives::plan_for(TeamState& team, const CollectiveCall& call, bool blocking) {
  auto& plans = team.plans;
  if (team.plans_policy_number != policy_number_) {
    plans.clear();
    team.plans_policy_number = policy_number_;
  }
  const auto found = std::find_if(plans.begin(), plans.end(), [&](const Plan& plan) {
    return plan.collective == call.collective && plan.blocking == blocking &&
           plan.shape == call.shape;
  });
  if (found != plans.end()) {
    if (found != plans.begin()) std::rotate(plans.begin(), found, found + 1);
    return plans.front();
  }
  coll::check(call.collective, call.shape);
  if (plans.size() == cached_plans_count) plans.pop_back();
  plans.insert(plans.begin(), make_plan(team, call, blocking));
  return plans.front();
}

coll::Media Collectives::media() {
  if (!ground_.has_value()) return {};
  return {.shared_memory = true, .peer_memory = ground_->reads_peers()};
}

Plan Collectives::make_plan(const TeamState& team, const CollectiveCall& call, bool blocking) {
  const coll::Media media = blocking && team.is_world ? this->media() : coll::Media{};
  const coll::Choice choice = policy_.select(call.collective, call.shape, media);
  Plan plan;
  plan.collective = call.collective;
  plan.shape = call.shape;
  plan.blocking = blocking;
  if (choice.algorithm->medium != coll::Medium::messages) {
    plan.on_board = native::function_of(*choice.algorithm);
    const char* piece_bytes = coll::board_piece_bytes.name;
    if (choice.parameters.contains(piece_bytes)) {
      plan.piece_bytes = static_cast<std::size_t>(choice.parameters.get(piece_bytes));
    }
  } else if (choice.algorithm->inquiry != nullptr) {
    plan.asking = std::make_shared<const coll::Choice>(choice);
    plan.schedule = std::make_shared<const coll::Schedule>(
        coll::make_inquiry(*choice.algorithm, call.shape, choice.parameters));
  } else {
    plan.schedule = std::make_shared<const coll::Schedule>(
        coll::make_schedule(*choice.algorithm, call.shape, choice.parameters));
  }
  return plan;
}

void Collectives::check_alike(TeamState& team, const CollectiveCall& call) {
  if (&team == &service_team_.state()) return;  // what it does is the library's own
  check_.begin(team, call.collective, &call.op, call.shape.root, call.element_type);
}

Future<void> Collectives::start(const Team& team, CollectiveCall call) {
  complete(team.state(), call);
  const Plan& plan = plan_for(team.state(), call, false);
  auto schedule = plan.schedule;
  auto asking = plan.asking;
  check_sizes(call);
  check_alike(team.state(), call);
  if (asking != nullptr) {
    return start_asking(team, std::move(call), std::move(schedule), std::move(asking));
  }
  return start(team, std::move(call), std::move(schedule), team.state().next_operation++);
}

void Collectives::run(const Team& team, CollectiveCall call) {
  TeamState& state = team.state();
  complete(state, call);
  if constexpr (CollectiveCheck::is_on) {
    plan_for(state, call, true);  // checks the call; not kept, for the next may wait
    check_sizes(call);
    check_alike(state, call);
  }
  const Plan& plan = plan_for(state, call, true);
  check_sizes(call);
  if (plan.schedule != nullptr) {
    Future<void> done = [&] {
      if (plan.asking == nullptr) {
        return start(team, std::move(call), plan.schedule, state.next_operation++);
      }
      return start_asking(team, std::move(call), plan.schedule, plan.asking);
    }();
    done.get();
    return;
  }
  if (call.shape.count == 0) return;
  world_.flush();
  plan.on_board(ground_->board, call, plan.piece_bytes);
}

Future<void> Collectives::start_asking(const Team& team, CollectiveCall call,
                                       std::shared_ptr<const coll::Schedule> inquiry,
                                       std::shared_ptr<const coll::Choice> asking) {
  auto answers = std::make_shared<std::vector<std::size_t>>(
      coll::answers_count(*asking->algorithm, call.shape, asking->parameters));
  auto counts = std::make_shared<const std::vector<std::size_t>>(call.shape.send_counts);
  CollectiveCall question;
  question.collective = call.collective;
  question.shape.element_bytes = sizeof(std::size_t);
  question.input = counts->data();
  question.output = answers->data();
  question.keep_alive = counts;
  // Both numbers now: other collectives may begin before the second schedule does.
  const std::uint32_t number = team.state().next_operation++;
  const std::uint32_t number_after = team.state().next_operation++;
  Promise<void> promise;
  Future<void> future = promise.future();
  // Both chains keep themselves; the promise says when they are through.
  Future<void> asked = start(team, std::move(question), std::move(inquiry), number);
  static_cast<void>(asked.then([=, this, call = std::move(call),
                                promise = std::move(promise)]() mutable {
    auto schedule = std::make_shared<const coll::Schedule>(
        coll::make_schedule_after(*asking->algorithm, call.shape, *answers, asking->parameters));
    Future<void> done = start(team, std::move(call), std::move(schedule), number_after);
    static_cast<void>(done.then([promise = std::move(promise)]() mutable { promise.set_value(); }));
  }));
  return future;
}

Future<void> Collectives::start(const Team& team, CollectiveCall call,
                                std::shared_ptr<const coll::Schedule> schedule,
                                std::uint32_t number) {
  auto* operation =
      new Operation(*this, team.shared_state(), std::move(call), std::move(schedule), number);
  const CollectiveCall& what = operation->call;
  operation->promise.set_reason(
      {fiber::WaitKind::collective, -1,
       what.label != nullptr ? what.label : coll::name_of(what.collective), 0,
       reinterpret_cast<std::uint64_t>(operation->team.get())});
  Future<void> future = operation->promise.future();
  advance(*operation);
  // What the other ranks wait for must not lie here while this rank computes.
  world_.flush();
  return future;
}

void Collectives::barrier(const Team& team) {
  if (barrier_way_ == nullptr || !team.state().is_world) {
    barrier_async(team).get();
  } else if (world_.size() > 1) {
    check_.begin(team.state(), coll::Collective::barrier, nullptr, 0, nullptr);
    (ground_->barrier.*barrier_way_)();
  }
}

bool Collectives::allreduce_element(const Team& team, void* in_out, const coll::ReduceOp& op) {
  if (op.element_bytes > element_most_bytes_ || !team.state().is_world) return false;
  check_.begin(team.state(), coll::Collective::allreduce, &op, 0, nullptr);
  world_.flush();
  native::allreduce_element(ground_->board, static_cast<std::byte*>(in_out), op);
  return true;
}

std::size_t Collectives::find_element_most_bytes() const {
  coll::Shape shape;
  shape.ranks = world_.size();
  shape.count = 1;
  shape.in_place = true;
  shape.reproducible = is_reproducible_;
  const auto goes_over_the_board = [&] {
    const auto choice = policy_.select(coll::Collective::allreduce, shape, {.shared_memory = true});
    return choice.algorithm->medium == coll::Medium::shared_memory;
  };
  while (shape.element_bytes <= Board::line_data_bytes && goes_over_the_board()) {
    ++shape.element_bytes;
  }
  return shape.element_bytes - 1;
}

Collectives::Posted* Collectives::find_posted(const Key& key) {
  const auto found = std::find_if(posted_.begin(), posted_.end(),
                                  [&](const Posted& posted) { return posted.key == key; });
  return found == posted_.end() ? nullptr : &*found;
}

void Collectives::advance(Operation& operation) {
  if (!operation.advance()) return;
  const std::unique_ptr<Operation> finished(&operation);
  finished->promise.set_value();
}

bool Collectives::send(coll::Execution& execution, int peer, std::uint32_t sequence,
                       std::span<const std::byte> bytes) {
  auto& operation = static_cast<Operation&>(execution);
  const int rank = operation.team->ranks[static_cast<std::size_t>(peer)];
  const MessageHeader header{operation.team->id, operation.number, sequence};
  const std::size_t record_bytes = sizeof header + sizeof(std::uint64_t) + bytes.size();
  if (record_bytes + 2 * record_word_bytes <= world_.largest_record_bytes()) {
    world_.send_record(rank, &handle_message, record_bytes, [&](Writer& to) {
      to.write(header);
      to.write(std::uint64_t{bytes.size()});
      to.write_bytes(bytes.data(), bytes.size());
    });
    return true;
  }
  auto* transfer = new BulkTransfer(world_, operation);
  auto fill = [&](Writer& to) { to.write(header); };
  world_.send_bulk(rank, &handle_bulk, sizeof header, FillReference(fill), bytes, transfer);
  return false;
}

bool Collectives::receive(coll::Execution& execution, int peer, std::uint32_t sequence,
                          std::span<std::byte> into) {
  auto& operation = static_cast<Operation&>(execution);
  const Key key{operation.team->id, operation.number, sequence,
                operation.team->ranks[static_cast<std::size_t>(peer)]};
  const auto found = std::find_if(unexpected_.begin(), unexpected_.end(),
                                  [&](const Unexpected& early) { return early.key == key; });
  if (found == unexpected_.end()) {
    posted_.push_back({key, into, &operation});
    return false;
  }
  const Unexpected early = std::move(*found);
  unexpected_.erase(found);
  check_length(key, early.bytes, into.size());
  if (early.is_bulk) {
    accept_bulk(operation, early.bulk_token, into.data());
    return false;
  }
  if (early.bytes != 0) std::memcpy(into.data(), early.data.get(), early.bytes);
  return true;
}

void Collectives::check_length(const Key& key, std::size_t arrived_bytes,
                               std::size_t wanted_bytes) {
  if (arrived_bytes == wanted_bytes) return;
  base::die(fmt::format(
      "collective {} on team {:x}: rank {} sent {} bytes where {} are expected. Remedy: all ranks "
      "of a team must call the same collectives, in the same order, with sizes that fit",
      key.operation, key.team, key.source, arrived_bytes, wanted_bytes));
}

void Collectives::handle_message(World& world, int source, Reader& reader) {
  Collectives& self = world.collectives();
  const auto header = reader.read<MessageHeader>();
  const auto bytes = static_cast<std::size_t>(reader.read<std::uint64_t>());
  const Key key{header.team, header.operation, header.sequence, source};
  Posted* posted = self.find_posted(key);
  if (posted == nullptr) {
    auto data = std::make_unique_for_overwrite<std::byte[]>(bytes);
    reader.read_bytes(data.get(), bytes);
    self.unexpected_.push_back({key, std::move(data), bytes, false, 0});
    return;
  }
  check_length(key, bytes, posted->into.size());
  if (bytes != 0) reader.read_bytes(posted->into.data(), bytes);
  Operation* operation = posted->operation;
  *posted = self.posted_.back();
  self.posted_.pop_back();
  if (operation->transfer_done()) self.advance(*operation);
}

void Collectives::handle_bulk(World& world, int source, Reader& reader) {
  Collectives& self = world.collectives();
  const auto header = reader.read<MessageHeader>();
  const Key key{header.team, header.operation, header.sequence, source};
  const BulkArrival bulk = world.bulk_arrival();
  Posted* posted = self.find_posted(key);
  if (posted == nullptr) {
    self.unexpected_.push_back({key, nullptr, bulk.bytes, true, bulk.token});
    return;
  }
  check_length(key, bulk.bytes, posted->into.size());
  const Posted found = *posted;
  *posted = self.posted_.back();
  self.posted_.pop_back();
  self.accept_bulk(*found.operation, bulk.token, found.into.data());
}

void Collectives::accept_bulk(Operation& operation, std::uint64_t token, std::byte* into) {
  auto* transfer = new BulkTransfer(world_, operation);
  runtime::accept_bulk(world_, token, into, transfer);
}

void Collectives::bulk_done(transport::Completion* self) {
  const std::unique_ptr<BulkTransfer> transfer(static_cast<BulkTransfer*>(self));
  Operation* operation = transfer->operation;
  if (!operation->transfer_done()) return;
  // The transport is in the middle of its work; going on may wait, so the poller does it.
  const AdvanceHeader header{operation};
  auto payload = std::make_unique_for_overwrite<std::byte[]>(sizeof header);
  std::memcpy(payload.get(), &header, sizeof header);
  transfer->world->deliver_later(transfer->world->rank(), &handle_advance, std::move(payload),
                                 sizeof header);
}

void Collectives::handle_advance(World& world, int, Reader& reader) {
  world.collectives().advance(*reader.read<AdvanceHeader>().operation);
}

Future<void> start_collective(const Team& team, CollectiveCall call) {
  return World::current().collectives().start(team, std::move(call));
}

void run_collective(const Team& team, CollectiveCall call) {
  World::current().collectives().run(team, std::move(call));
}

bool allreduce_element(const Team& team, void* in_out, const coll::ReduceOp& op) {
  return World::current().collectives().allreduce_element(team, in_out, op);
}

}  // namespace tasuki::runtime

namespace tasuki {

Future<void> barrier_async(const Team& team) {
  runtime::CollectiveCall call;
  call.collective = coll::Collective::barrier;
  return runtime::start_collective(team, std::move(call));
}

void barrier(const Team& team) {
  runtime::World& world = runtime::World::current();
  world.flush();
  world.fence();
  world.collectives().barrier(team);
}

}  // namespace tasuki
