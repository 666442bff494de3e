// Elements and operators of MPI, as the algorithms of Tasuki know them.
//
// The tuned collectives ask what a datatype and an operator are. Only predefined ones have an
// answer: they are the same on all ranks, so all ranks decide alike.
//
// Thread-safety: read only, but for set_reduction: one thread at a time.
#pragma once

#include <mpi.h>
#include <tasuki/detail/base/arithmetic.hpp>
#include <tasuki/detail/coll/call.hpp>
#include <tasuki/detail/coll/reduction.hpp>

#include <cstddef>

namespace tasuki::mpi::collectives {

/// A predefined datatype of one number; `bytes` is 0 for all others.
struct Element {
  std::size_t bytes = 0;
  base::ElementType type = base::ElementType::other;

  explicit operator bool() const noexcept { return bytes != 0; }
};

Element element_of(MPI_Datatype datatype) noexcept;

/// A predefined operator on numbers; `op.apply` is nullptr for all others.
struct Reduction {
  coll::ReduceOp op;
  base::Arithmetic arithmetic;

  explicit operator bool() const noexcept { return op.apply != nullptr; }
};

Reduction reduction_of(MPI_Op op, base::ElementType type) noexcept;

/// Lets the call reduce elements of `datatype` by `op`. Returns: false, and nothing is done, unless
/// both are predefined and fit each other.
bool set_reduction(coll::Call& call, MPI_Datatype datatype, MPI_Op op) noexcept;

}  // namespace tasuki::mpi::collectives
