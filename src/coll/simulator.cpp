#include <tasuki/detail/coll/simulator.hpp>

#include <fmt/format.h>
#include <tasuki/error.hpp>

#include <algorithm>
#include <limits>
#include <queue>
#include <tuple>
#include <utility>

namespace tasuki::coll {
namespace {

/// A message on its way.
struct Message {
  std::uint32_t to = 0;
  std::uint32_t receive_index = 0;  ///< In the receiver's receives.
  double wire_ns = 0;               ///< From its first to its last byte.
  std::uint32_t from_group = 0;
};

enum class EventKind : std::uint8_t {
  begin_round,
  leave,        ///< The first byte of a rank's next message wants to leave.
  leave_group,  ///< The first byte of the message wants to leave its sender's group of nodes.
  enter_group,  ///< It wants to enter its receiver's group.
  reach_node,   ///< It comes to the link of its receiver's node.
  arrive,       ///< The last byte of the message is there.
  work,         ///< A rank begins the next local step of its round.
};

struct Event {
  double time_ns = 0;
  EventKind kind = EventKind::begin_round;
  Message message;          ///< For what concerns one rank alone, only `to`.
  std::uint64_t order = 0;  ///< Of making, which decides between events at the same time.

  bool operator>(const Event& other) const {
    return std::tie(time_ns, order) > std::tie(other.time_ns, other.order);
  }
};

struct Receive {
  int peer = 0;
  std::uint32_t sequence = 0;
  std::uint32_t round = 0;
};

/// A message that came before its round.
struct Early {
  double arrival_ns = 0;
  std::uint32_t receive_index = 0;
};

struct Rank {
  std::vector<Receive> receives;  ///< By peer and sequence.
  std::vector<Early> early;
  std::size_t round = 0;
  std::size_t pending_count = 0;  ///< Of the round, what has not left or was not taken in yet.
  std::size_t next_send = 0;      ///< Of the round, as the next one.
  std::size_t next_local = 0;
  bool in_round = false;
  double clock_ns = 0;       ///< When its processor is free.
  double send_clock_ns = 0;  ///< When it had handed over the message before `next_send`.
  double out_ready_ns = 0;   ///< When the next first byte may leave.
  double in_ready_ns = 0;    ///< When the next message may be taken in.
  double sent_ns = 0;        ///< When the last byte of all that it sent had left.
};

/// When the two directions of a node's link are free, and its memory.
struct Node {
  double in_free_ns = 0;
  double out_free_ns = 0;
  double memory_free_ns = 0;
};

/// When the two directions are free of what joins a group of nodes to others.
struct Group {
  double in_free_ns = 0;
  double out_free_ns = 0;
};

constexpr const char* operation = "simulating a collective";
constexpr const char* remedy = "give the schedules of all ranks of one collective";

class Simulator {
 public:
  Simulator(std::span<const Schedule> schedules, std::size_t element_bytes, const Network& network)
      : schedules_(schedules),
        element_bytes_(element_bytes),
        network_(network),
        ranks_(schedules.size()),
        nodes_(node_of(schedules.size()) + 1),
        groups_(group_of(schedules.size()) + 1) {
    for (std::uint32_t rank = 0; rank < ranks_.size(); ++rank) {
      index_receives(rank);
      push(0, EventKind::begin_round, {rank});
    }
  }

  Simulation run() {
    while (!events_.empty()) {
      const Event event = events_.top();
      events_.pop();
      handle(event);
    }
    for (std::size_t rank = 0; rank < ranks_.size(); ++rank) {
      if (ranks_[rank].round == schedules_[rank].rounds.size()) continue;
      throw error(operation,
                  fmt::format("rank {} waits for ever in round {}", rank, ranks_[rank].round),
                  remedy);
    }
    return std::move(result_);
  }

