#include <tasuki/detail/coll/network.hpp>

#include <fmt/format.h>
#include <fmt/ranges.h>
#include <tasuki/error.hpp>

#include <algorithm>
#include <array>
#include <charconv>
#include <system_error>
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
const std::array<Network, 2>& known() {
  static const std::array<Network, 2> all{{
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
  }};
  return all;
}

// A day: what is beyond is a slip of the pen.
constexpr double time_most_ns = 86'400e9;

/// A number of a network that the user may change, and what it changes.
struct Setting {
  std::string_view name;
  double least;
  double most;
  void (*set)(Network& network, double value);
};

constexpr Setting settings[] = {
    {"latency_ns", 1, time_most_ns,
     [](Network& network, double value) {
       network.far.latency_ns += value - network.link.latency_ns;
       network.link.latency_ns = value;
     }},
    {"overhead_ns", 0, time_most_ns,
     [](Network& network, double value) {
       network.link.overhead_ns = network.far.overhead_ns = value;
     }},
    {"gap_ns", 0, time_most_ns,
     [](Network& network, double value) { network.link.gap_ns = network.far.gap_ns = value; }},
    {"gap_ns_per_byte", 0, time_most_ns,
     [](Network& network, double value) {
       network.link.gap_ns_per_byte = network.far.gap_ns_per_byte = value;
     }},
    {"taper", 1, 1e6, [](Network& network, double value) { network.taper = value; }},
};

constexpr const char* operation = "choosing a network";

const Network& network_named(std::string_view name) {
  std::vector<std::string_view> names;
  for (const Network& network : known()) {
    if (name == network.name) return network;
    names.emplace_back(network.name);
  }
  throw error(operation, fmt::format("there is none called '{}'", name),
              fmt::format("use one of {}", fmt::join(names, ", ")));
}

/// `text` is as in "latency_ns=900".
void change(Network& network, std::string_view text) {
  const std::size_t equals = std::min(text.find('='), text.size());
  const std::string_view name = text.substr(0, equals);
  const auto* const setting = std::ranges::find(settings, name, &Setting::name);
  if (setting == std::end(settings)) {
    std::vector<std::string_view> names;
    for (const Setting& one : settings) names.push_back(one.name);
    throw error(
        operation, fmt::format("'{}' is no number of a network", name),
        fmt::format("use {}, as in {},latency_ns=900", fmt::join(names, ", "), network.name));
  }
  const std::string_view digits = text.substr(std::min(equals + 1, text.size()));
  double value = 0;
  const auto [end, failure] = std::from_chars(digits.data(), digits.data() + digits.size(), value);
  const bool is_number = failure == std::errc{} && end == digits.data() + digits.size();
  // No comparison holds for what is not a number.
  const bool is_within = value >= setting->least && value <= setting->most;
  if (!is_number || !is_within) {
    throw error(operation, fmt::format("{} is '{}'", name, digits),
                fmt::format("give a number from {} to {:.0f}", setting->least, setting->most));
  }
  setting->set(network, value);
}

}  // namespace

std::span<const Network> networks() { return known(); }

Network parse_network(std::string_view text) {
  const std::size_t name_end = std::min(text.find(','), text.size());
  Network network = network_named(text.substr(0, name_end));
  if (name_end == text.size()) return network;
  std::string_view rest = text.substr(name_end + 1);
  network.source = fmt::format("as {}, but {} ({})", network.name, rest, network.source);
  while (true) {
    const std::size_t end = std::min(rest.find(','), rest.size());
    change(network, rest.substr(0, end));
    if (end == rest.size()) return network;
    rest.remove_prefix(end + 1);
  }
}

}  // namespace tasuki::coll
