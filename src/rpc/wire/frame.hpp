// Control messages: each is a MessagePack value after its length, four bytes in network order.
//
// Used by clients, the server's front end and the ranks of routines. A message from a peer is not
// trusted: it has a most length, a most depth and a most number of values. Thread-safety: pure
// functions; of the socket, one thread.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <nlohmann/json.hpp>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include "rpc/wire/socket.hpp"

namespace tasuki::rpc {

constexpr std::size_t frame_head_bytes = 4;
/// More than any interface, less than what hurts.
constexpr std::size_t frame_most_bytes = std::size_t{16} << 20;
constexpr int frame_depth_most = 200;
/// Of one byte each can become a value of a hundred bytes.
constexpr std::size_t frame_values_most = std::size_t{1} << 20;

using FrameHead = std::array<std::uint8_t, frame_head_bytes>;

/// Returns: the whole frame. Throws tasuki::error if it is longer than frame_most_bytes.
std::vector<std::uint8_t> encode_frame(const nlohmann::json& message);
/// Returns: the bytes that follow the head. Throws tasuki::error if they are none, or more
/// than that.
std::size_t body_bytes(const FrameHead& head, std::size_t most_bytes = frame_most_bytes);
/// Throws tasuki::error if the bytes are no MessagePack object, or one that is nested too deeply or
/// has too many values.
nlohmann::json decode_body(std::span<const std::uint8_t> body);

void send_frame(Socket& socket, const nlohmann::json& message);
/// Throws tasuki::error if the frame is longer than it may be.
nlohmann::json receive_frame(Socket& socket, std::size_t most_bytes = frame_most_bytes);
/// The same, but only receives: it is for decode_body. Memory grows with what has come, whatever
/// length the head claims.
std::vector<std::uint8_t> receive_body(Socket& socket, std::size_t most_bytes = frame_most_bytes);

/// A field of a message. Throws tasuki::error that names it if it is missing or of another type.
template <class Type>
Type field_of(const nlohmann::json& message, const char* name);
/// The same, but `otherwise` if it is missing.
template <class Type>
Type field_or(const nlohmann::json& message, const char* name, Type otherwise);
[[noreturn]] void refuse_field(const char* name);

template <class Type>
Type field_of(const nlohmann::json& message, const char* name) {
  try {
    return message.at(name).get<Type>();
  } catch (const nlohmann::json::exception&) {
    refuse_field(name);
  }
}

template <class Type>
Type field_or(const nlohmann::json& message, const char* name, Type otherwise) {
  return message.contains(name) ? field_of<Type>(message, name) : std::move(otherwise);
}

}  // namespace tasuki::rpc
