// mpi_measure_MPI: measures the collectives of an MPI library, as the lines on standard input ask:
// the algorithms that the library can be made to use, "native", what it chooses by itself under the
// settings of its job, and Tasuki's schedules over its messages. With the library preloaded that
// `tasuki run --tuned` preloads, those that a policy for it can name. Run beside tasuki_measure,
// and by `tasuki tune --library`.
#include <dlfcn.h>
#include <mpi.h>

#include <tasuki/detail/base/topology.hpp>
#include <tasuki/detail/mpi/messages/library_name.hpp>
#include <tasuki/error.hpp>

#include <cstddef>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include "common/parameters_json.hpp"
#include "measure/mpi_algorithms.hpp"
#include "measure/mpi_ranks.hpp"
#include "measure/mpi_schedules.hpp"
#include "measure/preloaded.hpp"
#include "measure/request.hpp"
#include "measure/sampling.hpp"
#include "measure/server.hpp"

namespace tasuki::measure {
namespace {

using apps::Json;
using coll::Collective;

constexpr const char* refused = "the library refuses it for these ranks and this size";

/// Blocks one after the other, as MPI wants to be told of them.
struct MpiBlocks {
  explicit MpiBlocks(const std::vector<std::size_t>& of) {
    int end = 0;
    for (const std::size_t count : of) {
      counts.push_back(static_cast<int>(count));
      displacements.push_back(end);
      end += counts.back();
    }
  }
  std::vector<int> counts;
  std::vector<int> displacements;
};

/// MPI on `all`, a communicator of all ranks on which errors are returned.
class MpiLibrary : public MpiRanks {
 public:
  MpiLibrary(MPI_Comm all, const Request& request)
      : all_(all),
        sent_(shape_of(request, rank(), size()).send_counts),
        received_(shape_of(request, rank(), size()).receive_counts) {}
  /// Has any call failed on any rank? Collective.
  bool has_failed() const { return max(failures_count_ > 0 ? 1 : 0) > 0; }

  void run(const Request& request, const std::vector<float>& input, std::vector<float>& output,
           int root) {
    if (call(request, input.data(), output.data(), root) != MPI_SUCCESS) ++failures_count_;
  }

 private:
  int call(const Request& request, const float* from, float* to, int root) const {
    const int count = static_cast<int>(request.message_bytes / sizeof(float));
    const auto own = static_cast<std::size_t>(rank());
    switch (request.collective) {
      case Collective::barrier:
        return MPI_Barrier(all_);
      case Collective::broadcast:
        return MPI_Bcast(to, count, MPI_FLOAT, root, all_);
      case Collective::reduce:
        return MPI_Reduce(from, to, count, MPI_FLOAT, MPI_SUM, root, all_);
      case Collective::allreduce:
        return MPI_Allreduce(from, to, count, MPI_FLOAT, MPI_SUM, all_);
      case Collective::gather:
        return MPI_Gather(from, count, MPI_FLOAT, to, count, MPI_FLOAT, root, all_);
      case Collective::scatter:
        return MPI_Scatter(from, count, MPI_FLOAT, to, count, MPI_FLOAT, root, all_);
      case Collective::allgather:
        return MPI_Allgather(from, count, MPI_FLOAT, to, count, MPI_FLOAT, all_);
      case Collective::alltoall:
        return MPI_Alltoall(from, count, MPI_FLOAT, to, count, MPI_FLOAT, all_);
      case Collective::reduce_scatter_block:
        return MPI_Reduce_scatter_block(from, to, count, MPI_FLOAT, MPI_SUM, all_);
      case Collective::scan:
        return MPI_Scan(from, to, count, MPI_FLOAT, MPI_SUM, all_);
      case Collective::exscan:
        return MPI_Exscan(from, to, count, MPI_FLOAT, MPI_SUM, all_);
      case Collective::gatherv:
        return MPI_Gatherv(from, received_.counts[own], MPI_FLOAT, to, received_.counts.data(),
                           received_.displacements.data(), MPI_FLOAT, root, all_);
      case Collective::scatterv:
        return MPI_Scatterv(from, sent_.counts.data(), sent_.displacements.data(), MPI_FLOAT, to,
                            sent_.counts[own], MPI_FLOAT, root, all_);
      case Collective::allgatherv:
        return MPI_Allgatherv(from, received_.counts[own], MPI_FLOAT, to, received_.counts.data(),
                              received_.displacements.data(), MPI_FLOAT, all_);
      case Collective::alltoallv:
        return MPI_Alltoallv(from, sent_.counts.data(), sent_.displacements.data(), MPI_FLOAT, to,
                             received_.counts.data(), received_.displacements.data(), MPI_FLOAT,
                             all_);
      case Collective::reduce_scatter:
        return MPI_Reduce_scatter(from, to, received_.counts.data(), MPI_FLOAT, MPI_SUM, all_);
    }
    return MPI_ERR_OTHER;
  }

