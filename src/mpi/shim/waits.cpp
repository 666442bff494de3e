#include "mpi/shim/waits.hpp"

#include "mpi/ahead/awaited.hpp"
#include "mpi/ahead/reporting.hpp"
#include "mpi/shim/completions.hpp"
#include "mpi/shim/function_numbers.hpp"
#include "mpi/wait/tested_calls.hpp"
#include "mpi/wait/waited_calls.hpp"

namespace tasuki::mpi::shim {

int wait_at(const void* place, MPI_Request* request, MPI_Status* status) {
  const ahead::TimedWait timed;
  Call call(function_number::MPI_Wait, place);
  if (!call) return wait::wait(Call::place(), request, status);
  Completions completions(call, words_of(request, 1));
  MPI_Status own;
  MPI_Status* const seen = status == MPI_STATUS_IGNORE ? &own : status;
  const int code = wait::wait(Call::place(), request, seen);
  completions.one_ended(code, request, *seen);
  return code;
}

int waitall_at(const void* place, int count, MPI_Request requests[], MPI_Status statuses[]) {
  const ahead::TimedWait timed;
  Call call(function_number::MPI_Waitall, place);
  if (!call) return wait::waitall(Call::place(), count, requests, statuses);
  Completions completions(call, words_of(requests, count));
  StatusRoom room(statuses, statuses == MPI_STATUSES_IGNORE, count);
  const int code = wait::waitall(Call::place(), count, requests, room.statuses());
  completions.all_ended(code, requests, room.statuses(), count);
  return code;
}

int waitany_at(const void* place, int count, MPI_Request requests[], int* index,
               MPI_Status* status) {
  const ahead::TimedWait timed;
  Call call(function_number::MPI_Waitany, place);
  if (!call) return wait::waitany(Call::place(), count, requests, index, status);
  Completions completions(call, words_of(requests, count));
  MPI_Status own;
  MPI_Status* const seen = status == MPI_STATUS_IGNORE ? &own : status;
  const int code = wait::waitany(Call::place(), count, requests, index, seen);
  completions.any_ended(code, requests, index, *seen);
  return code;
}

int waitsome_at(const void* place, int count, MPI_Request requests[], int* done_count,
                int indices[], MPI_Status statuses[]) {
  const ahead::TimedWait timed;
  Call call(function_number::MPI_Waitsome, place);
  if (!call) return wait::waitsome(Call::place(), count, requests, done_count, indices, statuses);
  Completions completions(call, words_of(requests, count));
  StatusRoom room(statuses, statuses == MPI_STATUSES_IGNORE, count);
  const int code =
      wait::waitsome(Call::place(), count, requests, done_count, indices, room.statuses());
  completions.some_ended(code, requests, indices, room.statuses(), done_count);
  return code;
}

int wrapped_wait(MPI_Request* request, MPI_Status* status) {
  return wait_at(__builtin_return_address(0), request, status);
}

int wrapped_waitall(int count, MPI_Request requests[], MPI_Status statuses[]) {
  return waitall_at(__builtin_return_address(0), count, requests, statuses);
}

int wrapped_waitany(int count, MPI_Request requests[], int* index, MPI_Status* status) {
  return waitany_at(__builtin_return_address(0), count, requests, index, status);
}

int wrapped_waitsome(int count, MPI_Request requests[], int* done_count, int indices[],
                     MPI_Status statuses[]) {
  return waitsome_at(__builtin_return_address(0), count, requests, done_count, indices, statuses);
}

int wrapped_test(MPI_Request* request, int* flag, MPI_Status* status) {
  Call call(function_number::MPI_Test, __builtin_return_address(0));
  if (!call) return wait::test(request, flag, status);
  Completions completions(call, words_of(request, 1));
  MPI_Status own;
  MPI_Status* const seen = status == MPI_STATUS_IGNORE ? &own : status;
  const int code = wait::test(request, flag, seen);
  if (code != MPI_SUCCESS || *flag != 0) completions.one_ended(code, request, *seen);
  return code;
}

int wrapped_testall(int count, MPI_Request requests[], int* flag, MPI_Status statuses[]) {
  Call call(function_number::MPI_Testall, __builtin_return_address(0));
  if (!call) return wait::testall(count, requests, flag, statuses);
  Completions completions(call, words_of(requests, count));
  StatusRoom room(statuses, statuses == MPI_STATUSES_IGNORE, count);
  const int code = wait::testall(count, requests, flag, room.statuses());
  if (code != MPI_SUCCESS || *flag != 0) {
    completions.all_ended(code, requests, room.statuses(), count);
  }
  return code;
}

int wrapped_testany(int count, MPI_Request requests[], int* index, int* flag, MPI_Status* status) {
  Call call(function_number::MPI_Testany, __builtin_return_address(0));
  if (!call) return wait::testany(count, requests, index, flag, status);
  Completions completions(call, words_of(requests, count));
  MPI_Status own;
  MPI_Status* const seen = status == MPI_STATUS_IGNORE ? &own : status;
  const int code = wait::testany(count, requests, index, flag, seen);
  if (code != MPI_SUCCESS || *flag != 0) completions.any_ended(code, requests, index, *seen);
  return code;
}

int wrapped_testsome(int count, MPI_Request requests[], int* done_count, int indices[],
                     MPI_Status statuses[]) {
  Call call(function_number::MPI_Testsome, __builtin_return_address(0));
  if (!call) return wait::testsome(count, requests, done_count, indices, statuses);
  Completions completions(call, words_of(requests, count));
  StatusRoom room(statuses, statuses == MPI_STATUSES_IGNORE, count);
  const int code = wait::testsome(count, requests, done_count, indices, room.statuses());
  completions.some_ended(code, requests, indices, room.statuses(), done_count);
  return code;
}

int wrapped_start(MPI_Request* request) {
  Call call(function_number::MPI_Start, __builtin_return_address(0));
  if (call) note_started(call, request, 1);
  const int code = PMPI_Start(request);
  if (code == MPI_SUCCESS) ahead::note_started(request, 1);
  return code;
}

int wrapped_startall(int count, MPI_Request requests[]) {
  Call call(function_number::MPI_Startall, __builtin_return_address(0));
  if (call) note_started(call, requests, count);
  const int code = PMPI_Startall(count, requests);
  if (code == MPI_SUCCESS) ahead::note_started(requests, count);
  return code;
}

}  // namespace tasuki::mpi::shim
