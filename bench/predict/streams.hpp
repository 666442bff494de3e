// Streams of messages made from seeds: what benchmarks and tests of predictors run on.
//
// Thread-safety: pure functions.
#pragma once

#include <cstddef>
#include <cstdint>
#include <random>
#include <tasuki/detail/predict/receive.hpp>
#include <vector>

namespace tasuki::bench {

using predict::Arrival;
using predict::Field;
using predict::FieldSet;
using predict::Message;

/// A message for a receive with these arguments and a large buffer, a microsecond after the last.
inline void append(std::vector<Arrival>& stream, const Message& message) {
  constexpr std::int64_t buffer_bytes = 1 << 20;
  Arrival arrival{
      {message, FieldSet::all()}, message, static_cast<std::int64_t>(stream.size()) * 1000};
  arrival.receive.arguments.message_bytes = buffer_bytes;
  stream.push_back(arrival);
}

inline std::vector<Arrival> constant_stream(std::size_t count) {
  std::vector<Arrival> stream;
  while (stream.size() < count) append(stream, {.source = 1, .tag = 7, .message_bytes = 8});
  return stream;
}

/// Two sizes in turn.
inline std::vector<Arrival> alternating_stream(std::size_t count) {
  std::vector<Arrival> stream;
  while (stream.size() < count) {
    const std::int64_t bytes = stream.size() % 2 == 0 ? 8 : 4096;
    append(stream, {.source = 1, .tag = 7, .message_bytes = bytes});
  }
  return stream;
}

/// Random sizes, of which there are few, that come again after `period` messages.
inline std::vector<Arrival> periodic_stream(std::size_t count, std::size_t period, unsigned seed) {
  std::mt19937 engine(seed);
  std::vector<std::int64_t> sizes_bytes(period);
  for (std::int64_t& bytes : sizes_bytes) bytes = std::int64_t{8} << engine() % 8;
  std::vector<Arrival> stream;
  while (stream.size() < count) {
    const std::int64_t bytes = sizes_bytes[stream.size() % period];
    append(stream, {.source = 1, .tag = 7, .message_bytes = bytes});
  }
  return stream;
}

/// Each message is 16 bytes longer than the one before.
inline std::vector<Arrival> stride_stream(std::size_t count) {
  std::vector<Arrival> stream;
  while (stream.size() < count) {
    const auto bytes = static_cast<std::int64_t>(stream.size() % 65536) * 16;
    append(stream, {.source = 1, .tag = 7, .message_bytes = bytes});
  }
  return stream;
}

/// Nothing can be predicted: random sizes, sources and tags, and receives with wildcards.
inline std::vector<Arrival> random_stream(std::size_t count, unsigned seed) {
  std::mt19937 engine(seed);
  std::vector<Arrival> stream;
  while (stream.size() < count) {
    append(stream, {.source = static_cast<std::int32_t>(engine() % 1024),
                    .tag = static_cast<std::int32_t>(engine() % 32768),
                    .message_bytes = static_cast<std::int64_t>(engine() % (1U << 20U))});
    stream.back().receive.given.erase(Field::source).erase(Field::tag);
  }
  return stream;
}

/// Messages of two ranks, each with a period of its own, in random order.
inline std::vector<Arrival> interleaved_stream(std::size_t count, unsigned seed) {
  std::mt19937 engine(seed);
  const std::vector<Arrival> of_rank[] = {periodic_stream(count, 5, seed + 1),
                                          periodic_stream(count, 7, seed + 2)};
  std::size_t next[] = {0, 0};
  std::vector<Arrival> stream;
  while (stream.size() < count) {
    const auto rank = static_cast<std::size_t>(engine() % 2);
    Message message = of_rank[rank][next[rank]++].message;
    message.source = static_cast<std::int32_t>(rank);
    append(stream, message);
  }
  return stream;
}

}  // namespace tasuki::bench
