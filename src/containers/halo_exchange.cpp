#include <fmt/format.h>

#include <algorithm>
#include <numeric>
#include <optional>
#include <tasuki/collectives_of_values.hpp>
#include <tasuki/containers/halo_exchange.hpp>
#include <tasuki/error.hpp>
#include <utility>

namespace tasuki::containers {
namespace {

constexpr const char* making = "making a HaloExchange";
using Numbers = std::vector<std::int64_t>;

struct Fault {
  std::string happened;
  std::string remedy;
};

/// What other ranks must know of a rank's shape.
struct Described {
  std::int64_t element_bytes = 0;
  std::int64_t reach = 0;
  Numbers extents = {};
  Numbers before = {};
  Numbers after = {};
  Numbers fastest = {};  ///< The dimensions by their strides.

  Numbers numbers() const {
    Numbers all = {element_bytes, reach};
    for (const Numbers* part : {&extents, &before, &after, &fastest}) {
      all.insert(all.end(), part->begin(), part->end());
    }
    return all;
  }
  static Described from(const Numbers& all) {
    const auto dimensions = static_cast<std::ptrdiff_t>(all.size() - 2) / 4;
    const auto part = [&](std::ptrdiff_t number) {
      const auto first = all.begin() + 2 + number * dimensions;
      return Numbers(first, first + dimensions);
    };
    return {all[0], all[1], part(0), part(1), part(2), part(3)};
  }
};

/// Of all indices that the memory has: those of the block and of its halo.
std::int64_t whole_extent(const HaloShape& shape, std::size_t dimension) {
  const auto [before, after] = shape.widths[dimension];
  return before + shape.extents[dimension] + after;
}

/// What is wrong with counts and extents, before they are computed with.
std::optional<Fault> fault_of_extents(const HaloShape& shape, std::size_t dimensions) {
  const auto differs = [&](std::size_t count) { return count != dimensions; };
  if (differs(shape.extents.size()) || differs(shape.widths.size()) ||
      (!shape.strides.empty() && differs(shape.strides.size()))) {
    return Fault{
        fmt::format("{} extents, {} widths and {} strides are given for a grid of {} dimensions",
                    shape.extents.size(), shape.widths.size(), shape.strides.size(), dimensions),
        "give one of each for each dimension, or no strides"};
  }
  // Without strides, factors of 1 and more keep each stride that follows from them in range.
  double count = shape.strides.empty() ? 1 : 0;
  for (std::size_t d = 0; d < dimensions; ++d) {
    const auto [before, after] = shape.widths[d];
    const std::int64_t stride = shape.strides.empty() ? 1 : shape.strides[d];
    if (shape.extents[d] < 0 || before < 0 || after < 0 || stride < 1) {
      return Fault{
          fmt::format("dimension {} has the extent {}, the widths {} and {}, the stride {}", d,
                      shape.extents[d], before, after, stride),
          "give counts of elements, at least 0, and strides of at least 1"};
    }
    const double extent = static_cast<double>(before) + static_cast<double>(shape.extents[d]) +
                          static_cast<double>(after);
    if (shape.strides.empty()) {
      count *= std::max(1.0, extent);
    } else {
      count += extent * static_cast<double>(stride);
    }
  }
  constexpr double most_count = 1ULL << 48U;  // beyond any address space, and still exact
  if (count <= most_count) return std::nullopt;
  return Fault{fmt::format("it would have {:.0f} elements", count), "check extents and strides"};
}

/// Requires: the extents have no fault.
ArrayMemory memory_of(const HaloShape& shape, std::size_t element_bytes) {
  ArrayMemory memory;
  memory.element_bytes = element_bytes;
  memory.strides = shape.strides;
  if (memory.strides.empty()) {
    memory.strides.resize(shape.extents.size());
    std::int64_t stride = 1;
    for (std::size_t d = memory.strides.size(); d-- > 0;) {
      memory.strides[d] = stride;
      stride *= whole_extent(shape, d);
    }
  }
  memory.fastest.resize(memory.strides.size());
  std::iota(memory.fastest.rbegin(), memory.fastest.rend(), std::size_t{0});
  std::ranges::stable_sort(memory.fastest, {}, [&](std::size_t d) { return memory.strides[d]; });
  for (std::size_t d = 0; d < memory.strides.size(); ++d) {
    memory.origin += shape.widths[d].before * memory.strides[d];
  }
  return memory;
}

/// Two elements must not have the same place.
std::optional<Fault> fault_of_strides(const HaloShape& shape, const ArrayMemory& memory) {
  std::int64_t least = 1;
  for (const std::size_t d : memory.fastest) {
    const std::int64_t extent = whole_extent(shape, d);
    if (extent < 2) continue;
    if (memory.strides[d] < least) {
      return Fault{fmt::format("its stride {} in dimension {} is shorter than the {} elements "
                               "before the next one",
                               memory.strides[d], d, least),
                   "let rows have room for the halo, too"};
    }
    least += memory.strides[d] * (extent - 1);
  }
  return std::nullopt;
}

std::size_t memory_count_of(const HaloShape& shape, const ArrayMemory& memory) {
  std::int64_t last = 0;
  for (std::size_t d = 0; d < memory.strides.size(); ++d) {
    const std::int64_t extent = whole_extent(shape, d);
    if (extent == 0) return 0;
    last += memory.strides[d] * (extent - 1);
  }
  return static_cast<std::size_t>(last) + 1;
}

Described described(const HaloShape& shape, const ArrayMemory& memory) {
  Described all{static_cast<std::int64_t>(memory.element_bytes),
                static_cast<std::int64_t>(shape.reach), shape.extents};
  for (const auto& [before, after] : shape.widths) {
    all.before.push_back(before);
    all.after.push_back(after);
  }
  all.fastest.assign(memory.fastest.begin(), memory.fastest.end());
  return all;
}

/// What keeps `one` from having a halo of `other`, its neighbour in a dimension. Those further
/// away in other dimensions, too, are as far from the neighbours of these, which are checked also.
std::optional<Fault> fault_of_pair(const Described& one, const Described& other, std::size_t along,
                                   bool is_before) {
  if (one.element_bytes != other.element_bytes || one.reach != other.reach) {
    return Fault{"have elements or a reach that differ",
                 "let all ranks exchange elements of one type in one reach"};
  }
  for (std::size_t d = 0; d < one.extents.size(); ++d) {
    if (d == along || one.extents[d] == other.extents[d]) continue;
    return Fault{fmt::format("are beside each other in dimension {} and have the extents {} and {} "
                             "in dimension {}",
                             along, one.extents[d], other.extents[d], d),
                 "give ranks of the same coordinate in a dimension the same extent there"};
  }
  const std::int64_t width = is_before ? one.before[along] : one.after[along];
  if (width <= other.extents[along]) return std::nullopt;
  return Fault{
      fmt::format("do not fit: in dimension {} the halo of the first is {} wide, the block "
                  "of the second {}",
                  along, width, other.extents[along]),
      "make the halo narrower, or use fewer ranks in that dimension"};
}

/// Throws the same on all ranks.
void check_pairs(const CartesianTeam& grid, const std::vector<Described>& shapes) {
  for (int rank = 0; rank < grid.size(); ++rank) {
    for (int d = 0; d < grid.dimensions(); ++d) {
      for (const int step : {-1, 1}) {
        std::vector<int> there = grid.coordinates(rank);
        there[static_cast<std::size_t>(d)] += step;
        const std::optional<int> other = grid.rank_at(there);
        if (!other) continue;
        const auto fault = fault_of_pair(shapes[static_cast<std::size_t>(rank)],
                                         shapes[static_cast<std::size_t>(*other)],
                                         static_cast<std::size_t>(d), step < 0);
        if (!fault) continue;
        throw error(making,
                    fmt::format("ranks {} and {} {}", grid.world_rank(rank),
                                grid.world_rank(*other), fault->happened),
                    fault->remedy);
      }
    }
  }
}

/// Throws on all ranks if this rank or another one has found a fault in its own shape.
std::vector<Described> all_shapes(const CartesianTeam& grid, const std::optional<Fault>& fault,
                                  const Numbers& own) {
  const std::vector<Numbers> all = allgather(own, grid);
  if (fault) throw error(making, fault->happened, fault->remedy);
  std::vector<Described> shapes;
  for (std::size_t rank = 0; rank < all.size(); ++rank) {
    if (all[rank].empty()) {
      throw error(
          making,
          fmt::format("the shape of rank {} is wrong", grid.world_rank(static_cast<int>(rank))),
          "see what that rank reports");
    }
    shapes.push_back(Described::from(all[rank]));
  }
  return shapes;
}

/// The part of a halo on the given sides (-1 before the block, 1 after it, 0 beside it), in indices
/// of its block.
Box received_box(const Described& shape, std::span<const int> sides) {
  Box box;
  for (std::size_t d = 0; d < sides.size(); ++d) {
    const std::int64_t extent = shape.extents[d];
    box.lower.push_back(sides[d] < 0 ? -shape.before[d] : sides[d] > 0 ? extent : 0);
    box.upper.push_back(sides[d] < 0 ? 0 : sides[d] > 0 ? extent + shape.after[d] : extent);
  }
  return box;
}

/// The same elements in indices of the block that they are in.
Box sent_box(const Described& receiver, const Described& owner, std::span<const int> sides) {
  Box box;
  for (std::size_t d = 0; d < sides.size(); ++d) {
    const std::int64_t extent = owner.extents[d];
    box.lower.push_back(sides[d] < 0 ? extent - receiver.before[d] : 0);
    box.upper.push_back(sides[d] > 0 ? receiver.after[d] : extent);
  }
  return box;
}

/// All ways to be on a side of a block in each dimension, but in at most `reach` of them.
std::vector<std::vector<int>> all_sides(int dimensions, std::int64_t reach) {
  std::vector<std::vector<int>> all;
  std::vector<int> sides(static_cast<std::size_t>(dimensions), -1);
  const bool reaches_corners = reach == static_cast<std::int64_t>(HaloReach::corners);
  while (true) {
    const auto count = dimensions - std::ranges::count(sides, 0);
    if (count > 0 && (reaches_corners || count <= reach)) all.push_back(sides);
    auto last = sides.rbegin();
    while (last != sides.rend() && *last == 1) *last++ = -1;
    if (last == sides.rend()) return all;
    ++*last;
  }
}

SharedBoxes& shared_with(int rank, std::vector<SharedBoxes>& all) {
  const auto at = std::ranges::find(all, rank, &SharedBoxes::rank);
  return at != all.end() ? *at : all.emplace_back(SharedBoxes{rank});
}

}  // namespace

void throw_short_memory(std::size_t count, std::size_t needed_count) {
  throw error("exchanging halos",
              fmt::format("the memory has {} elements, the block with its halo takes {}", count,
                          needed_count),
              "give memory of memory_count() elements, which begins with the halo");
}

HaloPlan plan_halo(const CartesianTeam& grid, const HaloShape& shape, std::size_t element_bytes) {
  HaloPlan plan;
  std::optional<Fault> fault = fault_of_extents(shape, static_cast<std::size_t>(grid.dimensions()));
  if (!fault) {
    plan.memory = memory_of(shape, element_bytes);
    fault = fault_of_strides(shape, plan.memory);
  }
  const std::vector<Described> shapes =
      all_shapes(grid, fault, fault ? Numbers{} : described(shape, plan.memory).numbers());
  check_pairs(grid, shapes);
  plan.memory_count = memory_count_of(shape, plan.memory);
  // All pack in one order. That of one rank is as good as that of another, unless they differ.
  plan.memory.fastest.assign(shapes.front().fastest.begin(), shapes.front().fastest.end());
  const auto shape_of = [&](int rank) -> const Described& {
    return shapes[static_cast<std::size_t>(rank)];
  };
  const Described& own = shape_of(grid.rank());
  // Both ranks of a pair go through the sides in this order, those of the receiver.
  for (const std::vector<int>& sides : all_sides(grid.dimensions(), own.reach)) {
    if (const auto owner = grid.neighbour(sides)) {
      shared_with(*owner, plan.shared).received.emplace_back(received_box(own, sides), plan.memory);
    }
    std::vector<int> opposite;
    for (const int side : sides) opposite.push_back(-side);
    if (const auto receiver = grid.neighbour(opposite)) {
      shared_with(*receiver, plan.shared)
          .sent.emplace_back(sent_box(shape_of(*receiver), own, sides), plan.memory);
    }
  }
  return plan;
}

}  // namespace tasuki::containers
