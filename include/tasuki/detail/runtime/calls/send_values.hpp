// Records whose payload is a row of values: how calls, their answers and the library's own messages
// are sent.
//
// Thread-safety: the rank's own thread.
#pragma once

#include <cstddef>
#include <cstdint>
#include <cstring>
#include <memory>
#include <tasuki/detail/runtime/calls/codec.hpp>
#include <tasuki/detail/runtime/calls/record.hpp>
#include <tasuki/detail/runtime/calls/sender.hpp>
#include <type_traits>
#include <vector>

namespace tasuki::runtime {

/// Where a value ends that begins at `at` of a payload.
template <WrittenAtOnce T, class Encoded>
std::size_t end_of(std::size_t at, const Encoded& encoded) noexcept {
  if constexpr (RowOfElements<T>) {
    return round_to_word(at + sizeof(std::size_t)) + encoded.size_bytes();
  } else {
    return at + Codec<T>::bytes;
  }
}

/// Writes a value at `at` of a payload, of a row the elements only if asked for.
/// Returns: where it ends.
template <WrittenAtOnce T, bool with_elements, class Encoded>
std::size_t write_at(std::size_t at, Writer& to, const Encoded& encoded) noexcept {
  if constexpr (RowOfElements<T>) {
    constexpr std::uint64_t nothing = 0;
    const std::size_t number_end = at + sizeof(std::size_t);
    to.write(encoded.size_bytes() / sizeof(typename Codec<T>::Element));
    to.write_bytes(&nothing, round_to_word(number_end) - number_end);
    if constexpr (with_elements) to.write_bytes(encoded.data(), encoded.size_bytes());
  } else {
    Codec<T>::write(to, encoded);
  }
  return end_of<T>(at, encoded);
}

/// The elements of the only row among values that begin at 0.
template <WrittenAtOnce... Ts, class... Encoded>
PlacedData placed_data(const Encoded&... encoded) noexcept {
  PlacedData placed;
  std::size_t end = 0;
  const auto pass = [&]<class T>(std::type_identity<T>, const auto& one) {
    end = end_of<T>(end, one);
    if constexpr (RowOfElements<T>) placed = {end - one.size_bytes(), one};
  };
  (pass(std::type_identity<Ts>(), encoded), ...);
  return placed;
}

/// Sends values of which some are rows. Their elements are copied once, into the message; not at
/// all if it is a long one with one row, whose caller waits.
template <RecordPurpose purpose, WrittenAtOnce... Ts>
void send_rows(Sender& sender, int rank, Handler handler, const Ts&... values) {
  const auto send = [&](const auto&... encoded) {
    std::size_t payload_bytes = 0;
    ((payload_bytes = end_of<Ts>(payload_bytes, encoded)), ...);
    if constexpr (purpose == RecordPurpose::awaited_call && (int{RowOfElements<Ts>} + ...) == 1) {
      const PlacedData placed = placed_data<Ts...>(encoded...);
      if (sender.may_send_in_place(rank, payload_bytes, placed.data.size())) {
        auto fill = [&](Writer& to) noexcept {
          std::size_t at = 0;
          ((at = write_at<Ts, false>(at, to, encoded)), ...);
        };
        sender.send_in_place(rank, handler, payload_bytes, placed, FillReference(fill));
        return;
      }
    }
    sender.send_record<purpose>(rank, handler, payload_bytes, [&](Writer& to) noexcept {
      std::size_t at = 0;
      ((at = write_at<Ts, true>(at, to, encoded)), ...);
    });
  };
  send(Codec<Ts>::encode(sender.modules(), values)...);
}

/// Sends values of fixed sizes.
template <RecordPurpose purpose, class... Ts, class... Encoded>
void send_fixed(Sender& sender, int rank, Handler handler, const Encoded&... encoded) {
  constexpr std::size_t bytes = (std::size_t{0} + ... + Codec<Ts>::bytes);
  const OpenRecord record = sender.begin_record_for<purpose>(rank, handler, bytes);
  Writer to(record.payload);
  (Codec<Ts>::write(to, encoded), ...);
  sender.end_record(rank, record);
}

/// Sends a record whose payload is the given values, in order. Throws what encoding or serialising
/// a value throws; then nothing is sent.
template <RecordPurpose purpose = RecordPurpose::call, class... Ts>
void send_values(Sender& sender, int rank, Handler handler, const Ts&... values) {
  if constexpr ((SentAsItIs<Ts> && ...)) {
    constexpr std::size_t bytes = (std::size_t{0} + ... + Codec<Ts>::bytes);
    if constexpr (purpose != RecordPurpose::post && round_to_word(bytes) == 2 * record_word_bytes) {
      std::uint64_t words[2] = {};
      auto* at = reinterpret_cast<std::byte*>(words);
      ((std::memcpy(at, __builtin_addressof(values), Codec<Ts>::bytes), at += Codec<Ts>::bytes),
       ...);
      sender.send_two_words(rank, handler, words[0], words[1], purpose);
    } else {
      const OpenRecord record = sender.begin_record_for<purpose>(rank, handler, bytes);
      std::byte* at = record.payload;
      ((std::memcpy(at, __builtin_addressof(values), Codec<Ts>::bytes), at += Codec<Ts>::bytes),
       ...);
      sender.end_record(rank, record);
    }
  } else if constexpr ((Codec<Ts>::fixed && ...)) {
    send_fixed<purpose, Ts...>(sender, rank, handler,
                               Codec<Ts>::encode(sender.modules(), values)...);
  } else if constexpr ((WrittenAtOnce<Ts> && ...)) {
    send_rows<purpose>(sender, rank, handler, values...);
  } else {
    std::vector<std::byte> payload;
    (save(sender.modules(), payload, values), ...);
    sender.send_record<purpose>(rank, handler, payload.size(), [&](Writer& to) noexcept {
      to.write_bytes(payload.data(), payload.size());
    });
  }
}
/// The same as the answer to something that came from `rank`: does not wait, unless it is large.
template <class... Ts>
void send_answer(Sender& sender, int rank, Handler handler, const Ts&... values) {
  send_values<RecordPurpose::answer>(sender, rank, handler, values...);
}

}  // namespace tasuki::runtime
