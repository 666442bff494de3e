// NPB CG over MPI: beside cg_tasuki.cpp, with the same numerical code.
//
// Every rank runs main; segments travel as non-blocking messages, sums by MPI_Allreduce.

#include "npb/cg/node.hpp"
#include "npb/common/mpi_sums.hpp"

namespace tasuki::npb::cg {
namespace {

class MpiExchange : public MpiSums {
 public:
  MpiExchange(const Layout& layout, bool split)
      : MpiSums(split),
        layout_(layout),
        columns_(static_cast<std::size_t>(layout.columns())),
        inbox_(static_cast<std::size_t>(layout.segment().size()) * layout.row_peers().size()) {}

  std::span<double> segment() { return slice(columns_, layout_.columns_of(layout_.rank())); }
  std::span<const double> columns() { return columns_; }

  void expand() {
    const Stopwatch::Communication clocked(stopwatch());
    for (const int peer : layout_.column_peers())
      receive(peer, slice(columns_, layout_.columns_of(peer)));
    for (const int peer : layout_.column_peers()) send(peer, segment());
    finish();
  }

  void fold(std::span<const double> partial, std::span<double> product) {
    {
      const Stopwatch::Communication clocked(stopwatch());
      std::span<double> room = inbox_;
      for (const int peer : layout_.row_peers()) {
        receive(peer, room.first(product.size()));
        room = room.subspan(product.size());
      }
      for (const int peer : layout_.row_peers()) send(peer, slice(partial, layout_.rows_of(peer)));
      finish();
    }
    add_parts(slice(partial, layout_.rows_of(layout_.rank())), inbox_, product);
  }

 private:
  void receive(int peer, std::span<double> segment) {
    MPI_Irecv(segment.data(), static_cast<int>(segment.size()), MPI_DOUBLE, peer, 0, MPI_COMM_WORLD,
              &requests_.emplace_back());
  }

  void send(int peer, std::span<const double> segment) {
    stopwatch().count(1, segment.size_bytes());
    MPI_Isend(segment.data(), static_cast<int>(segment.size()), MPI_DOUBLE, peer, 0, MPI_COMM_WORLD,
              &requests_.emplace_back());
  }

  void finish() {
    MPI_Waitall(static_cast<int>(requests_.size()), requests_.data(), MPI_STATUSES_IGNORE);
    requests_.clear();
  }

  Layout layout_;
  HugeArray<double> columns_;
  HugeArray<double> inbox_;  ///< Partial products of this segment, by row_peers.
  std::vector<MPI_Request> requests_;
};

}  // namespace
}  // namespace tasuki::npb::cg

int main(int argc, char** argv) {
  using namespace tasuki::npb;
  return run_mpi_program(argc, argv, parse_options, cg::run<MpiJob, cg::MpiExchange>);
}
