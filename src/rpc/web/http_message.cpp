#include "rpc/web/http_message.hpp"

#include <algorithm>
#include <charconv>
#include <cstddef>
#include <string_view>

namespace tasuki::rpc {
namespace {

/// `plus` is what a + stands for.
std::string decode(std::string_view text, char plus = ' ') {
  std::string decoded;
  for (std::size_t i = 0; i < text.size(); ++i) {
    unsigned char code = 0;
    const char* const digits = text.data() + i + 1;
    if (text[i] == '%' && i + 2 < text.size() &&
        std::from_chars(digits, digits + 2, code, 16).ptr == digits + 2) {
      decoded += static_cast<char>(code);
      i += 2;
    } else {
      decoded += text[i] == '+' ? plus : text[i];
    }
  }
  return decoded;
}

/// Calls `take` with each part of the text between separators.
template <class Take>
void split(std::string_view text, char separator, Take take) {
  while (!text.empty()) {
    const std::size_t end = std::min(text.find(separator), text.size());
    take(text.substr(0, end));
    text.remove_prefix(std::min(end + 1, text.size()));
  }
}

}  // namespace

std::string HttpRequest::header(const std::string& name) const {
  const auto found = headers.find(name);
  return found == headers.end() ? "" : found->second;
}

std::string HttpRequest::cookie(const std::string& name) const {
  std::string value;
  const std::string all = header("cookie");
  split(all, ';', [&](std::string_view one) {
    one.remove_prefix(std::min(one.find_first_not_of(' '), one.size()));
    const std::size_t equals = one.find('=');
    if (equals != std::string_view::npos && one.substr(0, equals) == name) {
      value = one.substr(equals + 1);
    }
  });
  return value;
}

std::map<std::string, std::string> form_fields(const std::string& text) {
  std::map<std::string, std::string> fields;
  split(text, '&', [&](std::string_view one) {
    const std::size_t equals = std::min(one.find('='), one.size());
    const std::string_view value = equals < one.size() ? one.substr(equals + 1) : "";
    fields[decode(one.substr(0, equals))] = decode(value);
  });
  return fields;
}

std::string path_text(const std::string& part) { return decode(part, '+'); }

HttpResponse refuse_request(unsigned status, const std::string& text) {
  HttpResponse refused;
  refused.status = status;
  refused.body = text + "\n";
  return refused;
}

}  // namespace tasuki::rpc
