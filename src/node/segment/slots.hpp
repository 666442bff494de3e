// The sizes of the staging buffer's slots, and what algorithms that use them declare: the size of
// their pieces, and when their elements fit.
//
// Thread-safety: constants and pure functions.
#pragma once

#include <algorithm>
#include <cstddef>
#include <string>

#include <tasuki/detail/coll/parameters.hpp>
#include <tasuki/detail/coll/shape.hpp>

namespace tasuki::node {

/// The largest piece that a rank can stage at once.
inline constexpr std::size_t slot_bytes = 64 * 1024;
/// What one rank stages for another shares no cache line with the rest.
inline constexpr std::size_t share_least_bytes = 64;

/// The parameter of those that stage one piece at a time, and of the single-copy allreduce.
inline constexpr coll::ParameterDeclaration staged_piece_bytes = {
    "piece_bytes", slot_bytes, 64, slot_bytes, "size of the pieces in the staging buffer"};

/// The parameter of those that stage several slots before they read any. Where ranks share cores,
/// four slots take 0.56 to 0.9 of the time of one; at two ranks with a core each they take the same
/// (docs/design/collectives-in-memory.md).
inline constexpr coll::ParameterDeclaration staged_batch_bytes = {
    "piece_bytes", 4 * slot_bytes, 64, 7 * slot_bytes,
    "bytes staged before any are read: less than a slot, or whole slots"};

/// How many slots those stage before they read any.
inline std::size_t batch_slots(std::size_t piece_bytes) noexcept {
  return std::max<std::size_t>(piece_bytes / slot_bytes, 1);
}

/// The parameter of those whose blocks differ in a way that not all ranks know. The default lies
/// where gather and scatter change over (docs/design/collectives-in-memory.md).
inline constexpr coll::ParameterDeclaration uneven_piece_bytes = {
    "piece_bytes", 16 * 1024, 64, slot_bytes,
    "size up to which blocks go through the staging buffer"};

/// For algorithms that stage one vector at a time.
std::string needs_elements_of_a_slot(const coll::Shape& shape, const coll::Parameters& parameters);
/// For those that stage one block for each rank.
std::string needs_blocks_of_a_slot(const coll::Shape& shape, const coll::Parameters& parameters);
/// For those that stage blocks of any size for each other rank.
std::string needs_shares_of_a_slot(const coll::Shape& shape, const coll::Parameters& parameters);

}  // namespace tasuki::node
