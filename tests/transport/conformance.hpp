// The conformance suite: what every backend of the transport interface must do.
//
// A case is collective: all ranks of a job call it together, each with its own started transport.
// Failures are reported through GoogleTest's EXPECT_ macros. Run by loopback_test.cpp (ranks as
// contexts, seeds), shm/shm_transport_test.cpp and networked_job_test.cpp (ranks as processes).
#pragma once

#include <span>
#include <tasuki/detail/transport/transport.hpp>

namespace tasuki::transport::conformance {

struct Case {
  const char* name;
  void (*run)(Transport& transport);
  /// Takes gigabytes of memory or many seconds; left out unless asked for.
  bool is_long = false;
  /// Measures real time or memory of the process: once per backend is enough.
  bool is_physical = false;
};

std::span<const Case> all_cases();
/// Those about bulk data, which are in a file of their own.
std::span<const Case> bulk_cases() noexcept;

}  // namespace tasuki::transport::conformance
