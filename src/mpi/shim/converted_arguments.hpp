// Arguments of Fortran that a function of C reads and writes: converted before the call, and back
// at the end of their life.
//
// The wrappers of Fortran make them where they carry a call out as the wrappers of C do. What the
// call leaves as it is stays as it is in the program too.
//
// Thread-safety: each belongs to one thread.
#pragma once

#include "mpi/shim/fortran.hpp"

#include <mpi.h>

#include <cstddef>
#include <vector>

namespace tasuki::mpi::shim {

/// The integers of a status.
inline constexpr std::size_t status_integers = sizeof(MPI_Status) / sizeof(MPI_Fint);

class ConvertedStatus {
 public:
  /// `given` may be MPI_STATUS_IGNORE.
  explicit ConvertedStatus(void* given) noexcept
      : given_(is_fortran_status_ignore(given) ? nullptr : static_cast<MPI_Fint*>(given)) {
    if (given_ != nullptr) PMPI_Status_f2c(given_, &status_);
  }
  ~ConvertedStatus() {
    if (given_ != nullptr) PMPI_Status_c2f(&status_, given_);
  }
  ConvertedStatus(const ConvertedStatus&) = delete;
  ConvertedStatus& operator=(const ConvertedStatus&) = delete;

  MPI_Status* in_c() noexcept { return given_ == nullptr ? MPI_STATUS_IGNORE : &status_; }

 private:
  MPI_Fint* given_;
  MPI_Status status_{};
};

class ConvertedStatuses {
 public:
  /// `count` statuses, or MPI_STATUSES_IGNORE.
  ConvertedStatuses(void* given, int count)
      : given_(static_cast<MPI_Fint*>(given)),
        statuses_(is_fortran_statuses_ignore(given) ? 0 : static_cast<std::size_t>(count)) {
    for (std::size_t i = 0; i < statuses_.size(); ++i) PMPI_Status_f2c(integers(i), &statuses_[i]);
  }
  ~ConvertedStatuses() {
    for (std::size_t i = 0; i < statuses_.size(); ++i) PMPI_Status_c2f(&statuses_[i], integers(i));
  }
  ConvertedStatuses(const ConvertedStatuses&) = delete;
  ConvertedStatuses& operator=(const ConvertedStatuses&) = delete;

  MPI_Status* in_c() noexcept { return statuses_.empty() ? MPI_STATUSES_IGNORE : statuses_.data(); }

 private:
  MPI_Fint* integers(std::size_t index) const noexcept { return given_ + index * status_integers; }

  MPI_Fint* given_;
  std::vector<MPI_Status> statuses_;
};

struct RequestConversion {
  static MPI_Request to_c(MPI_Fint request) noexcept { return PMPI_Request_f2c(request); }
  static MPI_Fint to_fortran(MPI_Request request) noexcept { return PMPI_Request_c2f(request); }
};
struct MessageConversion {
  static MPI_Message to_c(MPI_Fint message) noexcept { return PMPI_Message_f2c(message); }
  static MPI_Fint to_fortran(MPI_Message message) noexcept { return PMPI_Message_c2f(message); }
};

template <class Conversion>
class ConvertedHandle {
 public:
  using Handle = decltype(Conversion::to_c(0));

  explicit ConvertedHandle(void* given) noexcept
      : given_(static_cast<MPI_Fint*>(given)), handle_(Conversion::to_c(*given_)) {}
  ~ConvertedHandle() { give_back(*given_, handle_); }
  ConvertedHandle(const ConvertedHandle&) = delete;
  ConvertedHandle& operator=(const ConvertedHandle&) = delete;

  Handle* in_c() noexcept { return &handle_; }

  /// Only what has changed is converted: the program may have given a handle that is none.
  static void give_back(MPI_Fint& given, Handle now) noexcept {
    if (Conversion::to_c(given) != now) given = Conversion::to_fortran(now);
  }

 private:
  MPI_Fint* given_;
  Handle handle_;
};

using ConvertedRequest = ConvertedHandle<RequestConversion>;
/// A message that a probe has matched, or is to match.
using ConvertedMessage = ConvertedHandle<MessageConversion>;

class ConvertedRequests {
 public:
  ConvertedRequests(void* given, int count)
      : given_(static_cast<MPI_Fint*>(given)), requests_(fortran_requests(given, count)) {}
  ~ConvertedRequests() {
    for (std::size_t i = 0; i < requests_.size(); ++i) {
      ConvertedRequest::give_back(given_[i], requests_[i]);
    }
  }
  ConvertedRequests(const ConvertedRequests&) = delete;
  ConvertedRequests& operator=(const ConvertedRequests&) = delete;

  MPI_Request* in_c() noexcept { return requests_.data(); }

 private:
  MPI_Fint* given_;
  std::vector<MPI_Request> requests_;
};

}  // namespace tasuki::mpi::shim
