#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <utility>

#include "checker.hpp"

namespace tasuki::coll::checker {
namespace {

/// A slice in memory: in place, input and output are one.
struct Extent {
  int memory;
  std::size_t begin;
  std::size_t end;
};

bool overlap(const Extent& a, const Extent& b) {
  return a.memory == b.memory && a.begin < b.end && b.begin < a.end;
}

class Validator {
 public:
  Validator(const Schedule& schedule, Collective collective, const Shape& shape)
      : schedule_(schedule),
        shape_(shape),
        sizes_{input_count(collective, shape), output_count(collective, shape),
               schedule.scratch_count} {}

  std::string validate() {
    for (std::size_t index = 0; index < schedule_.rounds.size(); ++index) {
      std::string failure = check_round(schedule_.round(index));
      if (!failure.empty()) return fmt::format("round {}: {}", index, failure);
    }
    const Round last = schedule_.rounds.empty() ? Round{} : schedule_.rounds.back();
    if (last.transfers_end != schedule_.transfers.size() ||
        last.locals_end != schedule_.locals.size()) {
      return "steps beyond the last round";
    }
    return {};
  }

 private:
  std::string check_round(const RoundView& round) {
    if (round.receives.empty() && round.sends.empty() && round.locals.empty()) return "empty";
    std::vector<Extent> written;
    std::vector<Extent> read;
    for (const Transfer& transfer : round.receives) {
      if (const auto failure = check_transfer(transfer, false); !failure.empty()) return failure;
      if (transfer.slice.count == 0) continue;
      if (transfer.slice.buffer == Buffer::input) return "receives into the input";
      written.push_back(extent(transfer.slice));
    }
    for (const Transfer& transfer : round.sends) {
      if (const auto failure = check_transfer(transfer, true); !failure.empty()) return failure;
      if (transfer.slice.count != 0) read.push_back(extent(transfer.slice));
    }
    if (const auto failure = check_races(written, read); !failure.empty()) return failure;
    for (const LocalStep& step : round.locals) {
      if (const auto failure = check_local(step); !failure.empty()) return failure;
    }
    return {};
  }

  std::string check_transfer(const Transfer& transfer, bool is_send) {
    if (transfer.peer < 0 || transfer.peer >= shape_.ranks || transfer.peer == shape_.rank) {
      return fmt::format("peer {}", transfer.peer);
    }
    if (transfer.sequence != next_sequence_[{is_send, transfer.peer}]++) {
      return fmt::format("sequence {} with peer {}", transfer.sequence, transfer.peer);
    }
    return check_bounds(transfer.slice);
  }

  std::string check_local(const LocalStep& step) {
    const Slice from{step.from, step.from_offset, step.count};
    const Slice to{step.to, step.to_offset, step.count};
    if (step.count == 0) return "empty local step";
    if (step.to == Buffer::input) return "writes to the input";
    for (const Slice& slice : {from, to}) {
      if (const auto failure = check_bounds(slice); !failure.empty()) return failure;
    }
    const Extent a = extent(from);
    const Extent b = extent(to);
    const bool same = step.kind == LocalKind::copy && a.begin == b.begin;
    if (overlap(a, b) && !same) return "operands of a local step overlap";
    return {};
  }

  std::string check_bounds(const Slice& slice) const {
    const std::size_t size = sizes_[static_cast<std::size_t>(slice.buffer)];
    if (slice.count == 0 || slice.offset + slice.count <= size) return {};
    return fmt::format("slice [{}, {}) of buffer {} which has {} elements", slice.offset,
                       slice.offset + slice.count, static_cast<int>(slice.buffer), size);
  }

  /// Transfers of one round are concurrent.
  static std::string check_races(std::vector<Extent>& written, const std::vector<Extent>& read) {
    const auto before = [](const Extent& a, const Extent& b) {
      return std::pair(a.memory, a.begin) < std::pair(b.memory, b.begin);
    };
    std::sort(written.begin(), written.end(), before);
    for (std::size_t i = 1; i < written.size(); ++i) {
      if (overlap(written[i - 1], written[i])) return "two receives into the same place";
    }
    for (const Extent& source : read) {
      for (const Extent& target : written) {
        if (overlap(source, target)) return "sends from where it receives";
      }
    }
    return {};
  }

  Extent extent(const Slice& slice) const {
    const bool aliased = shape_.in_place && slice.buffer == Buffer::input;
    const Buffer memory = aliased ? Buffer::output : slice.buffer;
    return {static_cast<int>(memory), slice.offset, slice.offset + slice.count};
  }

  const Schedule& schedule_;
  const Shape& shape_;
  std::size_t sizes_[3];
  std::map<std::pair<bool, int>, std::uint32_t> next_sequence_;
};

}  // namespace

std::string validate(const Schedule& schedule, Collective collective, const Shape& shape) {
  return Validator(schedule, collective, shape).validate();
}

}  // namespace tasuki::coll::checker
