#include "rpc/sessions/text_arguments.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cstdint>
#include <cstring>

#include "rpc/interface/texts.hpp"

namespace tasuki::rpc {
namespace {

using nlohmann::json;

void check_is_text(const Routine& routine, const Parameter& parameter, const Argument& argument) {
  if (argument.number || argument.kept || argument.is_function) {
    refuse(routine,
           fmt::format("{} must be a text, and {} given", parameter.name,
                       argument.is_function ? "a function is" : "numbers are"),
           "give a text");
  }
  if (argument.memory == nullptr && !argument.text_bytes) {
    refuse(routine, fmt::format("{} is a null pointer", parameter.name), "give a text");
  }
}

json text_at(const Routine& routine, const Parameter& parameter, const char* characters) {
  if (characters == nullptr) {
    refuse(routine, fmt::format("{} is a null pointer", parameter.name), "give a text");
  }
  return std::string(characters);
}

std::string without_blanks(std::span<const char> room) {
  const std::string_view text(room.data(), room.size());
  return std::string(text.substr(0, text.find_last_not_of(' ') + 1));
}

/// Of texts that lie without gaps.
std::vector<std::int64_t> stride_bytes_of(const Argument& argument) {
  std::vector<std::int64_t> stride_bytes(argument.extents.size());
  auto next = static_cast<std::int64_t>(*argument.text_bytes);
  for (std::size_t k = 0; k < stride_bytes.size(); ++k) {
    const bool is_column_major = argument.order == layout::Order::column_major;
    const std::size_t i = is_column_major ? k : stride_bytes.size() - 1 - k;
    stride_bytes[i] = next;
    next *= argument.extents[i];
  }
  return stride_bytes;
}

/// Those of an array, the last index fastest.
std::vector<std::span<char>> rooms_in(const Argument& argument) {
  const std::size_t bytes = *argument.text_bytes;
  const std::vector<std::int64_t> stride_bytes =
      argument.stride_bytes.empty() ? stride_bytes_of(argument) : argument.stride_bytes;
  std::vector<char*> places = {static_cast<char*>(argument.memory)};
  for (std::size_t i = 0; i < argument.extents.size(); ++i) {
    std::vector<char*> next;
    for (char* const place : places) {
      for (std::int64_t k = 0; k < argument.extents[i]; ++k) {
        next.push_back(place + k * stride_bytes[i]);
      }
    }
    places = std::move(next);
  }
  std::vector<std::span<char>> rooms;
  for (char* const place : places) rooms.emplace_back(place, bytes);
  return rooms;
}

/// Throws tasuki::error if there are not so many.
std::vector<std::span<char>> rooms_of(const Routine& routine, const Parameter& parameter,
                                      const Argument& argument, std::size_t count) {
  std::vector<std::span<char>> rooms = rooms_in(argument);
  if (rooms.size() == count) return rooms;
  refuse(routine,
         fmt::format("{} must have {} {}, and has {}", parameter.name, count,
                     count == 1 ? "text" : "texts", rooms.size()),
         "give as many");
}

}  // namespace

json text_of(const Routine& routine, const Parameter& parameter, const Argument& argument) {
  check_is_text(routine, parameter, argument);
  if (argument.text_bytes) return without_blanks(rooms_of(routine, parameter, argument, 1)[0]);
  const auto* const begin = static_cast<const char*>(argument.memory);
  if (argument.extents.empty()) return std::string(begin);
  std::size_t most = 1;
  for (const std::int64_t extent : argument.extents) most *= static_cast<std::size_t>(extent);
  return std::string(begin, strnlen(begin, most));
}

json texts_of(const Routine& routine, const Parameter& parameter, const Integers& integers,
              const Argument& argument) {
  const std::size_t count = texts_count(parameter, integers);
  json texts = json::array();
  if (count == 0) return texts;
  check_is_text(routine, parameter, argument);
  if (argument.text_bytes) {
    for (const auto room : rooms_of(routine, parameter, argument, count)) {
      texts.push_back(without_blanks(room));
    }
    return texts;
  }
  auto* const pointers = static_cast<char**>(argument.memory);
  for (std::size_t i = 0; i < count; ++i) {
    texts.push_back(text_at(routine, parameter, pointers[i]));
  }
  return texts;
}

TextResults text_results_of(const Routine& routine, const Parameter& parameter,
                            const Integers& integers, const Argument& argument) {
  const std::size_t count = texts_count(parameter, integers);
  if (count > 0) check_is_text(routine, parameter, argument);
  if (!argument.text_bytes) return {parameter.name, static_cast<char**>(argument.memory), {}};
  return {parameter.name, nullptr, rooms_of(routine, parameter, argument, count)};
}

void write_texts(const std::vector<TextResults>& texts, const json& returned) {
  for (const TextResults& one : texts) {
    std::size_t index = 0;
    for (const json& each : returned.at(one.name)) {
      const auto& text = each.get_ref<const std::string&>();
      if (one.pointers != nullptr) {
        one.pointers[index++] = strdup(text.c_str());
        continue;
      }
      const std::span<char> room = one.rooms[index++];
      const auto written = std::ranges::copy_n(
          text.begin(), static_cast<std::ptrdiff_t>(std::min(text.size(), room.size())),
          room.begin());
      std::ranges::fill(written.out, room.end(), ' ');
    }
  }
}

}  // namespace tasuki::rpc
