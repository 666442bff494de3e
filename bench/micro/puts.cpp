#include <array>
#include <atomic>
#include <cstring>
#include <string>
#include <tasuki/tasuki.hpp>
#include <utility>

#include "suites.hpp"
#include "timing.hpp"

namespace tasuki::bench {
namespace {

constexpr int repetitions = 500;
constexpr std::size_t word_bytes = 8;
/// The largest body beside which a header fits into a window of 512 bytes, as in DIMMnet-1.
constexpr std::size_t block_most_bytes = 464;

/// Where a block arrives: the header counts the blocks, the body begins in the same line.
struct Window {
  alignas(64) std::uint64_t header = 0;
  std::byte body[block_most_bytes] = {};
};

/// The window of this rank, and that of the one it plays with.
struct Windows {
  GlobalPtr<Window> mine;
  GlobalPtr<Window> theirs;
  std::uint64_t puts_count = 0;  ///< Blocks and words that have gone each way: the header's value.
};

Windows& windows() {
  static Windows made = [] {
    Windows windows;
    windows.mine = new_<Window>();
    const auto all = allgather(windows.mine);
    windows.theirs = all[static_cast<std::size_t>(rank() ^ 1) % all.size()];
    return windows;
  }();
  return made;
}

/// One way: rank 0 sends, rank 1 waits until it sees what was sent and sends back. `count` are
/// those that have gone each way so far.
template <class Send, class Wait>
double half_round_trip_ns(std::uint64_t& count, Send send, Wait wait) {
  double ns = 0;
  if (rank() < 2) {
    const auto turn = [&] {
      ++count;
      if (rank() == 0) send(count);
      wait(count);
      if (rank() == 1) send(count);
    };
    ns = mean_ns(repetitions, turn) / 2;
  }
  barrier();
  return ns;
}

/// The header of the own window shows so many arrivals.
void wait_for_header(std::uint64_t count) {
  Windows& own = windows();
  const std::atomic_ref<std::uint64_t> header(own.mine.local()->header);
  // Without memory in common a put is a message, which this rank has to take in.
  const bool arrives_as_message = own.theirs.local() == nullptr;
  while (header.load(std::memory_order_acquire) != count) {
    if (arrives_as_message) yield();
  }
}

GlobalPtr<std::uint64_t> their_header() {
  const GlobalPtr<Window> theirs = windows().theirs;
  return {theirs.rank(), &theirs.raw()->header};
}

double word_put_ns() {
  const GlobalPtr<std::uint64_t> target = their_header();
  return half_round_trip_ns(
      windows().puts_count, [&](std::uint64_t count) { target.write(count); }, wait_for_header);
}

double block_put_ns(std::size_t bytes) {
  const GlobalPtr<Window> theirs = windows().theirs;
  const GlobalPtr<std::byte> target{theirs.rank(), theirs.raw()->body};
  const GlobalPtr<std::uint64_t> header = their_header();
  std::array<std::byte, block_most_bytes> block{};
  const std::byte* last = windows().mine.local()->body + bytes - 1;
  return half_round_trip_ns(
      windows().puts_count,
      [&](std::uint64_t count) {
        block[bytes - 1] = static_cast<std::byte>(count);
        target.nwrite_signal(block.data(), bytes, header);
      },
      [&](std::uint64_t count) {
        wait_for_header(count);
        if (*last != static_cast<std::byte>(count)) {
          throw error("measuring block puts", "the header was there before the body", "report it");
        }
      });
}

std::uint64_t messages_seen = 0;
std::uint64_t messages_count = 0;  ///< That have gone each way.

/// The same as a call without a result, whose function notes that it came.
template <std::size_t bytes>
double message_ns() {
  using Body = std::array<std::byte, bytes>;
  static Body body{};
  const int peer = rank() ^ 1;
  return half_round_trip_ns(
      messages_count,
      [&](std::uint64_t) {
        post(
            peer, [](const Body&) { ++messages_seen; }, body);
        flush();
      },
      [](std::uint64_t count) {
        while (messages_seen != count) yield();
      });
}

/// A put beside the message of the same size, and once more beside MPI's.
void add(std::vector<Benchmark>& all, const std::string& name, std::size_t bytes,
         const std::function<double()>& put, double (*message)()) {
  const auto& mpi = mpi_baselines();
  const std::string size = std::to_string(bytes) + " B one way";
  all.push_back({name, "ns", put, "message of " + size, message});
  if (mpi.library == nullptr) return;
  all.push_back({name + "_vs_mpi", "ns", put, "MPI_Send and MPI_Recv of " + size,
                 [&mpi, bytes] { return mpi.ping_pong_ns(bytes); }});
}

template <std::size_t bytes>
void add_block(std::vector<Benchmark>& all) {
  add(
      all, "block_put_" + std::to_string(bytes), bytes, [] { return block_put_ns(bytes); },
      message_ns<bytes>);
}

}  // namespace

std::vector<Benchmark> put_benchmarks() {
  std::vector<Benchmark> all;
  if (size() < 2) return all;
  windows();
  Benchmark message{"message_8B", "ns", message_ns<word_bytes>, "", nullptr};
  if (const auto& mpi = mpi_baselines(); mpi.library != nullptr) {
    message.baseline_name = "MPI_Send and MPI_Recv of 8 B one way";
    message.baseline = [&mpi] { return mpi.ping_pong_ns(word_bytes); };
  }
  all.push_back(std::move(message));
  add(all, "word_put", word_bytes, word_put_ns, message_ns<word_bytes>);
  add_block<1>(all);
  add_block<8>(all);
  add_block<16>(all);
  add_block<64>(all);
  add_block<128>(all);
  add_block<256>(all);
  add_block<block_most_bytes>(all);
  return all;
}

}  // namespace tasuki::bench
