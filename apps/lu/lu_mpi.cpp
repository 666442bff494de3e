// LU over MPI: beside lu_tasuki.cpp, with the same numerical code.
//
// Panels go by MPI_Ibcast, which is polled between the parts of an update.

#include <array>

#include "common/mpi_program.hpp"
#include "lu/node.hpp"

namespace tasuki::lu {
namespace {

using apps::Stopwatch;

class MpiExchange {
 public:
  MpiExchange(const Layout& layout, bool split) : layout_(layout), stopwatch_(MPI_Wtime, split) {
    requests_.fill(MPI_REQUEST_NULL);
    for (auto& room : rooms_) room.resize(most_panel_size(layout));
  }

  ~MpiExchange() { MPI_Waitall(depth, requests_.data(), MPI_STATUSES_IGNORE); }
  MpiExchange(const MpiExchange&) = delete;
  MpiExchange& operator=(const MpiExchange&) = delete;

  Stopwatch& stopwatch() noexcept { return stopwatch_; }
  void barrier() { MPI_Barrier(MPI_COMM_WORLD); }

  std::span<double> room(int index) {
    wait(index);  // For the panel that went through this room before.
    return std::span(rooms_[slot(index)]).first(panel_size(layout_, index));
  }

  void send(int index) {
    const Stopwatch::Communication clocked(stopwatch_);
    stopwatch_.count(1, panel_size(layout_, index) * sizeof(double));
    broadcast(index);
  }

  void expect(int index) {
    wait(index);
    const Stopwatch::Communication clocked(stopwatch_);
    broadcast(index);
  }

  std::span<const double> receive(int index) {
    if (layout_.owner(index) != apps::MpiJob::rank()) wait(index);
    return std::span(rooms_[slot(index)]).first(panel_size(layout_, index));
  }

  void release(int) {}

  void progress() {
    const Stopwatch::Communication clocked(stopwatch_);
    int done = 0;
    MPI_Testall(depth, requests_.data(), &done, MPI_STATUSES_IGNORE);
  }

  void sum(std::span<double> values) {
    MPI_Allreduce(MPI_IN_PLACE, values.data(), static_cast<int>(values.size()), MPI_DOUBLE, MPI_SUM,
                  MPI_COMM_WORLD);
  }

 private:
  /// Panels that may be under way at a time.
  static constexpr int depth = 4;

  static std::size_t slot(int index) noexcept { return static_cast<std::size_t>(index % depth); }

  void broadcast(int index) {
    MPI_Ibcast(rooms_[slot(index)].data(), static_cast<int>(panel_size(layout_, index)), MPI_DOUBLE,
               layout_.owner(index), MPI_COMM_WORLD, &requests_[slot(index)]);
  }

  void wait(int index) {
    const Stopwatch::Wait clocked(stopwatch_);
    MPI_Wait(&requests_[slot(index)], MPI_STATUS_IGNORE);
  }

  Layout layout_;
  std::array<apps::HugeArray<double>, depth> rooms_;
  std::array<MPI_Request, depth> requests_;
  Stopwatch stopwatch_;
};

}  // namespace
}  // namespace tasuki::lu

int main(int argc, char** argv) {
  using namespace tasuki;
  return apps::run_mpi_program(argc, argv, lu::parse_options,
                               lu::run<apps::MpiJob, lu::MpiExchange>);
}
