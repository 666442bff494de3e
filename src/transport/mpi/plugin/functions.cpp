// The table of MPI functions; compiled once for each MPI with that MPI's own mpi.h.
#include "transport/mpi/functions.hpp"

#include <dlfcn.h>
#include <mpi.h>
#include <unistd.h>
#if !defined(OPEN_MPI) && !defined(MPICH_VERSION)
#define TASUKI_SIMULATED_MPI 1  // SimGrid's SMPI
#include <smpi/smpi.h>
#include <xbt/config.h>
#endif

#include <array>
#include <cstdlib>
#include <cstring>
#include <initializer_list>
#include <utility>
#include <vector>

namespace tasuki::transport::mpi {
namespace {

static_assert(sizeof(MPI_Request) <= sizeof(Request));

// Largest message (with our header) that goes eagerly between ranks of a node, where handing over
// costs most. Streams between 2 ranks of one machine take 0.40 us for 4000 bytes and
// 0.93 us for 4096 with Open MPI 4.1 (btl_vader_eager_limit less the header of its point-to-point
// layer; that of 5.0 is longer, so that 4032 bytes fit 4.1 only); there is no such step up to 8 KiB
// with MPICH 4.0. From which size on data go by themselves is measured in
// docs/design/bulk-over-mpi.md. Up to which size a send is tested at once, so that its buffer is
// used again while it is in the cache: streams of 4000 bytes take 0.60 instead of 0.68 us with
// MPICH, and 0.92 instead of 0.70 us with Open MPI, which has completed those of up to 256 bytes
// when MPI_Isend returns and needs no request for them.
#if defined(TASUKI_SIMULATED_MPI)
constexpr const char* family = "smpi";
constexpr std::size_t best_bytes = 8192;
// SimGrid matches a message with a receive when it is sent, not when it arrives, so that a long one
// that shares its links holds up all that were sent later. IS class W on 32 nodes with Ethernet
// takes 0.17 simulated seconds with 1024, 0.53 with 4096, 0.66 with 16384; over MPI 0.29.
constexpr std::size_t bulk_least_bytes = 1024;
constexpr std::size_t posted_least_bytes = 1024;
constexpr std::size_t tested_sends_most_bytes = best_bytes;
constexpr bool is_simulated = true;
// By default each MPI_Test lets 100 us pass, so that loops around it end; ours wait inside MPI.
void set_up_simulation() { sg_cfg_set_double("smpi/test", 0); }
void sleep_by_its_clock(useconds_t time_us) { smpi_usleep(time_us); }
#else
#if defined(OPEN_MPI)
constexpr const char* family = "ompi";
constexpr std::size_t best_bytes = 3968;
constexpr std::size_t bulk_least_bytes = 12288;
constexpr std::size_t posted_least_bytes = 12288;
constexpr std::size_t tested_sends_most_bytes = 256;
#else
constexpr const char* family = "mpich";
constexpr std::size_t best_bytes = 8192;
constexpr std::size_t bulk_least_bytes = 24576;
constexpr std::size_t posted_least_bytes = 6144;
constexpr std::size_t tested_sends_most_bytes = best_bytes;
#endif
constexpr bool is_simulated = false;
void set_up_simulation() {}
void sleep_by_its_clock(useconds_t time_us) { ::usleep(time_us); }
#endif

#if defined(OPEN_MPI)
/// What Open MPI gives for every send that is complete when MPI_Isend returns; it needs no test.
MPI_Request complete_send = MPI_REQUEST_NULL;

int find_complete_send(MPI_Comm communicator) {
  MPI_Request sent_to_nobody = MPI_REQUEST_NULL;
  const int failure =
      MPI_Isend(nullptr, 0, MPI_BYTE, MPI_PROC_NULL, 0, communicator, &sent_to_nobody);
  complete_send = sent_to_nobody;
  return failure == MPI_SUCCESS ? MPI_Wait(&sent_to_nobody, MPI_STATUS_IGNORE) : failure;
}
bool is_complete_send(MPI_Request sent) { return sent == complete_send; }

/// mpirun has the library's progress yield (mpi_yield_when_idle) where a host has fewer slots than
/// ranks; but slots may be more than cores, and then a message between ranks that share a core
/// takes a time slice if nobody yields. If both do, an allreduce of 4 bytes between 4 ranks on 2
/// cores takes 10.9 instead of 3.0 us.
bool yields_in_tests() {
  const void* const yields = ::dlsym(RTLD_DEFAULT, "opal_progress_yield_when_idle");
  return yields != nullptr && *static_cast<const bool*>(yields);
}

void have_errors_of_requests_returned() {}
struct OwnCall {};
#else
int find_complete_send(MPI_Comm) { return MPI_SUCCESS; }
bool is_complete_send(MPI_Request) { return false; }

bool yields_in_tests() { return false; }

// MPICH has errors of requests come to the handler of MPI_COMM_WORLD or MPI_COMM_SELF, whichever
// communicator a request belongs to. Those of our requests are to be returned; those of the
// program's own calls end it as ever.
bool is_own_call = false;

struct OwnCall {
  OwnCall() { is_own_call = true; }
  ~OwnCall() { is_own_call = false; }
};

void on_error(MPI_Comm* communicator, int* code, ...) {
  if (is_own_call) return;
  MPI_Comm_set_errhandler(*communicator, MPI_ERRORS_ARE_FATAL);
  MPI_Comm_call_errhandler(*communicator, *code);
}

void have_errors_of_requests_returned() {
  if (is_simulated) return;
  MPI_Errhandler handler = MPI_ERRHANDLER_NULL;
  MPI_Comm_create_errhandler(&on_error, &handler);
  for (const MPI_Comm own : {MPI_COMM_WORLD, MPI_COMM_SELF}) MPI_Comm_set_errhandler(own, handler);
  MPI_Errhandler_free(&handler);
}
#endif

MPI_Comm communicator_of(void* communicator) { return *static_cast<MPI_Comm*>(communicator); }

MPI_Request load(const Request& request) {
  MPI_Request loaded;
  std::memcpy(static_cast<void*>(&loaded), &request.word, sizeof(MPI_Request));
  return loaded;
}

void store(Request& request, MPI_Request stored) {
  std::memcpy(&request.word, static_cast<const void*>(&stored), sizeof(MPI_Request));
}

int start(const void* user_communicator, bool with_threads, Job* job) {
  int is_finalized = 0;
  MPI_Finalized(&is_finalized);
  if (is_finalized != 0) return -1;
  int is_initialized = 0;
  MPI_Initialized(&is_initialized);
  if (is_initialized == 0) {
    int provided = 0;
    const int wanted = with_threads ? MPI_THREAD_FUNNELED : MPI_THREAD_SINGLE;
    const int failure = MPI_Init_thread(nullptr, nullptr, wanted, &provided);
    if (failure != MPI_SUCCESS) return failure;
    job->initialized_by_us = true;
    have_errors_of_requests_returned();
  }
  const MPI_Comm parent = user_communicator != nullptr
                              ? *static_cast<const MPI_Comm*>(user_communicator)
                              : MPI_COMM_WORLD;
  set_up_simulation();
  for (void** made : {&job->communicator, &job->bulk_communicator, &job->mpi_communicator}) {
    auto* duplicate = new MPI_Comm(MPI_COMM_NULL);
    *made = static_cast<void*>(duplicate);
    const int failure = MPI_Comm_dup(parent, duplicate);
    if (failure != MPI_SUCCESS) return failure;
    MPI_Comm_set_errhandler(*duplicate, MPI_ERRORS_RETURN);
  }
  const MPI_Comm communicator = communicator_of(job->communicator);
  MPI_Comm_rank(communicator, &job->rank);
  MPI_Comm_size(communicator, &job->size);
  MPI_Comm_size(MPI_COMM_WORLD, &job->world_size);
  int* tag_most = nullptr;
  int has_tag_most = 0;
  MPI_Comm_get_attr(communicator, MPI_TAG_UB, static_cast<void*>(&tag_most), &has_tag_most);
  job->tag_most = has_tag_most != 0 ? *tag_most : 32767;  // the least that the standard allows
  job->best_bytes = best_bytes;
  job->bulk_least_bytes = bulk_least_bytes;
  job->posted_least_bytes = posted_least_bytes;
  job->is_simulated = is_simulated;
  return find_complete_send(communicator);
}

void stop(Job* job) {
  if (job->communicator == nullptr) return;
  for (void** made : {&job->communicator, &job->bulk_communicator, &job->mpi_communicator}) {
    auto* duplicate = static_cast<MPI_Comm*>(*made);
    if (duplicate == nullptr) continue;  // `start` came no further.
    if (*duplicate != MPI_COMM_NULL) MPI_Comm_free(duplicate);
    delete duplicate;
    *made = nullptr;
  }
  if (job->initialized_by_us) MPI_Finalize();
}

void abort(const Job* job, int exit_code) {
  MPI_Abort(job->communicator != nullptr ? communicator_of(job->communicator) : MPI_COMM_WORLD,
            exit_code);
  std::_Exit(exit_code);
}

void describe_error(int code, char* text, std::size_t text_bytes) {
  std::array<char, MPI_MAX_ERROR_STRING + 1> message{};
  int length = 0;
  if (code < 0 || MPI_Error_string(code, message.data(), &length) != MPI_SUCCESS) {
    std::strncpy(message.data(), "MPI has been finalized already", message.size() - 1);
  }
  std::strncpy(text, message.data(), text_bytes - 1);
  text[text_bytes - 1] = '\0';
}

bool is_too_long(int code) {
  int kind = MPI_SUCCESS;
  return MPI_Error_class(code, &kind) == MPI_SUCCESS && kind == MPI_ERR_TRUNCATE;
}

int send(void* communicator, const void* data, std::size_t bytes, int rank, int tag,
         Request* request, bool* is_done) {
  MPI_Request sent = MPI_REQUEST_NULL;
  const int failure = MPI_Isend(data, static_cast<int>(bytes), MPI_BYTE, rank, tag,
                                communicator_of(communicator), &sent);
  int flag = is_complete_send(sent) ? 1 : 0;
  if (flag == 0 && failure == MPI_SUCCESS && bytes <= tested_sends_most_bytes) {
    MPI_Test(&sent, &flag, MPI_STATUS_IGNORE);
  }
  *is_done = flag != 0;
  store(*request, sent);
  return failure;
}

int send_synchronously(void* communicator, const void* data, std::size_t bytes, int rank, int tag,
                       Request* request, bool* is_done) {
  MPI_Request sent = MPI_REQUEST_NULL;
  const int failure = MPI_Issend(data, static_cast<int>(bytes), MPI_BYTE, rank, tag,
                                 communicator_of(communicator), &sent);
  *is_done = false;
  store(*request, sent);
  return failure;
}

int receive(void* communicator, void* data, std::size_t bytes, int source, int tag,
            Request* request) {
  MPI_Request posted = MPI_REQUEST_NULL;
  const int failure =
      MPI_Irecv(data, static_cast<int>(bytes), MPI_BYTE, source < 0 ? MPI_ANY_SOURCE : source, tag,
                communicator_of(communicator), &posted);
  store(*request, posted);
  return failure;
}

void fill(Status* to, const MPI_Status& from) {
  int count = 0;
  MPI_Get_count(&from, MPI_BYTE, &count);
  *to = {from.MPI_SOURCE, static_cast<std::size_t>(count)};
}

int test(Request* request, bool* is_done, Status* status) {
  [[maybe_unused]] const OwnCall call;
  MPI_Request tested = load(*request);
  MPI_Status found;
  int flag = 0;
  const int failure = MPI_Test(&tested, &flag, status != nullptr ? &found : MPI_STATUS_IGNORE);
  *is_done = flag != 0;
  if (flag == 0) return failure;
  store(*request, tested);
  if (status != nullptr) fill(status, found);
  return failure;
}

int test_any(Request* requests, int count, int* index, bool* is_done, Status* status) {
  [[maybe_unused]] const OwnCall call;
  std::array<MPI_Request, test_any_most> tested;
  for (int i = 0; i < count; ++i) tested[static_cast<std::size_t>(i)] = load(requests[i]);
  int flag = 0;
  MPI_Status found;
  const int failure = MPI_Testany(count, tested.data(), index, &flag,
                                  status != nullptr ? &found : MPI_STATUS_IGNORE);
  *is_done = flag != 0 && *index != MPI_UNDEFINED;
  if (!*is_done) return failure;
  store(requests[*index], tested[static_cast<std::size_t>(*index)]);
  if (status != nullptr) fill(status, found);
  return failure;
}

int wait_any(Request* const* requests, int count, int* index, Status* status) {
  std::vector<MPI_Request> waited;
  waited.reserve(static_cast<std::size_t>(count));
  for (int i = 0; i < count; ++i) waited.push_back(load(*requests[i]));
  MPI_Status found;
  const int failure = MPI_Waitany(count, waited.data(), index, &found);
  if (failure != MPI_SUCCESS || *index == MPI_UNDEFINED) return failure;
  store(*requests[*index], waited[static_cast<std::size_t>(*index)]);
  fill(status, found);
  return failure;
}

int cancel_receive(Request* request) {
  MPI_Request cancelled = load(*request);
  if (cancelled == MPI_REQUEST_NULL) return MPI_SUCCESS;
  const int failure = MPI_Cancel(&cancelled);
  if (failure != MPI_SUCCESS) return failure;
  const int failure_of_wait = MPI_Wait(&cancelled, MPI_STATUS_IGNORE);
  store(*request, cancelled);
  return failure_of_wait;
}

std::int64_t now_ns() noexcept { return static_cast<std::int64_t>(MPI_Wtime() * 1e9); }

void sleep(std::int64_t time_us) { sleep_by_its_clock(static_cast<useconds_t>(time_us)); }

int allgather(void* communicator, const void* own, std::size_t bytes, void* all) {
  return MPI_Allgather(own, static_cast<int>(bytes), MPI_BYTE, all, static_cast<int>(bytes),
                       MPI_BYTE, communicator_of(communicator));
}

/// What MPI calls `name`, by the table.
template <class Name, class Handle>
Handle handle_of(Name name, std::initializer_list<std::pair<Name, Handle>> table, Handle other) {
  for (const auto& [known, handle] : table) {
    if (known == name) return handle;
  }
  return other;
}

MPI_Datatype datatype_of(base::ElementType element) {
  using enum base::ElementType;
  return handle_of<base::ElementType, MPI_Datatype>(element,
                                                    {{int8, MPI_INT8_T},
                                                     {int16, MPI_INT16_T},
                                                     {int32, MPI_INT32_T},
                                                     {int64, MPI_INT64_T},
                                                     {uint8, MPI_UINT8_T},
                                                     {uint16, MPI_UINT16_T},
                                                     {uint32, MPI_UINT32_T},
                                                     {uint64, MPI_UINT64_T},
                                                     {float32, MPI_FLOAT},
                                                     {float64, MPI_DOUBLE}},
                                                    MPI_BYTE);
}

MPI_Op operator_of(base::Operator op) {
  using enum base::Operator;
  return handle_of<base::Operator, MPI_Op>(op,
                                           {{sum, MPI_SUM},
                                            {product, MPI_PROD},
                                            {minimum, MPI_MIN},
                                            {maximum, MPI_MAX},
                                            {logical_and, MPI_LAND},
                                            {logical_or, MPI_LOR},
                                            {logical_xor, MPI_LXOR},
                                            {bitwise_and, MPI_BAND},
                                            {bitwise_or, MPI_BOR},
                                            {bitwise_xor, MPI_BXOR}},
                                           MPI_OP_NULL);
}

/// Data that are only moved travel as bytes.
int begin(const MpiCollective& call, MPI_Comm all, MPI_Request* request) {
  using enum base::Collective;
  const void* const input = call.input != nullptr ? call.input : MPI_IN_PLACE;
  void* const output = call.output;
  const int count = static_cast<int>(call.count);
  const int bytes = static_cast<int>(call.count * call.element_bytes);
  const MPI_Datatype type = datatype_of(call.arithmetic.element);
  const MPI_Op op = operator_of(call.arithmetic.op);
  switch (call.collective) {
    case reduce:
      return MPI_Ireduce(input, output, count, type, op, call.root, all, request);
    case allreduce:
      return MPI_Iallreduce(input, output, count, type, op, all, request);
    case reduce_scatter_block:
      return MPI_Ireduce_scatter_block(input, output, count, type, op, all, request);
    case scan:
      return MPI_Iscan(input, output, count, type, op, all, request);
    case exscan:
      return MPI_Iexscan(input, output, count, type, op, all, request);
    case barrier:
      return MPI_Ibarrier(all, request);
    case broadcast:
      return MPI_Ibcast(output, bytes, MPI_BYTE, call.root, all, request);
    case gather:
      return MPI_Igather(input, bytes, MPI_BYTE, output, bytes, MPI_BYTE, call.root, all, request);
    case scatter:
      return MPI_Iscatter(input, bytes, MPI_BYTE, output != nullptr ? output : MPI_IN_PLACE, bytes,
                          MPI_BYTE, call.root, all, request);
    case allgather:
      return MPI_Iallgather(input, bytes, MPI_BYTE, output, bytes, MPI_BYTE, all, request);
    case alltoall:
      return MPI_Ialltoall(input, bytes, MPI_BYTE, output, bytes, MPI_BYTE, all, request);
    case gatherv:
    case scatterv:
    case allgatherv:
    case alltoallv:
    case reduce_scatter:
      break;  // They have no algorithm `native`.
  }
  return MPI_ERR_OTHER;
}

int start_collective(void* communicator, const MpiCollective* call, Request* request) {
  MPI_Request started = MPI_REQUEST_NULL;
  const int failure = begin(*call, communicator_of(communicator), &started);
  store(*request, started);
  return failure;
}

constexpr Functions functions = {
    functions_version,
    family,
    &start,
    &stop,
    &abort,
    &describe_error,
    &is_too_long,
    &send,
    &send_synchronously,
    &receive,
    &test,
    &test_any,
    &wait_any,
    &cancel_receive,
    &now_ns,
    &sleep,
    &allgather,
    &start_collective,
    &yields_in_tests,
};

}  // namespace
}  // namespace tasuki::transport::mpi

extern "C" const tasuki::transport::mpi::Functions* tasuki_mpi_functions() {
  return &tasuki::transport::mpi::functions;
}
