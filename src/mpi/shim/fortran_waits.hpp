// The wrappers of the Fortran symbols of MPI_Wait, MPI_Test and their relatives.
//
// The generated table names them. As in C they read the requests before and after the call. Where
// waits are polled, and the MPI's own symbols reach no wrapper of C, polled_waits.hpp does the
// work.
//
// Thread-safety: as MPI's own.
#pragma once

#include "mpi/ahead/awaited.hpp"
#include "mpi/ahead/reporting.hpp"
#include "mpi/shim/completions.hpp"
#include "mpi/shim/converted_arguments.hpp"
#include "mpi/shim/fortran.hpp"
#include "mpi/shim/function_numbers.hpp"
#include "mpi/shim/polled_waits.hpp"

#include <mpi.h>

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <vector>

namespace tasuki::mpi::shim {

/// Whether predictions are told what the entry's symbol has completed, as no wrapper of C tells it.
template <std::size_t Entry>
bool tells_predictions() noexcept {
  return ahead::is_predicting() && stands_for_c<Entry>();
}

/// The requests and statuses of one call of Fortran.
class FortranCompletions {
 public:
  FortranCompletions(Call& call, void* requests, int count, bool tells_predictions = false)
      : requests_(static_cast<MPI_Fint*>(requests)), count_(std::max(count, 0)) {
    const std::vector<MPI_Request> before = fortran_requests(requests, count);
    if (call) completions_.emplace(call, words_of(before.data(), count_));
    if (tells_predictions) awaited_.emplace(before.data(), count_);
  }
  ~FortranCompletions() {
    // Of requests that have ended by an error nobody has told how.
    if (awaited_) awaited_->forget_ended(fortran_requests(requests_, count_).data());
  }
  FortranCompletions(const FortranCompletions&) = delete;
  FortranCompletions& operator=(const FortranCompletions&) = delete;

  /// What to pass to the MPI library for one status, or for an array of `count`.
  void* one_status(void* given) {
    return is_fortran_status_ignore(given) ? with_room(1) : with_given(given);
  }
  void* all_statuses(void* given, int count) {
    return is_fortran_statuses_ignore(given) ? with_room(count) : with_given(given);
  }

  /// Request `index`, from zero, has completed, with status `place` of those returned. MPICH 4
  /// returns MPI_UNDEFINED + 1 where no request is active.
  void completed(int index, int place) {
    if (index < 0 || index >= count_) return;
    MPI_Status status{};
    PMPI_Status_f2c(statuses_ + static_cast<std::size_t>(place) * status_integers, &status);
    const MPI_Request now = PMPI_Request_f2c(requests_[index]);
    if (completions_) completions_->completed(static_cast<std::size_t>(index), now, status);
    if (awaited_) awaited_->ended(index, status);
  }

 private:
  void* with_room(int count) {
    // A negative count is MPI's to report.
    own_.resize(static_cast<std::size_t>(std::max(count, 0)) * status_integers);
    return statuses_ = own_.data();
  }
  void* with_given(void* given) { return statuses_ = static_cast<MPI_Fint*>(given); }

