// The halo of a rank's block in a grid of ranks, exchanged with the neighbours again and again.
//
// All ranks of a CartesianTeam make a HaloExchange once, and in each step exchange what lies at the
// edges of their blocks. The memory is the program's: a block together with its halo, in any
// strides. What an Array needs of other ranks is a Halo (halo.hpp).
//
// Thread-safety: from the rank's own thread only.
#pragma once

#include <concepts>
#include <cstddef>
#include <cstdint>
#include <span>
#include <tasuki/containers/cartesian_team.hpp>
#include <tasuki/detail/containers/box_exchange.hpp>
#include <tasuki/sendable.hpp>
#include <vector>

namespace tasuki {

/// How many elements of neighbours lie before and after a block in a dimension.
struct HaloWidth {
  std::int64_t before = 1;
  std::int64_t after = 1;
};

/// Which neighbours a halo has elements of: those that differ in one coordinate, in at most two, or
/// in any number. In two dimensions `edges` and `corners` are the same.
enum class HaloReach { faces = 1, edges = 2, corners = 3 };

/// A block of elements with its halo in memory.
struct HaloShape {
  std::vector<std::int64_t> extents;  ///< Of the block without its halo, by dimension.
  std::vector<HaloWidth> widths;      ///< By dimension.
  HaloReach reach = HaloReach::corners;
  /// From an element to the next one in each dimension, in elements. Without any, the last
  /// dimension is the fastest, and the memory has no gaps. Ranks may have different ones.
  std::vector<std::int64_t> strides = {};
};

namespace containers {

/// A shape that has been found right, with the neighbours of a rank.
struct HaloPlan {
  ArrayMemory memory;
  std::size_t memory_count = 0;  ///< Elements from the first one of the halo to its last one.
  std::vector<SharedBoxes> shared = {};
};

/// Collective over the grid. Throws tasuki::error on all ranks if the shape of one is wrong.
HaloPlan plan_halo(const CartesianTeam& grid, const HaloShape& shape, std::size_t element_bytes);
[[noreturn]] void throw_short_memory(std::size_t count, std::size_t needed_count);

}  // namespace containers

/// Fills the halos of blocks with the elements that the neighbours in the grid have there. Where
/// the grid ends, the halo stays as it is. Example: examples/smoothing.cpp
///     const tasuki::CartesianTeam grid(tasuki::world_team(), {0, 0}, {true, true});
///     tasuki::HaloExchange<double> halo(grid, {.extents = {8, 8}, .widths = {{1, 1}, {1, 1}}});
///     std::vector<double> block(halo.memory_count());  // (8 + 2) x (8 + 2)
///     halo.start(block);
///     block[halo.offset(3, 3)] *= 2;  // anything but the halo may be used meanwhile
///     halo.finish(block);
///     block[halo.offset(0, 0)] = block[halo.offset(-1, -1)];
///     halo.exchange(block);  // both
template <class T>
class HaloExchange {
 public:
  /// Ranks may have blocks of different extents, where those beside each other in a dimension have
  /// the same in all others; the halo of a rank reaches no further than the neighbour's block. A
  /// rank that is its own neighbour, in a periodic dimension, gets its own elements.
  /// Collective over the grid. Throws tasuki::error on all ranks if a shape is wrong.
  HaloExchange(const CartesianTeam& grid, const HaloShape& shape)
      : HaloExchange(grid, containers::plan_halo(grid, shape, sizeof(T))) {}

  /// Sends the edges of the block in `memory`, which starts at the first element of the halo. All
  /// but the halo may be read and changed when this returns. Does not wait for other ranks.
  /// Exchanges of one object may use different memory.
  /// Throws tasuki::error if the memory is too short or an exchange is under way.
  void start(std::span<const T> memory) {
    check(memory.size());
    exchange_.start(reinterpret_cast<const std::byte*>(memory.data()));
  }
  /// Waits for the neighbours to have started the same exchange, and fills the halo in `memory`.
  /// Between start and finish nothing is written into it.
  void finish(std::span<T> memory) {
    check(memory.size());
    exchange_.finish(reinterpret_cast<std::byte*>(memory.data()));
  }
  void exchange(std::span<T> memory) {
    start(memory);
    finish(memory);
  }

  /// Elements that the memory must have at least.
  std::size_t memory_count() const noexcept { return memory_count_; }
  /// Where an element is in the memory. The first one of the block has the indices 0; those of the
  /// halo before it are negative. Requires: an index for each dimension, inside the halo.
  template <std::integral... Index>
  std::size_t offset(Index... index) const noexcept {
    std::int64_t offset = memory_.origin;
    std::size_t dimension = 0;
    ((offset += static_cast<std::int64_t>(index) * memory_.strides[dimension++]), ...);
    return static_cast<std::size_t>(offset);
  }

 private:
  static_assert(runtime::Bytewise<T>,
                "tasuki: a HaloExchange copies only trivially copyable elements that hold no "
                "addresses.");

  HaloExchange(const CartesianTeam& grid, containers::HaloPlan plan)
      : memory_(std::move(plan.memory)),
        memory_count_(plan.memory_count),
        exchange_(grid, std::move(plan.shared), "exchanging halos") {}

  void check(std::size_t count) const {
    if (count < memory_count_) containers::throw_short_memory(count, memory_count_);
  }

  containers::ArrayMemory memory_;
  std::size_t memory_count_;
  containers::BoxExchange exchange_;
};

}  // namespace tasuki
