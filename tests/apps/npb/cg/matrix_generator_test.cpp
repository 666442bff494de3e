#include "npb/cg/matrix_generator.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <map>

namespace tasuki::npb::cg {
namespace {

using Elements = std::map<std::pair<std::int64_t, std::int64_t>, double>;

/// The block's elements by their rows and columns in the whole matrix.
Elements elements_of(const SparseMatrix& matrix, const Layout& layout) {
  const std::vector<std::int32_t> numbers = layout.column_numbers();
  std::vector<std::int64_t> columns(static_cast<std::size_t>(layout.columns()));
  for (std::size_t column = 0; column < numbers.size(); ++column)
    if (numbers[column] >= 0)
      columns[static_cast<std::size_t>(numbers[column])] = static_cast<std::int64_t>(column);
  Elements elements;
  for (std::int64_t row = 0; row < matrix.rows(); ++row)
    for (auto k = static_cast<std::size_t>(matrix.row_begins[static_cast<std::size_t>(row)]);
         k < static_cast<std::size_t>(matrix.row_begins[static_cast<std::size_t>(row) + 1]); ++k)
      elements[{layout.rows().begin + row, columns[static_cast<std::size_t>(matrix.columns[k])]}] =
          matrix.values[k];
  return elements;
}

class MatrixOfClassS : public testing::Test {
 protected:
  const Problem problem = problem_of(ProblemClass::s);
  const Layout whole_layout{problem.order, 0, 1};
  const SparseMatrix matrix = generate(problem, whole_layout);
  const Elements elements = elements_of(matrix, whole_layout);
};

TEST_F(MatrixOfClassS, IsSymmetricAndSortedByRow) {
  EXPECT_EQ(matrix.rows(), problem.order);
  EXPECT_EQ(matrix.values.size(), 78148u);
  EXPECT_EQ(elements.size(), matrix.values.size());
  for (const auto& [place, value] : elements) {
    const auto mirrored = elements.find({place.second, place.first});
    ASSERT_NE(mirrored, elements.end());
    ASSERT_NEAR(mirrored->second, value, 1e-15);
  }
  for (std::size_t row = 0; row + 1 < matrix.row_begins.size(); ++row)
    EXPECT_TRUE(std::is_sorted(matrix.columns.begin() + matrix.row_begins[row],
                               matrix.columns.begin() + matrix.row_begins[row + 1]));
}

TEST_F(MatrixOfClassS, BlocksMakeTheWhole) {
  for (const int ranks : {2, 3, 4, 6}) {
    Elements joined;
    for (int rank = 0; rank < ranks; ++rank) {
      const Layout layout(problem.order, rank, ranks);
      joined.merge(elements_of(generate(problem, layout), layout));
    }
    EXPECT_EQ(joined, elements) << ranks;
  }
}

TEST_F(MatrixOfClassS, ProductIsTheSumOfTheElements) {
  HugeArray<double> ones(static_cast<std::size_t>(problem.order), 1.0);
  HugeArray<double> product(ones.size());
  matrix.multiply(ones, product);
  std::vector<double> sums(ones.size());
  for (const auto& [place, value] : elements) sums[static_cast<std::size_t>(place.first)] += value;
  for (std::size_t row = 0; row < sums.size(); ++row) ASSERT_NEAR(product[row], sums[row], 1e-12);
}

TEST(RandomVectors, HaveDistinctPositionsAndOneHalfInTheirOwn) {
  const Problem problem = problem_of(ProblemClass::s);
  RandomStream random;
  const SparseVectors vectors = random_vectors(problem, random);
  ASSERT_EQ(vectors.begins.size(), static_cast<std::size_t>(problem.order) + 1);
  for (std::int32_t vector = 0; vector < problem.order; ++vector) {
    std::map<std::int32_t, double> seen;
    for (auto k = static_cast<std::size_t>(vectors.begins[static_cast<std::size_t>(vector)]);
         k < static_cast<std::size_t>(vectors.begins[static_cast<std::size_t>(vector) + 1]); ++k)
      EXPECT_TRUE(seen.emplace(vectors.positions[k], vectors.values[k]).second);
    EXPECT_EQ(seen.at(vector), 0.5);
    EXPECT_GE(seen.size(), static_cast<std::size_t>(problem.vector_nonzeros));
    EXPECT_LE(seen.size(), static_cast<std::size_t>(problem.vector_nonzeros) + 1);
  }
}

TEST(RandomVectors, TransposingTwiceGivesTheSameElements) {
  const Problem problem = problem_of(ProblemClass::s);
  RandomStream random;
  const SparseVectors vectors = random_vectors(problem, random);
  const SparseVectors sorted = transposed(transposed(vectors));
  EXPECT_EQ(sorted.begins, vectors.begins);
  const SparseVectors again = transposed(transposed(sorted));
  EXPECT_EQ(again.positions, sorted.positions);
  EXPECT_EQ(again.values, sorted.values);
}

}  // namespace
}  // namespace tasuki::npb::cg
