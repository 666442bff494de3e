#include "stencil.hpp"

#include <tasuki/containers/halo_exchange.hpp>
#include <tasuki/tasuki.hpp>

#include "kernels.hpp"

namespace tasuki::bench::kernels {

Measured stencil(std::int64_t size) {
  const CartesianTeam grid(world_team(), {0, 0});
  const std::vector<int> at = grid.coordinates();
  StencilBlock block({{grid.extent(0), grid.extent(1)}, {at[0], at[1]}}, size);
  const HaloWidth width{stencil_radius, stencil_radius};
  HaloExchange<double> halo(
      grid, {.extents = {size, size}, .widths = {width, width}, .reach = HaloReach::faces});
  barrier();
  const Stopwatch watch;
  for (int step = 0; step < stencil_steps; ++step) {
    halo.start(block.cells());
    block.add_inner();
    halo.finish(block.cells());
    block.add_outer();
    block.step();
  }
  barrier();
  Measured measured = watch.elapsed(static_cast<double>(size * size) * stencil_steps);
  measured.is_right = block.is_right(stencil_steps);
  return measured;
}

}  // namespace tasuki::bench::kernels
