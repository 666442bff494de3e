// Node memory without a World: forked processes on a segment of their own.
#include <fmt/format.h>
#include <gtest/gtest.h>
#include <signal.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/uio.h>
#include <sys/wait.h>
#include <unistd.h>
#include <tasuki/detail/node/algorithms.hpp>

#include <chrono>
#include <cstdio>
#include <numeric>
#include <stdexcept>
#include <thread>
#include <vector>

#include "checker.hpp"
#include "node/segment/node_function.hpp"
#include "node/segment/slots.hpp"
#include "node/teams/node_segment.hpp"

namespace tasuki::node {
namespace {

using coll::Collective;
namespace checker = coll::checker;

constexpr std::size_t heap_bytes = 4 << 20;

/// Asleep a process is woken soon, however many others want the core.
void let_others_run() { std::this_thread::sleep_for(std::chrono::microseconds(1)); }

/// Memory that all processes have at the same address: the segment, then a heap for each rank.
class SharedMemory {
 public:
  explicit SharedMemory(int ranks)
      : segment_bytes_(NodeSegment::bytes_for(ranks) / 4096 * 4096 + 4096),
        bytes_(segment_bytes_ + heap_bytes * static_cast<std::size_t>(ranks)),
        base_(static_cast<std::byte*>(
            mmap(nullptr, bytes_, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0))),
        pids_(static_cast<pid_t*>(
            mmap(nullptr, 4096, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0))) {
    if (base_ == MAP_FAILED || pids_ == MAP_FAILED) throw std::runtime_error("mmap");
  }
  ~SharedMemory() {
    munmap(base_, bytes_);
    munmap(pids_, 4096);
  }
  SharedMemory(const SharedMemory&) = delete;
  SharedMemory& operator=(const SharedMemory&) = delete;

  std::byte* segment() const { return base_; }
  std::byte* heap(int rank) const {
    return base_ + segment_bytes_ + heap_bytes * static_cast<std::size_t>(rank);
  }
  bool holds(std::uintptr_t address, std::size_t bytes) const {
    const auto base = reinterpret_cast<std::uintptr_t>(base_);
    return address >= base && bytes <= bytes_ && address - base <= bytes_ - bytes;
  }
  /// Waits until every process has said which it is.
  void meet(int rank, int ranks) const {
    __atomic_store_n(&pids_[rank], getpid(), __ATOMIC_RELEASE);
    for (int other = 0; other < ranks; ++other) {
      while (pid_of(other) == 0) let_others_run();
    }
  }
  pid_t pid_of(int rank) const { return __atomic_load_n(&pids_[rank], __ATOMIC_ACQUIRE); }

 private:
  std::size_t segment_bytes_;
  std::size_t bytes_;
  std::byte* base_;
  pid_t* pids_;
};

class Peers final : public transport::PeerMemory {
 public:
  explicit Peers(const SharedMemory& memory) : memory_(memory) {}
  std::byte* map(int, std::uintptr_t address, std::size_t bytes) noexcept override {
    return memory_.holds(address, bytes) ? reinterpret_cast<std::byte*>(address) : nullptr;
  }
  bool get_private(int rank, std::uintptr_t address, std::span<std::byte> data) override {
    const iovec here{data.data(), data.size()};
    const iovec there{reinterpret_cast<void*>(address), data.size()};
    const ssize_t read = process_vm_readv(memory_.pid_of(rank), &here, 1, &there, 1, 0);
    return read == static_cast<ssize_t>(data.size());
  }
  bool put_private(int rank, std::uintptr_t address, std::span<const std::byte> data) override {
    const iovec here{const_cast<std::byte*>(data.data()), data.size()};
    const iovec there{reinterpret_cast<void*>(address), data.size()};
    const ssize_t written = process_vm_writev(memory_.pid_of(rank), &here, 1, &there, 1, 0);
    return written == static_cast<ssize_t>(data.size());
  }
  void notify(int) noexcept override {}

 private:
  const SharedMemory& memory_;
};

class ProcessHost final : public Host {
 public:
  ProcessHost(Peers& peers, const HostTraits& traits, std::byte* heap)
      : Host(peers, traits), next_(heap), end_(heap + heap_bytes) {}
  void* allocate(std::size_t bytes, std::size_t alignment) override {
    auto address = reinterpret_cast<std::uintptr_t>(next_);
    address = (address + alignment - 1) / alignment * alignment;
    next_ = reinterpret_cast<std::byte*>(address) + bytes;
    if (next_ > end_) throw std::runtime_error("the heap is too small");
    return reinterpret_cast<void*>(address);
  }
  void free(void*) override {}
  bool yield_to_peers(std::uint64_t) override {
    let_others_run();
    return true;
  }
  void wait_until(const Condition& ready, const WaitNote&) override {
    while (!ready()) let_others_run();
  }

