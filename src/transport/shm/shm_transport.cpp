#include "transport/shm/shm_transport.hpp"

#include <fmt/format.h>
#include <unistd.h>
#include <tasuki/detail/base/settings.hpp>
#include <tasuki/error.hpp>

#include <cstdio>
#include <cstdlib>
#include <numeric>

#include "transport/shm/launch.hpp"
#include "transport/shm/shm_node.hpp"

namespace tasuki::transport::shm {
namespace {

class ShmTransport final : public Transport {
 public:
  explicit ShmTransport(ShmNode::Place place) : node_(std::move(place)) {}

  void start() override {
    node_.start();
    capabilities_.message_max_bytes = node_.message_max_bytes();
    capabilities_.bulk_header_max_bytes = node_.bulk_header_max_bytes();
    capabilities_.maps_peers = true;
    capabilities_.reads_private = node_.reads_private();
    capabilities_.reads_all_private = node_.reads_all_private();
    capabilities_.shares_cores = node_.shares_cores();
  }
  void stop() noexcept override { node_.stop(); }

  int rank() const noexcept override { return node_.index(); }
  int size() const noexcept override { return node_.size(); }
  const char* name() const noexcept override { return "shm"; }
  const Capabilities& capabilities() const noexcept override { return capabilities_; }
  const Counters& counters() const noexcept override { return node_.counters(); }
  bool same_node(int) const noexcept override { return true; }

  std::byte* acquire(int rank, std::size_t bytes) override { return node_.acquire(rank, bytes); }
  void commit(int rank, std::size_t bytes) override { node_.commit(rank, bytes); }
  bool send_bulk(int rank, std::span<const std::byte> header, std::span<const std::byte> data,
                 Completion* completion) override {
    return node_.send_bulk(rank, header, data, completion);
  }
  void accept(std::uint64_t token, std::byte* destination, Completion* completion) override {
    node_.accept(token, destination, completion);
  }

  bool poll(Arrival& arrival) override { return node_.poll(arrival); }
  void release(const Arrival& arrival) override { node_.release(arrival); }
  void progress() override { node_.progress(); }
  void wait(std::uint64_t idle_count, std::int64_t most_us) override {
    node_.wait(idle_count, most_us);
  }
  void notify(int rank) noexcept override { node_.notify(rank); }

  const HeapSegment& heap() const noexcept override { return node_.heap(); }
  bool grow_heap(std::size_t bytes) override { return node_.grow_heap(bytes); }
  std::byte* map(int rank, std::uintptr_t address, std::size_t bytes) noexcept override {
    return node_.map(rank, address, bytes);
  }
  bool put_private(int rank, std::uintptr_t address, std::span<const std::byte> data) override {
    return node_.put_private(rank, address, data);
  }
  bool get_private(int rank, std::uintptr_t address, std::span<std::byte> data) override {
    return node_.get_private(rank, address, data);
  }
  std::byte* shared_scratch() noexcept override { return node_.shared_scratch(); }
  std::size_t shared_scratch_bytes() const noexcept override {
    return node_.shared_scratch_bytes();
  }

  [[noreturn]] void abort_job(int exit_code) noexcept override {
    node_.announce_abort(exit_code);
    std::fflush(nullptr);
    ::_exit(exit_code);
  }

 private:
  ShmNode node_;
  Capabilities capabilities_;
};

/// What `tasuki run` says about this process; a program started by itself is a job of one rank.
ShmNode::Place place_from_settings() {
  const bool launched = base::setting::job_fd.is_set();
  ShmNode::Place place;
  int size = 1;
  if (launched) {
    place.index = static_cast<int>(base::setting::rank.integer());
    size = static_cast<int>(base::setting::size.integer());
  }
  if (size < 1 || place.index >= size) {
    throw error("starting the shared-memory transport",
                fmt::format("rank {} of {} ranks cannot be", place.index, size),
                "start the program with `tasuki run`");
  }
  place.ranks.resize(static_cast<std::size_t>(size));
  std::iota(place.ranks.begin(), place.ranks.end(), 0);
  base::set_rank_for_messages(place.index);
  place.descriptor = launched ? take_launched_job_file() : create_job_file();
  return place;
}

std::unique_ptr<Transport> open_shm() {
  return std::make_unique<ShmTransport>(place_from_settings());
}

std::string unavailable_because() {
  if (base::setting::job_fd.is_set()) return "";
  // Every process would take itself for a job of one rank.
  for (const char* name : {"OMPI_COMM_WORLD_SIZE", "PMI_SIZE"}) {
    const char* const size = std::getenv(name);
    if (size == nullptr || std::strtol(size, nullptr, 10) <= 1) continue;
    return fmt::format("another launcher started this process ({}={}); use `tasuki run`", name,
                       size);
  }
  return "";
}

}  // namespace

const Descriptor& shm_descriptor() {
  static constexpr Descriptor descriptor{
      "shm", "Shared memory between the ranks of one machine; needs no MPI.", unavailable_because,
      open_shm};
  return descriptor;
}

}  // namespace tasuki::transport::shm
