#include "rpc/rank/kept_arrays.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <iterator>
#include <utility>

#include "rpc/interface/call_bytes.hpp"

namespace tasuki::rpc {

std::optional<Lost> KeptArrays::refusal(const std::string& id,
                                        const layout::ArrayLayout& layout) const {
  const auto count = std::ranges::count_if(
      arrays_, [&](const auto& one) { return one.second.owner.client == owner_.client; });
  return limit_.refusal(
      {"put an array", "array", "it", id, bytes_on_all_ranks(layout), arrays_.contains(id), count});
}

std::int64_t KeptArrays::keep(const std::string& id, Number number,
                              const layout::ArrayLayout& layout, BlockMemory::Piece block) {
  const std::int64_t bytes = bytes_on_all_ranks(layout);
  limit_.use(bytes);
  arrays_.try_emplace(id, Kept{owner_, number, layout, std::move(block)});
  return bytes;
}

void* KeptArrays::find(const std::string& id, Number number,
                       const layout::ArrayLayout& layout) const {
  const auto found = arrays_.find(id);
  if (found == arrays_.end() || found->second.owner.user != owner_.user) {
    const std::string* const discarded = discarded_.find(id, owner_.user);
    throw LostArray("use an array on the ranks",
                    discarded != nullptr
                        ? *discarded
                        : "the array is not there: it was freed, or the ranks were started anew",
                    "put it again");
  }
  if (found->second.number != number) {
    throw LostArray("use an array on the ranks",
                    fmt::format("the array is of {}, and the argument is of {}",
                                name_of(found->second.number), name_of(number)),
                    "put an array of that type");
  }
  if (found->second.layout != layout) {
    throw LostArray("use an array on the ranks", "the array has another shape or lies otherwise",
                    "put it like the argument that it is given for");
  }
  return found->second.block.memory.get();
}

void KeptArrays::free(const std::string& id) {
  const auto found = arrays_.find(id);
  if (found != arrays_.end() && found->second.owner.user == owner_.user) erase(found);
}

void KeptArrays::erase(Arrays::iterator array) {
  limit_.give_back(bytes_on_all_ranks(array->second.layout));
  arrays_.erase(array);
}

void KeptArrays::discard(const std::string& id, const std::string& happened) {
  const auto found = arrays_.find(id);
  if (found == arrays_.end()) return;
  discarded_.add(id, found->second.owner, happened);
  erase(found);
}

void KeptArrays::lease_to(const KeptOwner& owner, std::span<const std::int64_t> gone) {
  owner_ = owner;
  discarded_.forget(gone);
  for (auto one = arrays_.begin(); one != arrays_.end();) {
    const auto next = std::next(one);
    if (std::ranges::find(gone, one->second.owner.client) != gone.end()) erase(one);
    one = next;
  }
}

}  // namespace tasuki::rpc
