#include "sssp/load.hpp"

#include <unistd.h>

#include <array>

#include "sssp/agreement.hpp"
#include "sssp/graph_limits.hpp"
#include "sssp/graph_reader.hpp"
#include "sssp/partitioning.hpp"

namespace tasuki::sssp {
namespace {

template <class Array>
void broadcast(Array& values, Exchange& exchange) {
  exchange.broadcast(std::as_writable_bytes(std::span(values)));
}

std::uint64_t memory_of_machine_bytes() noexcept {
  return static_cast<std::uint64_t>(::sysconf(_SC_PHYS_PAGES)) *
         static_cast<std::uint64_t>(::sysconf(_SC_PAGE_SIZE));
}

Graph read(const std::string& file) {
  const EdgeList list = read_graph(file);
  check_names(file, list);
  check_memory(file, list, memory_of_machine_bytes());
  return Graph(list);
}

}  // namespace

Graph load(const std::string& file, Exchange& exchange) {
  Graph graph;
  on_rank_0(file, exchange, [&] { graph = read(file); });
  std::array<std::size_t, 3> sizes = {graph.begins.size(), graph.arcs.size(), graph.first_number};
  broadcast(sizes, exchange);
  on_all_ranks(file, exchange, [&] {
    graph.begins.resize(sizes[0]);
    graph.arcs.resize(sizes[1]);
  });
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
  on_all_ranks(options.graph, exchange, [&] { owners.resize(graph.node_count()); });
  broadcast(owners, exchange);
  return owners;
}

}  // namespace tasuki::sssp
