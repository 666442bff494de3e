#include <tasuki/client.h>

#include <fmt/format.h>

#include <memory>
#include <nlohmann/json.hpp>
#include <optional>
#include <string>
#include <string_view>
#include <tasuki/error.hpp>
#include <utility>
#include <vector>

#include "rpc/client/call_array.hpp"
#include "rpc/client/client.hpp"
#include "rpc/plugin/last_error.hpp"
#include "rpc/plugin/report_in_c.hpp"
#include "rpc/sessions/call_arguments.hpp"
#include "rpc/sessions/client_options.hpp"
#include "rpc/sessions/kept_entry.hpp"
#include "rpc/sessions/object_name.hpp"
#include "rpc/sessions/routine_name.hpp"
#include "rpc/sessions/server_address.hpp"
#include "rpc/sessions/usual_credentials.hpp"
#include "rpc/wire/interrupt.hpp"

struct tasuki_client {
  tasuki_client(const std::vector<tasuki::rpc::Endpoint>& servers,
                const tasuki::rpc::Credentials& credentials)
      : client(servers, credentials) {}

  tasuki::rpc::Client client;
  std::string interfaces;
  std::string report;
  std::optional<tasuki::rpc::CallReport> last;  ///< Of the last call that has ended well.
  std::optional<tasuki::rpc::ReportInC> last_in_c;
  std::string server;
  std::string kept;
  std::string kept_text;
  std::vector<tasuki::rpc::KeptEntry> kept_list;
  std::vector<tasuki_kept> kept_list_in_c;
  std::string object;
  std::vector<tasuki::rpc::MissingResult> missing;
  std::vector<tasuki_result> missing_in_c;
  tasuki::rpc::ClientFunctions functions;
};

namespace {

using nlohmann::json;
using tasuki::rpc::Argument;
using tasuki::rpc::ArrayArgument;
using tasuki::rpc::CallArguments;
using tasuki::rpc::CallArray;
using tasuki::rpc::KeptArray;

/// What `work` returns; `failure`, and keeps the error, if it throws.
template <class Result, class Work>
Result or_error(Result failure, Work work) {
  try {
    return work();
  } catch (...) {
    tasuki::rpc::keep_current_error();
  }
  return failure;
}

ArrayArgument argument_of(const tasuki_array& array) {
  return {static_cast<std::byte*>(array.memory),
          array.memory_bytes,
          {array.first_offset_bytes, {array.stride_bytes, array.stride_bytes + array.dimensions}},
          array.is_byte_swapped != 0};
}

CallArray call_array_of(const tasuki_array& array) {
  if (array.kept != nullptr) return KeptArray{array.kept};
  return argument_of(array);
}

std::vector<CallArray> call_arrays_of(const tasuki_array* arrays, std::size_t count) {
  std::vector<CallArray> made;
  for (std::size_t i = 0; i < count; ++i) made.push_back(call_array_of(arrays[i]));
  return made;
}

tasuki::rpc::CredentialOptions options_in(const tasuki_client_options* options) {
  const auto text_of = [](const char* text) { return std::string(text == nullptr ? "" : text); };
  if (options == nullptr) return {};
  return {text_of(options->token), text_of(options->token_file), text_of(options->ca_file)};
}

tasuki_client* connect_to(const std::vector<tasuki::rpc::Endpoint>& servers,
                          const tasuki_client_options* options) {
  auto made =
      std::make_unique<tasuki_client>(servers, tasuki::rpc::credentials_of(options_in(options)));
  tasuki::rpc::apply({}, made->client);
  json interfaces = json::array();
  for (const auto& module : made->client.modules()) interfaces.push_back(module.json);
  made->interfaces = interfaces.dump();
  return made.release();
}

/// Requires: a type is given.
void set_type(const tasuki_argument& argument, Argument& result) {
  const std::string_view type = argument.type;
  if (type == "text") return;
  if (type == "characters") {
    result.text_bytes = argument.text_bytes;
  } else if (type == "function") {
    result.is_function = true;
  } else {
    result.number = tasuki::rpc::number_of(type);
    if (result.number) return;
    throw tasuki::error("call a routine", fmt::format("there is no type {}", type),
                        "name it as NumPy does, such as float64");
  }
}

Argument argument_of(const tasuki_argument& argument) {
  Argument result;
  if (argument.kept != nullptr) {
    result.kept = KeptArray{argument.kept};
    return result;
  }
  result.memory = argument.memory;
  if (argument.type != nullptr) set_type(argument, result);
  if (argument.extents != nullptr) {
    result.extents.assign(argument.extents, argument.extents + argument.dimensions);
  }
  if (argument.stride_bytes != nullptr) {
    result.stride_bytes.assign(argument.stride_bytes, argument.stride_bytes + argument.dimensions);
  }
  if (argument.is_column_major != 0) result.order = tasuki::layout::Order::column_major;
  result.is_read_only = argument.is_read_only != 0;
  return result;
}

std::vector<Argument> arguments_of(const tasuki_argument* arguments, std::size_t count) {
  std::vector<Argument> made;
  for (std::size_t i = 0; i < count; ++i) made.push_back(argument_of(arguments[i]));
  return made;
}

/// Calls with the functions that have been set. Returns: the report as text.
const char* call(tasuki_client& client, const std::string& module, const std::string& routine,
                 const CallArguments& arguments, const std::string& object = "") {
  client.last = client.client.call(module, routine, arguments.scalars, arguments.arrays, object,
                                   arguments.functions);
  tasuki::rpc::write_texts(arguments.texts, client.last->texts);
  client.report = tasuki::rpc::json_text_of(*client.last);
  return client.report.c_str();
}

CallArguments arguments_of(tasuki_client& client, const char* scalars, const tasuki_array* arrays,
                           std::size_t arrays_count) {
  return {json::parse(scalars), call_arrays_of(arrays, arrays_count),
          std::exchange(client.functions, {})};
}

tasuki::rpc::ClientFunction function_of(const tasuki_callback& callback) {
  return [callback](void* const* arguments) -> std::optional<std::string> {
    const char* const happened = callback.call(callback.context, arguments);
    if (happened == nullptr) return {};
    return happened;
  };
}

}  // namespace

