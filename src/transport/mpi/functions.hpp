// What the mpi transport needs from an MPI library, as a table of functions.
//
// Each MPI has its own binary interface, so the table is filled in by a plug-in compiled once per
// MPI (plugin/functions.cpp) and loaded at run time; everything above it is compiled once. All
// functions that can fail return 0 or an MPI error code, for `describe_error`.
//
// Thread-safety: called from the rank's own thread only.
#pragma once

#include <cstddef>
#include <cstdint>

#include <tasuki/detail/transport/mpi_operations.hpp>

namespace tasuki::transport::mpi {

/// Room for an MPI_Request: an int in MPICH, a pointer in Open MPI.
using Request = MpiRequest;

struct Status {
  int source = -1;
  std::size_t bytes = 0;
};

/// Communicators of our own and what is known about them.
struct Job {
  void* communicator = nullptr;  ///< For frames; the plug-in's.
  /// For bulk data, apart because a library compares what arrives with the receives posted in its
  /// communicator one after the other, and those for frames are many.
  void* bulk_communicator = nullptr;
  void* mpi_communicator = nullptr;  ///< For MpiOperations.
  int rank = -1;
  int size = 0;
  int world_size = 0;                ///< Of MPI_COMM_WORLD.
  int tag_most = 0;                  ///< Largest tag allowed.
  std::size_t best_bytes = 0;        ///< Largest message sent eagerly on one node.
  std::size_t bulk_least_bytes = 0;  ///< As in Capabilities.
  std::size_t posted_least_bytes = 0;
  bool is_simulated = false;  ///< SimGrid: time passes only inside MPI.
  bool initialized_by_us = false;
};

struct Functions {
  std::uint32_t version;
  const char* family;  ///< "ompi", "mpich" or "smpi".

  /// Initializes MPI if nobody has (`with_threads`: for a program with threads that do not call
  /// it), and duplicates `*user_communicator` (an MPI_Comm of this MPI; null: MPI_COMM_WORLD) for
  /// each communicator of the job. Returns a negative number if MPI has been finalized already.
  int (*start)(const void* user_communicator, bool with_threads, Job* job);
  void (*stop)(Job* job);
  void (*abort)(const Job* job, int exit_code);
  void (*describe_error)(int code, char* text, std::size_t text_bytes);
  /// Does the error say that a message did not fit its receive?
  bool (*is_too_long)(int code);

  /// `*is_done`: complete already; the request is void then.
  int (*send)(void* communicator, const void* data, std::size_t bytes, int rank, int tag,
              Request* request, bool* is_done);
  /// The same; not complete before it has met its receive.
  int (*send_synchronously)(void* communicator, const void* data, std::size_t bytes, int rank,
                            int tag, Request* request, bool* is_done);
  /// source -1: any.
  int (*receive)(void* communicator, void* data, std::size_t bytes, int source, int tag,
                 Request* request);
  /// After `*is_done` the request is void. `status` may be null.
  int (*test)(Request* request, bool* is_done, Status* status);
  /// Tests all of up to `test_any_most` requests; after `*is_done` that of `*index` is void,
  /// after a failure it is the one that has failed.
  int (*test_any)(Request* requests, int count, int* index, bool* is_done, Status* status);
  /// Blocks until one of the requests is complete; it is void then.
  int (*wait_any)(Request* const* requests, int count, int* index, Status* status);
  int (*cancel_receive)(Request* request);

  std::int64_t (*now_ns)() noexcept;    ///< MPI's own clock.
  void (*sleep)(std::int64_t time_us);  ///< By that clock.
  int (*allgather)(void* communicator, const void* own, std::size_t bytes, void* all);
  /// The collective's nonblocking form.
  int (*start_collective)(void* communicator, const MpiCollective* call, Request* request);

  /// Do tests of requests that are not complete let other ranks have the core? Else who tests has
  /// to, where ranks share cores.
  bool (*yields_in_tests)();
};

inline constexpr std::uint32_t functions_version = 9;
inline constexpr std::size_t test_any_most = 16;
/// Most that one send or receive carries. Some MPIs copy a message in one go as soon as both sides
/// are there, and whoever calls MPI then waits for it: here 0.3 to 0.6 ms.
inline constexpr std::size_t piece_most_bytes = std::size_t{4} << 20;

}  // namespace tasuki::transport::mpi

/// What a plug-in exports; linked in statically in programs for SimGrid, else null until loaded.
extern "C" const tasuki::transport::mpi::Functions* tasuki_mpi_functions();
