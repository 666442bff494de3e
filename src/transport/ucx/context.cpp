#include "transport/ucx/context.hpp"

#include "transport/ucx/user_setting.hpp"
#include "transport/ucx/ways_text.hpp"

namespace tasuki::transport::ucx {
namespace {

struct Setting {
  const char* name;
  std::string value;
};

constexpr const char* rendezvous = "RNDV_THRESH";
constexpr const char* block_sizes = "RX_MPOOL_SIZES";
/// UCX keeps what it has received eagerly in blocks of these sizes, or of the segment's size over
/// TCP. It has none between 1 KiB and the segment: each kept frame would take 1 MiB. The largest
/// here has room for all that comes eagerly.
constexpr const char* block_sizes_value = "64,1K,32K,128K";

/// The rank's own thread alone calls UCX.
ucp_context_h make_context(const Functions& functions, std::size_t rank_count,
                           const std::vector<Setting>& settings) {
  ucp_config_t* config = nullptr;
  check(functions.config_read(nullptr, nullptr, &config), starting);
  ucp_params_t parameters{};
  parameters.field_mask = UCP_PARAM_FIELD_FEATURES | UCP_PARAM_FIELD_ESTIMATED_NUM_EPS;
  parameters.features = UCP_FEATURE_AM | UCP_FEATURE_TAG;
  parameters.estimated_num_eps = rank_count;
  ucp_context_h context = nullptr;
  ucs_status_t status = UCS_OK;
  for (const Setting& setting : settings) {
    if (status != UCS_OK) break;
    status = functions.config_modify(config, setting.name, setting.value.c_str());
  }
  if (status == UCS_OK) {
    status = functions.init_version(UCP_API_MAJOR, UCP_API_MINOR, &parameters, config, &context);
  }
  functions.config_release(config);
  check(status, starting);
  return context;
}

}  // namespace

Context::Context(std::size_t rank_count, const char* devices) : owned_(nullptr, nullptr) {
  const Functions& functions = ucx::functions();
  std::vector<Setting> settings;
  if (devices != nullptr) settings.push_back({"NET_DEVICES", devices});
  if (!is_set_by_user(block_sizes)) settings.push_back({block_sizes, block_sizes_value});
  owned_ = {make_context(functions, rank_count, settings), functions.cleanup};
  // Only a context tells what UCX has found here. Where an adapter reads data from where they are,
  // or only memory is shared, UCX knows best.
  const std::vector<std::string> found = ways();
  if (is_set_by_user(rendezvous) || !has_tcp(found) || has_adapter(found)) return;
  settings.push_back({rendezvous, std::to_string(rendezvous_least_bytes)});
  owned_.reset();
  owned_.reset(make_context(functions, rank_count, settings));
}

std::vector<std::string> Context::ways() const {
  return ways_of_context(
      printed([this](std::FILE* to) { functions().context_print_info(get(), to); }));
}

}  // namespace tasuki::transport::ucx
