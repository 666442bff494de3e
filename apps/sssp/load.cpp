#include "sssp/load.hpp"

#include <fmt/format.h>
#include <unistd.h>

#include <array>
#include <new>
#include <optional>

#include "sssp/graph_error.hpp"
#include "sssp/graph_reader.hpp"
#include "sssp/partitioning.hpp"

namespace tasuki::sssp {
namespace {

template <class Array>
void broadcast(Array& values, Exchange& exchange) {
  exchange.broadcast(std::as_writable_bytes(std::span(values)));
}

/// Runs `work`. Returns: its graph_error, if it throws one; lack of memory is one.
template <class Work>
std::optional<graph_error> attempt(const std::string& file, Work work) {
  try {
    work();
  } catch (const graph_error& error) {
    return error;
  } catch (const std::bad_alloc&) {
    return graph_error(file, 0, "there is not enough memory for it", "take a smaller graph");
  }
  return std::nullopt;
}

/// What a graph takes on one rank while it is divided and searched, from below.
std::uint64_t least_bytes(const EdgeList& list) noexcept {
  return std::uint64_t{list.node_count} * 64 + list.arcs.size() * sizeof(Edge);
}

/// One wrong number of a node in a small file asks for more than there is: the system would kill
/// the job without a word.
void check_memory(const std::string& file, const EdgeList& list) {
  const std::uint64_t machine_bytes = static_cast<std::uint64_t>(::sysconf(_SC_PHYS_PAGES)) *
                                      static_cast<std::uint64_t>(::sysconf(_SC_PAGE_SIZE));
  if (least_bytes(list) <= machine_bytes) return;
  throw graph_error(file, 0,
                    fmt::format("{} nodes and {} arcs take more than the {} bytes of this machine",
                                list.node_count, list.arcs.size(), machine_bytes),
                    "correct the numbers of its nodes or take a smaller graph");
}

Graph read(const std::string& file) {
  const EdgeList list = read_graph(file);
  check_memory(file, list);
  return Graph(list);
}

/// Runs `work` on rank 0. Throws its graph_error on all ranks. Collective.
template <class Work>
void on_rank_0(const std::string& file, Exchange& exchange, Work work) {
  std::optional<graph_error> error;
  if (exchange.rank() == 0) error = attempt(file, work);
  std::array<char, 1> failed = {error.has_value()};
  broadcast(failed, exchange);
  if (error) throw graph_error(*error);
  if (failed[0] != 0) throw graph_error(file, 0, "rank 0 could not take it", "see there");
}

}  // namespace

Graph load(const std::string& file, Exchange& exchange) {
  Graph graph;
  on_rank_0(file, exchange, [&] { graph = read(file); });
  std::array<std::size_t, 3> sizes = {graph.begins.size(), graph.arcs.size(), graph.first_number};
  broadcast(sizes, exchange);
  graph.begins.resize(sizes[0]);
  graph.arcs.resize(sizes[1]);
  graph.first_number = static_cast<Node>(sizes[2]);
  broadcast(graph.begins, exchange);
  broadcast(graph.arcs, exchange);
  return graph;
}

std::vector<int> divide(const Graph& graph, const Options& options, Exchange& exchange) {
  std::vector<int> owners;
  on_rank_0(options.graph, exchange, [&] {
    try {
      owners = partitioning(options.partition).owners(graph, exchange.ranks());
    } catch (const partitioning_error& error) {
      throw graph_error(options.graph, 0, error.what(), "use another --partition");
    }
  });
  owners.resize(graph.node_count());
  broadcast(owners, exchange);
  return owners;
}

}  // namespace tasuki::sssp
