#include "runtime/world/waiting_record.hpp"

#include <fcntl.h>
#include <fmt/format.h>
#include <unistd.h>
#include <tasuki/detail/base/clock.hpp>
#include <tasuki/detail/base/launcher_settings.hpp>

#include "base/launcher_file.hpp"

namespace tasuki::runtime {
namespace {

constexpr std::size_t slot_bytes = 4096;
/// Of ranks that wait for each other all the time nobody asks what for.
constexpr std::int64_t recorded_after_ns = 200'000'000;

}  // namespace

WaitingRecord::WaitingRecord(Rank& self)
    : self_(self), descriptor_(base::open_launcher_file(base::setting::waiting_record, O_WRONLY)) {}

WaitingRecord::~WaitingRecord() {
  if (descriptor_ >= 0) ::close(descriptor_);
}

void WaitingRecord::on_idle(std::int64_t time_without_arrivals_ns) {
  if (descriptor_ < 0 || time_without_arrivals_ns < recorded_after_ns) return;
  const std::int64_t now_ns = base::now_ns();
  if (now_ns < next_time_ns_) return;
  next_time_ns_ = now_ns + recorded_after_ns;
  const std::string slot = waiting_slot(now_ns, hang_answer_of(self_).fibers);
  [[maybe_unused]] const ssize_t written =
      ::pwrite(descriptor_, slot.data(), slot.size(),
               static_cast<off_t>(slot_bytes) * static_cast<off_t>(self_.rank));
}

std::string waiting_slot(std::int64_t now_ns, const std::vector<WaitingFiber>& fibers) {
  std::string slot = fmt::format("{}\n", now_ns);
  for (const WaitingFiber& fiber : fibers) {
    const std::string line =
        fmt::format("{} {} waits for {}\n", fiber.awaited_rank, fiber.doing, fiber.waiting_for);
    if (slot.size() + line.size() <= slot_bytes) slot += line;
  }
  slot.resize(slot_bytes);
  return slot;
}

}  // namespace tasuki::runtime
