#include "sssp/graph_reader.hpp"

#include <fmt/format.h>

#include "sssp/graph_formats.hpp"

namespace tasuki::sssp {
namespace {

/// A format whose header is `p KIND ...`.
struct HeadedFormat {
  std::string_view kind;
  EdgeList (*read)(LineReader& lines);
};

constexpr HeadedFormat headed_formats[] = {{"sp", read_dimacs}, {"tw", read_pace}};

}  // namespace

EdgeList read_graph(const std::string& file) {
  LineReader lines(file);
  if (!file.ends_with(".gr") && !file.ends_with(".gr.xz")) return read_edge_list(lines);
  const std::string remedy = "begin with p sp NODES ARCS (DIMACS) or p tw NODES EDGES (PACE)";
  if (!lines.next("c")) lines.fail("the file has no header", remedy);
  if (lines.word() == "p") {
    const std::string_view kind = lines.word();
    for (const HeadedFormat& format : headed_formats)
      if (format.kind == kind) return format.read(lines);
  }
  lines.fail(fmt::format("'{}' is not a header", shortened(lines.line())), remedy);
}

}  // namespace tasuki::sssp
