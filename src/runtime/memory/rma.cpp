#include <fmt/format.h>

#include <algorithm>
#include <atomic>
#include <limits>
#include <memory>
#include <tasuki/call.hpp>
#include <tasuki/detail/base/assert.hpp>
#include <tasuki/detail/runtime/memory/rma.hpp>
#include <tasuki/error.hpp>
#include <vector>

#include "runtime/memory/bulk.hpp"
#include "runtime/memory/heap_check.hpp"
#include "runtime/memory/puts.hpp"

namespace tasuki::runtime {
namespace {

/// A fiber's wait for the local completion of a bulk message it sends.
struct LocalCompletion : transport::Completion {
  Promise<void> promise;
  LocalCompletion() {
    done = [](transport::Completion* self) {
      static_cast<LocalCompletion*>(self)->promise.set_value();
    };
  }
};

/// Where this process can write or read at once, else nullptr.
std::byte* addressable(World& world, RemoteAddress at, std::size_t bytes) {
  if (at.rank == world.rank()) return reinterpret_cast<std::byte*>(at.address);
  return world.find_mapping(at.rank, at.address, bytes);
}

void handle_get_small(World& world, int, Reader& reader) {
  auto* state = reinterpret_cast<FutureState<void>*>(reader.read<std::uint64_t>());
  auto* into = reinterpret_cast<std::byte*>(reader.read<std::uintptr_t>());
  reader.read_bytes(into, reader.read<std::uint64_t>());
  state->set_value();
  state->release();
  ++world.transfers().done;
}

struct BulkGetArrival : transport::Completion {
  World* world;
  FutureState<void>* state;
};

void handle_get_bulk(World& world, int, Reader& reader) {
  auto* arrival = new BulkGetArrival;
  arrival->world = &world;
  arrival->state = reinterpret_cast<FutureState<void>*>(reader.read<std::uint64_t>());
  auto* into = reinterpret_cast<std::byte*>(reader.read<std::uintptr_t>());
  arrival->done = [](transport::Completion* self) {
    const std::unique_ptr<BulkGetArrival> owned(static_cast<BulkGetArrival*>(self));
    owned->state->complete_by_poller();
    owned->state->release();
    ++owned->world->transfers().done;
  };
  accept_bulk(world, world.bulk_arrival().token, into, arrival);
}

struct GetRequest {
  std::uintptr_t from;
  std::uintptr_t into;
  std::uint64_t bytes;
  std::uint64_t state;
};

void handle_get_failed(World& world, int, Reader& reader) {
  auto* state = reinterpret_cast<FutureState<void>*>(reader.read<std::uint64_t>());
  const auto text = Codec<std::string>::read(world, reader);
  state->fail(std::make_exception_ptr(
      error("remote read", text,
            "do not use a global pointer after delete_, nor beyond the end of its array")));
  state->release();
  ++world.transfers().done;
}

void handle_get_request(World& world, int source, Reader& reader) {
  const auto request = reader.read<GetRequest>();
  try {
    check_live(world, {world.rank(), request.from}, request.bytes, "remote read");
  } catch (const error& e) {
    send_answer(world, source, &handle_get_failed, request.state, e.happened());
    return;
  }
  World::touching(source, request.from, request.bytes, "remote read");
  const auto* data = reinterpret_cast<const std::byte*>(request.from);
  const std::size_t record_bytes = 3 * sizeof(std::uint64_t) + request.bytes;
  if (record_bytes + 2 * record_word_bytes <= world.largest_record_bytes()) {
    auto fill = [&](Writer& to) noexcept {
      to.write(request.state);
      to.write(request.into);
      to.write(request.bytes);
      to.write_bytes(data, request.bytes);
    };
    world.send_record<RecordPurpose::answer>(source, &handle_get_small, record_bytes, fill);
    return;
  }
  LocalCompletion sent;
  Future<void> local = sent.promise.future();
  auto fill = [&](Writer& to) noexcept {
    to.write(request.state);
    to.write(request.into);
  };
  world.send_bulk(source, &handle_get_bulk, 2 * sizeof(std::uint64_t), FillReference(fill),
                  {data, request.bytes}, &sent);
  local.get();  // keeps `sent` alive; this handler becomes a fiber meanwhile
}

/// No object is larger than what pointer differences can say, nor does one wrap around.
void check_length(RemoteAddress at, std::size_t bytes, const char* operation) {
  constexpr std::size_t most_bytes = std::numeric_limits<std::ptrdiff_t>::max();
  if (bytes <= most_bytes && at.address <= std::numeric_limits<std::uintptr_t>::max() - bytes) {
    return;
  }
  throw error(operation,
              fmt::format("rank {} has no memory of {} bytes at {:#x}", at.rank, bytes, at.address),
              "check the count: it is in elements, and unsigned, so that -1 is very many");
}

}  // namespace

void throw_null(const char* operation) {
  throw error(operation, "the global pointer is null",
              "let it point to an object first (new_, new_array, or GlobalPtr<T>(rank, address))");
}

std::byte* find_local_view(World& world, RemoteAddress at, std::size_t bytes,
                           const char* operation) {
  if (at.address == 0) [[unlikely]] {
    throw_null(operation);
  }
  world.check_rank(at.rank, operation);
  check_length(at, bytes, operation);
  check_live(world, at, bytes, operation);
  return addressable(world, at, bytes);
}

void put_elsewhere(RemoteAddress to, std::span<const std::byte> data) {
  World& world = World::current();
  if (data.empty()) return;
  if (std::byte* here = find_local_view(world, to, data.size(), "remote write")) {
    std::memcpy(here, data.data(), data.size());
    return;
  }
  if (world.transport().put_private(to.rank, to.address, data)) return;
  world.puts().send(to.rank, {{to.address, data.size(), {}}}, data);
}

Future<void> put_async(World& world, RemoteAddress to, std::span<const std::byte> data) {
  std::byte* const here = local_view(world, to, data.size(), "remote write");
  if (data.empty()) return ready_future();
  if (here != nullptr) {
    std::memcpy(here, data.data(), data.size());
    return ready_future();
  }
  if (world.transport().put_private(to.rank, to.address, data)) return ready_future();
  auto* state = new FutureState<void>;
  Future<void> future(state);
  state->retain();
  state->set_reason({fiber::WaitKind::transfer, to.rank});
  world.puts().send(to.rank,
                    {{to.address, data.size(), {}}, reinterpret_cast<std::uint64_t>(state)}, data);
  return future;
}

void get_elsewhere(RemoteAddress from, std::span<std::byte> into) {
  World& world = World::current();
  if (into.empty()) return;
  if (const std::byte* here = find_local_view(world, from, into.size(), "remote read")) {
    std::memcpy(into.data(), here, into.size());
    return;
  }
  get_async(world, from, into).get();
}

Future<void> get_async(World& world, RemoteAddress from, std::span<std::byte> into) {
  const std::byte* const here = local_view(world, from, into.size(), "remote read");
  if (into.empty()) return ready_future();
  if (here != nullptr) {
    std::memcpy(into.data(), here, into.size());
    return ready_future();
  }
  if (world.transport().get_private(from.rank, from.address, into)) return ready_future();
  auto* state = new FutureState<void>;
  Future<void> future(state);
  state->retain();
  state->set_reason({fiber::WaitKind::transfer, from.rank});
  ++world.transfers().begun;
  send_values(world, from.rank, &handle_get_request,
              GetRequest{from.address, reinterpret_cast<std::uintptr_t>(into.data()), into.size(),
                         reinterpret_cast<std::uint64_t>(state)});
  return future;
}

void put_strided(RemoteAddress to, const std::byte* from, const Strided& layout) {
  for (std::size_t i = 0; i < layout.count; ++i) {
    put({to.rank, to.address + i * layout.remote_stride_bytes},
        {from + i * layout.local_stride_bytes, layout.block_bytes});
  }
}

void get_strided(World& world, RemoteAddress from, std::byte* to, const Strided& layout) {
  std::vector<Future<void>> rows;
  rows.reserve(layout.count);
  for (std::size_t i = 0; i < layout.count; ++i) {
    rows.push_back(get_async(world, {from.rank, from.address + i * layout.remote_stride_bytes},
                             {to + i * layout.local_stride_bytes, layout.block_bytes}));
  }
  for (Future<void>& row : rows) row.get();
}

void put_signal(World& world, RemoteAddress to, std::span<const std::byte> data,
                RemoteAddress signal_at, std::uint64_t increment) {
  if (signal_at.rank != to.rank && signal_at.address != 0) {
    throw error(
        "remote write with signal",
        fmt::format("the data are for rank {}, the signal is on rank {}", to.rank, signal_at.rank),
        "use a signal on the same rank as the data");
  }
  const Signal signal{signal_at.address, increment};
  std::byte* data_here = local_view(world, to, data.size(), "remote write with signal");
  std::byte* signal_here =
      local_view(world, signal_at, sizeof(std::uint64_t), "remote write with signal");
  if (signal_here != nullptr &&
      (data_here != nullptr || world.transport().put_private(to.rank, to.address, data))) {
    if (data_here != nullptr && !data.empty()) {
      std::memcpy(data_here, data.data(), data.size());
    }
    // Else the signal follows those that are on their way.
    if (!world.puts().may_raise_signals(to.rank)) {
      return world.puts().send(to.rank, {{to.address, 0, signal}}, {});
    }
    raise_signal({reinterpret_cast<std::uintptr_t>(signal_here), increment});
    if (to.rank != world.rank()) world.transport().notify(to.rank);
    return;
  }
  world.puts().send(to.rank, {{to.address, data.size(), signal}}, data);
}

void wait_signal(World& world, const std::uint64_t* signal, std::uint64_t value) {
  // atomic_ref of const is C++26; the load itself writes nothing.
  std::atomic_ref word(const_cast<std::uint64_t&>(*signal));
  world.wait_until(
      [&] {
        const std::uint64_t now = word.load(std::memory_order_acquire);
        return static_cast<std::int64_t>(now - value) >= 0;
      },
      {fiber::WaitKind::transfer});
}

}  // namespace tasuki::runtime
