#include "transport/mpi/mpi_transport.hpp"

#include <dlfcn.h>
#include <sched.h>
#include <unistd.h>
#include <tasuki/detail/base/clock.hpp>
#include <tasuki/detail/base/settings.hpp>
#include <tasuki/detail/transport/mpi.hpp>
#include <tasuki/error.hpp>

#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <memory>
#include <optional>
#include <vector>

#include "base/early_exit.hpp"
#include "base/exit_record.hpp"
#include "transport/mpi/endpoint.hpp"
#include "transport/mpi/library.hpp"
#include "transport/mpi/mpi_operations.hpp"
#include "transport/mpi/node_exchange.hpp"
#include "transport/own_memory.hpp"
#include "transport/shm/idle_policy.hpp"

namespace tasuki::transport::mpi {
namespace {

/// Longest sleep: MPI wakes nobody, so this is what a message may be late after a long silence.
constexpr std::int64_t sleep_most_us = 50;
/// In simulation: time limits from here on are noticed only when something arrives.
constexpr std::int64_t blocking_least_us = 50'000;

/// Ranks of the own node, this one included, are reached through `node_` if there is one.
class MpiTransport final : public Transport {
 public:
  MpiTransport(const Functions& functions, const void* user_communicator)
      : functions_(functions), user_communicator_(user_communicator) {}

  void start() override;
  void stop() noexcept override;

  int rank() const noexcept override { return job_.rank; }
  int size() const noexcept override { return job_.size; }
  const char* name() const noexcept override { return "mpi"; }
  const Capabilities& capabilities() const noexcept override { return capabilities_; }
  const Counters& counters() const noexcept override;
  bool same_node(int rank) const noexcept override { return same_node_[at(rank)]; }

  std::byte* acquire(int rank, std::size_t bytes) override {
    const int index = index_of(rank);
    return index >= 0 ? node_->acquire(index, bytes) : endpoint_->acquire(rank, bytes);
  }
  void commit(int rank, std::size_t bytes) override {
    const int index = index_of(rank);
    return index >= 0 ? node_->commit(index, bytes) : endpoint_->commit(rank, bytes);
  }
  bool send_bulk(int rank, std::span<const std::byte> header, std::span<const std::byte> data,
                 Completion* completion) override {
    const int index = index_of(rank);
    return index >= 0 ? node_->send_bulk(index, header, data, completion)
                      : endpoint_->send_bulk(rank, header, data, completion);
  }
  void accept(std::uint64_t token, std::byte* destination, Completion* completion) override {
    return token < Endpoint::first_token ? node_->accept(token, destination, completion)
                                         : endpoint_->accept(token, destination, completion);
  }

  int post_receive(int source, std::span<std::byte> destination, Completion* arrived) override {
    if (index_of(source) >= 0) return no_posted_receive;
    return endpoint_->post_receive(source, destination, arrived);
  }
  bool has_bulk_room(int rank) const noexcept override { return endpoint_->has_bulk_room(rank); }
  bool send_to_posted(int rank, int posted_receive, std::span<const std::byte> data,
                      Completion* completion) override {
    return endpoint_->send_to_posted(rank, posted_receive, data, completion);
  }

  bool poll(Arrival& arrival) override;
  void release(const Arrival& arrival) override {
    return index_of(arrival.source) >= 0 ? node_->release(arrival) : endpoint_->release(arrival);
  }
  void progress() override {
    if (node_) node_->progress();
    if (has_remote_) endpoint_->progress();
  }
  void wait(std::uint64_t idle_count, std::int64_t most_us) override;
  void notify(int rank) noexcept override {
    const int index = index_of(rank);
    if (index >= 0) node_->notify(index);
  }

  const HeapSegment& heap() const noexcept override {
    return node_ ? node_->heap() : own_heap_->segment();
  }
  bool grow_heap(std::size_t bytes) override {
    return node_ ? node_->grow_heap(bytes) : own_heap_->grow(bytes);
  }
  std::byte* map(int rank, std::uintptr_t address, std::size_t bytes) noexcept override;
  bool put_private(int rank, std::uintptr_t address, std::span<const std::byte> data) override;
  bool get_private(int rank, std::uintptr_t address, std::span<std::byte> data) override;
  std::byte* shared_scratch() noexcept override {
    return has_remote_ || !node_ ? nullptr : node_->shared_scratch();
  }
  std::size_t shared_scratch_bytes() const noexcept override {
    return has_remote_ || !node_ ? 0 : node_->shared_scratch_bytes();
  }
  MpiOperations* mpi_operations() noexcept override { return mpi_ ? &*mpi_ : nullptr; }
  [[noreturn]] void abort_job(int exit_code) noexcept override;

