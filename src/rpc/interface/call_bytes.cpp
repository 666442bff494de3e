#include "rpc/interface/call_bytes.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <tasuki/error.hpp>

namespace tasuki::rpc {
namespace {

std::int64_t bytes_on(int rank, const Routine& routine, const CallLayout& layout) noexcept {
  std::int64_t sum = 0;
  for (std::size_t i = 0; i < layout.size(); ++i) {
    if (!layout[i]) continue;
    const Parameter& parameter = routine.parameters[i];
    const std::int64_t bytes = layout[i]->local_bytes(rank);
    const auto copies =
        static_cast<std::int64_t>(parameter.copied_element_bytes / bytes_of(parameter.number));
    std::int64_t with_copies = 0;
    if (__builtin_mul_overflow(bytes, 1 + copies, &with_copies)) return INT64_MAX;
    sum = sum_of_bytes(sum, with_copies);
  }
  return sum;
}

int ranks_of(const CallLayout& layout) noexcept {
  const auto found = std::ranges::find_if(layout, [](const auto& one) { return one.has_value(); });
  return found == layout.end() ? 0 : (*found)->ranks();
}

}  // namespace

std::int64_t sum_of_bytes(std::int64_t a, std::int64_t b) noexcept {
  std::int64_t sum = 0;
  return __builtin_add_overflow(a, b, &sum) ? INT64_MAX : sum;
}

std::int64_t bytes_on_all_ranks(const layout::ArrayLayout& layout) noexcept {
  std::int64_t bytes = 0;
  for (int rank = 0; rank < layout.ranks(); ++rank) {
    bytes = sum_of_bytes(bytes, layout.local_bytes(rank));
  }
  return bytes;
}

std::int64_t most_bytes_on_a_rank(const Routine& routine, const CallLayout& layout) noexcept {
  std::int64_t most = 0;
  for (int rank = 0; rank < ranks_of(layout); ++rank) {
    most = std::max(most, bytes_on(rank, routine, layout));
  }
  return most;
}

std::int64_t sent_file_bytes(const Routine& routine, const nlohmann::json& sizes) {
  std::int64_t sum = 0;
  for (const Parameter& one : routine.parameters) {
    if (one.content != Content::file || !one.is_sent()) continue;
    const auto size = sizes.find(one.name);
    if (size == sizes.end() || !size->is_number_integer() || size->get<std::int64_t>() < 0) {
      throw error(fmt::format("call {}", routine.name),
                  fmt::format("the size of its file {} is missing or no size", one.name),
                  "use a client of Tasuki's");
    }
    sum = sum_of_bytes(sum, size->get<std::int64_t>());
  }
  return sum;
}

void check_call_bytes(const Routine& routine, const CallLayout& layout, std::int64_t file_bytes,
                      std::int64_t limit_bytes) {
  if (limit_bytes == no_call_limit) return;
  const std::int64_t needed = sum_of_bytes(most_bytes_on_a_rank(routine, layout), file_bytes);
  if (needed <= limit_bytes) return;
  throw error(
      fmt::format("call {}", routine.name),
      fmt::format("its arrays and files need {} bytes on a rank, and the server allows {}", needed,
                  limit_bytes),
      "give smaller ones, or ask for more ranks, a larger --memory-limit or a larger quota");
}

}  // namespace tasuki::rpc
