#include "mpi/ahead/report.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <bit>

namespace tasuki::mpi::ahead {
void Report::add_wait(std::int64_t wait_ns) noexcept {
  ++waits_count_;
  waits_total_ns_ += wait_ns;
  const auto width = std::bit_width(static_cast<std::uint64_t>(std::max<std::int64_t>(wait_ns, 1)));
  ++waits_log2_[std::min(static_cast<std::size_t>(width) - 1, buckets_count - 1)];
}

std::string Report::line(int rank, int ranks_count, predict::Mode mode, double cpu_s) const {
  const auto redone = [this](predict::Field field) {
    return redone_[static_cast<std::size_t>(field)];
  };
  return fmt::format(
      "{{\"rank\": {}, \"ranks\": {}, \"mode\": \"{}\", \"receives\": {}, \"idle\": {}, "
      "\"predicted\": {}, \"hit\": {}, \"miss\": {}, "
      "\"redone\": {{\"source\": {}, \"tag\": {}, \"bytes\": {}}}, \"committed\": {}, "
      "\"waits\": {{\"count\": {}, \"total_ns\": {}, \"log2_ns\": [{}]}}, \"cpu_s\": {:.6f}}}\n",
      rank, ranks_count, name_of(mode), receives_count_, counters_.idle, counters_.predicted,
      counters_.hit, counters_.miss, redone(predict::Field::source), redone(predict::Field::tag),
      redone(predict::Field::message_bytes), counters_.committed, waits_count_, waits_total_ns_,
      fmt::join(waits_log2_, ", "), cpu_s);
}

}  // namespace tasuki::mpi::ahead
