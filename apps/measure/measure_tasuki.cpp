// tasuki_measure: measures the algorithms of Tasuki's collectives, as the requests on standard
// input ask. Run by `tasuki tune` and the reproductions, as the ranks of one job.
#include <tasuki/detail/base/topology.hpp>
#include <tasuki/detail/coll/registry.hpp>
#include <tasuki/policy.hpp>
#include <tasuki/tasuki.hpp>

#include <string>

#include "common/parameters_json.hpp"
#include "measure/request.hpp"
#include "measure/sampling.hpp"
#include "measure/server.hpp"

namespace tasuki::measure {
namespace {

using apps::Json;
using coll::Collective;

class TasukiLibrary {
 public:
  explicit TasukiLibrary(const Request& request)
      : shape_(shape_of(request, tasuki::rank(), tasuki::size())) {}
  static int rank() { return tasuki::rank(); }
  static int size() { return tasuki::size(); }
  static void barrier() { tasuki::barrier(); }
  static double max(double value) { return allreduce(value, Max{}); }

  void run(const Request& request, const std::vector<float>& input, std::vector<float>& output,
           int root) const {
    const std::span<const float> blocks(input);
    const auto block = blocks.first(shape_.count);
    const std::span<float> all(output);
    const auto one = all.first(shape_.count);
    switch (request.collective) {
      case Collective::barrier:
        return tasuki::barrier();
      case Collective::broadcast:
        return tasuki::broadcast(one, root);
      case Collective::reduce:
        return tasuki::reduce(block, one, Sum{}, root);
      case Collective::allreduce:
        return tasuki::allreduce(block, one, Sum{});
      case Collective::gather:
        return tasuki::gather(block, all, root);
      case Collective::scatter:
        return tasuki::scatter(blocks, one, root);
      case Collective::allgather:
        return tasuki::allgather(block, all);
      case Collective::alltoall:
        return tasuki::alltoall(blocks, all);
      case Collective::reduce_scatter_block:
        return tasuki::reduce_scatter(blocks, one, Sum{});
      case Collective::scan:
        return tasuki::scan(block, one, Sum{});
      case Collective::exscan:
        return tasuki::exscan(block, one, Sum{});
      case Collective::gatherv:
        return tasuki::gatherv(block, all, Blocks{shape_.receive_counts}, root);
      case Collective::scatterv:
        return tasuki::scatterv(blocks, Blocks{shape_.send_counts}, one, root);
      case Collective::allgatherv:
        return tasuki::allgatherv(block, all, Blocks{shape_.receive_counts});
      case Collective::alltoallv:
        return tasuki::alltoallv(blocks, Blocks{shape_.send_counts}, all,
                                 Blocks{shape_.receive_counts});
      case Collective::reduce_scatter:
        return tasuki::reduce_scatter(blocks, one, shape_.receive_counts, Sum{});
    }
  }

 private:
  coll::Shape shape_;
};

coll::Shape shape_here(const Request& request) {
  coll::Shape shape = shape_of(request, rank(), size());
  shape.reproducible = is_reproducible();
  shape.placement = placement();
  shape.arithmetic = {base::ElementType::float32, base::Operator::sum};
  return shape;
}

/// Why the algorithm cannot do this here, or "".
std::string unavailable_because(const coll::AlgorithmDescriptor& algorithm,
                                const coll::Parameters& parameters, const Request& request,
                                coll::Media media) {
  if (!has(media, algorithm.medium())) {
    return algorithm.medium() == coll::Medium::mpi_library
               ? "the transport has no MPI library"
               : "the ranks do not share memory that way";
  }
  return not_usable_because(algorithm, shape_here(request), parameters);
}

/// The default policy behind a row that has the algorithm do all of its collective.
coll::Policy always(const Request& request) {
  return coll::before_default_policy({{request.collective, coll::any_ranks, coll::any_bytes,
                                       request.algorithm, request.parameters, "asked for"}});
}

Answer measure(const Request& request, coll::Media media) {
  TasukiLibrary library(request);
  const coll::Policy given = policy();
  if (request.algorithm != "chosen") {
    const auto& algorithm = coll::algorithm_named(request.collective, request.algorithm);
    const auto parameters = complete(algorithm, coll::Parameters::parse(request.parameters));
    const std::string why_not = unavailable_because(algorithm, parameters, request, media);
    if (!why_not.empty()) return not_measured(why_not);
    set_policy(always(request));
  }
  Answer found = Sampler<TasukiLibrary>(library, request).answer();
  set_policy(given);
  return found;
}

/// What there is for the request, and what the policy in force chooses.
Json list(const Request& request, coll::Media media) {
  Json algorithms = Json::array();
  for (const coll::AlgorithmDescriptor* one : coll::algorithms_of(request.collective)) {
    const auto why_not = unavailable_because(*one, complete(*one, {}), request, media);
    algorithms.push_back({{"algorithm", one->name},
                          {"parameters", apps::parameters_json(one->parameters)},
                          {"unavailable", why_not}});
  }
  const coll::Choice choice = policy().select(request.collective, shape_here(request), media);
  return {{"chosen", choice.algorithm->name},
          {"chosen_parameters", choice.parameters.to_text()},
          {"reason", choice.reason},
          {"algorithms", algorithms}};
}

Json answer(const Request& request, coll::Media media) {
  if (request.command == "machine") {
    Json machine{{"machine", base::machine_name()}, {"ranks", size()}, {"library", "Tasuki"}};
    add_nodes(machine, placement(), size());
    return machine;
  }
  return request.command == "list" ? list(request, media) : to_json(measure(request, media));
}

void serve_all() {
  const coll::Media media = tasuki::media();
  serve(
      rank(), [](std::span<std::byte> bytes) { broadcast(bytes, 0); },
      [&](const Request& request) { return answer(request, media); });
}

}  // namespace
}  // namespace tasuki::measure

int main(int argc, char** argv) {
  return tasuki::run(argc, argv, [] { tasuki::measure::serve_all(); });
}
