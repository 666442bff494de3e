#include "mpi/collectives/tuned.hpp"

#include "mpi/collectives/arguments.hpp"
#include "mpi/collectives/elements.hpp"
#include "mpi/collectives/in_place_input.hpp"
#include "mpi/collectives/packed.hpp"
#include "mpi/collectives/packing.hpp"
#include "mpi/collectives/tuning.hpp"
#include "mpi/collectives/unequal_blocks.hpp"

#include <cstddef>
#include <cstdint>
#include <optional>

namespace tasuki::mpi::collectives {
namespace {

using coll::Collective;
using coll::name_of;

/// The call of a collective that moves bytes: all ranks know their number, not what they are.
coll::Call call_of_bytes(Collective collective, const void* input, void* output,
                         std::size_t block_bytes, int root) {
  coll::Call call(collective);
  call.shape.element_bytes = 1;
  call.shape.count = block_bytes;
  call.shape.root = root;
  call.input = input;
  call.output = output;
  return call;
}

/// Is the receive buffer of this rank used?
bool has_result(Collective collective, const void* sendbuf, int root, int rank) {
  if (collective == Collective::reduce) return rank == root;
  return collective != Collective::exscan || rank != 0 || sendbuf == MPI_IN_PLACE;
}

int reduced(Collective collective, const void* sendbuf, void* recvbuf, MPI_Count count,
            MPI_Datatype datatype, MPI_Op op, int root, MPI_Comm comm) {
  Tuning& tuning = tuning_of_process();
  const auto accepts = [&](const RankAndSize& own) {
    return is_rank(root, own.size) &&
           are_operands(sendbuf, recvbuf, has_result(collective, sendbuf, root, own.rank), count,
                        datatype, op);
  };
  TunedCommunicator* const tuned = tuning.find(name_of(collective), comm, accepts);
  if (tuned == nullptr) return left_to_library;
  coll::Call call(collective);
  if (count == 0) return tuning.leave(name_of(collective), "nothing to reduce");
  if (!set_reduction(call, datatype, op)) {
    return tuning.leave(name_of(collective), "operator or datatype");
  }
  call.shape.count = static_cast<std::size_t>(count);
  call.shape.root = root;
  call.input = sendbuf;
  call.output = recvbuf;
  InPlaceInput input;
  if (sendbuf == MPI_IN_PLACE && collective == Collective::reduce_scatter_block) {
    call.input = input.copy(recvbuf, call.shape.count * static_cast<std::size_t>(tuned->size()) *
                                         call.shape.element_bytes);
  } else if (sendbuf == MPI_IN_PLACE) {
    call.shape.in_place = true;
    call.input = recvbuf;
  }
  return tuning.run(*tuned, call);
}

/// The blocks of a collective lie one after the other.
std::byte* block(void* blocks, int rank, std::size_t block_bytes) {
  return static_cast<std::byte*>(blocks) + static_cast<std::size_t>(rank) * block_bytes;
}

/// All ranks know the bytes of a block. They do not know each other's counts and datatypes.
constexpr const char* nothing = "no data";
constexpr const char* unequal = "blocks sent and received differ";

}  // namespace

int barrier(MPI_Comm comm) {
  Tuning& tuning = tuning_of_process();
  const auto accepts = [](const RankAndSize&) { return true; };
  TunedCommunicator* const tuned = tuning.find(name_of(Collective::barrier), comm, accepts);
  if (tuned == nullptr) return left_to_library;
  coll::Call call(Collective::barrier);
  return tuning.run(*tuned, call);
}

int bcast(void* buffer, MPI_Count count, MPI_Datatype datatype, int root, MPI_Comm comm) {
  Tuning& tuning = tuning_of_process();
  const auto accepts = [&](const RankAndSize& own) {
    return is_rank(root, own.size) && is_data(buffer, count, datatype);
  };
  TunedCommunicator* const tuned = tuning.find(name_of(Collective::broadcast), comm, accepts);
  if (tuned == nullptr) return left_to_library;
  if (bytes_of(count, datatype) == 0) {
    return tuning.leave(name_of(Collective::broadcast), nothing);
  }
  const bool is_root = tuned->rank() == root;
  Packed data(buffer, count, datatype);
  if (is_root) data.pack();
  coll::Call call =
      call_of_bytes(Collective::broadcast, data.bytes(), data.bytes(), data.size(), root);
  const int code = tuning.run(*tuned, call);
  if (!is_root && code == MPI_SUCCESS) data.unpack();
  return code;
}

int reduce(const void* sendbuf, void* recvbuf, MPI_Count count, MPI_Datatype datatype, MPI_Op op,
           int root, MPI_Comm comm) {
  return reduced(Collective::reduce, sendbuf, recvbuf, count, datatype, op, root, comm);
}

int allreduce(const void* sendbuf, void* recvbuf, MPI_Count count, MPI_Datatype datatype, MPI_Op op,
              MPI_Comm comm) {
  return reduced(Collective::allreduce, sendbuf, recvbuf, count, datatype, op, 0, comm);
}

int scan(const void* sendbuf, void* recvbuf, MPI_Count count, MPI_Datatype datatype, MPI_Op op,
         MPI_Comm comm) {
  return reduced(Collective::scan, sendbuf, recvbuf, count, datatype, op, 0, comm);
}

int exscan(const void* sendbuf, void* recvbuf, MPI_Count count, MPI_Datatype datatype, MPI_Op op,
           MPI_Comm comm) {
  return reduced(Collective::exscan, sendbuf, recvbuf, count, datatype, op, 0, comm);
}

int gather(const void* sendbuf, MPI_Count sendcount, MPI_Datatype sendtype, void* recvbuf,
           MPI_Count recvcount, MPI_Datatype recvtype, int root, MPI_Comm comm) {
  Tuning& tuning = tuning_of_process();
  const auto accepts = [&](const RankAndSize& own) {
    if (own.rank != root) return is_rank(root, own.size) && is_data(sendbuf, sendcount, sendtype);
    return is_in_place_or_data(sendbuf, sendcount, sendtype) &&
           is_data(recvbuf, recvcount, recvtype);
  };
  TunedCommunicator* const tuned = tuning.find(name_of(Collective::gather), comm, accepts);
  if (tuned == nullptr) return left_to_library;
  const bool is_root = tuned->rank() == root;
  const bool is_in_place = is_root && sendbuf == MPI_IN_PLACE;
  const std::int64_t known_bytes =
      is_in_place ? bytes_of(recvcount, recvtype) : bytes_of(sendcount, sendtype);
  if (known_bytes == 0) return tuning.leave(name_of(Collective::gather), nothing);
  Packed all = is_root ? Packed(recvbuf, recvcount, recvtype, tuned->size()) : Packed();
  Packed own = is_in_place ? Packed() : Packed(sendbuf, sendcount, sendtype);
  own.pack();
  const std::size_t block_bytes = is_in_place ? all.block_bytes() : own.size();
  if (is_in_place) all.pack_block(root);
  std::optional<UnequalBlocks> unequal;
  if (is_root && all.block_bytes() != block_bytes) unequal.emplace(block_bytes, tuned->size());
  coll::Call call = call_of_bytes(Collective::gather,
                                  is_in_place ? block(all.bytes(), root, block_bytes) : own.bytes(),
                                  unequal ? unequal->bytes() : all.bytes(), block_bytes, root);
  const int code = tuning.run(*tuned, call);
  if (code == MPI_SUCCESS && unequal) return unequal->move(all, comm);
  if (code == MPI_SUCCESS) all.unpack();
  return code;
}

int scatter(const void* sendbuf, MPI_Count sendcount, MPI_Datatype sendtype, void* recvbuf,
            MPI_Count recvcount, MPI_Datatype recvtype, int root, MPI_Comm comm) {
  Tuning& tuning = tuning_of_process();
  const auto accepts = [&](const RankAndSize& own) {
    if (own.rank != root) return is_rank(root, own.size) && is_data(recvbuf, recvcount, recvtype);
    return is_data(sendbuf, sendcount, sendtype) &&
           is_in_place_or_data(recvbuf, recvcount, recvtype);
  };
  TunedCommunicator* const tuned = tuning.find(name_of(Collective::scatter), comm, accepts);
  if (tuned == nullptr) return left_to_library;
  const bool is_root = tuned->rank() == root;
  const bool is_in_place = is_root && recvbuf == MPI_IN_PLACE;
  const std::int64_t known_bytes =
      is_root ? bytes_of(sendcount, sendtype) : bytes_of(recvcount, recvtype);
  if (known_bytes == 0) return tuning.leave(name_of(Collective::scatter), nothing);
  Packed all = is_root ? Packed(sendbuf, sendcount, sendtype, tuned->size()) : Packed();
  Packed own = is_in_place ? Packed() : Packed(recvbuf, recvcount, recvtype);
  all.pack();
  const std::size_t block_bytes = is_root ? all.block_bytes() : own.size();
  std::optional<UnequalBlocks> unequal;
  if (!is_in_place && own.size() != block_bytes) unequal.emplace(block_bytes, 1);
  std::byte* into = is_in_place ? block(all.bytes(), root, block_bytes) : own.bytes();
  if (unequal) into = unequal->bytes();
  coll::Call call = call_of_bytes(Collective::scatter, all.bytes(), into, block_bytes, root);
  const int code = tuning.run(*tuned, call);
  if (code == MPI_SUCCESS && unequal) return unequal->move(own, comm);
  if (code == MPI_SUCCESS) own.unpack();
  return code;
}

int allgather(const void* sendbuf, MPI_Count sendcount, MPI_Datatype sendtype, void* recvbuf,
              MPI_Count recvcount, MPI_Datatype recvtype, MPI_Comm comm) {
  Tuning& tuning = tuning_of_process();
  const auto accepts = [&](const RankAndSize&) {
    return is_in_place_or_data(sendbuf, sendcount, sendtype) &&
           is_data(recvbuf, recvcount, recvtype);
  };
  TunedCommunicator* const tuned = tuning.find(name_of(Collective::allgather), comm, accepts);
  if (tuned == nullptr) return left_to_library;
  const std::int64_t received_bytes = bytes_of(recvcount, recvtype);
  if (received_bytes == 0) return tuning.leave(name_of(Collective::allgather), nothing);
  const bool is_in_place = sendbuf == MPI_IN_PLACE;
  if (!is_in_place && bytes_of(sendcount, sendtype) != received_bytes) {
    return tuning.leave(name_of(Collective::allgather), unequal);
  }
  Packed all(recvbuf, recvcount, recvtype, tuned->size());
  Packed own = is_in_place ? Packed() : Packed(sendbuf, sendcount, sendtype);
  own.pack();
  if (is_in_place) all.pack_block(tuned->rank());
  coll::Call call = call_of_bytes(
      Collective::allgather,
      is_in_place ? block(all.bytes(), tuned->rank(), all.block_bytes()) : own.bytes(), all.bytes(),
      all.block_bytes(), 0);
  const int code = tuning.run(*tuned, call);
  if (code == MPI_SUCCESS) all.unpack();
  return code;
}

int alltoall(const void* sendbuf, MPI_Count sendcount, MPI_Datatype sendtype, void* recvbuf,
             MPI_Count recvcount, MPI_Datatype recvtype, MPI_Comm comm) {
  Tuning& tuning = tuning_of_process();
  const auto accepts = [&](const RankAndSize&) {
    return is_in_place_or_data(sendbuf, sendcount, sendtype) &&
           is_data(recvbuf, recvcount, recvtype) &&
           (recvcount == 0 || sendbuf != recvbuf || sendtype != recvtype);
  };
  TunedCommunicator* const tuned = tuning.find(name_of(Collective::alltoall), comm, accepts);
  if (tuned == nullptr) return left_to_library;
  const std::int64_t received_bytes = bytes_of(recvcount, recvtype);
  if (received_bytes == 0) return tuning.leave(name_of(Collective::alltoall), nothing);
  const bool is_in_place = sendbuf == MPI_IN_PLACE;
  if (!is_in_place && bytes_of(sendcount, sendtype) != received_bytes) {
    return tuning.leave(name_of(Collective::alltoall), unequal);
  }
  Packed received(recvbuf, recvcount, recvtype, tuned->size());
  // In place the blocks to send are those that are overwritten.
  Packed sent = is_in_place ? Packed::copy_of(recvbuf, recvcount, recvtype, tuned->size())
                            : Packed(sendbuf, sendcount, sendtype, tuned->size());
  sent.pack();
  coll::Call call = call_of_bytes(Collective::alltoall, sent.bytes(), received.bytes(),
                                  received.block_bytes(), 0);
  const int code = tuning.run(*tuned, call);
  if (code == MPI_SUCCESS) received.unpack();
  return code;
}

int reduce_scatter_block(const void* sendbuf, void* recvbuf, MPI_Count recvcount,
                         MPI_Datatype datatype, MPI_Op op, MPI_Comm comm) {
  return reduced(Collective::reduce_scatter_block, sendbuf, recvbuf, recvcount, datatype, op, 0,
                 comm);
}

}  // namespace tasuki::mpi::collectives