 private:
  void handle(const Event& event) {
    switch (event.kind) {
      case EventKind::begin_round:
        return begin_round(event.message.to);
      case EventKind::leave:
        return leave(event.message.to, event.time_ns);
      case EventKind::leave_group:
        return leave_group(event.time_ns, event.message);
      case EventKind::enter_group:
        return enter_group(event.time_ns, event.message);
      case EventKind::reach_node:
        return reach_node(event.time_ns, event.message);
      case EventKind::arrive:
        return arrive(event.time_ns, event.message);
      case EventKind::work:
        return work(event.message.to);
    }
  }

  void push(double time_ns, EventKind kind, const Message& message) {
    events_.push({time_ns, kind, message, next_order_++});
  }

  void index_receives(std::size_t rank) {
    auto& receives = ranks_[rank].receives;
    const Schedule& schedule = schedules_[rank];
    for (std::uint32_t round = 0; round < schedule.rounds.size(); ++round) {
      for (const Transfer& receive : schedule.round(round).receives) {
        receives.push_back({receive.peer, receive.sequence, round});
      }
    }
    std::sort(receives.begin(), receives.end(), [](const Receive& a, const Receive& b) {
      return std::tie(a.peer, a.sequence) < std::tie(b.peer, b.sequence);
    });
  }

  std::uint32_t find_receive(std::size_t from, const Transfer& send) const {
    const auto& receives = ranks_[static_cast<std::size_t>(send.peer)].receives;
    const auto wanted = std::pair(static_cast<int>(from), send.sequence);
    const auto found = std::lower_bound(
        receives.begin(), receives.end(), wanted,
        [](const Receive& a, const auto& b) { return std::pair(a.peer, a.sequence) < b; });
    if (found == receives.end() || std::pair(found->peer, found->sequence) != wanted) {
      throw error(operation,
                  fmt::format("rank {} does not receive message {} of rank {}", send.peer,
                              send.sequence, from),
                  remedy);
    }
    return static_cast<std::uint32_t>(found - receives.begin());
  }

  std::size_t node_of(std::size_t rank) const {
    return rank / static_cast<std::size_t>(network_.ranks_per_node);
  }
  std::size_t group_of(std::size_t rank) const {
    if (network_.nodes_per_group == 0) return 0;
    return node_of(rank) / static_cast<std::size_t>(network_.nodes_per_group);
  }
  const LogGP& between(std::size_t a, std::size_t b) const {
    if (node_of(a) == node_of(b)) return network_.node;
    return group_of(a) == group_of(b) ? network_.link : network_.far;
  }

  SimulatedRound& totals(std::size_t round) {
    if (round == result_.rounds.size()) {
      result_.rounds.push_back({std::numeric_limits<double>::infinity()});
    }
    return result_.rounds[round];
  }

  void begin_round(std::size_t index) {
    Rank& rank = ranks_[index];
    if (rank.round == schedules_[index].rounds.size()) {
      result_.end_ns = std::max(result_.end_ns, rank.clock_ns);
      return;
    }
    SimulatedRound& total = totals(rank.round);
    total.begin_ns = std::min(total.begin_ns, rank.clock_ns);
    const RoundView round = schedules_[index].round(rank.round);
    rank.pending_count = round.sends.size() + round.receives.size();
    rank.in_round = true;
    rank.next_send = 0;
    rank.send_clock_ns = rank.clock_ns;
    for (const Transfer& transfer : round.sends) {
      rank.clock_ns += between(index, static_cast<std::size_t>(transfer.peer)).overhead_ns;
    }
    send_next(index);
    take_early(index);
    end_round_if_complete(index);
  }

  /// What ranks share is given to them in the order of simulated time, so each message waits in
  /// `events_` until it wants to leave. Where they share nothing that would only take longer.
  void send_next(std::size_t index) {
    Rank& rank = ranks_[index];
    const auto sends = schedules_[index].round(rank.round).sends;
    while (rank.next_send < sends.size()) {
      const auto to = static_cast<std::size_t>(sends[rank.next_send].peer);
      rank.send_clock_ns += between(index, to).overhead_ns;
      const double first_ns = std::max(rank.send_clock_ns, rank.out_ready_ns);
      if (network_.contention) {
        return push(first_ns, EventKind::leave, {static_cast<std::uint32_t>(index)});
      }
      send(index, first_ns);
    }
  }