 private:
  std::byte* next_;
  std::byte* end_;
};

/// What rank `from` has for rank `to` in a v-form.
std::size_t count_between(std::size_t count, int from, int to) {
  return count + static_cast<std::size_t>((from + 2 * to) % 3);
}

coll::Shape shape_of(Collective collective, int ranks, int rank, std::size_t count) {
  const checker::Field& field = checker::matrices();
  coll::Shape shape;
  shape.ranks = ranks;
  shape.rank = rank;
  shape.root = ranks - 1;
  shape.element_bytes = field.element_bytes;
  shape.count = count;
  if (!coll::varies(collective)) return shape;
  const bool by_pairs = collective == Collective::alltoallv;
  for (int other = 0; other < ranks; ++other) {
    shape.send_counts.push_back(count_between(count, by_pairs ? rank : 0, other));
    shape.receive_counts.push_back(
        count_between(count, by_pairs ? other : 0, by_pairs ? rank : other));
  }
  shape.count = count_between(count, 0, rank);
  return shape;
}

/// Runs it on this rank. Returns: is the output what is expected?
bool is_right(NodeSegment& segment, const coll::AlgorithmDescriptor& algorithm, std::size_t count) {
  const auto& way = std::get<coll::InNodeMemory>(algorithm.way);
  if (const auto* barrier = std::get_if<BarrierFunction>(&way.function->call)) {
    (segment.barrier.**barrier)();
    return true;
  }
  checker::Case one{&algorithm, complete(algorithm, {}), {}, &checker::matrices(), count, 0};
  for (int rank = 0; rank < segment.buffer.ranks(); ++rank) {
    one.shapes.push_back(shape_of(algorithm.collective, segment.buffer.ranks(), rank, count));
  }
  checker::Example example = checker::example_of(one);
  const auto self = static_cast<std::size_t>(segment.buffer.rank());
  coll::Call call(algorithm.collective);
  call.shape = one.shapes[self];
  call.input = example.inputs[self].data();
  call.output = example.outputs[self].data();
  call.op = one.field->op;
  std::vector<std::size_t> sizes{1000, slot_bytes};
  for (const coll::ParameterDeclaration& piece_bytes : algorithm.parameters) {
    sizes.push_back(static_cast<std::size_t>(piece_bytes.maximum));
  }
  for (const std::size_t piece_bytes : sizes) {
    const checker::Bytes before = example.outputs[self];
    std::get<Function>(way.function->call)(segment.buffer, call, piece_bytes);
    // The others may still read this rank's memory until all are through.
    segment.barrier.exchange();
    if (example.outputs[self] != example.expected[self]) return false;
    example.outputs[self] = before;
    segment.barrier.exchange();
  }
  return true;
}

/// What each process does. Returns: its exit code.
int run_rank(const SharedMemory& memory, int ranks, int rank) {
  prctl(PR_SET_PDEATHSIG, SIGKILL);
  prctl(PR_SET_PTRACER, PR_SET_PTRACER_ANY, 0, 0, 0);
  memory.meet(rank, ranks);
  Peers peers(memory);
  bool reads_peers = true;
  for (int other = 0; other < ranks; ++other) {
    int word = 0;
    const auto address = reinterpret_cast<std::uintptr_t>(&memory);
    if (other != rank &&
        !peers.get_private(other, address, std::as_writable_bytes(std::span(&word, 1)))) {
      reads_peers = false;
    }
  }
  ProcessHost host(peers, {.rank = rank, .may_spin = false, .reads_peers = reads_peers},
                   memory.heap(rank));
  Members members{std::vector<int>(static_cast<std::size_t>(ranks)), rank, 0};
  std::iota(members.world_ranks.begin(), members.world_ranks.end(), 0);
  NodeSegment segment(host, members, memory.segment());
  segment.agree();
  for (const auto* algorithm : coll::all_algorithms()) {
    if (!std::holds_alternative<coll::InNodeMemory>(algorithm->way)) continue;
    if (algorithm->medium() == coll::Medium::peer_memory && !segment.reads_peers()) continue;
    for (const std::size_t count : {1U, 1000U, 20000U}) {
      if (is_right(segment, *algorithm, count)) continue;
      std::fprintf(stderr, "rank %d of %d: %s %s of %zu gives a wrong result\n", rank, ranks,
                   coll::name_of(algorithm->collective), algorithm->name, count);
      return 1;
    }
  }
  return 0;
}

class NodeMemoryTest : public testing::TestWithParam<int> {};

TEST_P(NodeMemoryTest, AllAlgorithmsWorkBetweenProcessesWithoutAWorld) {
  register_algorithms();
  const int ranks = GetParam();
  const SharedMemory memory(ranks);
  std::vector<pid_t> children;
  for (int rank = 0; rank < ranks; ++rank) {
    const pid_t child = fork();
    ASSERT_GE(child, 0);
    if (child == 0) _exit(run_rank(memory, ranks, rank));
    children.push_back(child);
  }
  for (int ended_count = 0; ended_count < ranks; ++ended_count) {
    int status = 0;
    ASSERT_GT(wait(&status), 0);
    const bool is_well = WIFEXITED(status) && WEXITSTATUS(status) == 0;
    EXPECT_TRUE(is_well) << status;
    if (is_well) continue;
    for (const pid_t child : children) kill(child, SIGKILL);  // They wait for the one that failed.
  }
}

INSTANTIATE_TEST_SUITE_P(Ranks, NodeMemoryTest, testing::Values(1, 2, 3, 5));

}  // namespace
}  // namespace tasuki::node
