// NPB SP over MPI: beside sp_tasuki.cpp, with the same numerical code.
//
// Every rank runs main; faces and parts of lines travel as non-blocking messages.

#include "npb/common/mpi_sums.hpp"
#include "npb/sp/node.hpp"

namespace tasuki::npb::sp {
namespace {

class MpiExchange : public MpiSums {
 public:
  MpiExchange(const Layout& layout, bool split)
      : MpiSums(split), layout_(layout), last_(layout.cells() - 1) {
    if (last_ == 0) return;
    for (const Axis axis : all_axes)
      for (const Side side : both_sides) {
        face_outboxes_[axis][side].resize(most_face_numbers(layout));
        face_inboxes_[axis][side].resize(most_face_numbers(layout));
      }
    for (const Side side : both_sides) {
      passing_[side].resize(most_passed_numbers(layout));
      taken_[side].resize(static_cast<std::size_t>(last_) * passing_[side].size());
      receives_[side].resize(static_cast<std::size_t>(last_), MPI_REQUEST_NULL);
    }
  }

  std::span<double> face_outbox(Axis axis, Side side) { return face_outboxes_[axis][side]; }
  std::span<const double> face_inbox(Axis axis, Side side) { return face_inboxes_[axis][side]; }

  void swap_faces(const FaceSizes& sizes) {
    const Stopwatch::Communication clocked(stopwatch());
    std::vector<MPI_Request> requests;
    for (const Axis axis : all_axes)
      for (const Side side : both_sides) {
        const HugeArray<double>& inbox = face_inboxes_[axis][side];
        MPI_Irecv(face_inboxes_[axis][side].data(), static_cast<int>(inbox.size()), MPI_DOUBLE,
                  layout_.neighbour(axis, side), face_tag(axis, opposite(side)), MPI_COMM_WORLD,
                  &requests.emplace_back());
      }
    for (const Axis axis : all_axes)
      for (const Side side : both_sides) {
        const std::size_t count = sizes[axis][side];
        stopwatch().count(1, count * sizeof(double));
        MPI_Isend(face_outboxes_[axis][side].data(), static_cast<int>(count), MPI_DOUBLE,
                  layout_.neighbour(axis, side), face_tag(axis, side), MPI_COMM_WORLD,
                  &requests.emplace_back());
      }
    MPI_Waitall(static_cast<int>(requests.size()), requests.data(), MPI_STATUSES_IGNORE);
  }

  void begin_sweep(Axis axis) {
    const Stopwatch::Communication clocked(stopwatch());
    axis_ = axis;
    for (int k = 0; k < last_; ++k) {
      receive(upper, k + 1);
      receive(lower, last_ - 1 - k);
    }
  }

  std::span<const double> taken(Side side, int stage) {
    const Stopwatch::Communication clocked(stopwatch());
    MPI_Wait(&receives_[side][place_of(side, stage)], MPI_STATUS_IGNORE);
    return {taken_[side].data() + place_of(side, stage) * passing_[side].size(),
            passing_[side].size()};
  }

  std::span<double> passing(Side side) {
    const Stopwatch::Communication clocked(stopwatch());
    MPI_Wait(&sends_[side], MPI_STATUS_IGNORE);
    return passing_[side];
  }

  void pass(Side side, int /*stage*/, std::size_t count) {
    const Stopwatch::Communication clocked(stopwatch());
    stopwatch().count(1, count * sizeof(double));
    MPI_Isend(passing_[side].data(), static_cast<int>(count), MPI_DOUBLE,
              layout_.neighbour(axis_, side), sweep_tag(side), MPI_COMM_WORLD, &sends_[side]);
  }

 private:
  static int face_tag(Axis axis, Side to) { return static_cast<int>(side_count * axis + to); }
  static int sweep_tag(Side to) { return static_cast<int>(side_count * axis_count + to); }
  /// Among what is taken from one side. The first stage takes nothing from below, the last nothing
  /// from above.
  static std::size_t place_of(Side side, int stage) {
    return static_cast<std::size_t>(side == upper ? stage - 1 : stage);
  }

  void receive(Side side, int stage) {
    const std::size_t most = passing_[side].size();
    const std::size_t place = place_of(side, stage);
    MPI_Irecv(taken_[side].data() + place * most, static_cast<int>(most), MPI_DOUBLE,
              layout_.neighbour(axis_, opposite(side)), sweep_tag(side), MPI_COMM_WORLD,
              &receives_[side][place]);
  }

  template <class T>
  using PerFace = std::array<std::array<T, side_count>, axis_count>;

  Layout layout_;
  int last_;  ///< Stage.
  Axis axis_ = x_axis;
  PerFace<HugeArray<double>> face_outboxes_;
  PerFace<HugeArray<double>> face_inboxes_;
  std::array<HugeArray<double>, side_count> passing_;
  std::array<HugeArray<double>, side_count> taken_;  ///< By stage.
  std::array<std::vector<MPI_Request>, side_count> receives_;
  std::array<MPI_Request, side_count> sends_{MPI_REQUEST_NULL, MPI_REQUEST_NULL};
};

}  // namespace
}  // namespace tasuki::npb::sp

int main(int argc, char** argv) {
  using namespace tasuki::npb;
  return run_mpi_program(argc, argv, parse_options, sp::run<MpiJob, sp::MpiExchange>);
}
