#include "node/policy_rows.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <iterator>
#include <string>

#include "node/segment/slots.hpp"

namespace tasuki::node {
namespace {

using enum coll::Collective;
using coll::any_bytes;
using coll::any_ranks;

/// Measured on two cores of an EPYC of family 26: a copy by the kernel takes up to 3.6 times as
/// long as two copies through the staging buffer; only of the longest blocks of eight ranks it
/// takes less. On family 25 one copy is the faster one, as on a Xeon.
std::vector<coll::PolicyRow> amd_family_26_rows() {
  static const char* const staged = "two copies beat one by the kernel on AMD family 26";
  const std::string most_staged =
      fmt::format("{}={}", uneven_piece_bytes.name, uneven_piece_bytes.maximum);
  return {
      {broadcast, any_ranks, any_bytes, "staged", "", staged},
      {allreduce, 2, any_bytes, "staged", "", staged},
      {gather, any_ranks, any_bytes, "staged", "", staged},
      {gatherv, any_ranks, any_bytes, "staged_or_single_copy", most_staged, staged},
      {scatter, 4, any_bytes, "staged", "", staged},
      {scatter, any_ranks, 262144, "staged", "", staged},
      {scatterv, any_ranks, any_bytes, "staged_or_single_copy", most_staged, staged},
      {allgather, any_ranks, any_bytes, "staged", "", staged},
      {allgatherv, any_ranks, any_bytes, "staged", "", staged},
      {alltoall, 4, any_bytes, "staged", "", staged},
      {alltoall, any_ranks, 262144, "staged", "", staged},
      {alltoallv, any_ranks, any_bytes, "staged_or_single_copy", most_staged, staged},
  };
}

/// Measured on two cores of a Xeon (Sapphire Rapids).
std::vector<coll::PolicyRow> general_rows() {
  static const char* const staged = "no messages";
  static const char* const one_copy = "one copy instead of two";
  static const char* const by_size = "no messages; one copy of long blocks";
  static const char* const many_readers = "one copy in the staging buffer serves all readers";
  return {
      {barrier, any_ranks, any_bytes, "flag_exchange", "", "one phase"},
      {broadcast, 2, 16384, "staged", "", staged},
      {broadcast, 2, any_bytes, "single_copy", "", one_copy},
      {broadcast, any_ranks, any_bytes, "staged", "", many_readers},
      {reduce, any_ranks, any_bytes, "staged", "", staged},
      {allreduce, 2, 131072, "staged", "", staged},
      {allreduce, 2, any_bytes, "single_copy", "", one_copy},
      {allreduce, any_ranks, 8192, "staged", "", staged},
      {allreduce, any_ranks, any_bytes, "staged_halves", "", "each combines only its share"},
      {allreduce, any_ranks, any_bytes, "staged", "", staged},
      {gather, any_ranks, 24576, "staged", "", staged},
      {gather, any_ranks, any_bytes, "single_copy", "", one_copy},
      {gather, any_ranks, any_bytes, "staged", "", staged},
      {gatherv, any_ranks, any_bytes, "staged_or_single_copy", "", by_size},
      {scatter, 2, 4096, "staged", "", staged},
      {scatter, 2, any_bytes, "single_copy", "", one_copy},
      {scatter, any_ranks, 16384, "staged", "", staged},
      {scatter, any_ranks, any_bytes, "single_copy", "", one_copy},
      {scatter, any_ranks, any_bytes, "staged", "", staged},
      {scatterv, any_ranks, any_bytes, "staged_or_single_copy", "", by_size},
      {allgather, 2, 8192, "staged", "", staged},
      {allgather, 2, any_bytes, "single_copy", "", one_copy},
      {allgather, any_ranks, any_bytes, "staged", "", many_readers},
      {allgatherv, 2, 8192, "staged", "", staged},
      {allgatherv, 2, any_bytes, "single_copy", "", one_copy},
      {allgatherv, any_ranks, any_bytes, "staged", "", many_readers},
      {alltoall, 2, 8192, "staged", "", staged},
      {alltoall, 2, any_bytes, "single_copy", "", one_copy},
      {alltoall, any_ranks, 32768, "staged", "", staged},
      {alltoall, any_ranks, any_bytes, "single_copy", "", one_copy},
      {alltoall, any_ranks, any_bytes, "staged", "", staged},
      {alltoallv, any_ranks, any_bytes, "staged_or_single_copy", "", by_size},
      {reduce_scatter_block, any_ranks, any_bytes, "staged", "", staged},
      {reduce_scatter, any_ranks, any_bytes, "staged", "", staged},
      {scan, any_ranks, any_bytes, "staged", "", staged},
      {exscan, any_ranks, any_bytes, "staged", "", staged},
  };
}

}  // namespace

std::vector<coll::PolicyRow> policy_rows(base::Processor processor) {
  std::vector<coll::PolicyRow> rows;
  if (processor == base::Processor::amd_family_26) rows = amd_family_26_rows();
  std::ranges::move(general_rows(), std::back_inserter(rows));
  return rows;
}

}  // namespace tasuki::node
