// The collectives of the MPI library on 64-bit words, called with the shapes of Tasuki's: what the
// executor is held against.
#pragma once

#include <mpi.h>

#include <tasuki/detail/coll/shape.hpp>

#include <cstdint>
#include <vector>

namespace tasuki::test {

using Words = std::vector<std::uint64_t>;

/// x -> a x + b in 32 bits, a and b in one word; "first, then": associative, not commutative.
struct Composition {
  std::uint64_t operator()(std::uint64_t first, std::uint64_t then) const {
    const auto a = static_cast<std::uint32_t>(first >> 32U);
    const auto b = static_cast<std::uint32_t>(first);
    const auto c = static_cast<std::uint32_t>(then >> 32U);
    const auto d = static_cast<std::uint32_t>(then);
    const std::uint32_t factor = a * c;
    const std::uint32_t summand = c * b + d;
    return std::uint64_t{factor} << 32U | summand;
  }
};

/// Composition, for MPI. Requires: MPI runs.
MPI_Op composition();

/// `out` becomes the output on MPI_COMM_WORLD, where the rank has one. Collective.
void run_library(coll::Collective collective, const coll::Shape& shape, MPI_Op op, const Words& in,
                 Words& out);

}  // namespace tasuki::test
