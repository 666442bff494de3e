#include "sssp/load.hpp"

#include <gtest/gtest.h>

#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <new>

#include "apps/sssp/temporary_file.hpp"
#include "apps/sssp/thread_exchange.hpp"
#include "common/usage_error.hpp"
#include "sssp/agreement.hpp"
#include "sssp/node.hpp"
#include "sssp/problem.hpp"

namespace tasuki::sssp {
namespace {

/// While it lives, `new` of more bytes throws bad_alloc in this thread.
class LargestBlock {
 public:
  explicit LargestBlock(std::size_t bytes) { most_bytes = bytes; }
  ~LargestBlock() { most_bytes = SIZE_MAX; }
  LargestBlock(const LargestBlock&) = delete;
  LargestBlock& operator=(const LargestBlock&) = delete;

  static void* allocate(std::size_t bytes, std::size_t alignment) {
    if (bytes > most_bytes) throw std::bad_alloc();
    // Sizes that std::aligned_alloc takes are multiples of the alignment.
    void* block = std::aligned_alloc(alignment, (bytes + alignment - 1) / alignment * alignment);
    if (block == nullptr) throw std::bad_alloc();
    return block;
  }

 private:
  static inline thread_local std::size_t most_bytes = SIZE_MAX;
};

}  // namespace
}  // namespace tasuki::sssp

void* operator new(std::size_t bytes) {
  return tasuki::sssp::LargestBlock::allocate(bytes, alignof(std::max_align_t));
}
void* operator new(std::size_t bytes, std::align_val_t alignment) {
  return tasuki::sssp::LargestBlock::allocate(bytes, static_cast<std::size_t>(alignment));
}
void operator delete(void* block) noexcept { std::free(block); }
void operator delete(void* block, std::size_t) noexcept { std::free(block); }
void operator delete(void* block, std::align_val_t) noexcept { std::free(block); }
void operator delete(void* block, std::size_t, std::align_val_t) noexcept { std::free(block); }

