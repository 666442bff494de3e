// The statuses that MPI fills in a call of the program: the program's, or own ones where it ignores
// them and a message is awaited, as they alone say what has come.
//
// The calls that wait or test make one. Thread-safety: each belongs to one thread.
#pragma once

#include "mpi/ahead/awaited.hpp"

#include <mpi.h>

#include <cstddef>
#include <vector>

namespace tasuki::mpi::wait {

class Statuses {
 public:
  Statuses(MPI_Status* given, bool is_ignored, int count, const ahead::Awaited& awaited)
      : own_(is_ignored && !awaited.is_empty() ? static_cast<std::size_t>(count) : 0),
        seen_(own_.empty() ? given : own_.data()) {}
  Statuses(const Statuses&) = delete;
  Statuses& operator=(const Statuses&) = delete;

  MPI_Status* seen() noexcept { return seen_; }
  const MPI_Status& operator[](int index) const noexcept { return seen_[index]; }

 private:
  std::vector<MPI_Status> own_;
  MPI_Status* seen_;
};

}  // namespace tasuki::mpi::wait
