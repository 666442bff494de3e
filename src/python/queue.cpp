#include "python/queue.hpp"

#include <tasuki/sync.hpp>

#include "python/thread_state.hpp"

namespace tasuki::python {
namespace {

namespace nb = nanobind;

using Queue = Sync<Reference>;

void write(Queue& queue, nb::object value) { queue.write(Reference(value.release().ptr())); }

nb::object read(Queue& queue) {
  Reference value;
  {
    const Released released;
    value = queue.read();
  }
  return nb::steal(value.release());
}

nb::object peek(Queue& queue) {
  Reference value;
  {
    const Released released;
    value = queue.peek();
  }
  return nb::steal(value.release());
}

}  // namespace

void bind_queue(nb::module_& module) {
  nb::class_<Queue>(module, "Queue")
      .def(nb::init<>())
      .def("write", &write, nb::arg("value").none())
      .def("read", &read)
      .def("peek", &peek)
      .def("size", &Queue::size);
}

}  // namespace tasuki::python
