#include "transport/mpi/mpi_transport.hpp"

#include <dlfcn.h>
#include <unistd.h>
#include <tasuki/detail/base/clock.hpp>
#include <tasuki/detail/base/settings.hpp>
#include <tasuki/detail/transport/vanished_hosts.hpp>
#include <tasuki/error.hpp>

#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <memory>
#include <optional>
#include <vector>

#include "base/early_exit.hpp"
#include "base/exit_record.hpp"
#include "base/read_output.hpp"
#include "transport/accounted.hpp"
#include "transport/mpi/endpoint.hpp"
#include "transport/mpi/library.hpp"
#include "transport/mpi/operations_over_mpi.hpp"
#include "transport/network_arrivals.hpp"
#include "transport/node_exchange.hpp"
#include "transport/own_memory.hpp"
#include "transport/watch/host_watch.hpp"

namespace tasuki::transport::mpi {
namespace {

JobExchange exchange_over(const Functions& functions, const Job& job) {
  static constexpr const char* operation = "starting the mpi transport";
  return {job.rank, job.size, operation, "MPI", [&](const void* own, std::size_t bytes, void* all) {
            check(functions, functions.allgather(job.communicator, own, bytes, all), operation);
          }};
}

/// Ranks of the own node, this one included, are reached through `node_` if there is one.
class MpiTransport final : public Transport, public Accounted {
 public:
  MpiTransport(const Functions& functions, const void* user_communicator)
      : functions_(functions), user_communicator_(user_communicator) {}

  void start() override;
  void stop() noexcept override;
  [[noreturn]] void abort_job(int exit_code) noexcept override;

  const char* name() const noexcept override { return "mpi"; }
  std::vector<base::MemoryUse> memory_uses() const override {
    return network_memory_uses(lanes_.size(), *this, endpoint_->memory_uses(), node_.get());
  }

 private:
  void connect(const std::vector<Introduction>& all);
  void set_capabilities(bool any_is_remote);
  /// What base::guard_exit calls.
  static void leave_early(void* self, int exit_code);

