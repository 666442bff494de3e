// bench_bounce: what it takes to receive a long message behind a short one that is late, as bounce
// receives may have taken it meanwhile (docs/design/prediction.md).
//
// A plain MPI program for 3 ranks, to be run as it is and by `tasuki run --tuned --predict-bounce`.
#include <mpi.h>

#include <algorithm>
#include <array>
#include <chrono>
#include <cstdio>
#include <thread>
#include <vector>

namespace {

constexpr int rounds_count = 60;
constexpr std::chrono::milliseconds late{5};
constexpr int short_tag = 5;
constexpr int long_tag = 7;

/// Rank 0. Returns: the seconds of the receive of the long message.
double receive(std::vector<char>& message) {
  char word = 0;
  MPI_Recv(&word, 1, MPI_CHAR, 1, short_tag, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
  const double begin_s = MPI_Wtime();
  MPI_Recv(message.data(), static_cast<int>(message.size()), MPI_CHAR, 2, long_tag, MPI_COMM_WORLD,
           MPI_STATUS_IGNORE);
  return MPI_Wtime() - begin_s;
}

void send(int rank, const std::vector<char>& message) {
  const char word = 0;
  if (rank == 1) {
    std::this_thread::sleep_for(late);
    MPI_Send(&word, 1, MPI_CHAR, 0, short_tag, MPI_COMM_WORLD);
  } else {
    MPI_Send(message.data(), static_cast<int>(message.size()), MPI_CHAR, 0, long_tag,
             MPI_COMM_WORLD);
  }
}

void measure(int rank, int message_bytes) {
  constexpr double us_per_s = 1e6;
  std::vector<char> message(static_cast<std::size_t>(message_bytes));
  std::vector<double> seconds;
  for (int round = 0; round < rounds_count; ++round) {
    if (rank == 0) {
      seconds.push_back(receive(message));
    } else {
      send(rank, message);
    }
    MPI_Barrier(MPI_COMM_WORLD);
  }
  std::sort(seconds.begin(), seconds.end());
  if (rank == 0)
    std::printf("%9d B %9.1f us\n", message_bytes, us_per_s * seconds[rounds_count / 2]);
}

}  // namespace

int main(int argc, char** argv) {
  MPI_Init(&argc, &argv);
  int rank = 0;
  int ranks_count = 0;
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  MPI_Comm_size(MPI_COMM_WORLD, &ranks_count);
  if (ranks_count != 3) {
    if (rank == 0) std::fprintf(stderr, "bench_bounce: start it with 3 ranks\n");
    MPI_Abort(MPI_COMM_WORLD, 2);
  }
  for (const int message_bytes : std::array{1 << 17, 1 << 20, 1 << 22})
    measure(rank, message_bytes);
  MPI_Finalize();
  return 0;
}
