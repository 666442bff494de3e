#include "python/collectives.hpp"

#include <nanobind/stl/vector.h>

#include <cstring>
#include <optional>
#include <string>
#include <tasuki/error.hpp>
#include <utility>

#include "python/future.hpp"
#include "python/number.hpp"
#include "python/prepared_collective.hpp"
#include "python/team.hpp"
#include "python/thread_state.hpp"

namespace tasuki::python {
namespace {

namespace nb = nanobind;
using namespace nb::literals;

/// One element is combined by the quick way, if it applies.
bool is_combined(const Team& team, const runtime::CollectiveCall& call) {
  if (call.collective != coll::Collective::allreduce || call.input_count != 1 ||
      call.output_count != 1) {
    return false;
  }
  if (call.output != call.input) std::memcpy(call.output, call.input, call.shape.element_bytes);
  return runtime::allreduce_element(team, call.output, call.op);
}

void run(const Team& team, PreparedCollective prepared) {
  {
    const Released released;
    if (!is_combined(team, prepared.call)) {
      runtime::run_collective(team, std::move(prepared.call));
    }
  }
  if (prepared.function) prepared.function->raise_failure();
}

PythonFuture start(const Team& team, PreparedCollective prepared) {
  const Released released;
  Future<void> future = runtime::start_collective(team, std::move(prepared.call));
  if (prepared.function) {
    future = std::move(future).then(
        [function = std::move(prepared.function)] { function->raise_failure(); });
  }
  return future_holding(std::move(future),
                        std::pair(std::move(prepared.input), std::move(prepared.output)));
}

/// The combined number, or None for an array, which has the results itself.
nb::object allreduce_any(Array input, Array output, AnyOperator op, const Team* of) {
  const Team& team = team_or_world(of);
  Operator named{};
  const std::optional<Number> number = Number::from(input);
  if (!number) {
    run(team, prepare_allreduce(team, input, output, op));
    return nb::none();
  }
  if (!nb::try_cast(op, named, false)) {
    throw error("allreduce", "a function of two arrays is to combine numbers",
                "use allreduce_object, which takes functions of two numbers");
  }
  return allreduce_number(input, *number, named, team);
}

/// A collective whose arguments but the team `prepare` takes: the form that returns a future, and
/// both.
template <class... Args, class... Extras>
void bind_async(nb::module_& module, const char* name,
                PreparedCollective (*prepare)(const Team&, Args...), const Extras&... extras) {
  module.def((std::string(name) + "_async").c_str(),
             [prepare](Args... args, const Team* of) {
               const Team& team = team_or_world(of);
               return start(team, prepare(team, args...));
             },
             extras..., "team"_a.none() = nb::none());
}
template <class... Args, class... Extras>
void bind_forms(nb::module_& module, const char* name,
                PreparedCollective (*prepare)(const Team&, Args...), const Extras&... extras) {
  module.def(
      name,
      [prepare](Args... args, const Team* of) {
        const Team& team = team_or_world(of);
        run(team, prepare(team, args...));
      },
      extras..., "team"_a.none() = nb::none());
  bind_async(module, name, prepare, extras...);
}

void bind_barrier(nb::module_& module) {
  module.def(
      "barrier",
      [](const Team* of) {
        const Team& team = team_or_world(of);
        const Released released;
        barrier(team);
      },
      "team"_a.none() = nb::none());
  module.def(
      "barrier_async",
      [](const Team* of) {
        const Team& team = team_or_world(of);
        const Released released;
        return PythonFuture(barrier_async(team).then([]() -> AnyOutcome { return nullptr; }));
      },
      "team"_a.none() = nb::none());
}

void bind_operators(nb::module_& module) {
  nb::enum_<Operator>(module, "Operator")
      .value("Sum", Operator::sum)
      .value("Product", Operator::product)
      .value("Min", Operator::min)
      .value("Max", Operator::max)
      .value("LogicalAnd", Operator::logical_and)
      .value("LogicalOr", Operator::logical_or)
      .value("LogicalXor", Operator::logical_xor)
      .value("BitwiseAnd", Operator::bitwise_and)
      .value("BitwiseOr", Operator::bitwise_or)
      .value("BitwiseXor", Operator::bitwise_xor)
      .value("MinLocation", Operator::min_location)
      .value("MaxLocation", Operator::max_location)
      .export_values();
}

void bind_blocks(nb::module_& module) {
  nb::class_<Blocks>(module, "Blocks")
      .def(
          "__init__",
          [](Blocks* self, Counts counts, Counts displacements) {
            new (self) Blocks{std::move(counts), std::move(displacements)};
          },
          "counts"_a, "displacements"_a = Counts())
      .def_rw("counts", &Blocks::counts)
      .def_rw("displacements", &Blocks::displacements);
}

}  // namespace

void bind_collectives(nb::module_& module) {
  bind_operators(module);
  bind_blocks(module);
  bind_barrier(module);
  const auto output = "output"_a.none() = nb::none();
  const auto op = "op"_a = Operator::sum;
  const auto root = "root"_a = 0;
  bind_forms(module, "broadcast", &prepare_broadcast, "data"_a, root);
  bind_forms(module, "reduce", &prepare_reduce, "input"_a, output, op, root);
  module.def("allreduce", &allreduce_any, "input"_a, output, op, "team"_a.none() = nb::none());
  bind_async(module, "allreduce", &prepare_allreduce, "input"_a, output, op);
  bind_forms(module, "scan", &prepare_scan, "input"_a, output, op);
  bind_forms(module, "exscan", &prepare_exscan, "input"_a, output, op);
  bind_forms(module, "gather", &prepare_gather, "input"_a, output, root);
  bind_forms(module, "gatherv", &prepare_gatherv, "input"_a, "output"_a.none(), "blocks"_a, root);
  bind_forms(module, "scatter", &prepare_scatter, "input"_a.none(), "output"_a, root);
  bind_forms(module, "scatterv", &prepare_scatterv, "input"_a.none(), "blocks"_a, "output"_a, root);
  bind_forms(module, "allgather", &prepare_allgather, "input"_a, "output"_a);
  bind_forms(module, "allgatherv", &prepare_allgatherv, "input"_a, "output"_a, "blocks"_a);
  bind_forms(module, "alltoall", &prepare_alltoall, "input"_a, "output"_a);
  bind_forms(module, "alltoallv", &prepare_alltoallv, "input"_a, "sent"_a, "output"_a,
             "received"_a);
  bind_forms(module, "reduce_scatter", &prepare_reduce_scatter, "input"_a, "output"_a, op,
             "counts"_a = Counts());
}

}  // namespace tasuki::python
