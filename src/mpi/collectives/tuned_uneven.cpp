#include "mpi/collectives/arguments.hpp"
#include "mpi/collectives/elements.hpp"
#include "mpi/collectives/in_place_input.hpp"
#include "mpi/collectives/packed.hpp"
#include "mpi/collectives/tuned.hpp"
#include "mpi/collectives/tuning.hpp"
#include "mpi/collectives/uneven_blocks.hpp"

#include <algorithm>
#include <cstddef>
#include <numeric>
#include <vector>

namespace tasuki::mpi::collectives {
namespace {

using coll::Collective;
using coll::name_of;

coll::Call call_of_bytes(Collective collective, const void* input, void* output, int root) {
  coll::Call call(collective);
  call.shape.element_bytes = 1;
  call.shape.root = root;
  call.input = input;
  call.output = output;
  return call;
}

void set_sent(coll::Call& call, const UnevenBlocks& blocks) {
  call.shape.send_counts = blocks.counts();
  call.shape.send_displacements = blocks.displacements();
}
void set_received(coll::Call& call, const UnevenBlocks& blocks) {
  call.shape.receive_counts = blocks.counts();
  call.shape.receive_displacements = blocks.displacements();
}

std::byte* block(UnevenBlocks& blocks, int rank) {
  return blocks.bytes() + blocks.displacements()[static_cast<std::size_t>(rank)];
}

/// MPI_Alltoallv and MPI_Alltoallw: one datatype for all blocks of a side, or one for each.
template <typename Types>
int exchanged(const char* name, const void* sendbuf, Numbers sendcounts, Numbers sdispls,
              const Types& sendtypes, void* recvbuf, Numbers recvcounts, Numbers rdispls,
              const Types& recvtypes, MPI_Comm comm) {
  Tuning& tuning = tuning_of_process();
  const auto accepts = [&](const RankAndSize& own) {
    return are_blocks(recvbuf, recvcounts, rdispls, recvtypes, own.size) &&
           (sendbuf == MPI_IN_PLACE ||
            are_blocks(sendbuf, sendcounts, sdispls, sendtypes, own.size));
  };
  TunedCommunicator* const tuned = tuning.find(name, comm, accepts);
  if (tuned == nullptr) return left_to_library;
  if (sendbuf == MPI_IN_PLACE) return tuning.leave(name, "in place");
  UnevenBlocks sent(sendbuf, sendcounts, sdispls, sendtypes, tuned->size());
  UnevenBlocks received(recvbuf, recvcounts, rdispls, recvtypes, tuned->size());
  sent.pack();
  coll::Call call = call_of_bytes(Collective::alltoallv, sent.bytes(), received.bytes(), 0);
  set_sent(call, sent);
  set_received(call, received);
  const int code = tuning.run(*tuned, call, name);
  if (code == MPI_SUCCESS) received.unpack();
  return code;
}

}  // namespace

int gatherv(const void* sendbuf, MPI_Count sendcount, MPI_Datatype sendtype, void* recvbuf,
            Numbers recvcounts, Numbers displs, MPI_Datatype recvtype, int root, MPI_Comm comm) {
  Tuning& tuning = tuning_of_process();
  const auto accepts = [&](const RankAndSize& own) {
    if (own.rank != root) return is_rank(root, own.size) && is_data(sendbuf, sendcount, sendtype);
    return is_in_place_or_data(sendbuf, sendcount, sendtype) &&
           are_blocks(recvbuf, recvcounts, displs, recvtype, own.size);
  };
  TunedCommunicator* const tuned = tuning.find(name_of(Collective::gatherv), comm, accepts);
  if (tuned == nullptr) return left_to_library;
  const bool is_root = tuned->rank() == root;
  const bool is_in_place = is_root && sendbuf == MPI_IN_PLACE;
  UnevenBlocks all =
      is_root ? UnevenBlocks(recvbuf, recvcounts, displs, recvtype, tuned->size()) : UnevenBlocks();
  Packed own = is_in_place ? Packed() : Packed(sendbuf, sendcount, sendtype);
  own.pack();
  if (is_in_place) all.pack_block(root);
  coll::Call call = call_of_bytes(Collective::gatherv, is_in_place ? block(all, root) : own.bytes(),
                                  all.bytes(), root);
  call.shape.count = is_in_place ? all.counts()[static_cast<std::size_t>(root)] : own.size();
  if (is_root) set_received(call, all);
  const int code = tuning.run(*tuned, call);
  if (code == MPI_SUCCESS) all.unpack();
  return code;
}

int scatterv(const void* sendbuf, Numbers sendcounts, Numbers displs, MPI_Datatype sendtype,
             void* recvbuf, MPI_Count recvcount, MPI_Datatype recvtype, int root, MPI_Comm comm) {
  Tuning& tuning = tuning_of_process();
  const auto accepts = [&](const RankAndSize& own) {
    if (own.rank != root) return is_rank(root, own.size) && is_data(recvbuf, recvcount, recvtype);
    return are_blocks(sendbuf, sendcounts, displs, sendtype, own.size) &&
           is_in_place_or_data(recvbuf, recvcount, recvtype);
  };
  TunedCommunicator* const tuned = tuning.find(name_of(Collective::scatterv), comm, accepts);
  if (tuned == nullptr) return left_to_library;
  const bool is_root = tuned->rank() == root;
  const bool is_in_place = is_root && recvbuf == MPI_IN_PLACE;
  UnevenBlocks all =
      is_root ? UnevenBlocks(sendbuf, sendcounts, displs, sendtype, tuned->size()) : UnevenBlocks();
  all.pack();
  Packed own = is_in_place ? Packed() : Packed(recvbuf, recvcount, recvtype);
  coll::Call call = call_of_bytes(Collective::scatterv, all.bytes(),
                                  is_in_place ? block(all, root) : own.bytes(), root);
  call.shape.count = is_in_place ? all.counts()[static_cast<std::size_t>(root)] : own.size();
  if (is_root) set_sent(call, all);
  const int code = tuning.run(*tuned, call);
  if (code == MPI_SUCCESS) own.unpack();
  return code;
}

int allgatherv(const void* sendbuf, MPI_Count sendcount, MPI_Datatype sendtype, void* recvbuf,
               Numbers recvcounts, Numbers displs, MPI_Datatype recvtype, MPI_Comm comm) {
  Tuning& tuning = tuning_of_process();
  const auto accepts = [&](const RankAndSize& own) {
    return is_in_place_or_data(sendbuf, sendcount, sendtype) &&
           are_blocks(recvbuf, recvcounts, displs, recvtype, own.size);
  };
  TunedCommunicator* const tuned = tuning.find(name_of(Collective::allgatherv), comm, accepts);
  if (tuned == nullptr) return left_to_library;
  const auto self = static_cast<std::size_t>(tuned->rank());
  const bool is_in_place = sendbuf == MPI_IN_PLACE;
  UnevenBlocks all(recvbuf, recvcounts, displs, recvtype, tuned->size());
  const auto& counts = all.counts();
  if (std::all_of(counts.begin(), counts.end(), [](std::size_t one) { return one == 0; })) {
    return tuning.leave(name_of(Collective::allgatherv), "no data");
  }
  Packed own = is_in_place ? Packed() : Packed(sendbuf, sendcount, sendtype);
  own.pack();
  if (is_in_place) all.pack_block(tuned->rank());
  coll::Call call =
      call_of_bytes(Collective::allgatherv, is_in_place ? block(all, tuned->rank()) : own.bytes(),
                    all.bytes(), 0);
  call.shape.count = counts[self];
  set_received(call, all);
  const int code = tuning.run(*tuned, call);
  if (code == MPI_SUCCESS) all.unpack();
  return code;
}

int alltoallv(const void* sendbuf, Numbers sendcounts, Numbers sdispls, MPI_Datatype sendtype,
              void* recvbuf, Numbers recvcounts, Numbers rdispls, MPI_Datatype recvtype,
              MPI_Comm comm) {
  return exchanged(name_of(Collective::alltoallv), sendbuf, sendcounts, sdispls, sendtype, recvbuf,
                   recvcounts, rdispls, recvtype, comm);
}

int alltoallw(const void* sendbuf, Numbers sendcounts, Numbers sdispls, const Datatypes& sendtypes,
              void* recvbuf, Numbers recvcounts, Numbers rdispls, const Datatypes& recvtypes,
              MPI_Comm comm) {
  return exchanged("alltoallw", sendbuf, sendcounts, sdispls, sendtypes, recvbuf, recvcounts,
                   rdispls, recvtypes, comm);
}

int reduce_scatter(const void* sendbuf, void* recvbuf, Numbers recvcounts, MPI_Datatype datatype,
                   MPI_Op op, MPI_Comm comm) {
  Tuning& tuning = tuning_of_process();
  const auto accepts = [&](const RankAndSize& own) {
    const auto self = static_cast<std::size_t>(own.rank);
    return are_counts(recvcounts, own.size) &&
           are_operands(sendbuf, recvbuf, recvcounts[self] > 0 || sendbuf == MPI_IN_PLACE,
                        sum_of(recvcounts, own.size), datatype, op);
  };
  TunedCommunicator* const tuned = tuning.find(name_of(Collective::reduce_scatter), comm, accepts);
  if (tuned == nullptr) return left_to_library;
  coll::Call call(Collective::reduce_scatter);
  if (!set_reduction(call, datatype, op)) {
    return tuning.leave(name_of(Collective::reduce_scatter), "operator or datatype");
  }
  std::vector<std::size_t>& counts = call.shape.receive_counts;
  for (std::size_t i = 0; i < static_cast<std::size_t>(tuned->size()); ++i) {
    counts.push_back(static_cast<std::size_t>(recvcounts[i]));
  }
  if (std::all_of(counts.begin(), counts.end(), [](std::size_t one) { return one == 0; })) {
    return tuning.leave(name_of(Collective::reduce_scatter), "nothing to reduce");
  }
  call.shape.count = counts[static_cast<std::size_t>(tuned->rank())];
  call.input = sendbuf;
  call.output = recvbuf;
  InPlaceInput input;
  if (sendbuf == MPI_IN_PLACE) {
    const std::size_t all = std::accumulate(counts.begin(), counts.end(), std::size_t{0});
    call.input = input.copy(recvbuf, all * call.shape.element_bytes);
  }
  return tuning.run(*tuned, call);
}

}  // namespace tasuki::mpi::collectives
