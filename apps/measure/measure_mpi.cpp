// mpi_measure_MPI: measures the collectives of an MPI library, as the lines on standard input ask;
// the only algorithm is "native", what the library chooses under the settings of its job. Run
// beside tasuki_measure.
#include <mpi.h>

#include <fmt/format.h>
#include <tasuki/base/error.hpp>
#include <tasuki/base/topology.hpp>

#include <cstdio>
#include <iostream>
#include <string>

#include "info/json.hpp"
#include "measure/request.hpp"
#include "measure/sampling.hpp"

namespace tasuki::measure {
namespace {

using coll::Collective;

class MpiLibrary {
 public:
  MpiLibrary() {
    MPI_Comm_rank(MPI_COMM_WORLD, &rank_);
    MPI_Comm_size(MPI_COMM_WORLD, &size_);
  }
  int rank() const { return rank_; }
  int size() const { return size_; }
  static void barrier() { MPI_Barrier(MPI_COMM_WORLD); }
  static double max(double value) {
    MPI_Allreduce(MPI_IN_PLACE, &value, 1, MPI_DOUBLE, MPI_MAX, MPI_COMM_WORLD);
    return value;
  }

  static void run(const Request& request, const std::vector<float>& input,
                  std::vector<float>& output, int root) {
    const int count = static_cast<int>(request.message_bytes / sizeof(float));
    const float* from = input.data();
    float* to = output.data();
    MPI_Comm all = MPI_COMM_WORLD;
    switch (request.collective) {
      case Collective::barrier:
        MPI_Barrier(all);
        break;
      case Collective::broadcast:
        MPI_Bcast(to, count, MPI_FLOAT, root, all);
        break;
      case Collective::reduce:
        MPI_Reduce(from, to, count, MPI_FLOAT, MPI_SUM, root, all);
        break;
      case Collective::allreduce:
        MPI_Allreduce(from, to, count, MPI_FLOAT, MPI_SUM, all);
        break;
      case Collective::gather:
        MPI_Gather(from, count, MPI_FLOAT, to, count, MPI_FLOAT, root, all);
        break;
      case Collective::scatter:
        MPI_Scatter(from, count, MPI_FLOAT, to, count, MPI_FLOAT, root, all);
        break;
      case Collective::allgather:
        MPI_Allgather(from, count, MPI_FLOAT, to, count, MPI_FLOAT, all);
        break;
      case Collective::alltoall:
        MPI_Alltoall(from, count, MPI_FLOAT, to, count, MPI_FLOAT, all);
        break;
      case Collective::reduce_scatter_block:
        MPI_Reduce_scatter_block(from, to, count, MPI_FLOAT, MPI_SUM, all);
        break;
      case Collective::scan:
        MPI_Scan(from, to, count, MPI_FLOAT, MPI_SUM, all);
        break;
      case Collective::exscan:
        MPI_Exscan(from, to, count, MPI_FLOAT, MPI_SUM, all);
        break;
      default:
        throw error("measuring", fmt::format("{} is not measured", name_of(request.collective)),
                    "its sizes vary: the tuner does not choose for it");
    }
  }

 private:
  int rank_ = 0;
  int size_ = 0;
};

std::string answer(MpiLibrary& library, const std::string& line) {
  const Request request = parse_request(line);
  if (request.command == "machine") {
    return json::object({{"machine", json::quoted(base::machine_name())},
                         {"ranks", std::to_string(library.size())}});
  }
  Answer found;
  if (request.command != "measure" || request.algorithm != "native") {
    found.unavailable = "an MPI library's algorithms are chosen by its settings";
    return to_json(found);
  }
  Sampler<MpiLibrary> sampler(library, request);
  found.same_bits = sampler.has_same_bits();
  found.samples_ns = sampler.samples_ns();
  return to_json(found);
}

/// Rank 0 reads a line for all. Returns: false at the end of the input.
bool next_line(const MpiLibrary& library, std::string& line) {
  unsigned long bytes = 0;
  if (library.rank() == 0 && std::getline(std::cin, line)) bytes = line.size() + 1;
  MPI_Bcast(&bytes, 1, MPI_UNSIGNED_LONG, 0, MPI_COMM_WORLD);
  if (bytes == 0) return false;
  line.resize(bytes - 1);
  MPI_Bcast(line.data(), static_cast<int>(line.size()), MPI_CHAR, 0, MPI_COMM_WORLD);
  return true;
}

int serve() {
  MpiLibrary library;
  for (std::string line; next_line(library, line);) {
    const std::string text = answer(library, line);
    if (library.rank() != 0) continue;
    std::puts(text.c_str());
    std::fflush(stdout);
  }
  return 0;
}

}  // namespace
}  // namespace tasuki::measure

int main(int argc, char** argv) {
  MPI_Init(&argc, &argv);
  int exit_code = 0;
  try {
    exit_code = tasuki::measure::serve();
  } catch (const tasuki::error& failure) {
    tasuki::base::report(failure.what());
    exit_code = 2;
  }
  MPI_Finalize();
  return exit_code;
}
