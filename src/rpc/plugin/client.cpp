#include <tasuki/client.h>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <exception>
#include <memory>
#include <nlohmann/json.hpp>
#include <string>
#include <string_view>
#include <tasuki/error.hpp>
#include <vector>

#include "rpc/client/call_array.hpp"
#include "rpc/client/client.hpp"
#include "rpc/links/lost_array.hpp"
#include "rpc/wire/interrupt.hpp"

struct tasuki_client {
  explicit tasuki_client(const tasuki::rpc::Endpoint& server) : client(server) {}

  tasuki::rpc::Client client;
  std::string interfaces;
  std::string report;
  std::string kept;
};

namespace {

using nlohmann::json;
using tasuki::rpc::ArrayArgument;
using tasuki::rpc::CallArray;
using tasuki::rpc::KeptArray;
using tasuki::rpc::LostArray;

thread_local std::string last_error;

void keep(const char* kind, const std::string& operation, const std::string& happened,
          const std::string& remedy) {
  const json fault = {
      {"kind", kind}, {"operation", operation}, {"happened", happened}, {"remedy", remedy}};
  last_error = fault.dump(-1, ' ', false, json::error_handler_t::replace);
}

/// What `work` returns; `failure` and last_error if it throws.
template <class Result, class Work>
Result or_error(Result failure, Work work) {
  try {
    return work();
  } catch (const LostArray& fault) {
    keep("lost-array", fault.operation(), fault.happened(), fault.remedy());
  } catch (const tasuki::error& fault) {
    keep("call", fault.operation(), fault.happened(), fault.remedy());
  } catch (const std::exception& fault) {
    keep("call", "call the server", fault.what(), "give what tasuki/client.h asks for");
  }
  return failure;
}

ArrayArgument argument_of(const tasuki_array& array) {
  return {static_cast<std::byte*>(array.memory),
          array.memory_bytes,
          {array.first_offset_bytes, {array.stride_bytes, array.stride_bytes + array.dimensions}}};
}

CallArray call_array_of(const tasuki_array& array) {
  if (array.kept != nullptr) return KeptArray{array.kept};
  return argument_of(array);
}

}  // namespace

tasuki_client* tasuki_client_connect(const char* host, std::uint16_t port) {
  return or_error<tasuki_client*>(nullptr, [&] {
    auto made = std::make_unique<tasuki_client>(tasuki::rpc::Endpoint{host, port});
    json interfaces = json::array();
    for (const auto& module : made->client.modules()) interfaces.push_back(module.json);
    made->interfaces = interfaces.dump();
    return made.release();
  });
}

void tasuki_client_close(tasuki_client* client) { delete client; }

const char* tasuki_client_interfaces(tasuki_client* client) { return client->interfaces.c_str(); }

int tasuki_client_set_mode(tasuki_client* client, const char* mode) {
  return or_error(-1, [&] {
    const auto found = tasuki::rpc::mode_of(mode);
    if (!found) {
      std::vector<std::string_view> names;
      for (const auto& one : tasuki::rpc::transfer_modes) names.push_back(one.name);
      throw tasuki::error("choose a mode", fmt::format("there is no mode {}", mode),
                          fmt::format("choose one of {}", fmt::join(names, ", ")));
    }
    client->client.set_mode(*found);
    return 0;
  });
}

int tasuki_client_set_wire_format(tasuki_client* client, const char* format) {
  return or_error(-1, [&] {
    const auto found = tasuki::rpc::wire_format_of(format);
    if (!found) {
      throw tasuki::error("choose a wire format", fmt::format("there is no format {}", format),
                          "choose native or xdr");
    }
    client->client.set_wire_format(*found);
    return 0;
  });
}

int tasuki_client_is_connected(tasuki_client* client) {
  return client->client.is_connected() ? 1 : 0;
}

const char* tasuki_client_call(tasuki_client* client, const char* module, const char* routine,
                               const char* scalars, const tasuki_array* arrays,
                               std::size_t arrays_count) {
  return or_error<const char*>(nullptr, [&] {
    std::vector<CallArray> arguments;
    for (std::size_t i = 0; i < arrays_count; ++i) arguments.push_back(call_array_of(arrays[i]));
    client->report = client->client.call(module, routine, json::parse(scalars), arguments).dump();
    return client->report.c_str();
  });
}

const char* tasuki_client_put(tasuki_client* client, const char* module, const char* routine,
                              const char* parameter, const char* scalars,
                              const tasuki_array* array) {
  return or_error<const char*>(nullptr, [&] {
    client->kept =
        client->client.put(module, routine, parameter, json::parse(scalars), argument_of(*array));
    return client->kept.c_str();
  });
}

int tasuki_client_free(tasuki_client* client, const char* module, const char* kept) {
  return or_error(-1, [&] {
    client->client.free(module, kept);
    return 0;
  });
}

void tasuki_client_cancel(tasuki_client* client) { client->client.cancel(); }

void tasuki_client_progress(tasuki_client* client, std::int64_t* moved_bytes,
                            std::int64_t* total_bytes) {
  const tasuki::rpc::Progress progress = client->client.progress();
  *moved_bytes = progress.moved_bytes;
  *total_bytes = progress.total_bytes;
}

void tasuki_client_check_interrupts(int (*is_interrupted)()) {
  tasuki::rpc::set_interrupt_check(is_interrupted);
}

const char* tasuki_client_error() { return last_error.c_str(); }
