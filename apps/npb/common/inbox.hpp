// A place in this rank's memory where one peer writes by Tasuki, with the counter of its writes.
//
// Used by the exchanges of MG and SP. The peer must know when it may write again; the exchanges say
// how. Thread-safety: the rank's own thread.
#pragma once

#include <cstddef>
#include <span>

#include "common/tasuki_program.hpp"

namespace tasuki::npb {

/// Where the peer writes: what it is told.
struct Mailbox {
  GlobalPtr<double> place;
  GlobalPtr<std::uint64_t> arrivals;

  void write(std::span<const double> values) const {
    place.nwrite_signal(values.data(), values.size(), arrivals);
  }
};

class Inbox {
 public:
  explicit Inbox(std::size_t size) : values_(size) {}

  Mailbox mailbox() const { return {values_.pointer(), arrivals_.counter()}; }
  /// Waits for the next write.
  void wait() { arrivals_.wait(1); }
  std::span<const double> values() const { return {values_.data(), values_.size()}; }

 private:
  apps::SharedArray<double> values_;
  apps::Arrivals arrivals_;
};

}  // namespace tasuki::npb
