// What it costs that a call of MPI is recorded: calls through MPI_, which libtasuki_mpi.so sees,
// beside the same calls through PMPI_, which it does not.
//
// `tasuki profile bench_profile_ompi` prints a table; without the library the columns are the same.
// One rank that talks to MPI_PROC_NULL and itself, so that no other takes part.

#include <fmt/format.h>
#include <mpi.h>

#include <algorithm>
#include <array>
#include <cstdint>
#include <tasuki/detail/base/clock.hpp>
#include <vector>

namespace {

constexpr int calls_per_sample = 2000;
constexpr int samples_count = 101;

/// A call by both names: as programs make it, and as the library makes it. `calls` of MPI are in
/// it.
struct Subject {
  const char* name;
  int calls;
  void (*recorded)();
  void (*plain)();
};

int number = 0;
int flag = 0;
MPI_Request request = MPI_REQUEST_NULL;
constexpr int none = MPI_PROC_NULL;
const MPI_Comm world = MPI_COMM_WORLD;

constexpr std::array subjects = {
    Subject{"MPI_Send", 1, [] { MPI_Send(&number, 1, MPI_INT, none, 0, world); },
            [] { PMPI_Send(&number, 1, MPI_INT, none, 0, world); }},
    Subject{"MPI_Recv", 1, [] { MPI_Recv(&number, 1, MPI_INT, none, 0, world, MPI_STATUS_IGNORE); },
            [] { PMPI_Recv(&number, 1, MPI_INT, none, 0, world, MPI_STATUS_IGNORE); }},
    Subject{"MPI_Iprobe", 1, [] { MPI_Iprobe(0, 0, world, &flag, MPI_STATUS_IGNORE); },
            [] { PMPI_Iprobe(0, 0, world, &flag, MPI_STATUS_IGNORE); }},
    Subject{"MPI_Test", 1, [] { MPI_Test(&request, &flag, MPI_STATUS_IGNORE); },
            [] { PMPI_Test(&request, &flag, MPI_STATUS_IGNORE); }},
    Subject{"MPI_Irecv, MPI_Wait", 2,
            [] {
              MPI_Irecv(&number, 1, MPI_INT, none, 0, world, &request);
              MPI_Wait(&request, MPI_STATUS_IGNORE);
            },
            [] {
              PMPI_Irecv(&number, 1, MPI_INT, none, 0, world, &request);
              PMPI_Wait(&request, MPI_STATUS_IGNORE);
            }},
    Subject{"MPI_Allreduce", 1,
            [] { MPI_Allreduce(MPI_IN_PLACE, &number, 1, MPI_INT, MPI_MAX, MPI_COMM_SELF); },
            [] { PMPI_Allreduce(MPI_IN_PLACE, &number, 1, MPI_INT, MPI_MAX, MPI_COMM_SELF); }},
};

double mean_ns(void (*body)()) {
  const std::int64_t begin_ns = tasuki::base::now_ns();
  for (int i = 0; i < calls_per_sample; ++i) body();
  return static_cast<double>(tasuki::base::now_ns() - begin_ns) / calls_per_sample;
}

double median(std::vector<double> values) {
  const auto middle = values.begin() + static_cast<std::ptrdiff_t>(values.size() / 2);
  std::nth_element(values.begin(), middle, values.end());
  return *middle;
}

void measure(const Subject& subject) {
  std::vector<double> recorded_ns, plain_ns, added_ns;
  for (int i = 0; i < samples_count; ++i) {
    recorded_ns.push_back(mean_ns(subject.recorded));
    plain_ns.push_back(mean_ns(subject.plain));
    added_ns.push_back((recorded_ns.back() - plain_ns.back()) / subject.calls);
  }
  fmt::print("{:<22}{:>14.1f}{:>14.1f}{:>8.2f}{:>20.1f}\n", subject.name, median(recorded_ns),
             median(plain_ns), median(recorded_ns) / median(plain_ns), median(added_ns));
}

}  // namespace

int main(int argument_count, char** arguments) {
  MPI_Init(&argument_count, &arguments);
  fmt::print("{:<22}{:>14}{:>14}{:>8}{:>20}\n", "calls", "recorded (ns)", "plain (ns)", "ratio",
             "added to a call (ns)");
  for (const Subject& subject : subjects) measure(subject);
  MPI_Finalize();
  return 0;
}
