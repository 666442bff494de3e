// A collective on arrays of Python, ready to be carried out: the call and what holds its memory.
//
// One function for each collective puts the arguments together, for the blocking form and for the
// one that returns a future; collectives.cpp binds both. An array that is None is none; an output
// that is None is the input where the two have one size. Each throws tasuki::error for arrays that
// do not fit each other; how many elements there must be the runtime checks.
//
// Thread-safety: the rank's own thread, by a fiber that runs Python.
#pragma once

#include <nanobind/nanobind.h>

#include <memory>
#include <tasuki/collectives.hpp>
#include <vector>

#include "python/elements.hpp"
#include "python/function_operator.hpp"
#include "python/reduction.hpp"

namespace tasuki::python {

struct PreparedCollective {
  runtime::CollectiveCall call;
  Elements input;
  Elements output;
  std::shared_ptr<const FunctionOperator> function = {};  ///< If that is the operator.
};

using Array = nanobind::handle;
/// An Operator, or a function of two arrays.
using AnyOperator = nanobind::handle;
using Counts = std::vector<std::size_t>;

PreparedCollective prepare_broadcast(const Team&, Array data, int root);
PreparedCollective prepare_reduce(const Team&, Array input, Array output, AnyOperator op, int root);
PreparedCollective prepare_allreduce(const Team&, Array input, Array output, AnyOperator op);
PreparedCollective prepare_scan(const Team&, Array input, Array output, AnyOperator op);
PreparedCollective prepare_exscan(const Team&, Array input, Array output, AnyOperator op);
PreparedCollective prepare_gather(const Team&, Array input, Array output, int root);
PreparedCollective prepare_gatherv(const Team&, Array input, Array output, const Blocks& blocks,
                                   int root);
PreparedCollective prepare_scatter(const Team&, Array input, Array output, int root);
PreparedCollective prepare_scatterv(const Team&, Array input, const Blocks& blocks, Array output,
                                    int root);
PreparedCollective prepare_allgather(const Team&, Array input, Array output);
PreparedCollective prepare_allgatherv(const Team&, Array input, Array output, const Blocks& blocks);
PreparedCollective prepare_alltoall(const Team&, Array input, Array output);
PreparedCollective prepare_alltoallv(const Team&, Array input, const Blocks& sent, Array output,
                                     const Blocks& received);
/// Without counts all blocks have one size.
PreparedCollective prepare_reduce_scatter(const Team&, Array input, Array output, AnyOperator op,
                                          const Counts& counts);

}  // namespace tasuki::python
