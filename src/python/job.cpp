#include "python/job.hpp"

#include <unistd.h>

#include <cstdlib>
#include <optional>
#include <string>
#include <tasuki/call.hpp>
#include <tasuki/detail/base/settings.hpp>
#include <tasuki/error.hpp>
#include <tasuki/run.hpp>
#include <utility>

#include "python/thread_state.hpp"

namespace tasuki::python {
namespace {

namespace nb = nanobind;

/// The program of this process; in loopback several ranks run it.
struct Program {
  nb::handle main;
  Reference result;  ///< Of rank 0, where this process has several.
  std::optional<nb::python_error> exit;
};

/// A stream of the program may be closed, or may fail in any other way. What the program has raised
/// is more than that.
void write_to(const nb::object& stream, const nb::object& text) {
  try {
    stream.attr("write")(text);
  } catch (const nb::python_error&) {
    const nb::bytes bytes(text.attr("encode")("utf-8", "backslashreplace"));
    [[maybe_unused]] const ssize_t written = ::write(STDERR_FILENO, bytes.c_str(), bytes.size());
  }
}

void flush_streams() {
  for (const char* const name : {"stdout", "stderr"}) {
    try {
      nb::module_::import_("sys").attr(name).attr("flush")();
    } catch (const nb::python_error&) {
      continue;  // It is None, or what it still has is lost.
    }
  }
}

/// As the interpreter does at its end, but with one write: the lines of several ranks would mix. A
/// hook of the program prints by itself, and a terminal is asked for its colours.
void print_traceback(nb::python_error& failure) {
  nb::module_ sys = nb::module_::import_("sys");
  const nb::object stream = nb::getattr(sys, "stderr", nb::none());
  const bool is_usual = sys.attr("excepthook").is(sys.attr("__excepthook__"));
  if (!is_usual || stream.is_none() || ::isatty(STDERR_FILENO) != 0) {
    failure.restore();
    PyErr_PrintEx(0);
    return;
  }
  const nb::object text = nb::module_::import_("io").attr("StringIO")();
  sys.attr("stderr") = text;
  failure.restore();
  PyErr_PrintEx(0);
  sys.attr("stderr") = stream;
  write_to(stream, text.attr("getvalue")());
}

/// Prints the traceback and what the program has printed before. Throws tasuki::error, which ends
/// the job.
[[noreturn]] void report_failure(nb::python_error& failure) {
  const std::string type = nb::str(failure.type().attr("__name__")).c_str();
  print_traceback(failure);
  flush_streams();
  throw error("running the program", "it raised " + type, "see the traceback before this line");
}

int run_program(void* untyped) {
  auto& program = *static_cast<Program*>(untyped);
  const Attached attached;
  try {
    nb::object result = program.main();
    if (program.result.get() == nullptr || rank() == 0) {
      program.result = Reference(result.release().ptr());
    }
  } catch (nb::python_error& failure) {
    if (!failure.matches(PyExc_SystemExit)) report_failure(failure);
    program.exit.emplace(std::move(failure));
  }
  return 0;
}

// Python code takes more stack than C++ does: the parser recurses, and so do calls through C. A
// thread of Python has as much; only what is touched takes memory.
constexpr const char* stack_bytes = "8M";

/// Returns: what `main` returned. Raises SystemExit: `main` did, or the job could not begin, which
/// has been reported.
nb::object run(const nb::callable& main) {
  // It marks the thread state that imports it first as the main thread's, which must stay.
  nb::module_::import_("threading");
  ::setenv(base::setting::stack_bytes.name, stack_bytes, 0);
  Program program{main, {}, {}};
  int exit_code = 0;
  {
    const ThreadStates states;
    exit_code = runtime::run_ranks(&run_program, &program, false, nullptr);
  }
  if (program.exit) throw std::move(*program.exit);
  if (exit_code != 0) {
    PyErr_SetObject(PyExc_SystemExit, nb::int_(exit_code).ptr());
    nb::raise_python_error();
  }
  return nb::steal(program.result.release());
}

}  // namespace

void bind_job(nb::module_& module) {
  module.def("run", &run, nb::arg("main"));
  module.def("rank", &rank);
  module.def("size", &size);
  module.def("yield_", [] {
    const Released released;
    yield();
  });
  module.def("flush", [] {
    const Released released;
    flush();
  });
  module.def("quiesce", [] {
    const Released released;
    quiesce();
  });
}

}  // namespace tasuki::python
