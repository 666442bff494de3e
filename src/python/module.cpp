// The extension module: what tasuki.ranks is made of. See python/tasuki/ranks/extension.pyi.
#include <nanobind/nanobind.h>

#include "python/array_blocks.hpp"
#include "python/calls.hpp"
#include "python/cartesian_team.hpp"
#include "python/collectives.hpp"
#include "python/errors.hpp"
#include "python/function_operator.hpp"
#include "python/future.hpp"
#include "python/halo_blocks.hpp"
#include "python/job.hpp"
#include "python/memory.hpp"
#include "python/named.hpp"
#include "python/number.hpp"
#include "python/queue.hpp"
#include "python/team.hpp"

NB_MODULE(tasuki_ranks, module) {
  namespace nb = nanobind;
  nb::set_leak_warnings(false);  // Functions that the interpreter keeps until it has ended.
  module.attr("__name__") = "tasuki.ranks";
  tasuki::python::bind_errors(module);
  tasuki::python::bind_job(module);
  tasuki::python::bind_futures(module);
  tasuki::python::bind_teams(module);
  tasuki::python::bind_cartesian_teams(module);
  tasuki::python::bind_collectives(module);
  tasuki::python::bind_function_operators(module);
  tasuki::python::bind_numbers(module);
  tasuki::python::bind_calls(module);
  tasuki::python::bind_named(module);
  tasuki::python::bind_memory(module);
  tasuki::python::bind_array_blocks(module);
  tasuki::python::bind_halo_blocks(module);
  tasuki::python::bind_queue(module);
}
