#include <sys/uio.h>
#include <unistd.h>

#include <algorithm>
#include <cstring>
#include <memory>
#include <string>
#include <tasuki/tasuki.hpp>

#include "cache_line.hpp"
#include "suites.hpp"
#include "timing.hpp"

namespace tasuki::bench {
namespace {

constexpr int small_repetitions = 500;
constexpr std::size_t largest_bytes = std::size_t{16} << 20;
// Enough copies per sample that the clock does not count, few enough that a sample stays short.
constexpr std::size_t bytes_per_sample = std::size_t{32} << 20;
constexpr int most_copies_per_sample = 2000;
constexpr int copy_samples_count = 12;
// Below this a system call is all that is measured.
constexpr std::size_t smallest_private_bytes = 4096;

/// Memory for the copies: one area in the heap and one private, on every rank.
struct Areas {
  GlobalPtr<std::byte> their_heap;
  GlobalPtr<std::byte> their_private;
  std::unique_ptr<std::byte[]> here;
  pid_t their_pid = 0;
};

Areas make_areas() {
  static std::unique_ptr<std::byte[]> exported;
  Areas areas;
  exported = std::make_unique<std::byte[]>(largest_bytes);
  areas.here = std::make_unique<std::byte[]>(largest_bytes);
  const auto peer = static_cast<std::size_t>(rank() ^ 1) % static_cast<std::size_t>(size());
  areas.their_heap = allgather(new_array<std::byte>(largest_bytes))[peer];
  areas.their_private = allgather(global_ptr(exported.get()))[peer];
  areas.their_pid = allgather(::getpid())[peer];
  return areas;
}

Areas& areas() {
  static Areas made = make_areas();
  return made;
}

/// One way: rank 0 writes to rank 1, who watches its own memory and writes back.
double put_8_bytes_ns() {
  Lines& lines = shared_lines();
  static GlobalPtr<std::uint64_t> target{lines.theirs.rank(),
                                         reinterpret_cast<std::uint64_t*>(lines.theirs.raw())};
  double ns = 0;
  if (rank() < 2) {
    std::atomic<std::uint64_t>& mine = lines.mine.local()->word;
    // Without memory in common the write is a message, which this rank has to take in.
    const bool arrives_as_message = target.local() == nullptr;
    const auto turn = [&] {
      const std::uint64_t value = ++lines.count;
      if (rank() == 0) target.write(value);
      while (mine.load(std::memory_order_acquire) != value) {
        if (arrives_as_message) yield();
      }
      if (rank() == 1) target.write(value);
    };
    ns = mean_ns(small_repetitions, turn) / 2;
  }
  barrier();
  return ns;
}

double on_rank_0(double (*measure)()) {
  const double value = rank() == 0 ? measure() : 0;
  barrier();
  return value;
}

GlobalPtr<std::uint64_t> their_word() {
  return {areas().their_heap.rank(), reinterpret_cast<std::uint64_t*>(areas().their_heap.raw())};
}

double get_8_bytes_ns() {
  const GlobalPtr<std::uint64_t> from = their_word();
  std::uint64_t sum = 0;
  return mean_ns(small_repetitions, [&] { sum += from.read(); });
}

double atomic_8_bytes_ns() {
  const GlobalPtr<std::uint64_t> at = their_word();
  return mean_ns(small_repetitions, [&] { (void)at.fetch_add(1); });
}

double plain_atomic_ns() {
  std::atomic_ref<std::uint64_t> at(*their_word().local());
  return mean_ns(small_repetitions, [&] { at.fetch_add(1); });
}

double gigabytes_per_second(std::size_t bytes, double ns) {
  return static_cast<double>(bytes) / ns;
}

int copies_for(std::size_t bytes) {
  return static_cast<int>(
      std::clamp<std::size_t>(bytes_per_sample / bytes, 1, most_copies_per_sample));
}

template <class Copy>
double copy_rate(std::size_t bytes, Copy copy) {
  double rate = 0;
  if (rank() == 0) rate = gigabytes_per_second(bytes, mean_ns(copies_for(bytes), copy));
  barrier();
  return rate;
}

/// The kernel's own copy between processes: what a put to private memory comes down to.
double process_copy_rate(std::size_t bytes) {
  return copy_rate(bytes, [bytes] {
    const iovec here{areas().here.get(), bytes};
    const iovec there{areas().their_private.raw(), bytes};
    if (::process_vm_writev(areas().their_pid, &here, 1, &there, 1, 0) < 0) {
      throw error("measuring process_vm_writev", "the kernel refuses it",
                  "run the benchmark where processes of one user may write to each other");
    }
  });
}

void add_copies(std::vector<Benchmark>& all, std::size_t bytes) {
  const std::string size = size_name(bytes);
  std::byte* here = areas().here.get();
  const GlobalPtr<std::byte> heap = areas().their_heap;
  const GlobalPtr<std::byte> privately = areas().their_private;
  std::byte* mapped = heap.local();
  const auto add = [&](const char* name, auto copy, const char* baseline_name,
                       std::function<double()> baseline) {
    all.push_back({name + size, "GB/s", [=] { return copy_rate(bytes, copy); },
                   baseline ? baseline_name : "", std::move(baseline), copy_samples_count, bytes});
  };
  std::function<double()> memcpy_there, memcpy_here;
  if (mapped != nullptr) {
    memcpy_there = [=] { return copy_rate(bytes, [=] { std::memcpy(mapped, here, bytes); }); };
    memcpy_here = [=] { return copy_rate(bytes, [=] { std::memcpy(here, mapped, bytes); }); };
  }
  add(
      "bulk_put_", [=] { heap.nwrite(here, bytes); }, "memcpy", memcpy_there);
  add(
      "bulk_get_", [=] { heap.nread(here, bytes); }, "memcpy", memcpy_here);
  if (bytes < smallest_private_bytes) return;
  add(
      "bulk_put_private_", [=] { privately.nwrite(here, bytes); }, "process_vm_writev",
      [=] { return process_copy_rate(bytes); });
}

}  // namespace

std::string size_name(std::size_t bytes) {
  if (bytes >= 1 << 20) return std::to_string(bytes >> 20) + "MB";
  if (bytes >= 1 << 10) return std::to_string(bytes >> 10) + "KB";
  return std::to_string(bytes) + "B";
}

std::vector<Benchmark> memory_benchmarks() {
  const auto& mpi = mpi_baselines();
  std::vector<Benchmark> all;
  if (size() < 2) return all;
  all.push_back({"put_8B", "ns", put_8_bytes_ns, "cache line one way", cache_line_ns});
  Benchmark get{"get_8B", "ns", [] { return on_rank_0(get_8_bytes_ns); }, "", nullptr};
  if (mpi.library != nullptr) {
    get.baseline_name = "MPI_Get and flush";
    get.baseline = mpi.get_ns;
    all.push_back({"put_8B_vs_mpi", "ns", put_8_bytes_ns, "MPI_Put and flush", mpi.put_ns});
  }
  all.push_back(std::move(get));
  Benchmark atomic{"atomic_8B", "ns", [] { return on_rank_0(atomic_8_bytes_ns); }, "", nullptr};
  if (their_word().local() != nullptr) {
    atomic.baseline_name = "std::atomic fetch_add";
    atomic.baseline = [] { return on_rank_0(plain_atomic_ns); };
  } else if (mpi.library != nullptr) {
    atomic.baseline_name = "MPI_Fetch_and_op and flush";
    atomic.baseline = mpi.fetch_add_ns;
  }
  all.push_back(std::move(atomic));
  for (std::size_t bytes = 1; bytes <= largest_bytes; bytes *= 4) add_copies(all, bytes);
  return all;
}

}  // namespace tasuki::bench
