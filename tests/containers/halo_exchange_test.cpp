#include <tasuki/containers/halo_exchange.hpp>

#include <algorithm>
#include <random>

#include "support/rank_test.hpp"

namespace tasuki::test {
namespace {

using HaloExchangeTest = RankTest;
using Index = std::vector<std::int64_t>;

/// A space of numbered elements that a grid of ranks shares, drawn by a seed: its definition for
/// the exchange to be compared with.
struct Model {
  std::vector<std::vector<std::int64_t>> extents;  ///< By dimension and coordinate.
  std::vector<bool> periods;
  HaloReach reach = HaloReach::corners;
  HaloShape shape = {};  ///< Of this rank.

  std::int64_t extent(std::size_t d) const {
    std::int64_t sum = 0;
    for (const std::int64_t part : extents[d]) sum += part;
    return sum;
  }
  std::int64_t first(std::size_t d, int coordinate) const {
    std::int64_t sum = 0;
    for (int i = 0; i < coordinate; ++i) sum += extents[d][static_cast<std::size_t>(i)];
    return sum;
  }
  /// Of the element at these indices of the whole space, in a step; 0 outside.
  std::int64_t value(Index at, std::int64_t step) const {
    std::int64_t number = 0;
    for (std::size_t d = 0; d < at.size(); ++d) {
      if (periods[d]) at[d] = (at[d] + extent(d)) % extent(d);
      if (at[d] < 0 || at[d] >= extent(d)) return 0;
      number = number * extent(d) + at[d];
    }
    return step * 1'000'000 + number + 1;
  }
};

/// The same numbers on all ranks.
class Draw {
 public:
  explicit Draw(std::uint64_t seed) : engine_(seed) {}
  std::int64_t operator()(std::int64_t least, std::int64_t most) {
    return least +
           static_cast<std::int64_t>(engine_() % static_cast<std::uint64_t>(most - least + 1));
  }

