// What the algorithms on shared memory have in common: every rank puts its data on a board, piece
// by piece, and takes from the others' what it needs.
//
// The runtime carries them out (src/runtime/node_memory); the descriptors in src/coll/COLLECTIVE
// say when they apply. Thread-safety: constants and pure functions.
#pragma once

#include <cstddef>
#include <string>

#include <tasuki/coll/parameters.hpp>
#include <tasuki/coll/shape.hpp>

namespace tasuki::coll {

/// The largest piece that a rank can put on the board at once.
inline constexpr std::size_t board_slot_bytes = 64 * 1024;
/// What one rank writes there for another shares no cache line with the rest.
inline constexpr std::size_t board_share_least_bytes = 64;

/// The parameter of all algorithms on shared memory.
inline constexpr ParameterDeclaration board_piece_bytes = {
    "piece_bytes", board_slot_bytes, 64, board_slot_bytes,
    "size of the pieces that are put on the board"};

/// The parameter of those whose blocks differ in a way that not all ranks know. The default lies
/// where gather and scatter change over (docs/design/collectives-in-memory.md).
inline constexpr ParameterDeclaration uneven_piece_bytes = {
    "piece_bytes", 16 * 1024, 64, board_slot_bytes, "size up to which blocks go over the board"};

/// For algorithms that put one vector at a time on the board.
std::string needs_elements_of_a_slot(const Shape& shape, const Parameters& parameters);
/// For those that put one block for each rank on it.
std::string needs_blocks_of_a_slot(const Shape& shape, const Parameters& parameters);
/// For those that put blocks of any size for each other rank on it.
std::string needs_shares_of_a_slot(const Shape& shape, const Parameters& parameters);

}  // namespace tasuki::coll