  const Functions& functions_;
  const void* user_communicator_;
  Job job_;
  watch::HostWatch host_watch_;
  std::unique_ptr<shm::ShmNode> node_;
  std::optional<OwnMemory> own_memory_;  ///< If there is no node.
  std::optional<Endpoint> endpoint_;
  std::optional<MixedArrivals> mixed_arrivals_;  ///< If ranks are reached both ways.
  std::optional<OperationsOverMpi> mpi_;
};

void MpiTransport::start() {
  check(functions_, functions_.start(user_communicator_, base::setting::mpi_threads.flag(), &job_),
        "starting the mpi transport");
  check_launcher(functions_, job_);
  rank_ = job_.rank;
  base::set_rank_for_messages(rank_);
  if (job_.is_simulated) {
    base::job_clock_ns = functions_.now_ns;
    connect(introduce(exchange_over(functions_, job_)));
    return;
  }
  base::join_exit_record(rank_);
  const std::vector<Introduction> all = introduce(exchange_over(functions_, job_));
  host_watch_.start(exchange_over(functions_, job_), all);
  connect(all);
  base::guard_exit(rank_, &leave_early, this, ::dlsym(RTLD_DEFAULT, "MPI_Abort"));
}

void MpiTransport::connect(const std::vector<Introduction>& all) {
  nodes_ = node_numbers_of(all);
  node_groups_ = node_groups_of(all);
  std::optional<shm::ShmNode::Place> place;
  if (!job_.is_simulated) place = share_node_memory(exchange_over(functions_, job_), all);
  if (place) {
    node_ = std::make_unique<shm::ShmNode>(std::move(*place), counters_);
    node_->start();
    capabilities_ = node_->capabilities();
    memory_ = node_.get();
  } else {
    // Without memory of the node nobody knows the cores that the others are bound to.
    const auto is_here = [&](const Introduction& other) {
      return other.node == all[static_cast<std::size_t>(rank_)].node;
    };
    capabilities_.shares_cores =
        std::count_if(all.begin(), all.end(), is_here) > ::sysconf(_SC_NPROCESSORS_ONLN);
    own_memory_.emplace(rank_, static_cast<std::size_t>(base::setting::heap_max_bytes.integer()));
    memory_ = &*own_memory_;
  }
  endpoint_.emplace(functions_, job_, capabilities_.shares_cores, counters_);
  std::vector<bool> is_remote;
  for (int rank = 0; rank < job_.size; ++rank) {
    Lane* const within_node = node_ ? node_->lane(rank) : nullptr;
    is_remote.push_back(within_node == nullptr);
    lanes_.push_back(within_node != nullptr ? within_node : &endpoint_->lane(rank));
  }
  const bool any_is_remote = std::count(is_remote.begin(), is_remote.end(), true) != 0;
  if (node_ && any_is_remote)
    arrivals_ = &mixed_arrivals_.emplace(*node_, *endpoint_);
  else if (node_)
    arrivals_ = node_.get();
  else
    arrivals_ = &*endpoint_;
  set_capabilities(any_is_remote);
  // In simulation a rank without work waits inside MPI for messages of the endpoint, and would not
  // see these.
  if (job_.is_simulated) return;
  const bool yields = functions_.yields_in_tests();
  mpi_operations_ = &mpi_.emplace(functions_, job_, std::move(is_remote), yields, counters_);
}

/// Those of the endpoint, within what the node can do if there is one.
void MpiTransport::set_capabilities(bool any_is_remote) {
  Capabilities& can = capabilities_;
  const auto limit = [&](std::size_t& bytes, std::size_t most_bytes) {
    bytes = node_ ? std::min(bytes, most_bytes) : most_bytes;
  };
  limit(can.message_max_bytes, Endpoint::message_max_bytes);
  limit(can.bulk_header_max_bytes, Endpoint::bulk_header_max_bytes);
  can.message_best_bytes =
      any_is_remote ? std::min(Endpoint::message_max_bytes, job_.best_bytes - sizeof(FrameHeader))
                    : can.message_max_bytes;
  can.bulk_least_bytes = job_.bulk_least_bytes;
  can.posted_least_bytes = job_.posted_least_bytes;
  can.posted_most_bytes = piece_most_bytes;
  can.peers_need_calls = job_.is_simulated;
}

void MpiTransport::stop() noexcept {
  base::allow_exit();
  try {
    endpoint_->drain();
  } catch (const error& failure) {
    base::report(failure.what());
    abort_job(EXIT_FAILURE);
  }
  if (node_) node_->stop();
  endpoint_.reset();
  functions_.stop(&job_);
  host_watch_.finish();
  base::record_exit(0);
}

void MpiTransport::leave_early(void* self, int exit_code) {
  auto& it = *static_cast<MpiTransport*>(self);
  if (exit_code == 0) it.abort_job(EXIT_FAILURE);
  // The launcher sees this one itself. It may be MPI that leaves, so MPI is not asked again.
  if (it.node_) it.node_->announce_abort(exit_code);
}

void MpiTransport::abort_job(int exit_code) noexcept {
  base::allow_exit();
  base::record_exit(exit_code);
  std::fflush(nullptr);
  // Else launchers print what they say of the end amid what this rank has said, or lose that.
  for (const int descriptor : {STDOUT_FILENO, STDERR_FILENO}) base::await_reader(descriptor);
  if (node_) node_->announce_abort(exit_code);
  // An MPI would try to tell the vanished. That a rank has ended is enough for its launcher.
  if (vanished_hosts() == nullptr) functions_.abort(&job_, exit_code);
  std::_Exit(exit_code);
}

std::unique_ptr<Transport> open_mpi() { return open_mpi_transport(nullptr); }

}  // namespace

const Descriptor& mpi_descriptor() {
  static constexpr Descriptor descriptor{
      "mpi", "Any MPI between nodes, shared memory between the ranks of a node.",
      library_unavailable_because, open_mpi};
  return descriptor;
}

}  // namespace tasuki::transport::mpi

namespace tasuki::transport {

std::unique_ptr<Transport> open_mpi_transport(const void* communicator) {
  return std::make_unique<mpi::MpiTransport>(mpi::load_library(), communicator);
}

}  // namespace tasuki::transport
