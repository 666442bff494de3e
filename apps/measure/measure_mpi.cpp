// mpi_measure_MPI: measures the collectives of an MPI library, as the lines on standard input ask:
// the algorithms that the library can be made to use, and "native", what it chooses by itself under
// the settings of its job. Run beside tasuki_measure, and by `tasuki tune --library`.
#include <dlfcn.h>
#include <mpi.h>

#include <fmt/format.h>
#include <tasuki/base/error.hpp>
#include <tasuki/base/topology.hpp>

#include <algorithm>
#include <array>
#include <cstddef>
#include <span>
#include <sstream>
#include <string>

#include "info/json.hpp"
#include "measure/mpi_algorithms.hpp"
#include "measure/request.hpp"
#include "measure/sampling.hpp"
#include "measure/server.hpp"

namespace tasuki::measure {
namespace {

using coll::Collective;

/// What no forced algorithm has a say in: a word from rank to rank, by ordinary messages.
double max_of_all(double value, int rank, int size) {
  for (int distance = 1; distance < size; distance *= 2) {
    double other = 0;
    MPI_Sendrecv(&value, 1, MPI_DOUBLE, (rank + distance) % size, 0, &other, 1, MPI_DOUBLE,
                 (rank - distance + size) % size, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
    value = std::max(value, other);
  }
  return value;
}

/// MPI on `all`, a communicator of all ranks on which errors are returned.
class MpiLibrary {
 public:
  explicit MpiLibrary(MPI_Comm all) : all_(all) {
    MPI_Comm_rank(all, &rank_);
    MPI_Comm_size(all, &size_);
  }
  int rank() const { return rank_; }
  int size() const { return size_; }
  void barrier() const { max_of_all(0, rank_, size_); }
  double max(double value) const { return max_of_all(value, rank_, size_); }
  /// Has any call failed on any rank? Collective.
  bool has_failed() const { return max(failures_count_ > 0 ? 1 : 0) > 0; }

  void run(const Request& request, const std::vector<float>& input, std::vector<float>& output,
           int root) {
    if (call(request, input.data(), output.data(), root) != MPI_SUCCESS) ++failures_count_;
  }

 private:
  int call(const Request& request, const float* from, float* to, int root) const {
    const int count = static_cast<int>(request.message_bytes / sizeof(float));
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
      default:
        throw error("measuring", fmt::format("{} is not measured", name_of(request.collective)),
                    "its sizes vary: the tuner does not choose for it");
    }
  }

  MPI_Comm all_;
  int rank_ = 0;
  int size_ = 0;
  int failures_count_ = 0;
};

coll::Shape shape_of(const Request& request) {
  coll::Shape shape;
  MPI_Comm_size(MPI_COMM_WORLD, &shape.ranks);
  shape.element_bytes = sizeof(float);
  shape.count = request.message_bytes / sizeof(float);
  return shape;
}

Answer measure(const Request& request) {
  Answer found;
  const coll::Parameters parameters = coll::Parameters::parse(request.parameters);
  found.unavailable =
      falls_back_because(request.algorithm, parameters, request.collective, shape_of(request));
  if (!found.unavailable.empty()) return found;
  const ForcedAlgorithm forced(request.collective, request.algorithm, parameters);
  MpiLibrary library(forced.communicator());
  Sampler<MpiLibrary> sampler(library, request);
  const bool right = sampler.is_right();
  if (library.has_failed()) {
    found.unavailable = "the library refuses it for these ranks and this size";
    return found;
  }
  found.right = right;
  found.bits = sampler.bits();
  found.same_bits = sampler.has_same_bits();
  found.samples_ns = sampler.samples_ns();
  return found;
}

/// Does the library do it that way, for this size, without an error? Collective.
std::string unavailable_because(const MpiAlgorithm& algorithm, const Request& request) {
  std::string why_not =
      falls_back_because(algorithm.name, {}, request.collective, shape_of(request));
  if (!why_not.empty()) return why_not;
  const ForcedAlgorithm forced(request.collective, algorithm.name, {});
  MpiLibrary library(forced.communicator());
  Sampler<MpiLibrary>(library, request).call_once(3);
  return library.has_failed() ? "the library refuses it for these ranks and this size" : "";
}

std::string list(const Request& request) {
  const auto to_json = [&](const MpiAlgorithm& algorithm) {
    return json::object({{"algorithm", json::quoted(algorithm.name)},
                         {"library_name", json::quoted(algorithm.library_name)},
                         {"value", std::to_string(algorithm.value)},
                         {"parameters", json::array(algorithm.parameters, parameter_json)},
                         {"unavailable", json::quoted(unavailable_because(algorithm, request))}});
  };
  std::string text =
      json::object({{"chosen", json::quoted("native")},
                    {"chosen_parameters", json::quoted("")},
                    {"reason", json::quoted("the library's own choice")},
                    {"algorithms", json::array(mpi_algorithms_of(request.collective), to_json)}});
  std::erase(text, '\n');
  return text;
}

/// "Open MPI v5.0.11", "MPICH 4.0.2": the first words of how the library calls itself.
std::string library_version() {
  std::array<char, MPI_MAX_LIBRARY_VERSION_STRING> text{};
  int length = 0;
  MPI_Get_library_version(text.data(), &length);
  std::istringstream words(text.data());
  std::string version;
  for (std::string word; words >> word;) {
    if (word == "Version:") continue;
    version += (version.empty() ? "" : " ") + word;
    if (std::any_of(word.begin(), word.end(), [](char one) { return one >= '0' && one <= '9'; })) {
      break;
    }
  }
  if (version.ends_with(',')) version.pop_back();
  return version;
}

/// The file that the library was loaded from.
std::string library_file() {
  Dl_info found{};
  return ::dladdr(reinterpret_cast<const void*>(&MPI_Barrier), &found) != 0 ? found.dli_fname : "";
}

std::string answer(const std::string& line) {
  const Request request = parse_request(line);
  if (request.command == "machine") {
    return json::object({{"machine", json::quoted(base::machine_name())},
                         {"ranks", std::to_string(shape_of(request).ranks)},
                         {"library", json::quoted(library_version())},
                         {"library_file", json::quoted(library_file())}});
  }
  return request.command == "list" ? list(request) : to_json(measure(request));
}

void serve_all() {
  int rank = 0;
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  const auto broadcast = [](std::span<std::byte> bytes) {
    MPI_Bcast(bytes.data(), static_cast<int>(bytes.size()), MPI_BYTE, 0, MPI_COMM_WORLD);
  };
  serve(rank, broadcast, answer);
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
