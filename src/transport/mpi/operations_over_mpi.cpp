#include "transport/mpi/operations_over_mpi.hpp"

#include <tasuki/detail/base/assert.hpp>
#include <utility>

#include "transport/mpi/library.hpp"

namespace tasuki::transport::mpi {

OperationsOverMpi::OperationsOverMpi(const Functions& functions, const Job& job,
                                     std::vector<bool> reached, bool yields, Counters& counters)
    : functions_(functions),
      communicator_(job.mpi_communicator),
      tag_parts_(job.tag_most),
      yields_(yields),
      reached_(std::move(reached)),
      counters_(counters) {
  static_assert(tested_most <= test_any_most);
}

bool OperationsOverMpi::send(int rank, std::uint32_t number, std::span<const std::byte> data,
                             bool synchronous, MpiRequest& request) {
  bool is_done = false;
  const auto send = synchronous ? functions_.send_synchronously : functions_.send;
  check(functions_,
        send(communicator_, data.data(), data.size(), rank, tag_parts_.of(number, data.size()),
             &request, &is_done),
        "sending a message of a collective");
  ++counters_.sends;
  counters_.bytes_sent += data.size();
  return is_done;
}

void OperationsOverMpi::receive(int rank, std::uint32_t number, std::span<std::byte> into,
                                MpiRequest& request) {
  check(functions_,
        functions_.receive(communicator_, into.data(), into.size(), rank,
                           tag_parts_.of(number, into.size()), &request),
        "receiving a message of a collective");
  ++counters_.receives;
  counters_.bytes_received += into.size();
  ++counters_.received_in_place;
}

void OperationsOverMpi::start(const MpiCollective& call, MpiRequest& request) {
  check(functions_, functions_.start_collective(communicator_, &call, &request),
        "starting a collective of the MPI library");
}

MpiTestResult OperationsOverMpi::test_any(std::span<MpiRequest> requests) {
  TASUKI_DEBUG_ASSERT(!requests.empty() && requests.size() <= tested_most);
  int index = 0;  // Of one alone.
  bool is_done = false;
  Status status;
  // Most often one message is what is waited for, and the form for one costs less.
  const int failure = requests.size() == 1
                          ? functions_.test(requests.data(), &is_done, &status)
                          : functions_.test_any(requests.data(), static_cast<int>(requests.size()),
                                                &index, &is_done, &status);
  if (failure != 0 && functions_.is_too_long(failure)) return {index, true, 0};
  check(functions_, failure,
        "waiting for a collective (did all ranks of the team call the same, in the same order?)");
  if (!is_done) return {};
  return {index, false, status.bytes};
}

}  // namespace tasuki::transport::mpi