 private:
  static std::size_t at(int rank) noexcept { return static_cast<std::size_t>(rank); }
  /// Index of a rank on the node, or -1 if it is reached over MPI.
  int index_of(int rank) const noexcept { return node_index_[at(rank)]; }
  void set_capabilities();
  /// What base::guard_exit calls.
  static void leave_early(void* self, int exit_code);
  void pass_simulated_time(std::int64_t most_us);
  void pass_time(shm::IdlePolicy::Step step, std::int64_t most_us);

  const Functions& functions_;
  const void* user_communicator_;
  Job job_;
  std::vector<int> node_index_;
  std::vector<bool> same_node_;
  std::unique_ptr<shm::ShmNode> node_;
  std::optional<OwnHeap> own_heap_;  ///< If there is no node.
  std::optional<Endpoint> endpoint_;
  std::optional<OperationsOverMpi> mpi_;
  bool has_remote_ = true;  ///< Some rank is reached over MPI.
  bool node_first_ = true;  ///< The next poll looks at the node first.
  std::uint64_t probes_ = 0;
  shm::IdlePolicy idle_;
  Capabilities capabilities_;
  mutable Counters counters_;
};

// ---- start and stop ----------------------------------------------------------------------------

void MpiTransport::start() {
  check(functions_, functions_.start(user_communicator_, base::setting::mpi_threads.flag(), &job_),
        "starting the mpi transport");
  check_launcher(functions_, job_);
  base::set_rank_for_messages(job_.rank);
  if (!job_.is_simulated) base::join_exit_record(job_.rank);
  if (job_.is_simulated) base::simulated_now_ns = functions_.now_ns;
  const std::vector<Introduction> all = introduce(functions_, job_);
  node_index_.assign(at(job_.size), -1);
  same_node_.assign(at(job_.size), false);
  int node_size = 0;
  for (std::size_t rank = 0; rank < all.size(); ++rank) {
    same_node_[rank] = all[rank].node == all[at(job_.rank)].node;
    node_size += same_node_[rank] ? 1 : 0;
  }
  std::optional<shm::ShmNode::Place> place;
  if (!job_.is_simulated) place = share_node_memory(functions_, job_, all);
  if (place) {
    int index = 0;
    for (const int rank : place->ranks) node_index_[at(rank)] = index++;
    has_remote_ = index < job_.size;
    node_ = std::make_unique<shm::ShmNode>(std::move(*place));
    node_->start();
  } else {
    own_heap_.emplace(static_cast<std::size_t>(base::setting::heap_max_bytes.integer()));
  }
  // Without memory of the node nobody knows the cores that the others are bound to.
  capabilities_.shares_cores =
      node_ ? node_->shares_cores() : node_size > ::sysconf(_SC_NPROCESSORS_ONLN);
  idle_ = shm::IdlePolicy::from_settings(capabilities_.shares_cores);
  endpoint_.emplace(functions_, job_);
  // In simulation a rank without work waits inside MPI for messages of the endpoint, and would not
  // see these.
  if (!job_.is_simulated) {
    std::vector<bool> reached(at(job_.size));
    for (int rank = 0; rank < job_.size; ++rank) reached[at(rank)] = index_of(rank) < 0;
    mpi_.emplace(functions_, job_, std::move(reached));
  }
  set_capabilities();
  if (!job_.is_simulated) {
    base::guard_exit(job_.rank, &leave_early, this, ::dlsym(RTLD_DEFAULT, "MPI_Abort"));
  }
}

void MpiTransport::set_capabilities() {
  capabilities_.message_max_bytes = Endpoint::message_max_bytes;
  capabilities_.message_best_bytes =
      std::min(Endpoint::message_max_bytes, job_.best_bytes - sizeof(FrameHeader));
  capabilities_.bulk_least_bytes = job_.bulk_least_bytes;
  capabilities_.posted_least_bytes = job_.posted_least_bytes;
  capabilities_.posted_most_bytes = piece_most_bytes;
  capabilities_.bulk_header_max_bytes = Endpoint::bulk_header_max_bytes;
  capabilities_.simulated_time = job_.is_simulated;
  if (!node_) return;
  capabilities_.message_max_bytes =
      std::min(capabilities_.message_max_bytes, node_->message_max_bytes());
  capabilities_.bulk_header_max_bytes =
      std::min(capabilities_.bulk_header_max_bytes, node_->bulk_header_max_bytes());
  if (!has_remote_) capabilities_.message_best_bytes = capabilities_.message_max_bytes;
  capabilities_.maps_peers = true;
  capabilities_.reads_private = node_->reads_private();
  capabilities_.reads_all_private = !has_remote_ && node_->reads_all_private();
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
  mpi_.reset();
  functions_.stop(&job_);
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
  if (node_) node_->announce_abort(exit_code);
  functions_.abort(&job_, exit_code);
  std::_Exit(exit_code);
}

const Counters& MpiTransport::counters() const noexcept {
  counters_ = endpoint_ ? endpoint_->counters() : Counters{};
  const auto add = [&](const Counters& more) {
    counters_.sends += more.sends;
    counters_.receives += more.receives;
    counters_.bytes_sent += more.bytes_sent;
    counters_.bytes_received += more.bytes_received;
    counters_.received_in_place += more.received_in_place;
    counters_.received_copied += more.received_copied;
    counters_.bytes_copied += more.bytes_copied;
  };
  if (node_) add(node_->counters());
  if (mpi_) add(mpi_->counters());
  counters_.probes = probes_;
  return counters_;
}

// ---- arrivals ----------------------------------------------------------------------------------

bool MpiTransport::poll(Arrival& arrival) {
  ++probes_;
  if (!node_) return endpoint_->poll(arrival);
  if (!has_remote_) return node_->poll(arrival);
  node_first_ = !node_first_;  // neither starves the other
  if (node_first_) return node_->poll(arrival) || endpoint_->poll(arrival);
  return endpoint_->poll(arrival) || node_->poll(arrival);
}

void MpiTransport::wait(std::uint64_t idle_count, std::int64_t most_us) {
  if (job_.is_simulated) return pass_simulated_time(most_us);
  if (!has_remote_) return node_->wait(idle_count, most_us);
  if (endpoint_->take_moved()) idle_.restart();
  const std::int64_t short_us = std::min(most_us, sleep_most_us);
  if (node_) {
    endpoint_->progress();
    if (!endpoint_->has_arrival()) node_->wait(idle_count, short_us);
    return;
  }
  // A rank that takes nothing in for now (it has too many fibers) counts its looks, not its naps.
  if (!endpoint_->has_arrival()) pass_time(idle_.next(idle_count), short_us);
}

/// In simulation only a wait inside MPI ends at the very moment of an arrival; it knows no limit,
/// so that nearer limits have to be met by sleeping in steps, which see an arrival up to 10 % late.
void MpiTransport::pass_simulated_time(std::int64_t most_us) {
  if (most_us >= blocking_least_us) return endpoint_->block();
  std::int64_t passed_us = 0;
  while (passed_us < most_us) {
    endpoint_->progress();
    if (endpoint_->has_arrival()) return;
    const std::int64_t step_us = std::min(most_us - passed_us, 1 + passed_us / 10);
    functions_.sleep(step_us);
    passed_us += step_us;
  }
}

void MpiTransport::pass_time(shm::IdlePolicy::Step step, std::int64_t most_us) {
  using Step = shm::IdlePolicy::Step;
  switch (step) {
    case Step::poll:
      break;
    case Step::pause:
      base::cpu_pause();
      break;
    case Step::yield:
      idle_.yield();
      break;
    case Step::sleep:
      functions_.sleep(std::max<std::int64_t>(most_us, 0));
      break;
  }
}

// ---- memory ------------------------------------------------------------------------------------

std::byte* MpiTransport::map(int rank, std::uintptr_t address, std::size_t bytes) noexcept {
  const int index = index_of(rank);
  if (index >= 0) return node_->map(index, address, bytes);
  return rank == job_.rank ? find_in_heap(heap(), address, bytes) : nullptr;
}

bool MpiTransport::put_private(int rank, std::uintptr_t address, std::span<const std::byte> data) {
  const int index = index_of(rank);
  if (index >= 0) return node_->put_private(index, address, data);
  return rank == job_.rank && put_checked(rank, address, data);
}

bool MpiTransport::get_private(int rank, std::uintptr_t address, std::span<std::byte> data) {
  const int index = index_of(rank);
  if (index >= 0) return node_->get_private(index, address, data);
  return rank == job_.rank && get_checked(rank, address, data);
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
