#include "stencil.hpp"

#include <algorithm>

#include "common/mpi_program.hpp"
#include "kernels.hpp"

namespace tasuki::bench::kernels {
namespace {

/// The edge and the halo on one side of a block, packed into messages.
struct Side {
  int neighbour = MPI_PROC_NULL;
  std::int64_t rows = 0, columns = 0;  ///< Of the edge.
  std::size_t edge = 0, halo = 0;      ///< Where the first cell of each is.
  std::vector<double> sent = {}, received = {};
};

class Sides {
 public:
  Sides(StencilBlock& block, MPI_Comm grid) : block_(block) {
    const std::int64_t side = block.side();
    constexpr std::int64_t radius = stencil_radius;
    std::array<int, 4> neighbours{};
    MPI_Cart_shift(grid, 0, 1, &neighbours[0], &neighbours[1]);
    MPI_Cart_shift(grid, 1, 1, &neighbours[2], &neighbours[3]);
    sides_[0] = {neighbours[0], radius, side, block.place(0, 0), block.place(-radius, 0)};
    sides_[1] = {neighbours[1], radius, side, block.place(side - radius, 0), block.place(side, 0)};
    sides_[2] = {neighbours[2], side, radius, block.place(0, 0), block.place(0, -radius)};
    sides_[3] = {neighbours[3], side, radius, block.place(0, side - radius), block.place(0, side)};
    for (Side& one : sides_) {
      one.sent.resize(static_cast<std::size_t>(one.rows * one.columns));
      one.received.resize(one.sent.size());
    }
  }

  void start() {
    for (std::size_t i = 0; i < sides_.size(); ++i) {
      Side& side = sides_[i];
      MPI_Irecv(side.received.data(), static_cast<int>(side.received.size()), MPI_DOUBLE,
                side.neighbour, static_cast<int>(i ^ 1U), MPI_COMM_WORLD, &requests_[i]);
    }
    for (std::size_t i = 0; i < sides_.size(); ++i) {
      Side& side = sides_[i];
      if (side.neighbour != MPI_PROC_NULL) pack(side);
      MPI_Isend(side.sent.data(), static_cast<int>(side.sent.size()), MPI_DOUBLE, side.neighbour,
                static_cast<int>(i), MPI_COMM_WORLD, &requests_[sides_.size() + i]);
    }
  }
  void finish() {
    MPI_Waitall(static_cast<int>(requests_.size()), requests_.data(), MPI_STATUSES_IGNORE);
    for (const Side& side : sides_) {
      if (side.neighbour != MPI_PROC_NULL) unpack(side);
    }
  }

 private:
  void pack(Side& side) const {
    const double* from = block_.cells().data() + side.edge;
    double* to = side.sent.data();
    for (std::int64_t i = 0; i < side.rows; ++i, from += block_.row_length()) {
      to = std::copy_n(from, side.columns, to);
    }
  }
  void unpack(const Side& side) {
    const double* from = side.received.data();
    double* to = block_.cells().data() + side.halo;
    for (std::int64_t i = 0; i < side.rows; ++i, to += block_.row_length()) {
      std::copy_n(from, side.columns, to);
      from += side.columns;
    }
  }

  StencilBlock& block_;
  std::array<Side, 4> sides_;
  std::array<MPI_Request, 8> requests_{};
};

}  // namespace

Measured stencil(std::int64_t size) {
  StencilGrid shape{};
  const std::array<int, 2> periods{};
  MPI_Comm grid = MPI_COMM_NULL;
  MPI_Dims_create(apps::MpiJob::size(), 2, shape.extents.data());
  MPI_Cart_create(MPI_COMM_WORLD, 2, shape.extents.data(), periods.data(), 0, &grid);
  MPI_Cart_coords(grid, apps::MpiJob::rank(), 2, shape.coordinates.data());
  StencilBlock block(shape, size);
  Sides sides(block, grid);
  MPI_Comm_free(&grid);
  apps::MpiJob::barrier();
  const Stopwatch watch;
  for (int step = 0; step < stencil_steps; ++step) {
    sides.start();
    block.add_inner();
    sides.finish();
    block.add_outer();
    block.step();
  }
  apps::MpiJob::barrier();
  Measured measured = watch.elapsed(static_cast<double>(size * size) * stencil_steps);
  measured.is_right = block.is_right(stencil_steps);
  return measured;
}

}  // namespace tasuki::bench::kernels
