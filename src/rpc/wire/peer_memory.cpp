#include "rpc/wire/peer_memory.hpp"

#include <fmt/format.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cstring>
#include <tasuki/error.hpp>

#include "rpc/wire/frame.hpp"
#include "rpc/wire/peer_process.hpp"

namespace tasuki::rpc {
namespace {

iovec piece_of(std::uint64_t address, std::size_t bytes) {
  return {reinterpret_cast<void*>(static_cast<std::uintptr_t>(address)), bytes};
}

bool follows(const iovec& piece, const void* next) {
  return static_cast<const std::byte*>(piece.iov_base) + piece.iov_len == next;
}

bool is_of_this_user(pid_t process) {
  struct stat status {};
  return stat(fmt::format("/proc/{}", process).c_str(), &status) == 0 && status.st_uid == geteuid();
}

/// What is read is no longer among the pieces. Returns: those that are left.
std::span<iovec> advanced(std::span<iovec> pieces, std::size_t bytes) {
  while (!pieces.empty() && pieces.front().iov_len <= bytes) {
    bytes -= pieces.front().iov_len;
    pieces = pieces.subspan(1);
  }
  if (bytes > 0) {
    pieces.front().iov_base = static_cast<std::byte*>(pieces.front().iov_base) + bytes;
    pieces.front().iov_len -= bytes;
  }
  return pieces;
}

}  // namespace

nlohmann::json memory_offer(const std::string& secret) {
  return {{"process", getpid()}, {"address", reinterpret_cast<std::uintptr_t>(secret.data())}};
}

std::optional<PeerMemory> PeerMemory::find(const nlohmann::json& offer, const std::string& secret,
                                           const Socket& connection) {
  const auto process = field_of<pid_t>(offer, "process");
  if (!is_of_this_user(process)) return {};  // Root may read others, but not for a client.
  if (!holds_other_end(process, connection.descriptor())) return {};
  const PeerMemory peer(process);
  std::string found(secret.size(), '\0');
  iovec from = piece_of(field_of<std::uint64_t>(offer, "address"), found.size());
  iovec to{found.data(), found.size()};
  try {
    peer.read(std::span(&from, 1), std::span(&to, 1));
  } catch (const error&) {
    return {};
  }
  if (found != secret) return {};
  return peer;
}

void PeerMemory::read(std::span<iovec> from, std::span<iovec> to) const {
  from = advanced(from, 0);
  to = advanced(to, 0);
  while (!to.empty()) {
    const ssize_t bytes =
        process_vm_readv(process_, to.data(), to.size(), from.data(), from.size(), 0);
    if (bytes <= 0) {
      throw error("read a process's memory",
                  bytes == 0 ? "there is less than it said" : std::strerror(errno),
                  "read what the server or its routine has printed");
    }
    from = advanced(from, static_cast<std::size_t>(bytes));
    to = advanced(to, static_cast<std::size_t>(bytes));
  }
}

void MemoryReader::add(std::uint64_t from, std::byte* to, std::size_t bytes) {
  if (bytes == 0) return;
  iovec piece = piece_of(from, bytes);
  if (count_ > 0 && follows(from_[count_ - 1], piece.iov_base) && follows(to_[count_ - 1], to)) {
    from_[count_ - 1].iov_len += bytes;
    to_[count_ - 1].iov_len += bytes;
    return;
  }
  if (count_ == pieces_most) flush();
  from_[count_] = piece;
  to_[count_++] = {to, bytes};
}

void MemoryReader::flush() {
  peer_.read(std::span(from_.data(), count_), std::span(to_.data(), count_));
  count_ = 0;
}

}  // namespace tasuki::rpc
