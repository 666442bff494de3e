// Receiving bulk data, counted: while some are on their way the job is not stuck, however long they
// take and however quiet all fibers are.
//
// Also receives records that are longer than a message, whose payload Sender sends as bulk data;
// when it is here, the poller runs their handler.
//
// Thread-safety: the rank's own thread.
#pragma once

#include <cstddef>
#include <cstdint>
#include <tasuki/detail/runtime/calls/code_address.hpp>
#include <tasuki/detail/runtime/calls/record.hpp>
#include <tasuki/detail/transport/transport.hpp>

namespace tasuki::runtime {

/// Lane::accept of what `source` has announced; `completion` as there.
void accept_bulk(Rank& self, int source, std::uint64_t token, std::byte* into,
                 transport::Completion* completion);

/// Handles the announcement, which carries the CodeAddress of the long record's own handler.
void handle_large_record(Rank& self, int source, Reader& reader);

/// What announces a record of which only a part comes as bulk data. The rest stands behind it.
struct SplitRecord {
  /// What the header of a bulk message (Capabilities::bulk_header_max_bytes) holds beside this.
  static constexpr std::size_t rest_most_bytes = 88;

  CodeAddress code;
  std::size_t data_offset = 0;  ///< In the payload.
  std::size_t rest_bytes = 0;
};
void handle_split_record(Rank& self, int source, Reader& reader);

}  // namespace tasuki::runtime
