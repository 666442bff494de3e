#include "rpc/rank/long_arrays.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <new>
#include <tasuki/error.hpp>
#include <utility>

namespace tasuki::rpc {
namespace {

static_assert(sizeof(long) == sizeof(std::int64_t));

template <class Element>
void copy_from(const void* block, std::size_t count, std::vector<std::int64_t>& elements) {
  const auto* const first = static_cast<const Element*>(block);
  elements.assign(first, first + count);
}

/// `Wide` has the sign of `Element`.
template <class Element, class Wide>
void copy_to(void* block, const std::vector<std::int64_t>& elements, std::string_view name) {
  auto* const first = static_cast<Element*>(block);
  for (std::size_t i = 0; i < elements.size(); ++i) {
    const auto value = static_cast<Wide>(elements[i]);
    if (!std::in_range<Element>(value)) {
      throw error(
          "give back an array",
          fmt::format("element {} of {} is {}, and a long travels with 32 bits", i, name, value),
          "build the routine with --long 64");
    }
    first[i] = static_cast<Element>(value);
  }
}

}  // namespace

void* LongArrays::widen(const void* block, Number number, std::size_t count) {
  // A kept array may be given for several arguments, which only read it.
  if (const auto found = copies_.find(block); found != copies_.end()) {
    return found->second.elements.data();
  }
  try {
    std::vector<std::int64_t> elements;
    elements.reserve(std::max<std::size_t>(1, count));  // An empty array has an address, too.
    if (number == Number::uint32) {
      copy_from<std::uint32_t>(block, count, elements);
    } else {
      copy_from<std::int32_t>(block, count, elements);
    }
    return copies_.emplace(block, Copy{number, std::move(elements)}).first->second.elements.data();
  } catch (const std::bad_alloc&) {
    return nullptr;
  }
}

void LongArrays::narrow(void* block, std::string_view name) const {
  const Copy& copy = copies_.at(block);
  if (copy.number == Number::uint32) {
    copy_to<std::uint32_t, std::uint64_t>(block, copy.elements, name);
  } else {
    copy_to<std::int32_t, std::int64_t>(block, copy.elements, name);
  }
}

const void* LongArrays::block_of(const void* copy) const noexcept {
  const auto found = std::ranges::find_if(
      copies_, [&](const auto& one) { return one.second.elements.data() == copy; });
  return found == copies_.end() ? nullptr : found->first;
}

}  // namespace tasuki::rpc
