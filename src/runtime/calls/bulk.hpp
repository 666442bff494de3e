// Receiving bulk data, counted: while some are on their way the job is not stuck, however long they
// take and however quiet all fibers are.
//
// Thread-safety: the rank's own thread.
#pragma once

#include <cstddef>
#include <cstdint>
#include <tasuki/detail/runtime/calls/record.hpp>
#include <tasuki/detail/transport/transport.hpp>

namespace tasuki::runtime {

/// Lane::accept of what `source` has announced; `completion` as there.
void accept_bulk(Rank& self, int source, std::uint64_t token, std::byte* into,
                 transport::Completion* completion);

}  // namespace tasuki::runtime
