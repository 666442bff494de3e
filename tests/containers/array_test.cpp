#include <tasuki/containers/array.hpp>

#include <tasuki/routines.h>
#include <algorithm>
#include <random>

#include "containers/shared_path.hpp"
#include "layout/random_layout.hpp"

namespace tasuki::test {
namespace {

using ArrayTest = RankTest;

/// What an element has, by its index.
std::int64_t number_of(std::span<const std::int64_t> index) {
  std::int64_t number = 1;
  for (const std::int64_t one : index) number = 1000 * number + one;
  return number;
}

void number(Array<std::int64_t>& array) {
  array.for_all([](std::span<const std::int64_t> index, std::int64_t& element) {
    element = number_of(index);
  });
}

void expect_numbered(Array<std::int64_t>& array) {
  array.for_all([](std::span<const std::int64_t> index, const std::int64_t& element) {
    EXPECT_EQ(element, number_of(index));
  });
}

/// The same on all ranks, as the seed is.
std::vector<layout::Distribution> random_distributions(std::mt19937& engine, std::size_t count) {
  std::vector<layout::Distribution> distributions;
  for (std::size_t i = 0; i < count; ++i) {
    switch (i == 0 ? engine() % 3 : engine() % 4) {
      case 0:
        distributions.emplace_back(Block{});
        break;
      case 1:
        distributions.emplace_back(Cyclic{});
        break;
      case 2:
        distributions.emplace_back(BlockCyclic{static_cast<std::int64_t>(1 + engine() % 4)});
        break;
      default:
        distributions.emplace_back(Whole{});
    }
  }
  return distributions;
}

std::vector<std::int64_t> random_extents(std::mt19937& engine) {
  std::vector<std::int64_t> extents(1 + engine() % 3);
  for (std::int64_t& extent : extents) extent = static_cast<std::int64_t>(engine() % 12);
  return extents;
}

TEST_F(ArrayTest, arrays_of_any_distribution_take_over_from_each_other) {
  std::mt19937 engine(1);
  for (int i = 0; i < 30; ++i) {
    const std::vector<std::int64_t> extents = random_extents(engine);
    Array<std::int64_t> from(extents, random_distributions(engine, extents.size()));
    Array<std::int64_t> to(extents, random_distributions(engine, extents.size()));
    number(from);
    to.assign(from);
    expect_numbered(to);
    const auto all = allreduce(to.local().size(), Sum{});
    std::size_t expected = 1;
    for (const std::int64_t extent : extents) expected *= static_cast<std::size_t>(extent);
    EXPECT_EQ(all, expected);
    barrier();
  }
}

TEST_F(ArrayTest, what_is_written_after_an_exchange_stays) {
  Array<int> rows({8, 500}, {Block{}, Whole{}});
  Array<int> columns({8, 500}, {Whole{}, Block{}});
  for (int round = 1; round <= 50; ++round) {
    columns.assign(rows);
    if (rank() == round % size()) columns.at(7, 499 * (round % 2)) = round;
    barrier();
    const int element = columns.at(7, 499 * (round % 2));
    EXPECT_EQ(element, round);
    barrier();
  }
}

TEST_F(ArrayTest, elements_of_all_ranks_are_read_and_written) {
  Array<std::int64_t> array({7, 5}, {BlockCyclic{2}, Cyclic{}});
  number(array);
  barrier();
  for (std::int64_t i = 0; i < 7; ++i) {
    for (std::int64_t j = 0; j < 5; ++j) {
      const std::int64_t element = array.at(i, j);
      EXPECT_EQ(element, number_of(std::array{i, j}));
    }
  }
  barrier();
  if (rank() == 0) {
    for (std::int64_t i = 0; i < 7; ++i) array.at(i, 3) = -i;
  }
  array.for_all([](std::span<const std::int64_t> index, const std::int64_t& element) {
    EXPECT_EQ(element, index[1] == 3 ? -index[0] : number_of(index));
  });
  EXPECT_EQ(array.extent(1), 5);
  EXPECT_EQ(array.owner(0, 0), 0);
  barrier();
}

TEST_F(ArrayTest, an_index_outside_is_an_error) {
  Array<int> array({7, 5}, {Block{}, Whole{}});
  const std::string text = error_of([&] { array.pointer(7, 0); });
  EXPECT_TRUE(contains(text, "there is no element (7, 0) in an array of 7 x 5")) << text;
  barrier();
}

TEST_F(ArrayTest, arrays_that_do_not_fit_are_an_error) {
  Array<int> one({7, 5}, {Block{}, Whole{}});
  Array<int> other({5, 7}, {Block{}, Whole{}});
  EXPECT_TRUE(contains(error_of([&] { one.assign(other); }), "7 x 5 elements, the other 5 x 7"));
  if (size() > 1) {
    Array<int> alone({7, 5}, {Block{}, Whole{}}, world_team().split(rank()));
    EXPECT_TRUE(contains(error_of([&] { one.assign(alone); }), "on different teams"));
  }
  barrier();
}

TEST_F(ArrayTest, one_rank_without_room_is_an_error_on_all) {
  // All elements are the first rank's.
  constexpr std::int64_t many = std::int64_t{1} << 46;
  const std::string text =
      error_of([&] { const Array<double> array({many}, {BlockCyclic{many}}); });
  EXPECT_TRUE(rank() == 0 || contains(text, "rank 0 could not make its own")) << text;
}

TEST_F(ArrayTest, ranks_that_give_different_extents_are_told) {
  if (size() == 1) return;
  const std::int64_t rows = rank() == size() - 1 ? 8 : 7;
  const std::string text = error_of([&] { const Array<int> one({rows, 5}, {Cyclic{}, Whole{}}); });
  EXPECT_TRUE(contains(text, "it has 7 x 5 elements, 1 x 5 at a time, in row-major order")) << text;
  EXPECT_TRUE(contains(text, "but 8 x 5 elements")) << text;
  EXPECT_TRUE(contains(text, "on rank " + std::to_string(size() - 1) + ". Remedy")) << text;
}

TEST_F(ArrayTest, one_rank_with_a_wrong_layout_is_an_error_on_all) {
  const std::int64_t rows = rank() == 0 ? -1 : 7;
  const std::string text = error_of([&] { const Array<int> one({rows}, {Block{}}); });
  EXPECT_TRUE(rank() == 0 || contains(text, "making an Array: on rank 0 of the team: ")) << text;
}

TEST_F(ArrayTest, one_rank_that_gives_another_array_is_an_error_on_all) {
  Array<int> one({7, 5}, {Block{}, Whole{}});
  const Array<int> same({7, 5}, {Cyclic{}, Whole{}});
  const Array<int> other({5, 7}, {Block{}, Whole{}});
  const std::string text = error_of([&] { one.assign(rank() == 0 ? other : same); });
  EXPECT_TRUE(rank() == 0 || contains(text, "Array::assign: on rank 0 of the team: ")) << text;
  one.assign(same);
}

TEST_F(ArrayTest, a_block_that_is_missing_on_one_rank_is_an_error_on_all) {
  const auto layout =
      containers::layout_of({std::int64_t{2} * size()}, {Block{}}, sizeof(int), size());
  std::array<int, 2> block{};
  int* const given = rank() == 0 ? nullptr : block.data();
  const std::string text = error_of([&] { const Array<int> array(layout, given); });
  EXPECT_TRUE(contains(text, "the block of this rank is null, and has 2 elements")) << text;
  const auto first = containers::layout_of({2}, {BlockCyclic{2}}, sizeof(int), size());
  const Array<int> array(first, rank() == 0 ? block.data() : nullptr);
  EXPECT_EQ(array.local().size(), rank() == 0 ? 2U : 0U);
  barrier();
}

TEST_F(ArrayTest, an_array_of_no_ranks_is_an_error) {
  const Team none = world_team().split(-1);
  const std::string text = error_of([&] { const Array<int> array({7}, {Block{}}, none); });
  EXPECT_TRUE(contains(text, "the team is empty")) << text;
}

TEST_F(ArrayTest, a_block_that_is_there_is_used_in_its_place) {
  const layout::Grid grid({1, size()}, layout::Order::column_major);
  const layout::ArrayLayout columns({{6, Whole{}, 1}, {9, Cyclic{}, size()}}, grid,
                                    sizeof(std::int64_t), layout::Order::column_major);
  std::vector<std::int64_t> block(static_cast<std::size_t>(columns.local_count(rank())));
  Array<std::int64_t> array(columns, block.data());
  number(array);
  EXPECT_EQ(array.local().data(), block.data());
  Array<std::int64_t> rows({6, 9}, {Block{}, Whole{}});
  rows.assign(array);
  expect_numbered(rows);
  barrier();
}

TEST_F(ArrayTest, the_block_of_a_served_routine_is_taken_as_it_is_described) {
  // As for `distribute(BLOCK, *) double a[7][4]`.
  const std::array<std::int64_t, 2> extents{7, 4};
  const std::array<std::int64_t, 2> block_extents{(7 + size() - 1) / size(), 4};
  const std::array<int, 2> grid{size(), 1};
  const tasuki_array_layout described{.dimensions = 2,
                                      .extents = extents.data(),
                                      .local_extents = nullptr,
                                      .block_extents = block_extents.data(),
                                      .grid = grid.data(),
                                      .coordinates = nullptr,
                                      .leading_dimension = 4,
                                      .descriptor = {}};
  Array<std::int64_t> same({7, 4}, {Block{}, Whole{}});
  std::vector<std::int64_t> block(same.local().size());
  Array<std::int64_t> array(described, block.data());
  number(array);
  number(same);
  EXPECT_TRUE(std::ranges::equal(block, same.local()));
  EXPECT_EQ(array.owner(6, 0), same.owner(6, 0));
  barrier();
}

// The description of one rank makes no layout; the others' would.
TEST_F(ArrayTest, a_wrong_description_of_one_rank_is_an_error_on_all) {
  const bool is_last = rank() == size() - 1;
  const std::array<std::int64_t, 1> extents{std::int64_t{2} * size()};
  const std::array<std::int64_t, 1> block_extents{is_last ? 0 : 2};
  const std::array<int, 1> grid{size()};
  const tasuki_array_layout described{.dimensions = 1,
                                      .extents = extents.data(),
                                      .local_extents = nullptr,
                                      .block_extents = block_extents.data(),
                                      .grid = grid.data(),
                                      .coordinates = nullptr,
                                      .leading_dimension = 1,
                                      .descriptor = {}};
  std::array<int, 2> block{};
  const std::string text = error_of([&] { Array<int> array(described, block.data()); });
  EXPECT_FALSE(text.empty());
  barrier();
}

TEST_F(ArrayTest, files_have_arrays_of_any_distribution) {
  const SharedPath path;
  std::mt19937 engine(2);
  for (int i = 0; i < 10; ++i) {
    const std::vector<std::int64_t> extents = random_extents(engine);
    Array<std::int64_t> saved(extents, random_distributions(engine, extents.size()));
    number(saved);
    saved.save_npy(*path);
    Array<std::int64_t> loaded(extents, random_distributions(engine, extents.size()));
    loaded.load_npy(*path);
    expect_numbered(loaded);
    barrier();
  }
}

TEST_F(ArrayTest, a_file_of_another_shape_is_an_error_on_all_ranks) {
  const SharedPath path;
  Array<bool> saved({7, 5}, {Block{}, Whole{}});
  saved.save_npy(*path);
  Array<bool> other({5, 7}, {Block{}, Whole{}});
  const std::string text = error_of([&] { other.load_npy(*path); });
  EXPECT_TRUE(contains(text, "it has 7 x 5 elements, the Array 5 x 7")) << text;
  EXPECT_TRUE(contains(error_of([&] { other.load_npy(*path + "/none"); }), "cannot be opened"));
  barrier();
}

}  // namespace
}  // namespace tasuki::test