tasuki_client* tasuki_client_connect(const char* host, std::uint16_t port) {
  return or_error<tasuki_client*>(nullptr, [&] {
    return connect_to({tasuki::rpc::Endpoint{host, port}}, nullptr);
  });
}

tasuki_client* tasuki_client_open(const char* url) { return tasuki_client_open_with(url, nullptr); }

tasuki_client* tasuki_client_open_with(const char* url, const tasuki_client_options* options) {
  return or_error<tasuki_client*>(nullptr, [&] {
    return connect_to(
        tasuki::rpc::server_addresses(url == nullptr ? tasuki::rpc::usual_servers() : url),
        options);
  });
}

void tasuki_client_close(tasuki_client* client) { delete client; }

const char* tasuki_client_interfaces(tasuki_client* client) { return client->interfaces.c_str(); }

int tasuki_client_set_mode(tasuki_client* client, const char* mode) {
  return or_error(-1, [&] {
    client->client.set_mode(tasuki::rpc::named_mode(mode));
    return 0;
  });
}

int tasuki_client_set_wire_format(tasuki_client* client, const char* format) {
  return or_error(-1, [&] {
    client->client.set_wire_format(tasuki::rpc::named_wire_format(format));
    return 0;
  });
}

int tasuki_client_is_connected(tasuki_client* client) {
  return client->client.is_connected() ? 1 : 0;
}

const char* tasuki_client_server(tasuki_client* client) {
  client->server = tasuki::rpc::url_of(client->client.server());
  return client->server.c_str();
}

const char* tasuki_client_call(tasuki_client* client, const char* module, const char* routine,
                               const char* scalars, const tasuki_array* arrays,
                               std::size_t arrays_count) {
  return or_error<const char*>(nullptr, [&] {
    return call(*client, module, routine, arguments_of(*client, scalars, arrays, arrays_count));
  });
}

const char* tasuki_client_call_routine(tasuki_client* client, const char* routine,
                                       const tasuki_argument* arguments,
                                       std::size_t arguments_count) {
  return or_error<const char*>(nullptr, [&] {
    const auto found = tasuki::rpc::find_routine(client->client.modules(), routine);
    return call(
        *client, found.module.name, found.routine.name,
        tasuki::rpc::call_arguments(found.routine, arguments_of(arguments, arguments_count)));
  });
}

const tasuki_report* tasuki_client_last_report(tasuki_client* client) {
  if (!client->last) return nullptr;
  client->last_in_c.emplace(*client->last);
  return &client->last_in_c->get();
}

int tasuki_client_missing_results(tasuki_client* client, const char* routine,
                                  const tasuki_argument* arguments, std::size_t arguments_count,
                                  const tasuki_result** results) {
  return or_error(-1, [&] {
    const auto found = tasuki::rpc::find_routine(client->client.modules(), routine);
    client->missing =
        tasuki::rpc::missing_results(found.routine, arguments_of(arguments, arguments_count));
    client->missing_in_c.clear();
    for (const tasuki::rpc::MissingResult& one : client->missing) {
      client->missing_in_c.push_back(
          {one.position, one.type.c_str(), one.extents.data(), one.extents.size(), one.bytes});
    }
    *results = client->missing_in_c.data();
    return static_cast<int>(client->missing_in_c.size());
  });
}

