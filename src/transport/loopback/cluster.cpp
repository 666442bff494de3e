#include "transport/loopback/cluster.hpp"

#include <fmt/format.h>
#include <unistd.h>

#include <algorithm>
#include <tasuki/detail/base/settings.hpp>
#include <tasuki/error.hpp>
#include <utility>

#include "transport/loopback/loopback_transport.hpp"

namespace tasuki::transport {
namespace loopback {
namespace {

/// Polls in a row after which a rank that never waits lets the others run (no seed).
constexpr std::uint64_t polls_per_turn = 32;
/// With a seed: one poll in so many switches.
constexpr std::uint64_t polls_per_random_switch = 8;
/// Fruitless rounds after which waiting ranks sleep instead of turning the processor hot.
constexpr std::uint64_t sleep_after_rounds = 500;
constexpr std::int64_t sleep_most_us = 50;
constexpr std::size_t shared_scratch_bytes = 256 * 1024;
/// When a rank has failed, the others get this many fruitless rounds to end by themselves.
constexpr std::uint64_t rounds_after_failure = 2000;

}  // namespace

struct Cluster::Rank {
  enum class State { fresh, started, ended };

  Rank(Cluster& owner, int number)
      : cluster(owner),
        transport(owner, number),
        context(owner.options_.stack_bytes, &Cluster::enter_rank, this),
        rank_for_messages(number) {}

