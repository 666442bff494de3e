// The ways of an endpoint on which UCX is still connecting, and whether something between the hosts
// is why.
//
// A connection waits for a rank that computes, too; so that alone is no failure. One that not even
// the kernel of the other host answers for long is: most likely a firewall drops what is sent, or
// the rank has been stopped with its queue of connections full. Owned by the endpoint.
// Thread-safety: none.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <unordered_map>
#include <vector>

#include "transport/ucx/functions.hpp"
#include "transport/ucx/silent_connects.hpp"

namespace tasuki::transport::ucx {

class OpeningWays {
 public:
  /// A rank whose host does not answer.
  struct Unreachable {
    int rank = -1;
    bool is_certain = false;  ///< Else the place may be that of another rank, too.
    std::string place;        ///< As in "192.0.2.7 port 4321".
    double time_s = 0;        ///< For which there has been no answer.
  };

  /// The time limit is TASUKI_PEER_TIMEOUT, and what a verdict about vanished hosts may take
  /// longer, as that one names the whole host; but 16 s at least and 60 s at most, which it is also
  /// where hosts are not watched. Throws tasuki::error: malformed setting.
  OpeningWays();
  explicit OpeningWays(std::int64_t most_ns) noexcept : most_ns_(most_ns) {}
  OpeningWays(const OpeningWays&) = delete;
  OpeningWays& operator=(const OpeningWays&) = delete;

  /// The way has been made to `address` of UCX. Returns: what UCX reports at once.
  ucs_status_t follow(int rank, ucp_ep_h way, std::span<const std::byte> address);
  bool any() const noexcept { return !ways_.empty(); }
  /// Is to be called again and again as long as there are `any`.
  std::optional<Unreachable> find_unreachable();

 private:
  struct Way {
    OpeningWays* owner = nullptr;
    int rank = -1;
    std::vector<std::byte> address;
  };

  std::optional<Unreachable> find_at(const SilentConnects::Goal& goal) const;
  static void on_open(void* request, ucs_status_t status, void* way);

  std::unordered_map<int, Way> ways_;  ///< By rank. UCX keeps addresses of them.
  SilentConnects connects_;
  std::int64_t most_ns_;
  std::int64_t next_check_ns_ = 0;
};

}  // namespace tasuki::transport::ucx
