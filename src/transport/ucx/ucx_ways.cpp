#include <tasuki/detail/transport/ucx_ways.hpp>

#ifdef TASUKI_WITH_UCX

#include <ifaddrs.h>
#include <net/if.h>

#include <cstdio>
#include <memory>

#include "transport/ucx/ways_text.hpp"
#include "transport/ucx/worker.hpp"

namespace tasuki::transport {
namespace {

using ucx::Worker;

constexpr const char* operation = "asking UCX for its ways";
constexpr std::size_t rank_count = 2;

/// Can the device lead to another host? Those of shared memory do not, nor does a loopback.
bool leads_out(const std::string& device) {
  ifaddrs* all = nullptr;
  if (::getifaddrs(&all) != 0) return false;
  const std::unique_ptr<ifaddrs, void (*)(ifaddrs*)> owned(all, &::freeifaddrs);
  for (const ifaddrs* one = all; one != nullptr; one = one->ifa_next) {
    if (device == one->ifa_name) return (one->ifa_flags & IFF_LOOPBACK) == 0;
  }
  return ucx::is_adapter(device);
}

/// As UCX_NET_DEVICES names them.
std::string devices_that_lead_out(const std::vector<std::string>& ways) {
  std::string devices;
  for (const std::string& device : ucx::devices_of(ways)) {
    if (leads_out(device)) devices += (devices.empty() ? "" : ",") + device;
  }
  return devices;
}

/// What leads to another host, or also what leads to a process of this one.
enum class Reach { host, network };

std::vector<std::byte> address_of(const Worker& worker, Reach reach) {
  ucp_worker_attr_t attributes{};
  attributes.field_mask = UCP_WORKER_ATTR_FIELD_ADDRESS | UCP_WORKER_ATTR_FIELD_ADDRESS_FLAGS;
  attributes.address_flags = reach == Reach::network ? UCP_WORKER_ADDRESS_FLAG_NET_ONLY : 0;
  const ucx::Functions& functions = ucx::functions();
  ucx::check(functions.worker_query(worker.get(), &attributes), operation);
  const auto* const begin = reinterpret_cast<const std::byte*>(attributes.address);
  std::vector<std::byte> copied(begin, begin + attributes.address_length);
  functions.worker_release_address(worker.get(), attributes.address);
  return copied;
}

/// Connects as the ranks of a job do, and lets UCX tell what it has chosen.
std::vector<std::string> ways_between(const Worker& here, const Worker& there, Reach reach) {
  const ucx::Functions& functions = ucx::functions();
  const std::vector<std::byte> address = address_of(there, reach);
  ucp_ep_params_t parameters{};
  parameters.field_mask = UCP_EP_PARAM_FIELD_REMOTE_ADDRESS | UCP_EP_PARAM_FIELD_ERR_HANDLING_MODE;
  parameters.address = reinterpret_cast<const ucp_address_t*>(address.data());
  parameters.err_mode = UCP_ERR_HANDLING_MODE_PEER;
  ucp_ep_h way = nullptr;
  const ucs_status_t status = functions.ep_create(here.get(), &parameters, &way);
  if (status == UCS_ERR_UNREACHABLE) return {};
  ucx::check(status, operation);
  const std::string text = ucx::printed([&](std::FILE* to) { functions.ep_print_info(way, to); });
  ucp_request_param_t at_once{};
  at_once.op_attr_mask = UCP_OP_ATTR_FIELD_FLAGS;
  at_once.flags = UCP_EP_CLOSE_FLAG_FORCE;
  here.finish(functions.ep_close_nbx(way, &at_once));
  return ucx::ways_of_endpoint(text);
}

}  // namespace

UcxWays find_ucx_ways() {
  const ucx::Functions& functions = ucx::functions();
  UcxWays ways;
  ways.version = functions.get_version_string();
  const Worker here(rank_count);
  const Worker neighbour(rank_count);
  ways.here = here.context().ways();
  ways.within_host = ways_between(here, neighbour, Reach::host);
  const std::string devices = devices_that_lead_out(ways.here);
  if (devices.empty()) return ways;
  // To the own host UCX prefers the loopback, which other hosts are not reached by.
  const Worker outwards(rank_count, devices.c_str());
  const Worker other(rank_count, devices.c_str());
  ways.between_hosts = ways_between(outwards, other, Reach::network);
  return ways;
}

}  // namespace tasuki::transport

#else

namespace tasuki::transport {

UcxWays find_ucx_ways() { return {}; }

}  // namespace tasuki::transport

#endif
