// The settings of UCX over TCP that the transport wants otherwise than UCX has them. UCX reads them
// from the environment when it makes a worker, so they stand there while this object lives. What
// the user has set in the environment stays as it is; it must be the same for all ranks, because a
// rank refuses segments that are larger than its own.
//
// Used by the worker. Thread-safety: none; no other thread may read the environment meanwhile.
#pragma once

#include <cstddef>
#include <string>
#include <vector>

namespace tasuki::transport::ucx {

class TcpSettings {
 public:
  /// Of a job of `rank_count` ranks. Sets nothing unless one of `ways` ("tcp/eth0") is over TCP:
  /// UCX complains of settings for a transport that it does not use.
  TcpSettings(const std::vector<std::string>& ways, std::size_t rank_count);
  ~TcpSettings();
  TcpSettings(const TcpSettings&) = delete;
  TcpSettings& operator=(const TcpSettings&) = delete;

 private:
  std::vector<std::string> names_;  ///< Of the variables that are set.
};

/// What UCX receives of one peer at once, and therefore the most that goes in one step over TCP,
/// among `rank_count` ranks.
std::size_t tcp_segment_bytes(std::size_t rank_count) noexcept;

}  // namespace tasuki::transport::ucx
