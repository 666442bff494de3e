#include <tasuki/detail/containers/array_file.hpp>

#include <algorithm>
#include <tasuki/detail/containers/array_shape.hpp>
#include <tasuki/error.hpp>

namespace tasuki::containers {
namespace {

/// Where the rank's piece begins, behind the header.
std::uint64_t begin_bytes(const layout::ArrayLayout& slabs, int rank) {
  std::uint64_t bytes = 0;
  for (int before = 0; before < rank; ++before) {
    bytes += static_cast<std::uint64_t>(slabs.local_bytes(before));
  }
  return bytes;
}

void check(const NpyHeader& found, const NpyHeader& expected, const std::string& path) {
  if (found.type != expected.type) {
    throw error("reading " + path,
                "its elements are of NumPy's type " + found.type + ", not " + expected.type,
                "read it into an Array of that type, or convert it by numpy.ndarray.astype");
  }
  if (found.extents != expected.extents) {
    throw error(
        "reading " + path,
        "it has " + text_of(found.extents) + " elements, the Array " + text_of(expected.extents),
        "read it into an Array of the same extents");
  }
}

}  // namespace

void write_npy(const std::string& path, const NpyHeader& header, const layout::ArrayLayout& slabs,
               std::span<const std::byte> mine, const Team& team) {
  SharedFile file = SharedFile::create("Array::save_npy", path, team);
  const Bytes begin = header.bytes();
  if (team.rank() == 0) file.write(0, begin);
  file.write(begin.size() + begin_bytes(slabs, team.rank()), mine);
  file.close(team);
}

NpyFile::NpyFile(const std::string& path, const NpyHeader& expected, const Team& team)
    : file_(SharedFile::open("Array::load_npy", path, team)) {
  Bytes begin(std::min<std::uint64_t>(file_.size_bytes(), npy_header_bytes_most));
  file_.read(0, begin);
  try {
    if (!file_.has_failed()) {
      header_ = NpyHeader::parse(begin, header_bytes_);
      check(header_, expected, path);
    }
  } catch (const error& e) {
    file_.fail({e.operation() + ": " + e.happened(), e.remedy()});
  }
  file_.throw_failure(team);
}

void NpyFile::read(const layout::ArrayLayout& slabs, std::span<std::byte> mine, const Team& team) {
  file_.read(header_bytes_ + begin_bytes(slabs, team.rank()), mine);
  file_.throw_failure(team);
}

}  // namespace tasuki::containers
