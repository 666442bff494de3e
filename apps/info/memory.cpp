// tasuki_memory: what the structures of Tasuki take of memory, as one JSON object on standard
// output.
//
// Run by `tasuki info --memory`: with --accounts what they take at any number of ranks, else, as
// the program of a job, what they take in it.
// Exit code: 0, or 2 with the error on standard error.
#include <malloc.h>
#include <unistd.h>
#include <CLI/CLI.hpp>
#include <tasuki/detail/base/clock.hpp>
#include <tasuki/detail/runtime/world/memory_accounts.hpp>
#include <tasuki/detail/transport/memory_accounts.hpp>
#include <tasuki/detail/transport/registry.hpp>
#include <tasuki/tasuki.hpp>

#include <array>
#include <cstdio>
#include <fstream>
#include <string>
#include <vector>

#include "common/command_line.hpp"
#include "common/json.hpp"
#include "common/reported_errors.hpp"
#include "common/tasuki_program.hpp"

namespace {

using namespace tasuki;
using apps::Json;

struct Options {
  bool accounts_only = false;
  int peers_count = 0;
};

Options parse(int argc, char** argv) {
  Options options;
  CLI::App line("What the structures of Tasuki take of memory.", "tasuki_memory");
  line.add_flag("--accounts", options.accounts_only, "no job: what they take, by transport");
  line.add_option("--peers", options.peers_count, "other ranks that each rank calls before")
      ->check(CLI::NonNegativeNumber);
  apps::parse(line, argc, argv);
  return options;
}

Json json_of(const base::MemoryAccount& account) {
  return {{"structure", account.structure},
          {"fixed_bytes", account.fixed_bytes},
          {"bytes_per_rank", account.bytes_per_rank},
          {"bytes_per_peer", account.bytes_per_peer},
          {"of_node", account.is_of_node}};
}

Json accounts_json() {
  Json all = Json::object();
  for (const transport::Descriptor& descriptor : transport::all_transports()) {
    Json rows = Json::array();
    const auto of_transport = transport::memory_accounts(descriptor.name);
    if (of_transport.empty()) continue;
    for (const base::MemoryAccount& account : of_transport) rows.push_back(json_of(account));
    for (const base::MemoryAccount& account : runtime::memory_accounts()) {
      rows.push_back(json_of(account));
    }
    all[descriptor.name] = rows;
  }
  return all;
}

std::vector<base::MemoryUse> uses_of(const runtime::Rank& self) {
  std::vector<base::MemoryUse> all = transport::memory_uses(self.transport);
  const std::vector<base::MemoryUse> of_runtime = runtime::memory_uses(self);
  all.insert(all.end(), of_runtime.begin(), of_runtime.end());
  return all;
}

/// What malloc has given out in this process.
std::uint64_t heap_bytes() {
  const struct mallinfo2 heap = ::mallinfo2();
  return heap.uordblks + heap.hblkhd;
}

/// Of this process, what it shares counted once by each: in memory, and of that shared.
std::array<std::uint64_t, 2> resident_bytes() {
  std::array<std::uint64_t, 3> pages{};
  std::ifstream statm("/proc/self/statm");
  for (std::uint64_t& count : pages) statm >> count;
  const auto page_bytes = static_cast<std::uint64_t>(::sysconf(_SC_PAGESIZE));
  return {pages[1] * page_bytes, pages[2] * page_bytes};
}

/// Of the structures of all ranks: their means and the largest.
Json structures_json(const std::vector<base::MemoryUse>& uses) {
  std::vector<std::uint64_t> own;
  for (const base::MemoryUse& use : uses) own.push_back(use.bytes());
  std::vector<std::uint64_t> sums(own.size());
  std::vector<std::uint64_t> most(own.size());
  allreduce<std::uint64_t>(own, sums, Sum{});
  allreduce<std::uint64_t>(own, most, Max{});
  Json rows = Json::array();
  for (std::size_t i = 0; i < uses.size(); ++i) {
    Json row = json_of(uses[i].account);
    row["mean_bytes"] = sums[i] / static_cast<std::uint64_t>(size());
    row["most_bytes"] = most[i];
    rows.push_back(row);
  }
  return rows;
}

int measure(const Options& options, std::int64_t begun_ns) {
  const auto start_us = static_cast<std::uint64_t>(base::now_ns() - begun_ns) / 1000;
  for (int distance = 1; distance <= options.peers_count && distance < size(); ++distance) {
    invoke((rank() + distance) % size(), [] {});
  }
  barrier();
  const runtime::Rank& self = runtime::Rank::current();
  const bool is_one_process = std::string(self.transport.name()) == "loopback";
  const auto [resident, shared] = resident_bytes();
  const std::array<std::uint64_t, 3> own{heap_bytes(), resident, shared};
  std::array<std::uint64_t, 3> sums{};
  allreduce<std::uint64_t>(own, sums, Sum{});
  const auto sharers = static_cast<std::uint64_t>(is_one_process ? size() : 1);
  const auto ranks_count = static_cast<std::uint64_t>(size());
  const std::uint64_t slowest_us = allreduce(start_us, Max{});
  const Json structures = structures_json(uses_of(self));
  if (rank() != 0) return 0;
  const Json answer{{"ranks", size()},
                    {"transport", self.transport.name()},
                    {"start_us", slowest_us},
                    {"heap_bytes", sums[0] / ranks_count / sharers},
                    {"resident_bytes", sums[1] / ranks_count / sharers},
                    {"shared_bytes", sums[2] / ranks_count / sharers},
                    {"structures", structures}};
  std::puts(apps::to_line(answer).c_str());
  return 0;
}

}  // namespace

int main(int argc, char** argv) {
  const std::int64_t begun_ns = base::now_ns();
  return apps::reporting_errors([&] {
    const Options options = parse(argc, argv);
    if (!options.accounts_only) {
      return run(argc, argv, [&] { return measure(options, begun_ns); });
    }
    std::puts(apps::to_line(accounts_json()).c_str());
    return 0;
  });
}
