// How many neighbours a process has in the topology of a communicator.
//
// The wrappers of neighbourhood collectives use it.
//
// Thread-safety: any thread.
#pragma once

#include "mpi/shim/call.hpp"

#include <mpi.h>

#include <cstdint>

namespace tasuki::mpi::shim {

class Neighbours {
 public:
  explicit Neighbours(MPI_Comm communicator) noexcept;

  int in_degree() const noexcept { return in_degree_; }
  int out_degree() const noexcept { return out_degree_; }

  template <typename Count>
  void sends(Call& call, const Count* counts, MPI_Datatype type) const noexcept {
    for (int i = 0; i < out_degree_; ++i) call.sends(counts[i], type);
  }
  template <typename Count>
  void receives(Call& call, const Count* counts, MPI_Datatype type) const noexcept {
    for (int i = 0; i < in_degree_; ++i) call.receives(counts[i], type);
  }
  template <typename Count, typename Types>
  void sends_typed(Call& call, const Count* counts, const Types& types) const noexcept {
    for (int i = 0; i < out_degree_; ++i) call.sends(counts[i], types[i]);
  }
  template <typename Count, typename Types>
  void receives_typed(Call& call, const Count* counts, const Types& types) const noexcept {
    for (int i = 0; i < in_degree_; ++i) call.receives(counts[i], types[i]);
  }

 private:
  int in_degree_ = 0;
  int out_degree_ = 0;
};

}  // namespace tasuki::mpi::shim
