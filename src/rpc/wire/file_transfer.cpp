#include "rpc/wire/file_transfer.hpp"

#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cstddef>
#include <cstring>
#include <tasuki/error.hpp>
#include <vector>

namespace tasuki::rpc {
namespace {

constexpr std::size_t buffer_bytes = std::size_t{256} << 10;

/// Calls `use` with a part of the buffer until so many bytes are through.
template <class Use>
void in_parts(std::int64_t bytes, Use use) {
  std::vector<std::byte> buffer(
      static_cast<std::size_t>(std::clamp<std::int64_t>(bytes, 0, buffer_bytes)));
  for (std::int64_t done = 0; done < bytes;) {
    const auto left = static_cast<std::size_t>(bytes - done);
    const std::span<std::byte> part = std::span(buffer).first(std::min(left, buffer.size()));
    done += static_cast<std::int64_t>(use(part, done));
  }
}

}  // namespace

void send_file(Socket& socket, int descriptor, std::int64_t bytes) {
  in_parts(bytes, [&](std::span<std::byte> part, std::int64_t offset) {
    const ssize_t count = pread(descriptor, part.data(), part.size(), offset);
    if (count < 0 && errno == EINTR) return std::size_t{0};
    if (count < 0) throw error("send a file", std::strerror(errno), "give a file that can be read");
    if (count == 0) {
      throw error("send a file", "it has become shorter meanwhile",
                  "leave files as they are until the call has returned");
    }
    socket.send(part.data(), static_cast<std::size_t>(count));
    return static_cast<std::size_t>(count);
  });
}

void receive_file(Socket& socket, int descriptor, std::int64_t bytes) {
  const auto refuse = [] {
    throw error("receive a file", std::strerror(errno), "make room where it is written");
  };
  if (ftruncate(descriptor, 0) != 0) refuse();
  in_parts(bytes, [&](std::span<std::byte> part, std::int64_t offset) {
    socket.receive(part.data(), part.size());
    for (std::size_t done = 0; done < part.size();) {
      const ssize_t count = pwrite(descriptor, part.data() + done, part.size() - done,
                                   offset + static_cast<std::int64_t>(done));
      if (count > 0) done += static_cast<std::size_t>(count);
      if (count == 0 || (count < 0 && errno != EINTR)) refuse();
    }
    return part.size();
  });
}

void pass_bytes(Socket& from, std::span<Socket* const> to, std::int64_t bytes) {
  in_parts(bytes, [&](std::span<std::byte> part, std::int64_t) {
    from.receive(part.data(), part.size());
    for (Socket* const one : to) one->send(part.data(), part.size());
    return part.size();
  });
}

}  // namespace tasuki::rpc
