#include "transport/ucx/worker.hpp"

#include <cstdlib>

#include "transport/ucx/tcp_settings.hpp"
#include "transport/ucx/ways_text.hpp"

namespace tasuki::transport::ucx {
namespace {

constexpr const char* starting = "starting the ucx transport";

/// UCX keeps what it has received eagerly in blocks of these sizes, or of the segment's size over
/// TCP. It has none between 1 KiB and the segment: each kept frame would take 1 MiB. The largest
/// here has room for all that comes eagerly.
struct BlockSizes {
  static constexpr const char* of_user = "UCX_RX_MPOOL_SIZES";
  static constexpr const char* name = "RX_MPOOL_SIZES";
  static constexpr const char* value = "64,1K,32K,128K";
};

/// Whose choice it is from which size on UCX leaves data where they are until they are wanted.
enum class Rendezvous { of_ucx, of_transport };

/// The rank's own thread alone calls UCX.
ucp_context_h make_context(const Functions& functions, std::size_t rank_count, const char* devices,
                           Rendezvous rendezvous) {
  ucp_config_t* config = nullptr;
  check(functions.config_read(nullptr, nullptr, &config), starting);
  ucp_params_t parameters{};
  parameters.field_mask = UCP_PARAM_FIELD_FEATURES | UCP_PARAM_FIELD_ESTIMATED_NUM_EPS;
  parameters.features = UCP_FEATURE_AM | UCP_FEATURE_TAG;
  parameters.estimated_num_eps = rank_count;
  ucp_context_h context = nullptr;
  ucs_status_t status = UCS_OK;
  if (devices != nullptr) status = functions.config_modify(config, "NET_DEVICES", devices);
  if (status == UCS_OK && std::getenv(BlockSizes::of_user) == nullptr) {
    status = functions.config_modify(config, BlockSizes::name, BlockSizes::value);
  }
  if (status == UCS_OK && rendezvous == Rendezvous::of_transport) {
    status = functions.config_modify(config, "RNDV_THRESH",
                                     std::to_string(rendezvous_least_bytes).c_str());
  }
  if (status == UCS_OK) {
    status = functions.init_version(UCP_API_MAJOR, UCP_API_MINOR, &parameters, config, &context);
  }
  functions.config_release(config);
  check(status, starting);
  return context;
}

std::vector<std::string> ways_in(const Functions& functions, ucp_context_h context) {
  return ways_of_context(
      printed([&](std::FILE* to) { functions.context_print_info(context, to); }));
}

ucp_context_h make_context(const Functions& functions, std::size_t rank_count,
                           const char* devices) {
  ucp_context_h context = make_context(functions, rank_count, devices, Rendezvous::of_ucx);
  // Only a context tells what UCX has found here. Where an adapter reads data from where they are,
  // or only memory is shared, UCX knows best.
  const std::vector<std::string> ways = ways_in(functions, context);
  const bool is_of_user = std::getenv("UCX_RNDV_THRESH") != nullptr;
  if (is_of_user || !has_tcp(ways) || has_adapter(ways)) return context;
  functions.cleanup(context);
  return make_context(functions, rank_count, devices, Rendezvous::of_transport);
}

}  // namespace

Worker::Worker(std::size_t rank_count, const char* devices)
    : functions_(functions()), context_(make_context(functions_, rank_count, devices)) {
  ucp_worker_params_t parameters{};
  parameters.field_mask = UCP_WORKER_PARAM_FIELD_THREAD_MODE | UCP_WORKER_PARAM_FIELD_AM_ALIGNMENT;
  parameters.thread_mode = UCS_THREAD_MODE_SINGLE;
  parameters.am_alignment = 8;  // Of arrivals, as Arrivals promises.
  const TcpSettings settings(ways(), rank_count);
  const ucs_status_t status = functions_.worker_create(context_, &parameters, &worker_);
  if (status != UCS_OK) functions_.cleanup(context_);
  check(status, starting);
}

Worker::~Worker() {
  functions_.worker_destroy(worker_);
  functions_.cleanup(context_);
}

std::vector<std::string> Worker::ways() const { return ways_in(functions_, context_); }

std::vector<std::byte> Worker::address() const {
  ucp_address_t* address = nullptr;
  std::size_t bytes = 0;
  check(functions_.worker_get_address(worker_, &address, &bytes), starting);
  const auto* const begin = reinterpret_cast<const std::byte*>(address);
  std::vector<std::byte> copied(begin, begin + bytes);
  functions_.worker_release_address(worker_, address);
  return copied;
}

void Worker::handle_active_messages(unsigned id, ucp_am_recv_callback_t handler, void* argument) {
  ucp_am_handler_param_t parameters{};
  parameters.field_mask = UCP_AM_HANDLER_PARAM_FIELD_ID | UCP_AM_HANDLER_PARAM_FIELD_FLAGS |
                          UCP_AM_HANDLER_PARAM_FIELD_CB | UCP_AM_HANDLER_PARAM_FIELD_ARG;
  parameters.id = id;
  parameters.flags = UCP_AM_FLAG_WHOLE_MSG | UCP_AM_FLAG_PERSISTENT_DATA;
  parameters.cb = handler;
  parameters.arg = argument;
  check(functions_.worker_set_am_recv_handler(worker_, &parameters), starting);
}

ucs_status_t Worker::finish(ucs_status_ptr_t request) const {
  if (!UCS_PTR_IS_PTR(request)) return UCS_PTR_STATUS(request);
  ucs_status_t status = UCS_INPROGRESS;
  while (status == UCS_INPROGRESS) {
    progress();
    status = functions_.request_check_status(request);
  }
  functions_.request_free(request);
  return status;
}

}  // namespace tasuki::transport::ucx
