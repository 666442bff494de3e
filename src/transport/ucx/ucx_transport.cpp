#include "transport/ucx/ucx_transport.hpp"

#include <unistd.h>

#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <limits>
#include <memory>
#include <optional>
#include <tasuki/detail/base/exit_code.hpp>
#include <tasuki/detail/base/launcher_settings.hpp>
#include <tasuki/detail/base/settings.hpp>
#include <tasuki/detail/transport/vanished_hosts.hpp>
#include <tasuki/error.hpp>
#include <vector>

#include "base/early_exit.hpp"
#include "base/started_processes.hpp"
#include "transport/accounted.hpp"
#include "transport/network_arrivals.hpp"
#include "transport/node_exchange.hpp"
#include "transport/own_memory.hpp"
#include "transport/ucx/endpoint.hpp"
#include "transport/ucx/launcher_wireup.hpp"
#include "transport/watch/host_watch.hpp"

namespace tasuki::transport::ucx {
namespace {

constexpr std::size_t bulk_least_bytes = 12288;
constexpr std::size_t posted_least_bytes = 12288;

JobExchange exchange_over(Wireup& wireup) {
  return {
      wireup.rank(), wireup.size(), starting, "UCX",
      [&](const void* own, std::size_t bytes, void* all) {
        wireup.allgather({static_cast<const std::byte*>(own), bytes}, static_cast<std::byte*>(all));
      }};
}

/// Ranks of the own node, this one included, are reached through `node_` if there is one.
class UcxTransport final : public Transport, public Accounted {
 public:
  void start() override;
  void stop() noexcept override;
  [[noreturn]] void abort_job(int exit_code) noexcept override;

  const char* name() const noexcept override { return "ucx"; }
  std::vector<base::MemoryUse> memory_uses() const override {
    return network_memory_uses(lanes_.size(), *this, endpoint_->memory_uses(), node_.get());
  }

 private:
  void join_node(const std::vector<Introduction>& all);
  void connect();
  void set_capabilities(bool any_is_remote);
  void drain();
  /// Does what all ranks take part in. A host that vanishes meanwhile ends the rank as it does
  /// later.
  template <class Work>
  void with_all_hosts(Work work);
  /// What base::guard_exit calls.
  static void leave_early(void* self, int exit_code);

