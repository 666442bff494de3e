// The matrix of NPB CG: a weighted sum of outer products of random sparse vectors.
//
// A = sum_i w_i v_i v_i^T + (condition_reciprocal - shift) I, the weights falling geometrically
// from 1 to the reciprocal of the condition number, each v_i with a few random elements and 1/2
// at position i (Bailey et al., The NAS Parallel Benchmarks, RNR-94-007, 1994, section 2.3.5).
//
// Called once per rank; every rank draws all vectors, as the specification gives one random
// stream, and keeps its block of the sum. Thread-safety: pure functions.
#pragma once

#include "npb/cg/layout.hpp"
#include "npb/cg/problem.hpp"
#include "npb/cg/sparse_matrix.hpp"
#include "npb/common/random.hpp"

namespace tasuki::npb::cg {

/// `count` sparse vectors one after the other: vector i has the elements
/// [begins[i], begins[i + 1]), in the order they were drawn.
struct SparseVectors {
  std::vector<std::int64_t> begins;
  std::vector<std::int32_t> positions;
  std::vector<double> values;
};

/// The vectors v_i. Returns: one per matrix row, each with vector_nonzeros or one more elements.
SparseVectors random_vectors(const Problem& problem, RandomStream& random);

/// Of each vector element, found by its position: vector and value, in the order of the vectors.
SparseVectors transposed(const SparseVectors& vectors);

/// This rank's block of A.
SparseMatrix generate(const Problem& problem, const Layout& layout);

}  // namespace tasuki::npb::cg
