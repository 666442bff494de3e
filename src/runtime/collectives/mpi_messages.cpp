#include "runtime/collectives/mpi_messages.hpp"

#include <cstdint>

#include "runtime/collectives/message_operation.hpp"

namespace tasuki::runtime {
namespace {

// What a rank may send ahead of one that does not poll waits inside the MPI library. After so many
// collectives that the others may not have begun, messages wait for their receiver, so that it is
// not more than theirs.
constexpr std::uint32_t operations_sent_ahead = 64;

}  // namespace

MpiMessages::MpiMessages(transport::Transport& transport, MpiRequests& requests)
    : library_(transport.mpi_operations()), requests_(requests) {
  if (library_ == nullptr) return;
  most_bytes_ = library_->message_most_bytes();
  for (int rank = 0; rank < transport.size(); ++rank) reached_.push_back(library_->reaches(rank));
}

bool MpiMessages::send(MessageOperation& operation, int rank, std::span<const std::byte> bytes) {
  transport::MpiRequest request;
  const std::uint32_t ahead_count = operation.number - operation.team.begun_by_all;
  const bool is_synchronous = ahead_count % operations_sent_ahead == operations_sent_ahead - 1;
  if (library_->send(rank, operation.number, bytes, is_synchronous, request)) return true;
  MpiTransfer& transfer = operation;
  requests_.add_send(request, &transfer, rank, operation.number, bytes.size());
  return false;
}

bool MpiMessages::receive(MessageOperation& operation, int rank, std::span<std::byte> into) {
  transport::MpiRequest request;
  library_->receive(rank, operation.number, into, request);
  MpiTransfer& transfer = operation;
  requests_.add_receive(request, &transfer, rank, operation.number, into.size());
  return false;
}

}  // namespace tasuki::runtime
