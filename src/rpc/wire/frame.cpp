#include "rpc/wire/frame.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <tasuki/error.hpp>
#include <utility>

namespace tasuki::rpc {
namespace {

using nlohmann::json;

[[noreturn]] void refuse(const std::string& happened) {
  throw error("read a message", happened,
              "let server and client use versions of Tasuki that know each other");
}

/// What a message claims to be followed by is not taken at once: the first piece.
constexpr std::size_t first_piece_bytes = std::size_t{64} << 10;

/// Makes the value, but stops where it is nested too deeply, as the parser would recurse as deep,
/// or has too many values.
class BoundedReader {
 public:
  explicit BoundedReader(json& value) : reader_(value, false) {}

  bool null() { return count() && reader_.null(); }
  bool boolean(bool value) { return count() && reader_.boolean(value); }
  bool number_integer(std::int64_t value) { return count() && reader_.number_integer(value); }
  bool number_unsigned(std::uint64_t value) { return count() && reader_.number_unsigned(value); }
  bool number_float(double value, const std::string& text) {
    return count() && reader_.number_float(value, text);
  }
  bool string(std::string& value) { return count() && reader_.string(value); }
  bool binary(json::binary_t& value) { return count() && reader_.binary(value); }
  bool key(std::string& value) { return reader_.key(value); }
  bool start_object(std::size_t count) { return enter() && reader_.start_object(count); }
  bool end_object() { return leave() && reader_.end_object(); }
  bool start_array(std::size_t count) { return enter() && reader_.start_array(count); }
  bool end_array() { return leave() && reader_.end_array(); }
  bool parse_error(std::size_t at, const std::string& token, const json::exception& fault) {
    return reader_.parse_error(at, token, fault);
  }

 private:
  bool count() { return ++values_count_ <= frame_values_most; }
  bool enter() { return count() && ++depth_ <= frame_depth_most; }
  bool leave() {
    --depth_;
    return true;
  }

  nlohmann::detail::json_sax_dom_parser<json> reader_;
  int depth_ = 0;
  std::size_t values_count_ = 0;
};

}  // namespace

std::vector<std::uint8_t> encode_frame(const json& message) {
  std::vector<std::uint8_t> frame(frame_head_bytes);
  json::to_msgpack(message, frame);
  const std::size_t bytes = frame.size() - frame_head_bytes;
  if (bytes > frame_most_bytes) {
    throw error("send a message",
                fmt::format("it has {} bytes, more than {}", bytes, frame_most_bytes),
                "send long data as arrays");
  }
  for (std::size_t i = 0; i < frame_head_bytes; ++i) {
    frame[i] = static_cast<std::uint8_t>(bytes >> (8 * (frame_head_bytes - 1 - i)));
  }
  return frame;
}

std::size_t body_bytes(const FrameHead& head, std::size_t most_bytes) {
  std::size_t bytes = 0;
  for (const std::uint8_t byte : head) bytes = bytes << 8 | byte;
  if (bytes > most_bytes) {
    refuse(fmt::format("it has {} bytes, more than {}; does the peer speak Tasuki's protocol?",
                       bytes, most_bytes));
  }
  if (bytes == 0) refuse("it is empty; does the peer speak Tasuki's protocol?");
  return bytes;
}

json decode_body(std::span<const std::uint8_t> body) {
  json value;
  BoundedReader reader(value);
  const bool is_good =
      json::sax_parse(body.begin(), body.end(), &reader, json::input_format_t::msgpack);
  if (!is_good || !value.is_object()) refuse("it is no MessagePack object");
  return value;
}

void send_frame(Socket& socket, const json& message) {
  const std::vector<std::uint8_t> frame = encode_frame(message);
  socket.send(frame.data(), frame.size());
}

json receive_frame(Socket& socket, std::size_t most_bytes) {
  return decode_body(receive_body(socket, most_bytes));
}

std::vector<std::uint8_t> receive_body(Socket& socket, std::size_t most_bytes) {
  FrameHead head;
  socket.receive(head.data(), head.size());
  const std::size_t bytes = body_bytes(head, most_bytes);
  std::vector<std::uint8_t> body;
  while (body.size() < bytes) {
    const std::size_t begin = body.size();
    body.resize(std::min(bytes, std::max(first_piece_bytes, 2 * begin)));
    socket.receive(body.data() + begin, body.size() - begin);
  }
  return body;
}

void refuse_field(const char* name) {
  refuse(fmt::format("its field {} is missing or of another type", name));
}

}  // namespace tasuki::rpc
