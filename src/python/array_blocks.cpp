#include "python/array_blocks.hpp"

#include <nanobind/stl/pair.h>
#include <nanobind/stl/string.h>
#include <nanobind/stl/variant.h>
#include <nanobind/stl/vector.h>

#include <memory>
#include <span>
#include <tasuki/error.hpp>
#include <typeinfo>
#include <utility>

#include "containers/same_on_all.hpp"
#include "python/bytes.hpp"
#include "python/elements.hpp"
#include "python/team.hpp"
#include "python/thread_state.hpp"

namespace tasuki::python {
namespace {

namespace nb = nanobind;
using namespace nb::literals;
using layout::ArrayLayout;

/// What one rank gives and gets when an array is divided otherwise.
struct Takeover {
  containers::CommonParts sent;
  std::unique_ptr<std::byte[]> packed;
  containers::CommonParts received;
  std::unique_ptr<std::byte[]> arrived;
};

/// Requires: arrays of the same extents and elements on one team.
void redistribute(const ArrayLayout& from, const std::byte* source, const ArrayLayout& to,
                  std::byte* target, const Team& team) {
  const auto bytes = [&](const ArrayLayout& layout) {
    return static_cast<std::size_t>(layout.local_bytes(team.rank()));
  };
  const Takeover takeover = containers::do_on_all("Array::assign", team, [&] {
    return Takeover{containers::CommonParts(from, team.rank(), to),
                    std::make_unique_for_overwrite<std::byte[]>(bytes(from)),
                    containers::CommonParts(to, team.rank(), from),
                    std::make_unique_for_overwrite<std::byte[]>(bytes(to))};
  });
  takeover.sent.pack(source, takeover.packed.get());
  runtime::CollectiveCall call(coll::Collective::alltoallv);
  call.element_type = &typeid(std::byte);
  call.shape.element_bytes = static_cast<std::size_t>(from.element_bytes());
  call.shape.send_counts = takeover.sent.counts();
  call.shape.receive_counts = takeover.received.counts();
  call.input = takeover.packed.get();
  call.input_count = bytes(from) / call.shape.element_bytes;
  call.output = takeover.arrived.get();
  call.output_count = bytes(to) / call.shape.element_bytes;
  runtime::run_collective(team, std::move(call));
  takeover.received.unpack(takeover.arrived.get(), target);
  barrier(team);  // What a rank writes next must not be overwritten on one that comes later.
}

}  // namespace

ArrayBlocks::ArrayBlocks(ArrayDescription description, std::optional<GivenBlock> given,
                         const Team& team)
    : team_(team),
      type_(std::move(description.type)),
      layout_(containers::agreed_layout(
          [&] {
            ArrayLayout layout = layout_of(description, team.size());
            if (given) check_extents(*given, layout, team.rank());
            return layout;
          },
          description.element_bytes, team)),
      given_(std::move(given)) {
  const char* const where = given_ ? " in blocks of the program's" : " in memory of its own";
  containers::require_same_on_all(
      "elements of " + type_ + where, "making an Array",
      "make it in the same way and with the same dtype on all ranks of the team", team_);
  if (given_) {
    addresses_ = allgather(reinterpret_cast<std::uintptr_t>(given_->bytes.data()), team_);
  } else {
    allocate();
  }
}

void ArrayBlocks::allocate() {
  const std::size_t lines = local_bytes(layout_) / sizeof(Line) + 1;
  const std::vector<GlobalPtr<Line>> blocks = new_array<Line>(lines, team_);
  own_ = blocks[static_cast<std::size_t>(team_.rank())];
  for (const GlobalPtr<Line>& one : blocks) {
    addresses_.push_back(reinterpret_cast<std::uintptr_t>(one.raw()));
  }
}

std::size_t ArrayBlocks::local_bytes(const ArrayLayout& layout) const {
  return static_cast<std::size_t>(layout.local_bytes(team_.rank()));
}

std::byte* ArrayBlocks::block() const {
  return reinterpret_cast<std::byte*>(address(team_.rank()));
}

std::uintptr_t ArrayBlocks::address(int team_rank) const {
  if (addresses_.empty()) {
    throw error("using an Array", "it has been freed", "free it after its last use, on all ranks");
  }
  return addresses_[static_cast<std::size_t>(team_rank)];
}

void ArrayBlocks::assign(const ArrayBlocks& other) {
  containers::do_on_all("Array::assign", team_, [&] {
    containers::check_same_extents(layout_, other.layout_, team_, other.team_);
    if (type_ == other.type_) return true;
    throw error("Array::assign",
                "one array has elements of " + type_ + ", the other of " + other.type_,
                "make both arrays with the same dtype");
  });
  redistribute(other.layout_, other.block(), layout_, block(), team_);
}

ArrayLayout ArrayBlocks::slabs(layout::Order order) const {
  return containers::slabs_of(layout_, order);
}

void ArrayBlocks::save_npy(const std::string& path) const {
  const ArrayLayout file_layout = slabs(layout_.order());
  std::vector<std::byte> mine(local_bytes(file_layout));
  redistribute(layout_, block(), file_layout, mine.data(), team_);
  const containers::NpyHeader header{type_, layout_.order(), containers::extents_of(layout_)};
  containers::write_npy(path, header, file_layout, mine, team_);
}

void ArrayBlocks::load_npy(const std::string& path) {
  const containers::NpyHeader expected{type_, layout_.order(), containers::extents_of(layout_)};
  containers::NpyFile file(path, expected, team_);
  const ArrayLayout file_layout = slabs(file.order());
  std::vector<std::byte> mine(local_bytes(file_layout));
  file.read(file_layout, mine, team_);
  redistribute(file_layout, mine.data(), layout_, block(), team_);
}

void ArrayBlocks::free() {
  static_cast<void>(address(team_.rank()));  // Throws if there is nothing to free.
  barrier(team_);
  if (!given_) delete_(own_);
  given_.reset();
  addresses_.clear();
}

namespace {

layout::Order order_of(bool is_column_major) {
  return is_column_major ? layout::Order::column_major : layout::Order::row_major;
}

void bind_distributions(nb::module_& module) {
  nb::class_<Block>(module, "Block").def(nb::init<>());
  nb::class_<Cyclic>(module, "Cyclic").def(nb::init<>());
  nb::class_<BlockCyclic>(module, "BlockCyclic")
      .def(
          "__init__",
          [](BlockCyclic* self, std::int64_t block_extent) {
            new (self) BlockCyclic{block_extent};
          },
          "block_extent"_a)
      .def_ro("block_extent", &BlockCyclic::block_extent);
  nb::class_<Whole>(module, "Whole").def(nb::init<>());
}

/// The memory of this rank's block itself.
nb::object memory(const ArrayBlocks& blocks) {
  const std::int64_t bytes = blocks.layout().local_bytes(blocks.team().rank());
  return writable_view_of({blocks.block(), static_cast<std::size_t>(bytes)});
}

/// Returns: the rank in the job and the address of an element.
std::pair<int, std::uintptr_t> place(const ArrayBlocks& blocks,
                                     const std::vector<std::int64_t>& index) {
  const containers::Place place = containers::place_of(blocks.layout(), index);
  const std::int64_t offset_bytes = place.offset * blocks.layout().element_bytes();
  return {blocks.team().world_rank(place.rank),
          blocks.address(place.rank) + static_cast<std::uintptr_t>(offset_bytes)};
}

std::span<std::int64_t> numbers_in(const Elements& elements) {
  return {reinterpret_cast<std::int64_t*>(elements.data()), elements.count()};
}

/// Sets, for each index along a dimension, its process there and its number on that.
void locate(const ArrayBlocks& blocks, int dimension, nb::handle indices, nb::handle processes,
            nb::handle locals) {
  const char* const operation = "indexing an Array";
  const Elements from(indices.ptr(), Elements::Access::read, operation, "indices");
  const Elements to_processes(processes.ptr(), Elements::Access::write, operation, "processes");
  const Elements to_locals(locals.ptr(), Elements::Access::write, operation, "locals");
  const layout::Axis& axis = blocks.layout().axis(dimension);
  for (std::size_t i = 0; i < from.count(); ++i) {
    const std::int64_t index = numbers_in(from)[i];
    numbers_in(to_processes)[i] = axis.owner(index);
    numbers_in(to_locals)[i] = axis.local_index(index);
  }
}

/// Sets the indices along a dimension that this rank's block has.
void own_indices(const ArrayBlocks& blocks, int dimension, nb::handle into) {
  const Elements indices(into.ptr(), Elements::Access::write, "indexing an Array", "into");
  const int process = blocks.layout().process(blocks.team().rank(), dimension);
  const layout::Axis& axis = blocks.layout().axis(dimension);
  for (std::size_t i = 0; i < indices.count(); ++i) {
    numbers_in(indices)[i] = axis.global_index(process, static_cast<std::int64_t>(i));
  }
}

}  // namespace

void bind_array_blocks(nb::module_& module) {
  bind_distributions(module);
  module.def(
      "throw_together",
      [](const std::string& operation, std::string happened, std::string remedy, const Team& team) {
        const Released released;
        containers::throw_together(operation, {std::move(happened), std::move(remedy)}, team);
      },
      "operation"_a, "happened"_a, "remedy"_a, "team"_a);
  module.def(
      "numpy_over",
      [](nb::handle tensor) { return numpy_over(tensor, "making an Array", "the block"); },
      "tensor"_a);
  nb::class_<ArrayBlocks>(module, "ArrayBlocks")
      .def(
          "__init__",
          [](ArrayBlocks* self, std::vector<std::int64_t> extents,
             std::vector<layout::Distribution> distributions, std::vector<std::int64_t> grid,
             bool is_grid_column_major, bool is_column_major, std::string type,
             std::size_t element_bytes, const Team* team, nb::handle bytes,
             std::vector<std::int64_t> block_extents) {
            const Team& on = team_or_world(team);
            std::optional<GivenBlock> given;
            if (!bytes.is_none()) {
              given.emplace(
                  Elements(bytes.ptr(), Elements::Access::write, "making an Array", "the block"),
                  std::move(block_extents));
            }
            const Released released;
            new (self) ArrayBlocks({std::move(extents), std::move(distributions), std::move(grid),
                                    order_of(is_grid_column_major), order_of(is_column_major),
                                    std::move(type), element_bytes},
                                   std::move(given), on);
          },
          "extents"_a, "distributions"_a, "grid"_a, "is_grid_column_major"_a, "is_column_major"_a,
          "type"_a, "element_bytes"_a, "team"_a.none(), "block"_a.none(), "block_extents"_a)
      .def("assign", &ArrayBlocks::assign, "other"_a, nb::call_guard<Released>())
      .def("save_npy", &ArrayBlocks::save_npy, "path"_a, nb::call_guard<Released>())
      .def("load_npy", &ArrayBlocks::load_npy, "path"_a, nb::call_guard<Released>())
      .def("free", &ArrayBlocks::free, nb::call_guard<Released>())
      .def("memory", &memory)
      .def("address", &ArrayBlocks::address, "team_rank"_a)
      .def("place", &place, "index"_a)
      .def(
          "owner",
          [](const ArrayBlocks& blocks, const std::vector<std::int64_t>& index) {
            return containers::place_of(blocks.layout(), index).rank;
          },
          "index"_a)
      .def(
          "rank_at",
          [](const ArrayBlocks& blocks, const std::vector<int>& coordinates) {
            return std::get<layout::Grid>(blocks.layout().placement()).rank_at(coordinates);
          },
          "coordinates"_a)
      .def(
          "block_extents",
          [](const ArrayBlocks& blocks, int team_rank) {
            return block_extents(blocks.layout(), team_rank);
          },
          "team_rank"_a)
      .def("grid",
           [](const ArrayBlocks& blocks) {
             const auto extents = std::get<layout::Grid>(blocks.layout().placement()).extents();
             return std::vector<int>(extents.begin(), extents.end());
           })
      .def("locate", &locate, "dimension"_a, "indices"_a, "processes"_a, "locals"_a)
      .def("own_indices", &own_indices, "dimension"_a, "into"_a);
}

}  // namespace tasuki::python
