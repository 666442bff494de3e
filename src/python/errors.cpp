#include "python/errors.hpp"

#include <nanobind/stl/string.h>

#include <exception>
#include <string>
#include <tasuki/error.hpp>
#include <utility>

namespace tasuki::python {
namespace {

namespace nb = nanobind;
using namespace nb::literals;

nb::object object_of(nb::handle type, const error& failure) {
  nb::object made = type(failure.what());
  made.attr("rank") = failure.rank();
  made.attr("operation") = failure.operation();
  made.attr("happened") = failure.happened();
  made.attr("remedy") = failure.remedy();
  return made;
}

void translate(const std::exception_ptr& thrown, void* type) {
  const nb::handle error_type(static_cast<PyObject*>(type));
  try {
    std::rethrow_exception(thrown);
  } catch (const error& failure) {
    PyErr_SetObject(error_type.ptr(), object_of(error_type, failure).ptr());
  }
}

}  // namespace

void bind_errors(nb::module_& module) {
  // Its own translation, which knows the text alone, comes after `translate`.
  const nb::exception<error> type(module, "Error", PyExc_RuntimeError);
  nb::register_exception_translator(&translate, type.ptr());
  module.def(
      "make_error",
      [type](std::string operation, std::string happened, std::string remedy) {
        const error made(std::move(operation), std::move(happened), std::move(remedy));
        return object_of(type, made);
      },
      "operation"_a, "happened"_a, "remedy"_a);
}

}  // namespace tasuki::python
