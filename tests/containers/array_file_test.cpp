#include <tasuki/detail/containers/array_file.hpp>

#include <fstream>
#include <numeric>
#include <tasuki/detail/containers/array_shape.hpp>

#include "containers/shared_path.hpp"

namespace tasuki::containers {
namespace {

using test::contains;
using test::error_of;
using ArrayFileTest = test::RankTest;

layout::ArrayLayout slabs_of_numbers(std::int64_t extent) {
  return layout_of({extent}, {layout::Block{}}, sizeof(int), size());
}

std::vector<int> numbers_of(const layout::ArrayLayout& slabs) {
  std::vector<int> numbers(static_cast<std::size_t>(slabs.local_count(rank())));
  const auto first = numbers.empty() ? 0 : slabs.axis(0).global_index(rank(), 0);
  std::iota(numbers.begin(), numbers.end(), static_cast<int>(first));
  return numbers;
}

TEST_F(ArrayFileTest, slabs_are_written_and_read) {
  const test::SharedPath path;
  const layout::ArrayLayout slabs = slabs_of_numbers(13);
  const NpyHeader header{npy_type<int>(), layout::Order::row_major, {13}};
  const std::vector<int> numbers = numbers_of(slabs);
  write_npy(*path, header, slabs, std::as_bytes(std::span(numbers)), world_team());
  std::vector<int> read(numbers.size());
  NpyFile(*path, header, world_team())
      .read(slabs, std::as_writable_bytes(std::span(read)), world_team());
  EXPECT_EQ(read, numbers);
}

TEST_F(ArrayFileTest, files_of_other_arrays_are_refused_on_all_ranks) {
  const test::SharedPath path;
  const layout::ArrayLayout slabs = slabs_of_numbers(13);
  const NpyHeader header{npy_type<int>(), layout::Order::row_major, {13}};
  const std::vector<int> numbers = numbers_of(slabs);
  write_npy(*path, header, slabs, std::as_bytes(std::span(numbers)), world_team());
  const auto refusal = [&](const NpyHeader& expected) {
    return error_of([&] { const NpyFile file(*path, expected, world_team()); });
  };
  EXPECT_TRUE(contains(refusal({"<f8", layout::Order::row_major, {13}}), "type <i4, not <f8"));
  const std::string text = refusal({"<i4", layout::Order::row_major, {13, 1}});
  EXPECT_TRUE(contains(text, "it has 13 elements, the Array 13 x 1")) << text;
  barrier();
  if (rank() == 0) std::ofstream(*path) << "no array";
  barrier();
  EXPECT_TRUE(contains(refusal(header), "it does not begin as one"));
}

}  // namespace
}  // namespace tasuki::containers
