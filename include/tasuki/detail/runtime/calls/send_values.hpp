// Records whose payload is a row of values: how calls, their answers and the library's own messages
// are sent.
//
// Thread-safety: the rank's own thread.
#pragma once

#include <cstddef>
#include <tasuki/detail/runtime/calls/codec.hpp>
#include <tasuki/detail/runtime/calls/record.hpp>
#include <tasuki/detail/runtime/calls/sender.hpp>
#include <vector>

namespace tasuki::runtime {

/// Sends a record whose payload is the given values, in order. Throws what encoding or serialising
/// a value throws; then nothing is sent.
template <RecordPurpose purpose = RecordPurpose::call, class... Ts>
void send_values(Sender& sender, int rank, Handler handler, const Ts&... values) {
  if constexpr ((Codec<Ts>::fixed && ...)) {
    constexpr std::size_t bytes = (std::size_t{0} + ... + Codec<Ts>::bytes);
    const auto send = [&](const auto&... encoded) {
      sender.send_record<purpose>(
          rank, handler, bytes, [=](Writer& to) noexcept { (Codec<Ts>::write(to, encoded), ...); });
    };
    send(Codec<Ts>::encode(sender.modules(), values)...);
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