void tasuki_client_set_callbacks(tasuki_client* client, const tasuki_callback* callbacks,
                                 std::size_t callbacks_count) {
  client->functions.clear();
  for (std::size_t i = 0; i < callbacks_count; ++i) {
    client->functions[callbacks[i].name] = function_of(callbacks[i]);
  }
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

const char* tasuki_client_put_argument(tasuki_client* client, const char* module,
                                       const char* routine, const char* parameter,
                                       const char* scalars, const tasuki_argument* array) {
  return or_error<const char*>(nullptr, [&] {
    const auto found =
        tasuki::rpc::find_routine(client->client.modules(), fmt::format("{}/{}", module, routine));
    json all_scalars = json::parse(scalars);
    const ArrayArgument described =
        tasuki::rpc::array_to_put(found.routine, parameter, all_scalars, argument_of(*array));
    client->kept =
        client->client.put(module, found.routine.name, parameter, all_scalars, described);
    return client->kept.c_str();
  });
}

const char* tasuki_client_make(tasuki_client* client, const char* class_name) {
  return or_error<const char*>(nullptr, [&] {
    const auto found = tasuki::rpc::find_class(client->client.modules(), class_name);
    const std::string id = client->client.make(found.module.name, found.remote_class.name);
    client->object = tasuki::rpc::ObjectName{found.module.name, found.remote_class.name, id}.text();
    return client->object.c_str();
  });
}

const char* tasuki_client_call_object(tasuki_client* client, const char* object, const char* method,
                                      const char* scalars, const tasuki_array* arrays,
                                      std::size_t arrays_count) {
  return or_error<const char*>(nullptr, [&] {
    const auto name = tasuki::rpc::object_name(object);
    return call(*client, name.module, name.method(method),
                arguments_of(*client, scalars, arrays, arrays_count), name.id);
  });
}

const char* tasuki_client_call_method(tasuki_client* client, const char* object, const char* method,
                                      const tasuki_argument* arguments,
                                      std::size_t arguments_count) {
  return or_error<const char*>(nullptr, [&] {
    const auto name = tasuki::rpc::object_name(object);
    const auto found = tasuki::rpc::find_routine(
        client->client.modules(), fmt::format("{}/{}", name.module, name.method(method)));
    return call(
        *client, name.module, found.routine.name,
        tasuki::rpc::call_arguments(found.routine, arguments_of(arguments, arguments_count)),
        name.id);
  });
}

int tasuki_client_free_object(tasuki_client* client, const char* object) {
  return or_error(-1, [&] {
    const auto name = tasuki::rpc::object_name(object);
    client->client.free(name.module, name.id);
    return 0;
  });
}

int tasuki_client_free(tasuki_client* client, const char* module, const char* kept) {
  return or_error(-1, [&] {
    client->client.free(module, kept);
    return 0;
  });
}

const char* tasuki_client_kept(tasuki_client* client) {
  return or_error<const char*>(nullptr, [&] {
    client->kept_text = client->client.kept().dump(-1, ' ', false, json::error_handler_t::replace);
    return client->kept_text.c_str();
  });
}

int tasuki_client_list_kept(tasuki_client* client, const tasuki_kept** kept) {
  return or_error(-1, [&] {
    client->kept_list = tasuki::rpc::kept_entries(client->client.kept());
    client->kept_list_in_c.clear();
    for (const tasuki::rpc::KeptEntry& one : client->kept_list) {
      client->kept_list_in_c.push_back({one.name.c_str(), one.module.c_str(), one.what.c_str(),
                                        one.type ? one.type->c_str() : nullptr, one.extents.data(),
                                        one.extents.size(), one.bytes, one.user.c_str(),
                                        one.client.c_str(), one.age_s, one.unused_s, one.left_s,
                                        one.is_being_freed ? 1 : 0});
    }
    *kept = client->kept_list_in_c.data();
    return static_cast<int>(client->kept_list.size());
  });
}

int tasuki_client_discard(tasuki_client* client, const char* name) {
  return or_error(-1, [&] { return client->client.discard(name) ? 1 : 0; });
}

void tasuki_client_cancel(tasuki_client* client) { client->client.cancel(); }

void tasuki_client_end(tasuki_client* client) { client->client.end(); }

void tasuki_client_progress(tasuki_client* client, std::int64_t* moved_bytes,
                            std::int64_t* total_bytes) {
  const tasuki::rpc::Progress progress = client->client.progress();
  *moved_bytes = progress.moved_bytes;
  *total_bytes = progress.total_bytes;
}

void tasuki_client_check_interrupts(int (*is_interrupted)()) {
  tasuki::rpc::set_interrupt_check(is_interrupted);
}

const char* tasuki_client_error() { return tasuki::rpc::last_error().as_json.c_str(); }

const char* tasuki_client_error_text() { return tasuki::rpc::last_error().text.c_str(); }

const char* tasuki_client_error_kind() { return tasuki::rpc::last_error().kind.c_str(); }

int tasuki_client_may_have_run() { return tasuki::rpc::last_error().may_have_run ? 1 : 0; }