  MPI_Comm all_;
  MpiBlocks sent_;
  MpiBlocks received_;
  int failures_count_ = 0;
};

coll::Shape shape_here(const Request& request) {
  const MpiRanks here;
  return shape_of(request, here.rank(), here.size());
}

/// What Tasuki's algorithms see.
coll::Shape shape_for(const mpi::Executor& executor, const Request& request) {
  coll::Shape shape = shape_here(request);
  shape.placement = executor.placement();
  return shape;
}

Answer measure_schedule(const Request& request, mpi::Executor& executor) {
  ScheduleLibrary library(executor, request);
  const std::string why_not = library.unavailable_because();
  return why_not.empty() ? Sampler<ScheduleLibrary>(library, request).answer()
                         : not_measured(why_not);
}

Answer measure(const Request& request) {
  const coll::Parameters parameters = coll::Parameters::parse(request.parameters);
  const std::string why_not =
      falls_back_because(request.algorithm, parameters, request.collective, shape_here(request));
  if (!why_not.empty()) return not_measured(why_not);
  const ForcedAlgorithm forced(request.collective, request.algorithm, parameters);
  MpiLibrary library(forced.communicator(), request);
  Sampler<MpiLibrary> sampler(library, request);
  sampler.call_once(3);
  return library.has_failed() ? not_measured(refused) : sampler.answer();
}

/// By the preloaded library, on a communicator that has none of the server's own calls.
Answer measure_preloaded(const Request& request, MPI_Comm own) {
  ask_for_algorithm(request);
  MpiLibrary library(own, request);
  Sampler<MpiLibrary> sampler(library, request);
  sampler.call_once(3);
  const std::string why_not = not_taken_because(request);
  return why_not.empty() ? sampler.answer() : not_measured(why_not);
}

Json list_preloaded(const Request& request, const mpi::Executor& executor, MPI_Comm own) {
  ask_for_built_in();
  MpiLibrary library(own, request);
  Sampler<MpiLibrary>(library, request).call_once(3);
  const mpi::AskedPolicy chosen = taken();
  return {{"chosen", chosen.used},
          {"chosen_parameters", chosen.used_parameters},
          {"reason", "the built-in policy"},
          {"algorithms", preloaded_algorithms(request, shape_for(executor, request))}};
}

/// Does the library do it that way, for this size, without an error? Collective.
std::string unavailable_because(const MpiAlgorithm& algorithm, const Request& request) {
  std::string why_not =
      falls_back_because(algorithm.name, {}, request.collective, shape_here(request));
  if (!why_not.empty()) return why_not;
  const ForcedAlgorithm forced(request.collective, algorithm.name, {});
  MpiLibrary library(forced.communicator(), request);
  Sampler<MpiLibrary>(library, request).call_once(3);
  return library.has_failed() ? refused : "";
}

/// The library's own algorithms, then Tasuki's schedules.
Json list(const Request& request, const mpi::Executor& executor) {
  Json algorithms = Json::array();
  for (const MpiAlgorithm& one : mpi_algorithms_of(request.collective)) {
    algorithms.push_back({{"algorithm", one.name},
                          {"library_name", one.library_name},
                          {"value", one.value},
                          {"parameters", apps::parameters_json(one.parameters)},
                          {"unavailable", unavailable_because(one, request)}});
  }
  add_schedules(algorithms, request, shape_for(executor, request));
  return {{"chosen", "native"},
          {"chosen_parameters", ""},
          {"reason", "the library's own choice"},
          {"algorithms", algorithms}};
}

/// The file that the library was loaded from.
std::string library_file() {
  Dl_info found{};
  return ::dladdr(reinterpret_cast<const void*>(&MPI_Barrier), &found) != 0 ? found.dli_fname : "";
}

Json machine(const mpi::Executor& executor) {
  Json found{{"machine", base::machine_name()},
             {"ranks", executor.size()},
             {"library", mpi::library_name()},
             {"library_file", library_file()}};
  add_nodes(found, executor.placement(), executor.size());
  return found;
}

Json answer(const Request& request, mpi::Executor& executor, MPI_Comm own) {
  if (request.command == "machine") return machine(executor);
  if (is_preloaded()) {
    return request.command == "list" ? list_preloaded(request, executor, own)
                                     : to_json(measure_preloaded(request, own));
  }
  if (request.command == "list") return list(request, executor);
  return to_json(is_schedule(request.algorithm) ? measure_schedule(request, executor)
                                                : measure(request));
}

void serve_all() {
  mpi::Executor executor(MPI_COMM_WORLD);
  OwnCommunicator own;
  own.make();
  const auto broadcast = [](std::span<std::byte> bytes) {
    MPI_Bcast(bytes.data(), static_cast<int>(bytes.size()), MPI_BYTE, 0, MPI_COMM_WORLD);
  };
  serve(executor.rank(), broadcast,
        [&](const Request& request) { return answer(request, executor, own.get()); });
}

}  // namespace
}  // namespace tasuki::measure

int main(int argc, char** argv) {
  MPI_Init(&argc, &argv);
  int exit_code = 0;
  try {
    tasuki::measure::serve_all();
  } catch (const tasuki::error& failure) {
    tasuki::base::report(failure.what());
    exit_code = 2;
  }
  MPI_Finalize();
  return exit_code;
}