 private:
  std::mt19937_64 engine_;
};

std::vector<std::int64_t> padded_strides(const HaloShape& shape, bool is_row_major, Draw& draw) {
  const std::size_t dimensions = shape.extents.size();
  std::vector<std::int64_t> strides(dimensions);
  std::int64_t stride = draw(1, 2);
  for (std::size_t n = 0; n < dimensions; ++n) {
    const std::size_t d = is_row_major ? dimensions - 1 - n : n;
    strides[d] = stride;
    stride *= shape.extents[d] + shape.widths[d].before + shape.widths[d].after + draw(0, 2);
  }
  return strides;
}

Model drawn(const CartesianTeam& grid, Draw& draw) {
  Model model;
  model.reach = static_cast<HaloReach>(draw(1, 3));
  HaloShape& shape = model.shape;
  shape.reach = model.reach;
  // By rows, by columns, or some ranks so and some otherwise.
  const std::int64_t order = draw(0, 2);
  const bool is_row_major = order == 0 || (order == 2 && grid.rank() % 2 == 0);
  const std::vector<int> own = grid.coordinates();
  for (int d = 0; d < grid.dimensions(); ++d) {
    const auto at = static_cast<std::size_t>(d);
    model.periods.push_back(grid.is_periodic(d));
    auto& extents = model.extents.emplace_back();
    for (int i = 0; i < grid.extent(d); ++i) extents.push_back(draw(1, 5));
    const std::int64_t most = *std::ranges::min_element(extents);
    // Each coordinate has widths of its own.
    for (int i = 0; i < grid.extent(d); ++i) {
      const HaloWidth width{draw(0, most), draw(0, most)};
      if (i != own[at]) continue;
      shape.extents.push_back(extents[static_cast<std::size_t>(i)]);
      shape.widths.push_back(width);
    }
  }
  // All ranks draw as often.
  const std::vector<std::int64_t> strides = padded_strides(shape, is_row_major, draw);
  const bool may_have_none = draw(0, 1) == 0;
  if (!is_row_major || !may_have_none) shape.strides = strides;
  return model;
}

/// Calls `function` with all indices of a rank's block and halo.
template <class Function>
void for_all_indices(const HaloShape& shape, Function function) {
  Index at;
  for (const HaloWidth& width : shape.widths) at.push_back(-width.before);
  while (true) {
    if (std::ranges::all_of(shape.extents, [](std::int64_t extent) { return extent > 0; })) {
      function(at);
    }
    std::size_t d = at.size();
    while (d > 0 && ++at[d - 1] == shape.extents[d - 1] + shape.widths[d - 1].after) {
      --d;
      at[d] = -shape.widths[d].before;
    }
    if (d == 0) return;
  }
}

/// In how many dimensions is it outside of the block?
int sides_count(const HaloShape& shape, const Index& at) {
  int count = 0;
  for (std::size_t d = 0; d < at.size(); ++d) count += at[d] < 0 || at[d] >= shape.extents[d];
  return count;
}

template <class T>
void check_exchanges(const CartesianTeam& grid, const Model& model, Draw& draw) {
  const HaloShape& shape = model.shape;
  HaloExchange<T> halo(grid, shape);
  const auto offset = [&](const Index& at) {
    return at.size() == 1   ? halo.offset(at[0])
           : at.size() == 2 ? halo.offset(at[0], at[1])
                            : halo.offset(at[0], at[1], at[2]);
  };
  const auto value = [&](Index at, std::int64_t step) {
    for (std::size_t d = 0; d < at.size(); ++d) {
      at[d] += model.first(d, grid.coordinates()[d]);
    }
    return model.value(at, step);
  };
  const int reach = model.reach == HaloReach::corners ? 3 : static_cast<int>(model.reach);
  constexpr T untouched = -1;
  std::vector<T> arrays[] = {std::vector<T>(halo.memory_count(), untouched),
                             std::vector<T>(halo.memory_count() + 5, untouched)};
  for (std::int64_t step = 1; step <= 8; ++step) {
    std::vector<T>& memory = arrays[step % 3 == 0 ? 1 : 0];
    std::ranges::fill(memory, untouched);
    for_all_indices(shape, [&](const Index& at) {
      if (sides_count(shape, at) == 0) memory[offset(at)] = static_cast<T>(value(at, step));
    });
    halo.start(memory);
    for_all_indices(shape, [&](const Index& at) {
      if (sides_count(shape, at) == 0) memory[offset(at)] = 0;  // has been sent as it was
    });
    const std::int64_t yields = draw(0, 3) * (rank() % 3);  // Some ranks fall behind.
    for (std::int64_t i = 0; i < yields; ++i) yield();
    halo.finish(memory);
    for_all_indices(shape, [&](const Index& at) {
      const int sides = sides_count(shape, at);
      const T expected = sides == 0                              ? 0
                         : sides > reach || value(at, step) == 0 ? untouched
                                                                 : static_cast<T>(value(at, step));
      ASSERT_EQ(memory[offset(at)], expected) << "step " << step;
    });
  }
}

TEST_F(HaloExchangeTest, halos_are_what_the_neighbours_have) {
  for (std::uint64_t seed = 0; seed < 30; ++seed) {
    SCOPED_TRACE(seed);
    Draw draw(seed);
    std::vector<int> extents(static_cast<std::size_t>(draw(1, 3)));
    std::vector<bool> periods;
    for (std::size_t d = 0; d < extents.size(); ++d) periods.push_back(draw(0, 1) == 1);
    const Team halves = world_team().split(rank() % 2, -rank());
    const CartesianTeam grid(draw(0, 3) == 0 ? halves : world_team(), extents, periods);
    const Model model = drawn(grid, draw);
    if (seed % 2 == 0) {
      check_exchanges<double>(grid, model, draw);
    } else {
      check_exchanges<std::int32_t>(grid, model, draw);
    }
    if (HasFatalFailure()) return;
  }
}

TEST_F(HaloExchangeTest, several_may_be_under_way) {
  const CartesianTeam grid(world_team(), {0}, {true});
  HaloExchange<int> wide(grid, {.extents = {4}, .widths = {{2, 2}}});
  HaloExchange<double> narrow(grid, {.extents = {4}, .widths = {{1, 0}}});
  std::vector<int> numbers(wide.memory_count(), grid.rank());
  std::vector<double> halves(narrow.memory_count(), grid.rank() + 0.5);
  for (int step = 0; step < 5; ++step) {
    wide.start(numbers);
    narrow.start(halves);
    narrow.finish(halves);
    wide.finish(numbers);
    EXPECT_EQ(numbers, (std::vector{previous_rank(), previous_rank(), rank(), rank(), rank(),
                                    rank(), next_rank(), next_rank()}));
    EXPECT_EQ(halves[0], previous_rank() + 0.5);
  }
}

TEST_F(HaloExchangeTest, arrays_side_by_side_are_a_dimension) {
  const CartesianTeam grid(world_team(), {1, 0}, {false, true});
  HaloExchange<int> halo(grid, {.extents = {3, 2}, .widths = {{0, 0}, {1, 1}}});
  std::vector<int> arrays(halo.memory_count());
  for (int i = 0; i < 3; ++i)
    arrays[halo.offset(i, 0)] = arrays[halo.offset(i, 1)] = 10 * rank() + i;
  halo.exchange(arrays);
  for (int i = 0; i < 3; ++i) {
    EXPECT_EQ(arrays[halo.offset(i, -1)], 10 * previous_rank() + i);
    EXPECT_EQ(arrays[halo.offset(i, 2)], 10 * next_rank() + i);
  }
}

TEST_F(HaloExchangeTest, rows_of_any_length_are_exchanged) {
  const CartesianTeam grid(world_team(), {0, 0}, {true, true});
  constexpr std::int64_t side = 3000;  // A row is longer than a message.
  HaloExchange<double> halo(grid, {.extents = {2, side}, .widths = {{1, 1}, {0, 0}}});
  std::vector<double> block(halo.memory_count());
  for (int step = 0; step < 5; ++step) {
    for (std::int64_t i = 0; i < 2; ++i) {
      for (std::int64_t j = 0; j < side; ++j) {
        block[halo.offset(i, j)] = static_cast<double>(step * 1000 + grid.rank() * 10 + i);
      }
    }
    halo.exchange(block);
    const int above = *grid.neighbour({-1, 0});
    const int below = *grid.neighbour({1, 0});
    for (std::int64_t j = 0; j < side; ++j) {
      ASSERT_EQ(block[halo.offset(-1, j)], step * 1000 + above * 10 + 1);
      ASSERT_EQ(block[halo.offset(2, j)], step * 1000 + below * 10);
    }
  }
}

TEST_F(HaloExchangeTest, all_ranks_hear_of_a_wrong_shape) {
  const CartesianTeam grid(world_team(), {0, 1}, {true, true});
  const auto text_of = [&](const HaloShape& shape) {
    return error_of([&] { const HaloExchange<int> halo(grid, shape); });
  };
  const HaloShape right{.extents = {4, 4}, .widths = {{1, 1}, {1, 1}}};
  const int wrong_rank = size() - 1;
  HaloShape shape = right;
  if (rank() == wrong_rank) shape.extents = {4};
  std::string text = text_of(shape);
  EXPECT_TRUE(contains(text, rank() == wrong_rank
                                 ? "1 extents, 2 widths and 0 strides are given for a grid of 2"
                                 : "the shape of rank " + std::to_string(wrong_rank)))
      << text;
  shape = right;
  shape.widths[0].after = -1;
  EXPECT_TRUE(contains(text_of(shape), "dimension 0 has the extent 4, the widths 1 and -1"));
  shape = right;
  shape.strides = {5, 1};
  EXPECT_TRUE(contains(text_of(shape), "its stride 5 in dimension 0 is shorter than the 6"));
  shape = right;
  shape.extents = {std::int64_t{1} << 40, std::int64_t{1} << 40};
  EXPECT_TRUE(contains(text_of(shape), "it would have 1"));
  shape = right;
  shape.widths[1].before = 5;
  EXPECT_TRUE(
      contains(text_of(shape), "the halo of the first is 5 wide, the block of the second 4"));
  if (size() > 1) {
    shape = right;
    if (rank() == wrong_rank) shape.extents[1] = 3;
    EXPECT_TRUE(contains(text_of(shape), "in dimension 0 and have the extents"));
    shape = right;
    if (rank() == wrong_rank) shape.reach = HaloReach::faces;
    EXPECT_TRUE(contains(text_of(shape), "have elements or a reach that differ"));
  }
}

TEST_F(HaloExchangeTest, a_block_without_elements_has_no_longer_strides) {
  const CartesianTeam grid(world_team(), {0, 1, 1});
  constexpr std::int64_t many = std::int64_t{1} << 40;
  const HaloShape shape{.extents = {0, many, many}, .widths = {{0, 0}, {0, 0}, {0, 0}}};
  const std::string text = error_of([&] { const HaloExchange<int> halo(grid, shape); });
  EXPECT_TRUE(contains(text, "it would have 1")) << text;
}

TEST_F(HaloExchangeTest, a_large_block_may_have_strides) {
  const CartesianTeam grid(world_team(), {0, 1, 1});
  constexpr std::int64_t side = 600;
  const HaloExchange<int> halo(grid, {.extents = {side, side, side},
                                      .widths = {{0, 0}, {0, 0}, {0, 0}},
                                      .strides = {side * side, side, 1}});
  EXPECT_EQ(halo.memory_count(), side * side * side);
}

TEST_F(HaloExchangeTest, short_memory_is_an_error) {
  const CartesianTeam grid(world_team(), {0});
  HaloExchange<int> halo(grid, {.extents = {4}, .widths = {{1, 2}}});
  EXPECT_EQ(halo.memory_count(), 7U);
  std::vector<int> memory(6);
  const std::string text = error_of([&] { halo.start(memory); });
  EXPECT_TRUE(contains(text, "the memory has 6 elements, the block with its halo takes 7")) << text;
}

}  // namespace
}  // namespace tasuki::test
