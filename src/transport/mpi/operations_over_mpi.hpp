// MpiOperations over MPI, in a communicator of their own.
//
// Owned by the mpi transport. Members mean what their namesakes in MpiOperations mean.
// Thread-safety: none; the rank's own thread.
#pragma once

#include <tasuki/detail/transport/mpi_operations.hpp>
#include <tasuki/detail/transport/transport.hpp>

#include <vector>

#include "transport/mpi/functions.hpp"
#include "transport/mpi/tag_parts.hpp"

namespace tasuki::transport::mpi {

class OperationsOverMpi final : public MpiOperations {
 public:
  /// `reached[rank]`: is that rank reached over MPI? `yields`: do tests let
  /// other ranks have the core?
  OperationsOverMpi(const Functions& functions, const Job& job, std::vector<bool> reached,
                    bool yields, Counters& counters);

  bool reaches(int rank) const noexcept override {
    return reached_[static_cast<std::size_t>(rank)];
  }
  std::size_t message_most_bytes() const noexcept override { return piece_most_bytes; }
  bool send(int rank, std::uint32_t number, std::span<const std::byte> data, bool synchronous,
            MpiRequest& request) override;
  void receive(int rank, std::uint32_t number, std::span<std::byte> into,
               MpiRequest& request) override;
  void start(const MpiCollective& call, MpiRequest& request) override;
  MpiTestResult test_any(std::span<MpiRequest> requests) override;
  bool yields() const noexcept override { return yields_; }

 private:
  const Functions& functions_;
  void* communicator_;
  TagParts tag_parts_;
  bool yields_;
  std::vector<bool> reached_;
  Counters& counters_;  ///< What the library sends for its collectives is not known.
};

}  // namespace tasuki::transport::mpi