namespace tasuki::sssp {
namespace {

constexpr int ranks = 3;

Options options_of(const std::string& graph) {
  Options options;
  options.graph = graph;
  return options;
}

/// Runs `work(exchange)` on all ranks. Returns: what each has thrown, by rank.
template <class Work>
std::vector<std::string> errors_of(Work work) {
  std::vector<std::string> errors(ranks);
  apps::ThreadRanks threads(ranks);
  threads.run([&](int rank) {
    ThreadExchange exchange(threads, rank, ranks);
    try {
      work(exchange);
    } catch (const std::runtime_error& error) {
      errors[static_cast<std::size_t>(rank)] = error.what();
    }
  });
  return errors;
}

void expect_error_everywhere(const Options& options, const std::string& text) {
  const auto errors = errors_of([&](Exchange& exchange) { Problem(options, exchange); });
  EXPECT_NE(errors[0].find(text), std::string::npos) << errors[0];
  for (const std::string& error : errors) EXPECT_NE(error, "");
}

TEST(Load, GivesAllRanksTheGraph) {
  const TemporaryFile file(".gr", "p sp 3 3\na 1 2 5\na 3 1 6\na 1 3 7\n");
  const auto errors = errors_of([&](Exchange& exchange) {
    const Graph graph = load(file.path(), exchange);
    EXPECT_EQ(graph.begins, (std::vector<std::uint32_t>{0, 2, 2, 3}));
    EXPECT_EQ(graph.arcs, (std::vector<Arc>{{1, 5}, {2, 7}, {0, 6}}));
    EXPECT_EQ(graph.first_number, 1U);
  });
  EXPECT_EQ(errors, std::vector<std::string>(ranks));
}

TEST(Load, FailsOnAllRanksAndRankZeroSaysWhy) {
  const TemporaryFile file(".gr", "p sp 3 3\na 1 4 5\n");
  expect_error_everywhere(options_of(file.path()), ".gr:2: node 4 is out of range");
  expect_error_everywhere(options_of(file.path() + "x"), "cannot open it");
}

TEST(Load, RejectsNodesThatNoArcCouldName) {
  const TemporaryFile file(".el", "0 2147483646\n");
  expect_error_everywhere(options_of(file.path()),
                          "almost none of its 2147483647 nodes has an arc");
}

/// A path of so many nodes that what is taken by node needs a large block.
std::string long_path() {
  std::string lines;
  for (int node = 0; node < 20'000; ++node) lines += fmt::format("{} {}\n", node, node + 1);
  return lines;
}

TEST(Load, FailsOnAllRanksIfOneHasNoMemory) {
  const TemporaryFile file(".el", long_path());
  Options options = options_of(file.path());
  options.partition = "block";
  const std::vector<std::string> expected(ranks, lack_of_memory(file.path(), 1).what());
  EXPECT_EQ(errors_of([&](Exchange& exchange) {
              const LargestBlock little(exchange.rank() == 1 ? 1000 : SIZE_MAX);
              load(file.path(), exchange);
            }),
            expected);
  EXPECT_EQ(errors_of([&](Exchange& exchange) {
              const Graph graph = load(file.path(), exchange);
              const LargestBlock little(exchange.rank() > 0 ? 1000 : SIZE_MAX);
              divide(graph, options, exchange);
            }),
            expected);
  EXPECT_EQ(errors_of([&](Exchange& exchange) {
              const Problem problem(options, exchange);
              const LargestBlock little(exchange.rank() == 1 ? 1000 : SIZE_MAX);
              search(options, problem, exchange);
            }),
            expected);
}

TEST(Load, FailsOnAllRanksIfRankZeroHasNoMemory) {
  const TemporaryFile file(".el", long_path());
  const auto errors = errors_of([&](Exchange& exchange) {
    const LargestBlock little(exchange.rank() == 0 ? 1000 : SIZE_MAX);
    load(file.path(), exchange);
  });
  EXPECT_NE(errors[0].find("not enough memory for it on rank 0"), std::string::npos) << errors[0];
  for (const std::string& error : errors) EXPECT_NE(error, "");
}

TEST(Node, EndsTheJobOnARankThatRunsOutOfMemoryLater) {
  const auto search = [](const Options&) -> int { throw std::bad_alloc(); };
  EXPECT_THROW(
      {
        try {
          reporting_graph_errors(2, search, options_of("town.gr"));
        } catch (const graph_error&) {
          ADD_FAILURE() << "others would take it for one that all ranks have";
        }
      },
      std::runtime_error);
}

TEST(Problem, RejectsWhatDoesNotFitTheGraphOnAllRanks) {
  const TemporaryFile file(".gr", "p sp 2 1\na 1 2 4294967295\n");
  Options options = options_of(file.path());
  options.partition = "block";
  options.source = 0;
  expect_error_everywhere(options, "there is no node 0. Remedy: --source must be from 1 to 2");
  options.source = 3;
  expect_error_everywhere(options, "there is no node 3. Remedy: --source must be from 1 to 2");
  options.source = 2;
  options.delta = 4096;
  expect_error_everywhere(options, "use --delta 4097 or more");
  options.delta = 4097;
  EXPECT_EQ(errors_of([&](Exchange& exchange) {
              const Problem problem(options, exchange);
              EXPECT_EQ(problem.source, 1U);
              EXPECT_EQ(problem.cut(), 1U);
            }),
            std::vector<std::string>(ranks));
  options.method = "dijkstra";
  expect_error_everywhere(options, "--method dijkstra is for one rank");
}

TEST(Problem, RejectsAGraphWithoutNodes) {
  const TemporaryFile file(".el", "# nothing\n");
  expect_error_everywhere(options_of(file.path()), "the graph has no nodes");
}

}  // namespace
}  // namespace tasuki::sssp
