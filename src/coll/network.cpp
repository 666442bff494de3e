#include <tasuki/detail/coll/network.hpp>

#include <fmt/format.h>
#include <fmt/ranges.h>
#include <tasuki/error.hpp>

#include <vector>

namespace tasuki::coll {
namespace {

// Memory of one core of a server of about 2020: 10 GB/s copied, 5 GB/s combined.
constexpr double copy_ns_per_byte = 0.1;
constexpr double reduce_ns_per_byte = 0.2;
// Of all its cores: eight channels of DDR4-3200 move 205 GB/s; a byte that is copied is read and
// written.
constexpr double memory_ns_per_byte = 0.01;

/// Between ranks of one node over shared memory.
constexpr LogGP shared_memory{
    .latency_ns = 100, .overhead_ns = 50, .gap_ns = 50, .gap_ns_per_byte = 0.1};

// Nodes of different groups are joined through two switches more: of 200 Gb/s InfiniBand 0.13 us
// each, of Ethernet 2 us. Leaf switches that carry to others half of what their nodes can send are
// common, and so are Ethernet switches that carry a quarter.
constexpr Network known[] = {
    {.name = "gigabit_ethernet",
     .source = "1 Gbit/s carries 1460 bytes of data in 1538 of line (TCP/IP over Ethernet): 8.43 "
               "ns/B; 25 us from program to program through one switch, 5 us of it on each side, "
               "as common for TCP",
     .link = {.latency_ns = 15000, .overhead_ns = 5000, .gap_ns = 5000, .gap_ns_per_byte = 8.43},
     .node = shared_memory,
     .far = {.latency_ns = 19000, .overhead_ns = 5000, .gap_ns = 5000, .gap_ns_per_byte = 8.43},
     .copy_ns_per_byte = copy_ns_per_byte,
     .reduce_ns_per_byte = reduce_ns_per_byte,
     .memory_ns_per_byte = memory_ns_per_byte,
     .taper = 4},
    {.name = "200g",
     .source = "200 Gbit/s is 0.04 ns/B; MPI latency of HDR InfiniBand and its like through one "
               "switch 1.1 us, 0.2 us of it on each side",
     .link = {.latency_ns = 700, .overhead_ns = 200, .gap_ns = 200, .gap_ns_per_byte = 0.04},
     .node = shared_memory,
     .far = {.latency_ns = 960, .overhead_ns = 200, .gap_ns = 200, .gap_ns_per_byte = 0.04},
     .copy_ns_per_byte = copy_ns_per_byte,
     .reduce_ns_per_byte = reduce_ns_per_byte,
     .memory_ns_per_byte = memory_ns_per_byte,
     .taper = 2},
};

}  // namespace

std::span<const Network> networks() noexcept { return known; }

const Network& network_named(std::string_view name) {
  std::vector<std::string_view> names;
  for (const Network& network : known) {
    if (name == network.name) return network;
    names.emplace_back(network.name);
  }
  throw error("choosing a network", fmt::format("there is none called '{}'", name),
              fmt::format("use one of {}", fmt::join(names, ", ")));
}

}  // namespace tasuki::coll
