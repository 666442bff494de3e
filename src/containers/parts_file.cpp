#include <tasuki/detail/containers/parts_file.hpp>

#include <cxxabi.h>

#include <cstdlib>
#include <memory>
#include <tasuki/collectives.hpp>
#include <tasuki/detail/base/fnv_hash.hpp>
#include <tasuki/detail/containers/shared_file.hpp>

namespace tasuki::containers {
namespace {

/// How a file begins; the bytes of each part follow, then the parts.
struct Header {
  std::uint64_t magic = 0;
  std::uint64_t content_hash = 0;
  std::uint64_t parts_count = 0;
};
/// "tasuki" and the version of the format, 1.
constexpr std::uint64_t magic = 0x01'00'69'6b'75'73'61'74;

template <class T>
std::span<const std::byte> bytes_of(const T* values, std::size_t count) {
  return std::as_bytes(std::span(values, count));
}

std::uint64_t sum_of(std::span<const std::uint64_t> values) {
  std::uint64_t sum = 0;
  for (const std::uint64_t value : values) sum += value;
  return sum;
}

/// Do the parts fill so many bytes? Their sum may be beyond all integers in a damaged file.
bool do_fill(std::span<const std::uint64_t> part_bytes, std::uint64_t bytes) {
  for (const std::uint64_t part : part_bytes) {
    if (part > bytes) return false;
    bytes -= part;
  }
  return bytes == 0;
}

/// The bytes of each part; none if it is no such file, which is noted in it then.
std::vector<std::uint64_t> read_part_bytes(SharedFile& file, const std::string& path,
                                           const std::string& content) {
  Header header;
  file.read(0, std::as_writable_bytes(std::span(&header, 1)));
  const std::uint64_t size_bytes = file.size_bytes();
  if (file.has_failed()) return {};
  if (header.magic != magic || header.content_hash != base::fnv_hash(content)) {
    file.fail({"the file " + path + " does not hold a " + content,
               "load a file that save() of the same container and types has written"});
    return {};
  }
  std::vector<std::uint64_t> part_bytes;
  const std::uint64_t parts_most = size_bytes / sizeof(std::uint64_t);
  if (header.parts_count <= parts_most) {
    part_bytes.resize(header.parts_count);
    file.read(sizeof header, std::as_writable_bytes(std::span(part_bytes)));
  }
  const std::uint64_t before_bytes = sizeof header + part_bytes.size() * sizeof(std::uint64_t);
  if (!file.has_failed() && !do_fill(part_bytes, size_bytes - before_bytes)) {
    file.fail({"the file " + path + " has " + std::to_string(size_bytes) +
                   " bytes, which are not those that it says",
               "write the file again: it is cut off"});
  }
  if (file.has_failed()) part_bytes.clear();
  return part_bytes;
}

}  // namespace

std::string content_name(const char* kind, const std::type_info& element) {
  int status = 0;
  const std::unique_ptr<char, decltype(&std::free)> readable(
      abi::__cxa_demangle(element.name(), nullptr, nullptr, &status), &std::free);
  return std::string(kind) + "<" + (status == 0 ? readable.get() : element.name()) + ">";
}

void write_parts(const std::string& path, const std::string& content,
                 std::span<const std::byte> mine, const Team& team) {
  SharedFile file = SharedFile::create("saving a " + content, path, team);
  const std::vector<std::uint64_t> part_bytes = allgather(std::uint64_t{mine.size()}, team);
  const auto rank = static_cast<std::size_t>(team.rank());
  const std::uint64_t table_bytes = part_bytes.size() * sizeof(std::uint64_t);
  if (rank == 0) {
    const Header header{magic, base::fnv_hash(content), part_bytes.size()};
    file.write(0, bytes_of(&header, 1));
    file.write(sizeof header, bytes_of(part_bytes.data(), part_bytes.size()));
  }
  file.write(sizeof(Header) + table_bytes + sum_of(std::span(part_bytes).first(rank)), mine);
  file.close(team);
}

std::vector<Bytes> read_parts(const std::string& path, const std::string& content,
                              const Team& team) {
  SharedFile file = SharedFile::open("loading a " + content, path, team);
  const std::vector<std::uint64_t> part_bytes = read_part_bytes(file, path, content);
  std::uint64_t offset_bytes = sizeof(Header) + part_bytes.size() * sizeof(std::uint64_t);
  std::vector<Bytes> parts;
  for (std::size_t i = 0; i < part_bytes.size(); ++i) {
    if (i % static_cast<std::size_t>(team.size()) == static_cast<std::size_t>(team.rank())) {
      file.read(offset_bytes, parts.emplace_back(part_bytes[i]));
    }
    offset_bytes += part_bytes[i];
  }
  file.throw_failure(team);
  return parts;
}

}  // namespace tasuki::containers
