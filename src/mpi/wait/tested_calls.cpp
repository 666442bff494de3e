#include "mpi/wait/tested_calls.hpp"

#include "mpi/ahead/awaited.hpp"
#include "mpi/wait/statuses.hpp"

namespace tasuki::mpi::wait {

using ahead::Awaited;

int test(MPI_Request* request, int* flag, MPI_Status* status) {
  if (!ahead::is_predicting()) return PMPI_Test(request, flag, status);
  Awaited awaited(request, 1);
  Statuses one(status, status == MPI_STATUS_IGNORE, 1, awaited);
  const int code = PMPI_Test(request, flag, one.seen());
  const bool is_done = code == MPI_SUCCESS && *flag != 0;
  if (!awaited.is_empty() && is_done) awaited.ended(0, one[0]);
  awaited.forget_ended(request);
  return code;
}

int testall(int count, MPI_Request requests[], int* flag, MPI_Status statuses[]) {
  if (!ahead::is_predicting()) return PMPI_Testall(count, requests, flag, statuses);
  Awaited awaited(requests, count);
  Statuses all(statuses, statuses == MPI_STATUSES_IGNORE, count, awaited);
  const int code = PMPI_Testall(count, requests, flag, all.seen());
  const bool are_done = code == MPI_SUCCESS && *flag != 0;
  for (int i = 0; !awaited.is_empty() && are_done && i < count; ++i) awaited.ended(i, all[i]);
  awaited.forget_ended(requests);
  return code;
}

int testany(int count, MPI_Request requests[], int* index, int* flag, MPI_Status* status) {
  if (!ahead::is_predicting()) return PMPI_Testany(count, requests, index, flag, status);
  Awaited awaited(requests, count);
  Statuses one(status, status == MPI_STATUS_IGNORE, 1, awaited);
  const int code = PMPI_Testany(count, requests, index, flag, one.seen());
  const bool is_done = code == MPI_SUCCESS && *flag != 0;
  if (!awaited.is_empty() && is_done) awaited.ended(*index, one[0]);
  awaited.forget_ended(requests);
  return code;
}

int testsome(int count, MPI_Request requests[], int* done_count, int indices[],
             MPI_Status statuses[]) {
  if (!ahead::is_predicting()) {
    return PMPI_Testsome(count, requests, done_count, indices, statuses);
  }
  Awaited awaited(requests, count);
  Statuses some(statuses, statuses == MPI_STATUSES_IGNORE, count, awaited);
  const int code = PMPI_Testsome(count, requests, done_count, indices, some.seen());
  // The count is MPI_UNDEFINED, which is negative, where no request is active.
  for (int i = 0; !awaited.is_empty() && code == MPI_SUCCESS && i < *done_count; ++i) {
    awaited.ended(indices[i], some[i]);
  }
  awaited.forget_ended(requests);
  return code;
}

}  // namespace tasuki::mpi::wait
