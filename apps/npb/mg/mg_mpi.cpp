// NPB MG over MPI: beside mg_tasuki.cpp, with the same numerical code.
//
// Every rank runs main. As in the reference implementation receives are posted first, for the
// largest face there is, and faces of all levels arrive in them.

#include <algorithm>
#include <array>

#include "npb/common/mpi_sums.hpp"
#include "npb/mg/node.hpp"

namespace tasuki::npb::mg {
namespace {

class MpiExchange : public MpiSums {
 public:
  MpiExchange(const Layout& layout, bool split)
      : MpiSums(split), layout_(layout), most_points_(most_face_points(layout)) {
    const std::size_t most = *std::max_element(most_points_.begin(), most_points_.end());
    for (const Side side : both_sides) {
      outboxes_[side].resize(most);
      inboxes_[side].resize(most);
    }
  }

  std::span<double> outbox(Side side) { return outboxes_[side]; }
  std::span<const double> inbox(Side side) { return inboxes_[side]; }

  void swap(Axis axis, std::size_t count) {
    const Stopwatch::Communication clocked(stopwatch());
    std::array<MPI_Request, side_count> receives;
    const auto tag = [&](Side from) { return static_cast<int>(side_count * axis + from); };
    for (const Side side : both_sides)
      MPI_Irecv(inboxes_[side].data(), static_cast<int>(most_points_[axis]), MPI_DOUBLE,
                layout_.neighbour(axis, side), tag(side), MPI_COMM_WORLD, &receives[side]);
    for (const Side side : {upper, lower}) {
      stopwatch().count(1, count * sizeof(double));
      MPI_Send(outboxes_[side].data(), static_cast<int>(count), MPI_DOUBLE,
               layout_.neighbour(axis, side), tag(opposite(side)), MPI_COMM_WORLD);
    }
    MPI_Waitall(side_count, receives.data(), MPI_STATUSES_IGNORE);
  }

  std::vector<double> gather(std::span<const double> mine) {
    const Stopwatch::Communication clocked(stopwatch());
    stopwatch().count(1, mine.size_bytes());
    std::vector<double> all(mine.size() * static_cast<std::size_t>(layout_.ranks()));
    const auto count = static_cast<int>(mine.size());
    MPI_Allgather(mine.data(), count, MPI_DOUBLE, all.data(), count, MPI_DOUBLE, MPI_COMM_WORLD);
    return all;
  }

 private:
  Layout layout_;
  std::array<std::size_t, axis_count> most_points_;
  std::array<HugeArray<double>, side_count> outboxes_;
  std::array<HugeArray<double>, side_count> inboxes_;
};

}  // namespace
}  // namespace tasuki::npb::mg

int main(int argc, char** argv) {
  using namespace tasuki::npb;
  return run_mpi_program(argc, argv, parse_options, mg::run<MpiJob, mg::MpiExchange>);
}
