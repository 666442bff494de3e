#include "runtime/world/hang_report.hpp"

#include <fmt/format.h>

#include <tasuki/detail/base/clock.hpp>
#include <tasuki/detail/base/settings.hpp>
#include <tasuki/error.hpp>

#include "runtime/calls/dispatcher.hpp"
#include "runtime/calls/service_record.hpp"
#include "runtime/world/quiescence.hpp"
#include "runtime/world/report_request.hpp"

namespace tasuki::runtime {
namespace {

constexpr std::int64_t answer_time_ns = 2'000'000'000;

void print_own(Rank& self) {
  const std::vector<WaitingFiber> fibers = hang_answer_of(self).fibers;
  std::string text = fmt::format("hang report: {} waiting fibers", fibers.size());
  for (const WaitingFiber& fiber : fibers) {
    text += fmt::format("\n  {} waits for {}", fiber.doing, fiber.waiting_for);
  }
  base::report(text);
}

}  // namespace

HangReport::HangReport(Rank& self, const Quiescence& quiescence)
    : self_(self),
      quiescence_(quiescence),
      hang_after_ns_(static_cast<std::int64_t>(base::setting::hang_after.seconds() * 1e9)),
      query_(self, quiescence),
      waiting_record_(self) {
  self.hang_report = this;
}

void HangReport::request() {
  if (self_.rank == 0) {
    query_.open(&handle_query);
  } else if (!quiescence_.is_settled()) {
    send_service_record(self_, 0, &handle_request, std::uint8_t{0});
    self_.sender.flush();
  }
}

void HangReport::handle_request(Rank& self, int, Reader&) {
  self.dispatcher->forget_record();
  self.hang_report->request();
  service_record_done(self);
}

void HangReport::handle_query(Rank& self, int, Reader& reader) {
  print_own(self);
  HangQuery::answer(self, reader, &handle_answer);
}

void HangReport::handle_answer(Rank& self, int, Reader& reader) {
  if (self.hang_report->query_.take(reader)) self.hang_report->conclude();
}

void HangReport::conclude() {
  base::report("hang report: " + explain_hang(query_.close(), self_.size));
}

void HangReport::check() {
  if (take_report_request()) request();
  if (query_.is_open() && query_.age_ns(base::now_ns()) >= answer_time_ns) conclude();
}

void HangReport::on_idle(std::int64_t time_without_arrivals_ns) {
  waiting_record_.on_idle(time_without_arrivals_ns);
  if (hang_after_ns_ == 0) return;
  if (time_without_arrivals_ns < hang_after_ns_) {
    has_reported_ = false;
  } else if (!has_reported_) {
    has_reported_ = true;
    request();
  }
}

}  // namespace tasuki::runtime
