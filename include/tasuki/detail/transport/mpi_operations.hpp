// What the MPI library can do beside the messages of the transport interface: messages that go
// straight into the place their receiver has named, and whole collectives among all ranks.
//
// An optional part of a transport (Transport::mpi_operations). Called by the runtime, which
// holds the requests, asks whether they are complete, and lets nothing wait inside the library.
//
// Thread-safety: none; the rank's own thread.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>

#include <tasuki/detail/base/arithmetic.hpp>
#include <tasuki/detail/base/collective.hpp>

namespace tasuki::transport {

/// Something that is under way in the library; whoever started it keeps it for `test_any`.
struct MpiRequest {
  std::uint64_t word = 0;
};

/// A collective of all ranks. What the buffers hold is as in MPI-4.0, chapter 6, but for broadcast,
/// whose data are the output everywhere. `count` elements make a block.
struct MpiCollective {
  base::Collective collective{};  ///< Not one whose blocks differ in size.
  base::Arithmetic arithmetic;    ///< Known if it reduces.
  int root = 0;
  std::size_t count = 0;
  std::size_t element_bytes = 0;
  /// nullptr: the data are in the other's memory already, where MPI_IN_PLACE expects them.
  const void* input = nullptr;
  void* output = nullptr;
};

/// What a test of requests has found.
struct MpiTestResult {
  int index = -1;                  ///< Of one that is complete, and void from now on; -1: none is.
  bool is_too_long = false;        ///< What came does not fit its receive; the data are lost.
  std::size_t received_bytes = 0;  ///< If it was a receive.
};

class MpiOperations {
 public:
  virtual ~MpiOperations() = default;

  // ---- messages that name each other ------------------------------------------------------------
  /// Do messages to and from the rank go this way?
  virtual bool reaches(int rank) const noexcept = 0;
  virtual std::size_t message_most_bytes() const noexcept = 0;
  /// To the receive of the same number; those of equal numbers match in FIFO order. `data` stay
  /// unchanged until the request is complete; if `synchronous`, it is complete only after it has
  /// matched. Returns: is it complete now? Then there is no request.
  virtual bool send(int rank, std::uint32_t number, std::span<const std::byte> data,
                    bool synchronous, MpiRequest& request) = 0;
  virtual void receive(int rank, std::uint32_t number, std::span<std::byte> into,
                       MpiRequest& request) = 0;

  // ---- collectives ------------------------------------------------------------------------------
  /// Starts it; all ranks start the same ones in the same order. Requires: no size is above the
  /// largest int.
  virtual void start(const MpiCollective& call, MpiRequest& request) = 0;

  /// Makes progress. Requires: there are 1 to tested_most requests.
  virtual MpiTestResult test_any(std::span<MpiRequest> requests) = 0;
  /// Does it let others have the core while nothing happens, where ranks share cores?
  virtual bool yields() const noexcept = 0;
  /// Messages at least this long meet only receives of the same length. MPI libraries send them by
  /// rendezvous, and Open MPI 4.1 copies what is longer than its receive beyond the end of that.
  static constexpr std::size_t tagged_length_least_bytes = 4096;
  /// Most requests that one call of `test_any` tests.
  static constexpr std::size_t tested_most = 16;
};

}  // namespace tasuki::transport
