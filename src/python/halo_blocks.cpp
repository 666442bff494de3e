#include "python/halo_blocks.hpp"

#include <nanobind/stl/pair.h>
#include <nanobind/stl/vector.h>

#include <cstdint>
#include <tasuki/containers/halo.hpp>
#include <tasuki/containers/halo_exchange.hpp>
#include <utility>
#include <vector>

#include "python/array_blocks.hpp"
#include "python/elements.hpp"
#include "python/thread_state.hpp"

namespace tasuki::python {
namespace {

namespace nb = nanobind;
using namespace nb::literals;

using Numbers = std::vector<std::int64_t>;

/// Of one Array.
class HaloBlocks {
 public:
  /// Collective. Throws tasuki::error if a dimension of the Array is cyclic.
  HaloBlocks(const ArrayBlocks& array, std::int64_t width)
      : array_(array),
        parts_(array.layout(), array.team().rank(), width),
        exchange_(array.team(), parts_.shared(), "exchanging the halos of an Array") {}

  const Numbers& lower() const noexcept { return parts_.halo().lower; }
  const Numbers& upper() const noexcept { return parts_.halo().upper; }

  /// Fills an array that has all elements from lower to before upper. Collective.
  void exchange(nb::handle into) {
    const Elements halo(into.ptr(), Elements::Access::write, "exchanging halos", "into");
    const Released released;
    barrier(array_.team());
    parts_.copy_block(array_.block(), halo.data());  // Who has been sent something may write there.
    exchange_.start(array_.block());
    exchange_.finish(halo.data());
  }

 private:
  const ArrayBlocks& array_;
  containers::HaloParts parts_;
  containers::BoxExchange exchange_;
};

/// In a grid of ranks, of memory of the program's.
class GridHalo {
 public:
  /// Collective. Throws tasuki::error on all ranks if a shape is wrong.
  GridHalo(const CartesianTeam& grid, const HaloShape& shape, std::size_t element_bytes)
      : GridHalo(grid, containers::plan_halo(grid, shape, element_bytes)) {}

  void start(nb::handle memory) {
    const Elements elements(memory.ptr(), Elements::Access::read, "exchanging halos", "memory");
    check(elements);
    const Released released;
    exchange_.start(elements.data());
  }
  void finish(nb::handle memory) {
    const Elements elements(memory.ptr(), Elements::Access::write, "exchanging halos", "memory");
    check(elements);
    const Released released;
    exchange_.finish(elements.data());
  }

  std::size_t memory_count() const noexcept { return memory_count_; }
  std::int64_t offset(const Numbers& index) const noexcept {
    std::int64_t offset = memory_.origin;
    for (std::size_t d = 0; d < index.size() && d < memory_.strides.size(); ++d) {
      offset += index[d] * memory_.strides[d];
    }
    return offset;
  }

 private:
  GridHalo(const CartesianTeam& grid, containers::HaloPlan plan)
      : memory_(std::move(plan.memory)),
        memory_count_(plan.memory_count),
        exchange_(grid, std::move(plan.shared), "exchanging halos") {}

  void check(const Elements& elements) const {
    const std::size_t count = elements.count() * elements.element_bytes() / memory_.element_bytes;
    if (count < memory_count_) containers::throw_short_memory(count, memory_count_);
  }

  containers::ArrayMemory memory_;
  std::size_t memory_count_;
  containers::BoxExchange exchange_;
};

HaloShape shape_of(Numbers extents,
                   const std::vector<std::pair<std::int64_t, std::int64_t>>& widths,
                   HaloReach reach, Numbers strides) {
  HaloShape shape{std::move(extents), {}, reach, std::move(strides)};
  for (const auto& [before, after] : widths) shape.widths.push_back({before, after});
  return shape;
}

}  // namespace

void bind_halo_blocks(nb::module_& module) {
  nb::enum_<HaloReach>(module, "HaloReach")
      .value("faces", HaloReach::faces)
      .value("edges", HaloReach::edges)
      .value("corners", HaloReach::corners);
  nb::class_<HaloBlocks>(module, "HaloBlocks")
      .def(nb::init<const ArrayBlocks&, std::int64_t>(), "array"_a, "width"_a,
           nb::keep_alive<1, 2>(), nb::call_guard<Released>())
      .def("lower", &HaloBlocks::lower)
      .def("upper", &HaloBlocks::upper)
      .def("exchange", &HaloBlocks::exchange, "into"_a);
  nb::class_<GridHalo>(module, "GridHalo")
      .def(
          "__init__",
          [](GridHalo* self, const CartesianTeam& grid, Numbers extents,
             const std::vector<std::pair<std::int64_t, std::int64_t>>& widths, HaloReach reach,
             Numbers strides, std::size_t element_bytes) {
            const HaloShape shape = shape_of(std::move(extents), widths, reach, std::move(strides));
            const Released released;
            new (self) GridHalo(grid, shape, element_bytes);
          },
          "grid"_a, "extents"_a, "widths"_a, "reach"_a, "strides"_a, "element_bytes"_a)
      .def("start", &GridHalo::start, "memory"_a)
      .def("finish", &GridHalo::finish, "memory"_a)
      .def("memory_count", &GridHalo::memory_count)
      .def("offset", &GridHalo::offset, "index"_a);
}

}  // namespace tasuki::python