  std::unique_ptr<Wireup> wireup_;
  watch::HostWatch host_watch_;
  std::unique_ptr<shm::ShmNode> node_;
  std::optional<OwnMemory> own_memory_;  ///< If there is no node.
  std::optional<Endpoint> endpoint_;
  std::optional<MixedArrivals> mixed_arrivals_;  ///< If ranks are reached both ways.
};

void UcxTransport::start() {
  wireup_ = std::make_unique<LauncherWireup>();
  rank_ = wireup_->rank();
  base::set_rank_for_messages(rank_);
  const std::vector<Introduction> all = introduce(exchange_over(*wireup_));
  host_watch_.start(exchange_over(*wireup_), all);
  with_all_hosts([&] {
    join_node(all);
    endpoint_.emplace(rank_, wireup_->size(), capabilities_.shares_cores, counters_);
    endpoint_->connect(*wireup_);
    wireup_->publish(endpoint_->address());
    connect();
    wireup_->sum({0, 0}, nullptr);  // From here on every rank can be asked for its address.
  });
  wireup_->lift_time_limit();
  base::guard_exit(rank_, &leave_early, this, nullptr);
}

template <class Work>
void UcxTransport::with_all_hosts(Work work) {
  try {
    work();
  } catch (const error& failure) {
    if (vanished_hosts() == nullptr) throw;
    base::report(failure.what());
    abort_job(base::exit_code::host_vanished);
  }
}

void UcxTransport::join_node(const std::vector<Introduction>& all) {
  nodes_ = node_numbers_of(all);
  node_groups_ = node_groups_of(all);
  if (auto place = share_node_memory(exchange_over(*wireup_), all)) {
    node_ = std::make_unique<shm::ShmNode>(std::move(*place), counters_);
    node_->start();
    capabilities_ = node_->capabilities();
    memory_ = node_.get();
    return;
  }
  // Without memory of the node nobody knows the cores that the others are bound to.
  const auto is_here = [&](const Introduction& other) {
    return other.node == all[static_cast<std::size_t>(rank_)].node;
  };
  capabilities_.shares_cores =
      std::count_if(all.begin(), all.end(), is_here) > ::sysconf(_SC_NPROCESSORS_ONLN);
  own_memory_.emplace(rank_, static_cast<std::size_t>(base::setting::heap_max_bytes.integer()));
  memory_ = &*own_memory_;
}

void UcxTransport::connect() {
  bool any_is_remote = false;
  for (int rank = 0; rank < wireup_->size(); ++rank) {
    Lane* const within_node = node_ ? node_->lane(rank) : nullptr;
    any_is_remote |= within_node == nullptr;
    lanes_.push_back(within_node != nullptr ? within_node : &endpoint_->lane(rank));
  }
  if (node_ && any_is_remote)
    arrivals_ = &mixed_arrivals_.emplace(*node_, *endpoint_);
  else if (node_)
    arrivals_ = node_.get();
  else
    arrivals_ = &*endpoint_;
  set_capabilities(any_is_remote);
}

/// Those of the endpoint, within what the node can do if there is one.
void UcxTransport::set_capabilities(bool any_is_remote) {
  Capabilities& can = capabilities_;
  const auto limit = [&](std::size_t& bytes, std::size_t most_bytes) {
    bytes = node_ ? std::min(bytes, most_bytes) : most_bytes;
  };
  limit(can.message_max_bytes, message_max_bytes);
  limit(can.bulk_header_max_bytes, bulk_header_max_bytes);
  can.message_best_bytes = any_is_remote ? message_max_bytes : can.message_max_bytes;
  can.bulk_least_bytes = bulk_least_bytes;
  can.posted_least_bytes = posted_least_bytes;
  can.posted_most_bytes = std::numeric_limits<std::size_t>::max();
}

void UcxTransport::stop() noexcept {
  base::allow_exit();
  try {
    with_all_hosts([&] { drain(); });
  } catch (const error& failure) {
    base::report(failure.what());
    abort_job(EXIT_FAILURE);
  }
  if (node_) node_->stop();
  wireup_->finish();
  endpoint_.reset();
  host_watch_.finish();
}

/// Waits until all frames have come where they were sent, so that none is left in UCX. While this
/// rank waits for the sums of a round, what it has sent gets on, as another rank may need it to
/// come here; it sends nothing new, which the round would not count.
void UcxTransport::drain() {
  for (;;) {
    endpoint_->progress();
    const Endpoint::Traffic own = endpoint_->traffic();
    const auto [sent, taken] =
        wireup_->sum({own.sent, own.taken}, [&] { endpoint_->advance_in_leaving(); });
    if (sent == taken) return;
  }
}

void UcxTransport::leave_early(void* self, int exit_code) {
  auto& it = *static_cast<UcxTransport*>(self);
  if (exit_code == 0) it.abort_job(EXIT_FAILURE);
  if (it.node_) it.node_->announce_abort(exit_code);
}

/// The launcher sees that the rank has ended, and ends the others.
void UcxTransport::abort_job(int exit_code) noexcept {
  base::allow_exit();
  std::fflush(nullptr);
  if (node_) node_->announce_abort(exit_code);
  std::_Exit(exit_code);
}

}  // namespace

std::unique_ptr<Transport> open_ucx_transport() {
  const char* const operation = "opening the transport";
  const char* const remedy =
      "use tasuki run --transport ucx, with --hosts for several, or leave TASUKI_TRANSPORT unset";
  if (const auto started = base::started_processes()) {
    refuse_unjoined(*started, operation,
                    describe(*started) + ", whom without MPI only tasuki run joins over UCX",
                    remedy);
  }
  if (!base::setting::wireup.is_set()) {
    throw error(operation, "over UCX this process finds no others, as no tasuki run has started it",
                remedy);
  }
  return std::make_unique<UcxTransport>();
}

}  // namespace tasuki::transport::ucx
