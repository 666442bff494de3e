#include "rpc/links/exchange.hpp"

namespace tasuki::rpc {

std::int64_t Exchange::sent_bytes() const {
  std::int64_t bytes = 0;
  for (const PlacedArray& one : sent) {
    for (int rank = 0; rank < one.layout.ranks(); ++rank) bytes += one.layout.selected_bytes(rank);
  }
  for (const PlacedFile& one : sent_files) bytes += one.bytes;
  return bytes;
}

std::int64_t Exchange::returned_bytes() const {
  std::int64_t bytes = 0;
  for (const PlacedArray& one : returned) {
    for (int rank = 0; rank < one.layout.ranks(); ++rank) {
      if (is_returned_by(rank, one.parameter)) bytes += one.layout.selected_bytes(rank);
    }
  }
  return bytes;
}

}  // namespace tasuki::rpc
