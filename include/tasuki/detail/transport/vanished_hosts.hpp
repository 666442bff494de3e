// Hosts of the job that have vanished, as the watcher of this host tells its ranks
// (docs/design/vanished-hosts.md).
//
// Asked by the runtime whenever it checks whether the job can go on. A process has at most one job
// over several hosts, so this is the process's. Thread-safety: any thread.
#pragma once

#include <array>
#include <atomic>
#include <cstddef>
#include <cstdint>
#include <string_view>

namespace tasuki::transport {

/// What a watcher writes once, into memory that it shares with the ranks of its host.
struct VanishedHosts {
  struct Ranks {
    std::int32_t first;
    std::int32_t last;
  };

  std::atomic<std::uint32_t> is_written;  ///< All else is valid from then on.
  std::int32_t speaker;                   ///< The rank of this host that speaks for it.
  std::uint32_t ranks_count;
  std::array<Ranks, 64> ranks;  ///< Where there are more, the last go to the end of the job.
  std::uint32_t text_bytes;
  std::array<char, 2048> text;  ///< Which hosts, with which ranks, and how that is known.

  std::string_view what_happened() const noexcept { return {text.data(), text_bytes}; }
  /// Is this rank on one of them?
  bool hold(int rank) const noexcept {
    for (std::uint32_t i = 0; i < ranks_count; ++i) {
      if (rank >= ranks[i].first && rank <= ranks[i].last) return true;
    }
    return false;
  }
};

/// nullptr: none has vanished, or nobody watches.
const VanishedHosts* vanished_hosts() noexcept;

}  // namespace tasuki::transport