  void leave(std::size_t index, double time_ns) {
    send(index, time_ns);
    send_next(index);
    end_round_if_complete(index);
  }

  /// The rank's next message, whose first byte wants to leave then.
  void send(std::size_t from, double first_ns) {
    Rank& rank = ranks_[from];
    const auto round = schedules_[from].round(rank.round);
    const Transfer& transfer = round.sends[rank.next_send];
    const auto to = static_cast<std::size_t>(transfer.peer);
    const std::size_t bytes = transfer.slice.count * element_bytes_;
    const LogGP& costs = between(from, to);
    const bool is_within_node = node_of(from) == node_of(to);
    const bool shares_links = network_.contention && !is_within_node;
    Node& node = nodes_[node_of(from)];

    const double wire_ns = wire(bytes, costs);
    if (shares_links) first_ns = std::max(first_ns, node.out_free_ns);
    double last_ns = first_ns + wire_ns;
    if (shares_links) node.out_free_ns = last_ns;
    if (is_within_node) last_ns = through_memory(from, first_ns, last_ns, bytes);
    rank.out_ready_ns = last_ns + costs.gap_ns;
    rank.sent_ns = std::max(rank.sent_ns, last_ns);

    const Message message{static_cast<std::uint32_t>(to), find_receive(from, transfer), wire_ns,
                          static_cast<std::uint32_t>(group_of(from))};
    if (shares_links && group_of(from) != group_of(to)) {
      push(first_ns, EventKind::leave_group, message);
    } else if (shares_links) {
      push(first_ns + costs.latency_ns, EventKind::reach_node, message);
    } else {
      push(last_ns + costs.latency_ns, EventKind::arrive, message);
    }
    SimulatedRound& total = result_.rounds[rank.round];
    ++total.messages_count;
    total.sent_bytes += bytes;
    ++rank.next_send;
    --rank.pending_count;
  }

  static double wire(std::size_t bytes, const LogGP& costs) {
    return bytes < 2 ? 0 : static_cast<double>(bytes - 1) * costs.gap_ns_per_byte;
  }

  /// How long a message keeps what joins a group to others.
  double group_ns(const Message& message) const {
    return message.wire_ns * network_.taper / network_.nodes_per_group;
  }

  void leave_group(double time_ns, const Message& message) {
    double& free_ns = groups_[message.from_group].out_free_ns;
    const double first_ns = std::max(free_ns, time_ns);
    free_ns = first_ns + group_ns(message);
    push(first_ns, EventKind::enter_group, message);
  }

  void enter_group(double time_ns, Message message) {
    double& free_ns = groups_[group_of(message.to)].in_free_ns;
    const double first_ns = std::max(free_ns, time_ns);
    const double through_ns = group_ns(message);
    free_ns = first_ns + through_ns;
    message.wire_ns = std::max(message.wire_ns, through_ns);
    push(first_ns + network_.far.latency_ns, EventKind::reach_node, message);
  }

  void reach_node(double time_ns, const Message& message) {
    Node& node = nodes_[node_of(message.to)];
    node.in_free_ns = std::max(node.in_free_ns, time_ns) + message.wire_ns;
    push(node.in_free_ns, EventKind::arrive, message);
  }

  /// When a rank is through with bytes that it moves in the memory of its node from `begin_ns` on.
  /// Alone it would be at `alone_ns`.
  double through_memory(std::size_t rank, double begin_ns, double alone_ns, std::size_t bytes) {
    if (!network_.contention) return alone_ns;
    double& free_ns = nodes_[node_of(rank)].memory_free_ns;
    free_ns =
        std::max(free_ns, begin_ns) + static_cast<double>(bytes) * network_.memory_ns_per_byte;
    return std::max(alone_ns, free_ns);
  }

  void arrive(double time_ns, const Message& message) {
    Rank& rank = ranks_[message.to];
    const Receive& receive = rank.receives[message.receive_index];
    if (!rank.in_round || receive.round != rank.round) {
      rank.early.push_back({time_ns, message.receive_index});
      return;
    }
    take(message.to, receive, time_ns);
    end_round_if_complete(message.to);
  }

