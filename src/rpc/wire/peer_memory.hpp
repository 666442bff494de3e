// The memory of the process at the other end of a connection, if that is on this machine and this
// process may read it.
//
// Client and ranks offer theirs to each other, so that long arrays are copied from process to
// process once, by the reader (process_vm_readv). Before that the system says that the process
// holds the other end of the connection: a peer that named another process would have that one's
// memory read. And the reader finds the secret there that both have. Thread-safety: any thread.
#pragma once

#include <sys/types.h>
#include <sys/uio.h>

#include <array>
#include <cstddef>
#include <cstdint>
#include <nlohmann/json.hpp>
#include <optional>
#include <span>
#include <string>

#include "rpc/wire/socket.hpp"

namespace tasuki::rpc {

/// What a peer needs to find this process's memory. Requires: the secret stays where it is for as
/// long as the peer may look.
nlohmann::json memory_offer(const std::string& secret);

class PeerMemory {
 public:
  /// Returns: nothing if the process does not hold the other end of the connection, or this one may
  /// not read there, or does not find the secret. Throws tasuki::error if it is no offer.
  static std::optional<PeerMemory> find(const nlohmann::json& offer, const std::string& secret,
                                        const Socket& connection);

  /// Copies from the peer to here; both have as many bytes. They are used up. Throws tasuki::error
  /// if that is no memory of the peer, or it is gone.
  void read(std::span<iovec> from, std::span<iovec> to) const;

 private:
  explicit PeerMemory(pid_t process) noexcept : process_(process) {}

  pid_t process_;
};

/// Collects what is to be read, so that few system calls read it.
///     MemoryReader reader(peer);
///     reader.add(address, to, bytes);
///     reader.flush();
class MemoryReader {
 public:
  /// Requires: it outlives this.
  explicit MemoryReader(const PeerMemory& peer) : peer_(peer) {}

  /// What has been added may be read at any time until flush() has returned. Throws as
  /// PeerMemory::read.
  void add(std::uint64_t from, std::byte* to, std::size_t bytes);
  void flush();

 private:
  static constexpr std::size_t pieces_most = 512;

  const PeerMemory& peer_;
  std::array<iovec, pieces_most> from_;
  std::array<iovec, pieces_most> to_;
  std::size_t count_ = 0;
};

}  // namespace tasuki::rpc
