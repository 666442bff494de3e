// Start and stop of a node: joining, waiting for the others, refusing other builds.
#include <fmt/format.h>
#include <sys/stat.h>
#include <unistd.h>
#include <tasuki/detail/base/clock.hpp>
#include <tasuki/detail/base/exit_code.hpp>
#include <tasuki/detail/base/job_programs.hpp>
#include <tasuki/detail/base/settings.hpp>
#include <tasuki/error.hpp>

#include <algorithm>
#include <bit>
#include <cerrno>
#include <cstring>
#include <thread>

#include "transport/shm/node_peer.hpp"
#include "transport/shm/random_word.hpp"

namespace tasuki::transport::shm {
namespace {

/// So many ranks are asked for their time, evenly spaced, and stand for the others. To read a clock
/// is a call of the kernel: all of them were 10 % of the samples of `perf record tasuki run -n 256`
/// with a program of barriers on 2 cores.
constexpr int clocks_most = 32;

std::uint64_t pid_namespace() noexcept {
  struct stat status {};
  return ::stat("/proc/self/ns/pid", &status) == 0 ? status.st_ino : 0;
}

std::string program_of(std::uint32_t pid) {
  char path[4096];
  const ssize_t bytes = ::readlink(fmt::format("/proc/{}/exe", pid).c_str(), path, sizeof path);
  return bytes > 0 ? std::string(path, static_cast<std::size_t>(bytes)) : "program unknown";
}

/// Sets a constant of the job if it is not set yet, else compares.
void agree(std::atomic<std::uint64_t>& constant, std::uint64_t mine, const char* what) {
  std::uint64_t theirs = 0;
  if (constant.compare_exchange_strong(theirs, mine, std::memory_order_acq_rel) || theirs == mine) {
    return;
  }
  throw error("starting the shared-memory transport",
              fmt::format("{} is {} here but {} on a rank that came before", what, mine, theirs),
              "start all ranks of the job with the same version and settings");
}

void fill_affinity(RankRecord& record) noexcept {
  cpu_set_t allowed;
  CPU_ZERO(&allowed);
  if (::sched_getaffinity(0, sizeof allowed, &allowed) != 0) return;
  std::memcpy(record.affinity, &allowed, std::min(sizeof record.affinity, sizeof allowed));
}

}  // namespace

void ShmNode::start() {
  join();
  await_others();
  check_builds();
  connect();
  record(index()).state.store(static_cast<std::uint32_t>(RankState::running),
                              std::memory_order_release);
}

error no_room(const std::string& what, std::size_t bytes, int failure) {
  return error(
      "using the memory of the node",
      fmt::format("no room for {}, {} KiB: {}", what, bytes / 1024, std::strerror(failure)),
      fmt::format("make /dev/shm or the memory limit larger, set {}=memfd, or lower {}",
                  base::setting::shm_backing.name, base::setting::ring_bytes.name));
}

void ShmNode::stop() noexcept {
  if (work_due_) do_due_work();
  record(index()).state.store(static_cast<std::uint32_t>(RankState::finished),
                              std::memory_order_release);
}

void ShmNode::join() {
  const Layout& layout = file_.layout();
  // Before anything is touched: a file system without room would answer with SIGBUS.
  int failure = file_.commit(0, layout.inbox_offset(0));
  const std::size_t head_bytes = layout.inbox_head_bytes();
  if (failure == 0) failure = file_.commit(layout.inbox_offset(index()), head_bytes);
  if (failure != 0) {
    throw no_room("what the ranks share", layout.inbox_offset(0) + head_bytes, failure);
  }
  JobHeader& header = file_.header();
  agree(header.magic, job_magic, "the layout of the job's memory");
  agree(header.size, static_cast<std::uint64_t>(size()), "the number of ranks");
  agree(header.ring_bytes, layout.ring_bytes(), base::setting::ring_bytes.name);
  agree(header.heap_max_bytes, layout.heap_max_bytes(), base::setting::heap_max_bytes.name);
  RankRecord& mine = record(index());
  if (mine.state.load(std::memory_order_acquire) != 0) {
    throw error(
        "starting the shared-memory transport",
        fmt::format("rank {} has already joined (pid {})", place_.ranks[at(index())], mine.pid),
        "start each rank once, and start no Tasuki program from a rank before it calls "
        "tasuki::run");
  }
  fill_record(mine);
  mine.lifeline.hold();
  holds_lifeline_ = true;
  mine.state.store(static_cast<std::uint32_t>(RankState::joined), std::memory_order_release);
  if (header.joined_count.fetch_add(1, std::memory_order_acq_rel) + 1 ==
      static_cast<std::uint32_t>(size())) {
    ring_all();
  }
}

void ShmNode::fill_record(RankRecord& mine) {
  mine.pid = static_cast<std::uint32_t>(::getpid());
  mine.pid_namespace = pid_namespace();
  mine.program = base::own_program();
  mine.heap_base = reinterpret_cast<std::uintptr_t>(heap().base);
  if (base::setting::cma.flag() && permit_private_copy()) {
    probe_value_ = random_word();
    mine.probe_value = probe_value_;
    mine.probe_address = reinterpret_cast<std::uintptr_t>(&probe_value_);
  }
  mine.wake_order = register_wake_order();
  fill_affinity(mine);
}

void ShmNode::await_others() {
  const double timeout_s = base::setting::start_timeout.seconds();
  const auto deadline_ns = base::now_ns() + static_cast<std::int64_t>(timeout_s * 1e9);
  Doorbell& bell = record(index()).doorbell;
  const auto all_joined = [this] {
    return file_.header().joined_count.load(std::memory_order_acquire) ==
           static_cast<std::uint32_t>(size());
  };
  while (!all_joined()) {
    // The last one to join rings.
    bell.arm(WakeOrder::by_writer_fence);
    end_if_aborted();
    if (!all_joined()) bell.sleep(check_interval_us);
    bell.disarm();
    if (all_joined()) break;  // One that has ended since may have found another build.
    end_if_peer_died();
    if (base::now_ns() < deadline_ns) continue;
    std::string missing;
    for (int other = 0; other < size(); ++other) {
      if (record(other).state.load(std::memory_order_acquire) != 0) continue;
      missing += fmt::format("{}{}", missing.empty() ? "" : ", ", place_.ranks[at(other)]);
    }
    give_up(
        error("starting the shared-memory transport",
              fmt::format("rank {} did not start within {} s", missing, timeout_s),
              fmt::format("see why it did not, or raise {}", base::setting::start_timeout.name)));
  }
}

void ShmNode::give_up(error why) {
  announce_abort(base::exit_code::failed);
  throw error(std::move(why));
}

void ShmNode::check_builds() const {
  const RankRecord& first = record(0);
  for (int other = 1; other < size(); ++other) {
    const RankRecord& record_of_other = record(other);
    if (base::join(record_of_other.program, first.program)) continue;
    throw error("starting the shared-memory transport",
                fmt::format("ranks of different builds: rank {} runs build {:016x} ({}), rank {} "
                            "build {:016x} ({})",
                            place_.ranks[0], first.program.build, program_of(first.pid),
                            place_.ranks[at(other)], record_of_other.program.build,
                            program_of(record_of_other.pid)),
                base::other_programs_remedy);
  }
}

CpuShare ShmNode::share_of_ranks(std::size_t usable_cores) const {
  const int stride = (size() + clocks_most - 1) / clocks_most;
  const int asked_count = (size() + stride - 1) / stride;
  CpuShare share(usable_cores, static_cast<double>(size()) / asked_count);
  for (int other = 0; other < size(); other += stride) {
    if (record(other).pid_namespace == record(index()).pid_namespace) {
      share.add(static_cast<int>(record(other).pid));
    }
  }
  return share;
}

void ShmNode::connect() {
  const RankRecord& mine = record(index());
  const auto count = static_cast<std::size_t>(size());
  wake_order_ = WakeOrder::by_membarrier;
  std::byte cores[sizeof mine.affinity]{};
  for (int other = 0; other < size(); ++other) {
    const RankRecord& theirs = record(other);
    if (theirs.wake_order != WakeOrder::by_membarrier) wake_order_ = WakeOrder::by_writer_fence;
    for (std::size_t i = 0; i < sizeof cores; ++i) cores[i] |= theirs.affinity[i];
  }
  std::size_t usable_cores = 0;
  for (const std::byte part : cores) {
    usable_cores += static_cast<std::size_t>(std::popcount(std::to_integer<unsigned>(part)));
  }
  shares_cores_ = usable_cores != 0 && count > usable_cores;
  idle_ = IdlePolicy::from_settings(shares_cores_, share_of_ranks(usable_cores));

  taken_openers_.resize(file_.layout().openers_words());
  by_rank_.resize(at(place_.job_size));
  bells_.resize(at(place_.job_size));
  peers_.reserve(count);
  for (int other = 0; other < size(); ++other) {
    RankRecord& theirs = record(other);
    bells_[at(place_.ranks[at(other)])] = &theirs.doorbell;
    PrivateCopy private_copy;
    if (mine.probe_address != 0 && theirs.probe_address != 0 &&
        theirs.pid_namespace == mine.pid_namespace) {
      private_copy =
          PrivateCopy(static_cast<int>(theirs.pid), theirs.probe_address, theirs.probe_value);
    }
    by_rank_[at(place_.ranks[at(other)])] = &peers_.emplace_back(*this, other, private_copy);
  }
  probe_private_copies();
}

/// The ranks of a node run for one user under one kernel, so one peer stands for all: the next one.
/// The others are tried when they are first copied from or to.
void ShmNode::probe_private_copies() {
  for (int distance = 1; distance <= size(); ++distance) {
    PrivateCopy& tried = peers_[at((index() + distance) % size())].private_copy();
    if (!tried.is_permitted()) continue;
    tried.probe();
    if (tried.is_permitted()) return;
    for (Peer& peer : peers_) peer.private_copy().forbid();
  }
}

}  // namespace tasuki::transport::shm
