#include <tasuki/detail/coll/schedule.hpp>

#include <fmt/format.h>

#include <iterator>

namespace tasuki::coll {
namespace {

const char* name_of(Buffer buffer) {
  switch (buffer) {
    case Buffer::input:
      return "input";
    case Buffer::output:
      return "output";
    case Buffer::scratch:
      return "scratch";
  }
  return "?";
}

std::string range(Buffer buffer, std::size_t offset, std::size_t count) {
  return fmt::format("{}[{}, {})", name_of(buffer), offset, offset + count);
}

std::string range(const Slice& slice) {
  return slice.count == 0 ? "signal" : range(slice.buffer, slice.offset, slice.count);
}

std::string sentence(const LocalStep& step) {
  const std::string from = range(step.from, step.from_offset, step.count);
  const std::string to = range(step.to, step.to_offset, step.count);
  switch (step.kind) {
    case LocalKind::copy:
      return fmt::format("{} = {}", to, from);
    case LocalKind::reduce:
      return fmt::format("{} = {} OP {}", to, from, to);
    case LocalKind::reduce_right:
      return fmt::format("{} = {} OP {}", to, to, from);
  }
  return "?";
}

}  // namespace

std::string to_text(const Schedule& schedule) {
  std::string text;
  auto out = std::back_inserter(text);
  for (std::size_t index = 0; index < schedule.rounds.size(); ++index) {
    const RoundView round = schedule.round(index);
    fmt::format_to(out, "round {}\n", index);
    for (const Transfer& transfer : round.receives) {
      fmt::format_to(out, "  receive {} from {}\n", range(transfer.slice), transfer.peer);
    }
    for (const Transfer& transfer : round.sends) {
      fmt::format_to(out, "  send {} to {}\n", range(transfer.slice), transfer.peer);
    }
    for (const LocalStep& step : round.locals) fmt::format_to(out, "  {}\n", sentence(step));
  }
  return text;
}

}  // namespace tasuki::coll
