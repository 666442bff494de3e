#include <tasuki/detail/containers/npy_header.hpp>

#include <regex>
#include <string_view>
#include <tasuki/error.hpp>

namespace tasuki::containers {
namespace {

constexpr std::string_view magic = "\x93NUMPY";
/// The elements begin at a multiple of it.
constexpr std::size_t alignment_bytes = 64;
/// Magic and version, after which the length of the text follows.
constexpr std::size_t version_end = 8;

[[noreturn]] void refuse(const std::string& happened) {
  throw error("reading a .npy file", happened,
              "write the file by numpy.save or by Array::save_npy");
}

std::string match_of(const std::string& text, const char* pattern) {
  std::smatch found;
  if (!std::regex_search(text, found, std::regex(pattern))) {
    refuse("its header is not one of NumPy: " + text);
  }
  return found[1];
}

}  // namespace

Bytes NpyHeader::bytes() const {
  std::string text = "{'descr': '" + type + "', 'fortran_order': " +
                     (order == layout::Order::column_major ? "True" : "False") + ", 'shape': (";
  for (const std::int64_t extent : extents) text += std::to_string(extent) + ", ";
  if (extents.size() > 1) text.resize(text.size() - 2);
  if (extents.size() == 1) text.pop_back();
  text += "), }";
  const std::size_t before_text = version_end + 2;
  while ((before_text + text.size() + 1) % alignment_bytes != 0) text += ' ';
  text += '\n';
  std::string all(magic);
  all += {1, 0, static_cast<char>(text.size() & 0xffU), static_cast<char>(text.size() >> 8U)};
  all += text;
  const auto bytes = std::as_bytes(std::span(all));
  return {bytes.begin(), bytes.end()};
}

NpyHeader NpyHeader::parse(std::span<const std::byte> begin, std::uint64_t& header_bytes) {
  const std::string_view file(reinterpret_cast<const char*>(begin.data()), begin.size());
  if (!file.starts_with(magic) || file.size() < version_end + 4) refuse("it does not begin as one");
  const std::size_t length_bytes = file[magic.size()] == 1 ? 2 : 4;
  std::size_t text_bytes = 0;
  for (std::size_t i = 0; i < length_bytes; ++i) {
    const auto digit = static_cast<unsigned char>(file[version_end + i]);
    text_bytes |= static_cast<std::size_t>(digit) << (8 * i);
  }
  const std::size_t text_begin = version_end + length_bytes;
  if (text_bytes > file.size() - text_begin) refuse("it is cut off, or its header is too long");
  header_bytes = text_begin + text_bytes;
  const std::string text(file.substr(text_begin, text_bytes));
  NpyHeader header;
  header.type = match_of(text, "'descr': *'([^']*)'");
  const bool is_fortran = match_of(text, "'fortran_order': *(True|False)") == "True";
  header.order = is_fortran ? layout::Order::column_major : layout::Order::row_major;
  const std::string shape = match_of(text, R"('shape': *\(([\d, ]*)\))");
  const std::regex number(R"(\d{1,18})");
  for (auto at = std::sregex_iterator(shape.begin(), shape.end(), number);
       at != std::sregex_iterator(); ++at) {
    header.extents.push_back(std::stoll(at->str()));
  }
  return header;
}

}  // namespace tasuki::containers