  MPI_Fint* requests_;
  int count_;
  std::optional<Completions> completions_;
  std::optional<ahead::Awaited> awaited_;
  std::vector<MPI_Fint> own_;
  MPI_Fint* statuses_ = nullptr;
};

template <std::size_t Entry>
void fortran_wait(void* request, void* status, void* ierror) {
  const void* const place = __builtin_return_address(0);
  if (polls<Entry>()) return polled_wait(place, request, status, ierror);
  const auto next = next_of<decltype(&fortran_wait<Entry>)>(Entry);
  const ahead::TimedWait timed(calls_pmpi<Entry>());
  Call call(function_number::MPI_Wait, place);
  if (!call) return next(request, status, ierror);
  FortranCompletions completions(call, request, 1);
  next(request, completions.one_status(status), ierror);
  if (succeeded(ierror)) completions.completed(0, 0);
}

template <std::size_t Entry>
void fortran_waitall(void* count, void* requests, void* statuses, void* ierror) {
  const void* const place = __builtin_return_address(0);
  if (polls<Entry>() && fortran_integer(count) > 0) {
    return polled_waitall(place, count, requests, statuses, ierror);
  }
  const auto next = next_of<decltype(&fortran_waitall<Entry>)>(Entry);
  const ahead::TimedWait timed(calls_pmpi<Entry>());
  Call call(function_number::MPI_Waitall, place);
  if (!call) return next(count, requests, statuses, ierror);
  const int request_count = fortran_integer(count);
  FortranCompletions completions(call, requests, request_count);
  next(count, requests, completions.all_statuses(statuses, request_count), ierror);
  for (int i = 0; succeeded(ierror) && i < request_count; ++i) completions.completed(i, i);
}

template <std::size_t Entry>
void fortran_waitany(void* count, void* requests, void* index, void* status, void* ierror) {
  const void* const place = __builtin_return_address(0);
  if (polls<Entry>() && fortran_integer(count) > 0) {
    return polled_waitany(place, first_fortran_index<Entry>(), count, requests, index, status,
                          ierror);
  }
  const auto next = next_of<decltype(&fortran_waitany<Entry>)>(Entry);
  const ahead::TimedWait timed(calls_pmpi<Entry>());
  Call call(function_number::MPI_Waitany, place);
  if (!call) return next(count, requests, index, status, ierror);
  FortranCompletions completions(call, requests, fortran_integer(count));
  next(count, requests, index, completions.one_status(status), ierror);
  if (succeeded(ierror)) {
    completions.completed(fortran_integer(index) - first_fortran_index<Entry>(), 0);
  }
}

/// MPI_Waitsome or MPI_Testsome, called from `place`: both say which requests have completed.
template <std::size_t Entry>
void fortran_some(std::uint16_t function, const void* place, void* count, void* requests,
                  void* done_count, void* indices, void* statuses, void* ierror) {
  using Next = void (*)(void*, void*, void*, void*, void*, void*);
  const auto next = next_of<Next>(Entry);
  Call call(function, place);
  const bool is_told = tells_predictions<Entry>();
  if (!call && !is_told) return next(count, requests, done_count, indices, statuses, ierror);
  const int request_count = fortran_integer(count);
  FortranCompletions completions(call, requests, request_count, is_told);
  next(count, requests, done_count, indices, completions.all_statuses(statuses, request_count),
       ierror);
  for (int i = 0; succeeded(ierror) && i < fortran_integer(done_count); ++i) {
    completions.completed(fortran_integers(indices)[i] - first_fortran_index<Entry>(), i);
  }
}

template <std::size_t Entry>
void fortran_waitsome(void* count, void* requests, void* done_count, void* indices, void* statuses,
                      void* ierror) {
  const void* const place = __builtin_return_address(0);
  if (polls<Entry>() && fortran_integer(count) > 0) {
    return polled_waitsome(place, first_fortran_index<Entry>(), count, requests, done_count,
                           indices, statuses, ierror);
  }
  const ahead::TimedWait timed(calls_pmpi<Entry>());
  fortran_some<Entry>(function_number::MPI_Waitsome, place, count, requests, done_count, indices,
                      statuses, ierror);
}

template <std::size_t Entry>
void fortran_test(void* request, void* flag, void* status, void* ierror) {
  const auto next = next_of<decltype(&fortran_test<Entry>)>(Entry);
  Call call(function_number::MPI_Test, __builtin_return_address(0));
  const bool is_told = tells_predictions<Entry>();
  if (!call && !is_told) return next(request, flag, status, ierror);
  FortranCompletions completions(call, request, 1, is_told);
  next(request, flag, completions.one_status(status), ierror);
  if (succeeded(ierror) && fortran_integer(flag) != 0) completions.completed(0, 0);
}

template <std::size_t Entry>
void fortran_testall(void* count, void* requests, void* flag, void* statuses, void* ierror) {
  const auto next = next_of<decltype(&fortran_testall<Entry>)>(Entry);
  Call call(function_number::MPI_Testall, __builtin_return_address(0));
  const bool is_told = tells_predictions<Entry>();
  if (!call && !is_told) return next(count, requests, flag, statuses, ierror);
  const int request_count = fortran_integer(count);
  FortranCompletions completions(call, requests, request_count, is_told);
  next(count, requests, flag, completions.all_statuses(statuses, request_count), ierror);
  const bool are_done = succeeded(ierror) && fortran_integer(flag) != 0;
  for (int i = 0; are_done && i < request_count; ++i) completions.completed(i, i);
}

template <std::size_t Entry>
void fortran_testany(void* count, void* requests, void* index, void* flag, void* status,
                     void* ierror) {
  const auto next = next_of<decltype(&fortran_testany<Entry>)>(Entry);
  Call call(function_number::MPI_Testany, __builtin_return_address(0));
  const bool is_told = tells_predictions<Entry>();
  if (!call && !is_told) return next(count, requests, index, flag, status, ierror);
  FortranCompletions completions(call, requests, fortran_integer(count), is_told);
  next(count, requests, index, flag, completions.one_status(status), ierror);
  if (succeeded(ierror) && fortran_integer(flag) != 0) {
    completions.completed(fortran_integer(index) - first_fortran_index<Entry>(), 0);
  }
}

template <std::size_t Entry>
void fortran_testsome(void* count, void* requests, void* done_count, void* indices, void* statuses,
                      void* ierror) {
  fortran_some<Entry>(function_number::MPI_Testsome, __builtin_return_address(0), count, requests,
                      done_count, indices, statuses, ierror);
}

template <std::size_t Entry>
void fortran_start(void* request, void* ierror) {
  Call call(function_number::MPI_Start, __builtin_return_address(0));
  const MPI_Request started = fortran_request(request);
  if (call) note_started(call, &started, 1);
  next_of<decltype(&fortran_start<Entry>)>(Entry)(request, ierror);
  if (stands_for_c<Entry>() && succeeded(ierror)) ahead::note_started(&started, 1);
}

template <std::size_t Entry>
void fortran_startall(void* count, void* requests, void* ierror) {
  Call call(function_number::MPI_Startall, __builtin_return_address(0));
  const bool is_noted = call || ahead::follows_persistent();
  const auto started = fortran_requests(requests, is_noted ? fortran_integer(count) : 0);
  const int started_count = static_cast<int>(started.size());
  if (call) note_started(call, started.data(), started_count);
  next_of<decltype(&fortran_startall<Entry>)>(Entry)(count, requests, ierror);
  if (stands_for_c<Entry>() && succeeded(ierror)) {
    ahead::note_started(started.data(), started_count);
  }
}

}  // namespace tasuki::mpi::shim