  Cluster& cluster;
  LoopbackTransport transport;
  Context context;
  State state = State::fresh;
  void* user_state = nullptr;
  int rank_for_messages;
  std::uint64_t polls_in_turn = 0;
};

Cluster::Cluster(const LoopbackOptions& options, LoopbackHooks hooks)
    : options_(options), hooks_(std::move(hooks)), random_(options.seed) {
  if (options.rank_count < 1) {
    throw error("starting the loopback transport",
                fmt::format("{} ranks were asked for", options.rank_count),
                "ask for at least 1 (TASUKI_LOOPBACK_RANKS)");
  }
  if (options_.maps_peers) scratch_.resize(shared_scratch_bytes);
  inboxes_.resize(static_cast<std::size_t>(options.rank_count));
  for (int rank = 0; rank < options.rank_count; ++rank) {
    ranks_.push_back(std::make_unique<Rank>(*this, rank));
  }
}

Cluster::~Cluster() = default;

LoopbackTransport& Cluster::transport(int rank) noexcept {
  return ranks_[static_cast<std::size_t>(rank)]->transport;
}

void Cluster::run(const std::function<void(Transport&)>& body) {
  body_ = &body;
  main_rank_for_messages_ = base::rank_for_messages();
  if (hooks_.save_current) main_state_ = hooks_.save_current();
  leave_for(-1, 0);
  if (failure_) std::rethrow_exception(std::exchange(failure_, nullptr));
  check_delivered();
}

void Cluster::enter_rank(void* argument) {
  Rank& rank = *static_cast<Rank*>(argument);
  Cluster& cluster = rank.cluster;
  try {
    (*cluster.body_)(rank.transport);
  } catch (...) {
    if (!cluster.failure_) cluster.failure_ = std::current_exception();
  }
  rank.state = Rank::State::ended;
  cluster.note_activity();
  const int number = rank.transport.rank();
  cluster.leave_for(number, cluster.next_after(number));
}

void Cluster::tick(int rank) {
  ++ticks_;
  Rank& self = *ranks_[static_cast<std::size_t>(rank)];
  const bool turn_over = options_.seed != 0 ? random_.one_in(polls_per_random_switch)
                                            : ++self.polls_in_turn >= polls_per_turn;
  if (turn_over) switch_from(rank);
}

void Cluster::wait(int rank, std::int64_t most_us) {
  ++ticks_;
  const std::uint64_t round = ++fruitless_waits_ / ranks_.size();
  if (failure_ && round >= rounds_after_failure) leave_for(rank, -1);
  if (round >= options_.stalled_after_rounds) handle_stall();
  const bool ends_round = fruitless_waits_ % ranks_.size() == 0;
  if (round >= sleep_after_rounds && ends_round && !failure_) {
    ::usleep(static_cast<useconds_t>(std::clamp<std::int64_t>(most_us, 0, sleep_most_us)));
  }
  switch_from(rank);
}

void Cluster::handle_stall() {
  fruitless_waits_ = 0;
  if (hooks_.stalled) return hooks_.stalled();
  throw error("waiting in loopback", "all ranks wait and no message is under way",
              "look for a call or a collective that some rank never makes");
}

void Cluster::switch_from(int rank) {
  const int next = next_after(rank);
  if (next >= 0) leave_for(rank, next);
}

/// Another rank that has not ended, or -1: by lot with a seed, else the next in order.
int Cluster::next_after(int rank) noexcept {
  const int count = options_.rank_count;
  int candidate = rank;
  int skip = 0;
  if (options_.seed != 0 && count > 1) {
    skip = static_cast<int>(random_.below(static_cast<std::uint64_t>(count - 1)));
  }
  for (int step = 1; step < count; ++step) {
    candidate = (rank + 1 + (skip + step - 1) % (count - 1)) % count;
    if (ranks_[static_cast<std::size_t>(candidate)]->state != Rank::State::ended) return candidate;
  }
  return -1;
}

/// Switches between ranks; -1 stands for the caller of `run`.
void Cluster::leave_for(int rank, int next) {
  Context* from = &main_context_;
  if (rank >= 0) {
    Rank& left = *ranks_[static_cast<std::size_t>(rank)];
    left.polls_in_turn = 0;
    left.rank_for_messages = base::rank_for_messages();
    if (hooks_.save_current) left.user_state = hooks_.save_current();
    from = &left.context;
  }
  Context* to = &main_context_;
  void* state = main_state_;
  int messages_rank = main_rank_for_messages_;
  if (next >= 0) {
    Rank& entered = *ranks_[static_cast<std::size_t>(next)];
    entered.state = Rank::State::started;
    state = entered.user_state;
    messages_rank = entered.rank_for_messages;
    to = &entered.context;
  }
  base::set_rank_for_messages(messages_rank);
  if (hooks_.restore_current) hooks_.restore_current(state);
  Context::switch_to(*from, *to);
}

void Cluster::check_delivered() const {
  for (std::size_t destination = 0; destination < inboxes_.size(); ++destination) {
    for (const auto& [source, channel] : inboxes_[destination]) {
      if (channel.packets.empty()) continue;
      throw error("stopping loopback",
                  fmt::format("{} messages from rank {} to rank {} were never received",
                              channel.packets.size(), source, destination),
                  "receive all messages before the ranks end");
    }
  }
}

}  // namespace loopback

LoopbackOptions LoopbackOptions::with_seed(int rank_count, std::uint64_t seed) {
  LoopbackOptions options;
  options.rank_count = rank_count;
  options.seed = seed;
  if (seed == 0) return options;
  options.maps_peers = seed % 2 == 0;
  loopback::Random random(~seed);
  options.message_max_bytes = 4096u << random.below(3);
  if (seed % 3 == 0) {
    options.channel_bytes = options.message_max_bytes + random.below(2 * options.message_max_bytes);
  }
  return options;
}

LoopbackOptions LoopbackOptions::from_settings() {
  namespace setting = base::setting;
  LoopbackOptions options = with_seed(static_cast<int>(setting::loopback_ranks.integer()),
                                      static_cast<std::uint64_t>(setting::loopback_seed.integer()));
  options.heap_reserve_bytes = static_cast<std::size_t>(setting::heap_max_bytes.integer());
  return options;
}

LoopbackCluster::LoopbackCluster(const LoopbackOptions& options, LoopbackHooks hooks)
    : cluster_(std::make_unique<loopback::Cluster>(options, std::move(hooks))) {}

LoopbackCluster::~LoopbackCluster() = default;

void LoopbackCluster::run(const std::function<void(Transport&)>& body) { cluster_->run(body); }

}  // namespace tasuki::transport
