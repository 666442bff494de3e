#include "npb/cg/matrix_generator.hpp"

#include <algorithm>
#include <bit>
#include <cmath>

namespace tasuki::npb::cg {
namespace {

/// One row of the sum under construction: a dense accumulator and the list of what is in it.
class RowAccumulator {
 public:
  explicit RowAccumulator(std::int64_t columns)
      : sums_(static_cast<std::size_t>(columns)), present_(static_cast<std::size_t>(columns)) {}

  void add(std::int32_t column, double value) {
    const auto index = static_cast<std::size_t>(column);
    if (!present_[index]) {
      present_[index] = 1;
      columns_.push_back(column);
    }
    sums_[index] += value;
  }

  /// Appends the row to `matrix` and is empty again.
  void move_to(SparseMatrix& matrix) {
    std::sort(columns_.begin(), columns_.end());
    for (const std::int32_t column : columns_) {
      const auto index = static_cast<std::size_t>(column);
      matrix.columns.push_back(column);
      matrix.values.push_back(sums_[index]);
      sums_[index] = 0;
      present_[index] = 0;
    }
    columns_.clear();
    matrix.row_begins.push_back(static_cast<std::int64_t>(matrix.values.size()));
  }

 private:
  std::vector<double> sums_;
  std::vector<char> present_;
  std::vector<std::int32_t> columns_;
};

/// Elements of the block if no two products met: at most this many, and hardly fewer.
std::size_t most_elements(const SparseVectors& vectors, const SparseVectors& by_position,
                          const Layout& layout) {
  double elements = 0;
  for (std::int64_t row = layout.rows().begin; row < layout.rows().end; ++row) {
    const auto at = static_cast<std::size_t>(row);
    for (std::int64_t k = by_position.begins[at]; k < by_position.begins[at + 1]; ++k) {
      const auto vector =
          static_cast<std::size_t>(by_position.positions[static_cast<std::size_t>(k)]);
      elements += static_cast<double>(vectors.begins[vector + 1] - vectors.begins[vector]);
    }
  }
  return static_cast<std::size_t>(elements / layout.grid_columns() * 1.02) + 1024;
}

}  // namespace

SparseVectors random_vectors(const Problem& problem, RandomStream& random) {
  const double range = std::bit_ceil(static_cast<std::uint32_t>(problem.order));
  SparseVectors vectors;
  vectors.begins.push_back(0);
  for (std::int32_t vector = 0; vector < problem.order; ++vector) {
    const auto first = static_cast<std::ptrdiff_t>(vectors.positions.size());
    const auto find = [&](std::int32_t position) {
      return std::find(vectors.positions.begin() + first, vectors.positions.end(), position);
    };
    for (std::int32_t drawn = 0; drawn < problem.vector_nonzeros;) {
      const double value = random.next();
      const auto position = static_cast<std::int32_t>(range * random.next());
      if (position >= problem.order || find(position) != vectors.positions.end()) continue;
      vectors.positions.push_back(position);
      vectors.values.push_back(value);
      ++drawn;
    }
    if (const auto found = find(vector); found != vectors.positions.end()) {
      vectors.values[static_cast<std::size_t>(found - vectors.positions.begin())] = 0.5;
    } else {
      vectors.positions.push_back(vector);
      vectors.values.push_back(0.5);
    }
    vectors.begins.push_back(static_cast<std::int64_t>(vectors.positions.size()));
  }
  return vectors;
}

SparseVectors transposed(const SparseVectors& vectors) {
  SparseVectors result;
  result.begins.assign(vectors.begins.size(), 0);
  result.positions.resize(vectors.positions.size());
  result.values.resize(vectors.values.size());
  for (const std::int32_t position : vectors.positions)
    ++result.begins[static_cast<std::size_t>(position) + 1];
  for (std::size_t index = 1; index < result.begins.size(); ++index)
    result.begins[index] += result.begins[index - 1];
  std::vector<std::int64_t> next(result.begins.begin(), result.begins.end() - 1);
  for (std::size_t vector = 0; vector + 1 < vectors.begins.size(); ++vector) {
    for (auto k = static_cast<std::size_t>(vectors.begins[vector]);
         k < static_cast<std::size_t>(vectors.begins[vector + 1]); ++k) {
      const auto to =
          static_cast<std::size_t>(next[static_cast<std::size_t>(vectors.positions[k])]++);
      result.positions[to] = static_cast<std::int32_t>(vector);
      result.values[to] = vectors.values[k];
    }
  }
  return result;
}

SparseMatrix generate(const Problem& problem, const Layout& layout) {
  RandomStream random;
  random.next();  // The specification's programs draw one number before the matrix.
  const SparseVectors vectors = random_vectors(problem, random);
  const SparseVectors by_position = transposed(vectors);
  const std::vector<std::int32_t> column_numbers = layout.column_numbers();
  const double ratio = std::pow(problem.condition_reciprocal, 1.0 / problem.order);
  std::vector<double> weights{1.0};
  while (weights.size() < static_cast<std::size_t>(problem.order))
    weights.push_back(weights.back() * ratio);

  SparseMatrix matrix;
  const std::size_t elements = most_elements(vectors, by_position, layout);
  matrix.columns.reserve(elements);
  matrix.values.reserve(elements);
  matrix.row_begins.push_back(0);
  RowAccumulator accumulator(layout.columns());
  for (std::int64_t row = layout.rows().begin; row < layout.rows().end; ++row) {
    const auto at = static_cast<std::size_t>(row);
    for (auto k = static_cast<std::size_t>(by_position.begins[at]);
         k < static_cast<std::size_t>(by_position.begins[at + 1]); ++k) {
      const auto vector = static_cast<std::size_t>(by_position.positions[k]);
      const double scale = weights[vector] * by_position.values[k];
      for (auto e = static_cast<std::size_t>(vectors.begins[vector]);
           e < static_cast<std::size_t>(vectors.begins[vector + 1]); ++e) {
        const auto column = static_cast<std::size_t>(vectors.positions[e]);
        if (column_numbers[column] >= 0)
          accumulator.add(column_numbers[column], vectors.values[e] * scale);
      }
    }
    if (column_numbers[at] >= 0)
      accumulator.add(column_numbers[at], problem.condition_reciprocal - problem.shift);
    accumulator.move_to(matrix);
  }
  return matrix;
}

}  // namespace tasuki::npb::cg
