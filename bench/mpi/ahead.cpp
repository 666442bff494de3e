// bench_ahead: what it costs and saves to do things ahead of the messages of an MPI program: the
// times behind Pages::least_bytes, and what a message costs that nothing predicts
// (docs/design/prediction.md).
#include "mpi/ahead/awaited_round.hpp"
#include "mpi/ahead/predictions.hpp"

#include <fmt/format.h>
#include <sys/mman.h>
#include <tasuki/detail/base/clock.hpp>
#include <tasuki/detail/predict/registry.hpp>

#include <cstddef>
#include <cstdint>
#include <memory>
#include <random>
#include <utility>
#include <vector>

#include "predict/quartile.hpp"

namespace tasuki::bench {
namespace {

constexpr int samples_count = 200;
constexpr int messages_count = 1000;
constexpr std::size_t page_bytes = 4096;
constexpr std::size_t pages_count = 256;
constexpr std::size_t buffer_bytes = pages_count * page_bytes;

void print(const char* name, std::vector<double> samples) {
  fmt::print("{:<64} {:>8.1f}\n", name, lower_quartile(std::move(samples)));
}

/// Prints what one of the pages of fresh memory takes.
template <class Body>
void measure_pages(const char* name, const Body& body) {
  std::vector<double> samples;
  for (int sample = 0; sample < samples_count; ++sample) {
    auto* const memory = static_cast<char*>(
        ::mmap(nullptr, buffer_bytes, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0));
    ::madvise(memory, buffer_bytes, MADV_NOHUGEPAGE);
    const std::int64_t begin_ns = base::now_ns();
    body(memory);
    samples.push_back(static_cast<double>(base::now_ns() - begin_ns) / pages_count);
    ::munmap(memory, buffer_bytes);
  }
  print(name, std::move(samples));
}

/// Prints what a message takes whose size nobody can predict, besides MPI's own work: its receive
/// polls `polls_count` times in vain.
void measure_unpredictable(const char* name, bool is_guarded, int polls_count) {
  using predict::Field;
  mpi::ahead::Report report;
  mpi::ahead::Predictions predictions(
      predict::make_predictor(predict::default_predictor(), {.form = predict::default_form}),
      is_guarded, report);
  predict::Receive receive;
  receive.arguments.message_bytes = 1000;
  for (const Field field : predict::all_fields) receive.given.insert(field);
  std::mt19937 random;
  std::vector<double> samples;
  for (int sample = 0; sample < samples_count; ++sample) {
    const std::int64_t begin_ns = base::now_ns();
    for (int i = 0; i < messages_count; ++i) {
      predictions.begin();
      predictions.expect(receive, nullptr);
      for (int poll = 0; poll < polls_count; ++poll) predictions.step();
      predict::Message message = receive.arguments;
      message.message_bytes = static_cast<std::int64_t>(random() % 1000);
      predictions.arrived(0, message);
    }
    samples.push_back(static_cast<double>(base::now_ns() - begin_ns) / messages_count);
  }
  print(name, std::move(samples));
}

/// The same of a message of a collective, whose size is known.
void measure_collective(const char* name, bool is_guarded, int polls_count) {
  mpi::ahead::Report report;
  mpi::ahead::Predictions predictions(
      predict::make_predictor(predict::default_predictor(), {.form = predict::default_form}),
      is_guarded, report);
  mpi::ahead::AwaitedRound round(predictions, 0);
  const std::vector<std::byte> memory(1000);
  std::vector<double> samples;
  for (int sample = 0; sample < samples_count; ++sample) {
    const std::int64_t begin_ns = base::now_ns();
    for (int i = 0; i < messages_count; ++i) {
      const std::size_t number = round.expect(1, memory);
      for (int poll = 0; poll < polls_count; ++poll) round.step();
      round.arrived(number);
    }
    samples.push_back(static_cast<double>(base::now_ns() - begin_ns) / messages_count);
  }
  print(name, std::move(samples));
}

}  // namespace

}  // namespace tasuki::bench

int main() {
  using namespace tasuki;
  using namespace tasuki::bench;
  fmt::print("{:<64} {:>8}\n", "ahead of a message", "ns");
  measure_pages("a page of fresh memory, by a store", [](char* memory) {
    for (std::size_t i = 0; i < pages_count; ++i) {
      static_cast<volatile char*>(memory)[i * page_bytes] = 1;
    }
  });
  measure_pages("the same ahead, page by page", [](char* memory) {
    mpi::ahead::Pages pages(memory, buffer_bytes);
    while (!pages.is_empty()) pages.touch_next();
  });
  measure_pages("asking whether a page is there", [](char* memory) {
    unsigned char residency = 0;
    for (std::size_t i = 0; i < pages_count; ++i) {
      ::mincore(memory + i * page_bytes, page_bytes, &residency);
    }
  });
  measure_unpredictable("a message of random size that is there, guarded", true, 0);
  measure_unpredictable("the same after a wait, guarded", true, 2);
  measure_unpredictable("the same after a wait, always", false, 2);
  measure_collective("a message of a collective that is there, guarded", true, 0);
  measure_collective("the same after a wait, guarded", true, 2);
  measure_collective("the same after a wait, always", false, 2);
  return 0;
}
