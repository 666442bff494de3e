#include "transport/shm/shm_transport.hpp"

#include <fmt/format.h>
#include <unistd.h>
#include <tasuki/detail/base/settings.hpp>
#include <tasuki/error.hpp>

#include <cstdio>
#include <cstdlib>
#include <numeric>

#include "base/started_processes.hpp"
#include "transport/accounted.hpp"
#include "transport/shm/launch.hpp"
#include "transport/shm/shm_node.hpp"

namespace tasuki::transport::shm {
namespace {

class ShmTransport final : public Transport, public Accounted {
 public:
  explicit ShmTransport(ShmNode::Place place) : node_(std::move(place), counters_) {}

  void start() override {
    node_.start();
    rank_ = node_.index();
    capabilities_ = node_.capabilities();
    for (int rank = 0; rank < node_.size(); ++rank) lanes_.push_back(node_.lane(rank));
    arrivals_ = &node_;
    memory_ = &node_;
  }
  void stop() noexcept override { node_.stop(); }
  [[noreturn]] void abort_job(int exit_code) noexcept override {
    node_.announce_abort(exit_code);
    std::fflush(nullptr);
    ::_exit(exit_code);
  }

  const char* name() const noexcept override { return "shm"; }

 private:
  std::vector<base::MemoryUse> memory_uses() const override {
    std::vector<base::MemoryUse> uses = node_.memory_uses();
    uses.insert(uses.begin(), {lanes_account, lanes_.size(), 0});
    return uses;
  }

  ShmNode node_;
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
  place.job_size = size;
  place.ranks.resize(static_cast<std::size_t>(size));
  std::iota(place.ranks.begin(), place.ranks.end(), 0);
  base::set_rank_for_messages(place.index);
  place.descriptor = launched ? take_launched_job_file() : create_job_file();
  return place;
}

std::unique_ptr<Transport> open_shm() {
  if (const auto started = base::started_processes()) {
    refuse_unjoined(*started, "opening the transport",
                    describe(*started) + ", whom shared memory does not join",
                    "use tasuki run, or leave TASUKI_TRANSPORT unset");
  }
  return std::make_unique<ShmTransport>(place_from_settings());
}

}  // namespace

const Descriptor& shm_descriptor() {
  static constexpr Descriptor descriptor{
      "shm", "Shared memory between the ranks of one machine; needs no MPI.", always_available,
      open_shm};
  return descriptor;
}

}  // namespace tasuki::transport::shm
