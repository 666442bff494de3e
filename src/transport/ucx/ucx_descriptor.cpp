#include "transport/ucx/ucx_descriptor.hpp"

#ifdef TASUKI_WITH_UCX
#include "transport/ucx/functions.hpp"
#include "transport/ucx/ucx_transport.hpp"
#endif

namespace tasuki::transport::ucx {
namespace {

#ifndef TASUKI_WITH_UCX
std::string unavailable_because() {
  return "Tasuki was built without UCX; install its headers, as with: apt install libucx-dev, and "
         "build Tasuki again";
}
std::unique_ptr<Transport> open_ucx_transport() { return nullptr; }
#endif

}  // namespace

const Descriptor& ucx_descriptor() {
  static constexpr Descriptor descriptor{
      "ucx", "UCX between nodes, shared memory between the ranks of a node; no MPI.",
      unavailable_because, open_ucx_transport};
  return descriptor;
}

}  // namespace tasuki::transport::ucx