  /// Takes in what came before the round began, in the order in which it came.
  void take_early(std::size_t index) {
    Rank& rank = ranks_[index];
    const auto belongs = [&](const Early& early) {
      return rank.receives[early.receive_index].round == rank.round;
    };
    for (const Early& early : rank.early) {
      if (belongs(early)) take(index, rank.receives[early.receive_index], early.arrival_ns);
    }
    std::erase_if(rank.early, belongs);
  }

  void take(std::size_t index, const Receive& receive, double arrival_ns) {
    Rank& rank = ranks_[index];
    const LogGP& costs = between(index, static_cast<std::size_t>(receive.peer));
    const double begin_ns = std::max({rank.clock_ns, rank.in_ready_ns, arrival_ns});
    rank.in_ready_ns = begin_ns + costs.gap_ns;
    rank.clock_ns = begin_ns + costs.overhead_ns;
    --rank.pending_count;
  }

  void end_round_if_complete(std::size_t index) {
    Rank& rank = ranks_[index];
    if (rank.pending_count != 0) return;
    rank.clock_ns = std::max(rank.clock_ns, rank.sent_ns);
    rank.next_local = 0;
    work_next(index);
  }

  /// As `send_next`, of local steps.
  void work_next(std::size_t index) {
    Rank& rank = ranks_[index];
    const auto locals = schedules_[index].round(rank.round).locals;
    while (rank.next_local < locals.size()) {
      if (network_.contention) {
        return push(rank.clock_ns, EventKind::work, {static_cast<std::uint32_t>(index)});
      }
      do_local_step(index);
    }
    end_round(index);
  }

  void work(std::size_t index) {
    do_local_step(index);
    work_next(index);
  }

  void do_local_step(std::size_t index) {
    Rank& rank = ranks_[index];
    const auto round = schedules_[index].round(rank.round);
    const LocalStep& step = round.locals[rank.next_local++];
    const double alone_ns = rank.clock_ns + local_ns(step);
    rank.clock_ns = through_memory(index, rank.clock_ns, alone_ns, step.count * element_bytes_);
  }

  void end_round(std::size_t index) {
    Rank& rank = ranks_[index];
    SimulatedRound& total = result_.rounds[rank.round];
    total.end_ns = std::max(total.end_ns, rank.clock_ns);
    rank.in_round = false;
    ++rank.round;
    push(rank.clock_ns, EventKind::begin_round, {static_cast<std::uint32_t>(index)});
  }

  double local_ns(const LocalStep& step) const {
    const auto bytes = static_cast<double>(step.count * element_bytes_);
    const bool copies = step.kind == LocalKind::copy;
    return bytes * (copies ? network_.copy_ns_per_byte : network_.reduce_ns_per_byte);
  }

  std::span<const Schedule> schedules_;
  std::size_t element_bytes_;
  const Network& network_;
  std::vector<Rank> ranks_;
  std::vector<Node> nodes_;
  std::vector<Group> groups_;
  std::priority_queue<Event, std::vector<Event>, std::greater<>> events_;
  std::uint64_t next_order_ = 0;
  Simulation result_;
};

}  // namespace

Simulation simulate(std::span<const Schedule> schedules, std::size_t element_bytes,
                    const Network& network) {
  if (network.ranks_per_node < 1) {
    throw error(operation, fmt::format("{} ranks on a node", network.ranks_per_node),
                "give at least 1 rank per node");
  }
  if (network.nodes_per_group < 0) {
    throw error(operation, fmt::format("{} nodes in a group", network.nodes_per_group),
                "give at least 1 node per group, or 0 for no groups");
  }
  Simulation result = Simulator(schedules, element_bytes, network).run();
  for (const SimulatedRound& round : result.rounds) {
    result.messages_count += round.messages_count;
    result.sent_bytes += round.sent_bytes;
  }
  return result;
}

}  // namespace tasuki::coll
