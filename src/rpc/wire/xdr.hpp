// Numbers in External Data Representation (RFC 4506, 2006): the most significant byte first, and
// none of less than four bytes.
//
// Used by whoever sends or receives arrays for a client that asked for it. A complex number is its
// two parts. Thread-safety: functions, and one thread for each sender and receiver.
#pragma once

#include <cstddef>
#include <span>
#include <vector>

#include "rpc/interface/module.hpp"
#include "rpc/wire/socket.hpp"

namespace tasuki::rpc {

/// Of one number on the wire.
std::size_t xdr_bytes_of(Number number) noexcept;

/// Requires: `from` has whole numbers, and `to` has xdr_bytes_of for each of them.
void encode_xdr(Number number, std::span<const std::byte> from, std::byte* to);
/// The reverse: `to` is filled. Throws tasuki::error if a number is beyond its type.
void decode_xdr(Number number, const std::byte* from, std::span<std::byte> to);

/// Encodes into a small buffer, and sends that whenever it is full.
///     XdrSender sender(socket);
///     sender.add(Number::float64, block);
///     sender.flush();
class XdrSender {
 public:
  explicit XdrSender(Socket& socket) : socket_(socket) {}

  void add(Number number, std::span<const std::byte> numbers);
  /// Returns when all is sent.
  void flush();

 private:
  Socket& socket_;
  std::vector<std::byte> buffer_;
  std::size_t used_bytes_ = 0;
};

/// Receives into a small buffer and decodes from there.
class XdrReceiver {
 public:
  explicit XdrReceiver(Socket& socket) : socket_(socket) {}

  /// Fills `numbers`. Throws tasuki::error if one is beyond its type.
  void receive(Number number, std::span<std::byte> numbers);

 private:
  Socket& socket_;
  std::vector<std::byte> buffer_;
};

}  // namespace tasuki::rpc
