// The rank of C++ in a job whose other ranks run all_named.py.
#include <cstdio>
#include <numeric>
#include <stdexcept>
#include <string>
#include <tasuki/named.hpp>
#include <tasuki/tasuki.hpp>
#include <vector>

namespace {

double total(const std::vector<double>& values) {
  return std::accumulate(values.begin(), values.end(), 0.0);
}
std::int8_t small(std::int8_t value) { return value; }
std::string joined(const std::vector<std::string>& texts, bool is_loud) {
  std::string text;
  for (const std::string& one : texts) text += one;
  return is_loud ? text + "!" : text;
}
void fail() { throw std::out_of_range("of C++"); }

const tasuki::Named total_named{"total", &total};
const tasuki::Named small_named{"small", &small};
const tasuki::Named joined_named{"joined", &joined};
const tasuki::Named fail_named{"fail_in_cpp", &fail};
const tasuki::Named<std::vector<double>(std::vector<double>)> doubled{"doubled"};
const tasuki::Named<double(int)> of_cpp{"through_cpp"};
const tasuki::Named<void()> fail_in_python{"fail_in_python"};
const tasuki::Named<std::int64_t(std::vector<std::byte>)> length{"length"};

void expect(bool is_right, const char* what) {
  if (is_right) return;
  std::printf("wrong: %s\n", what);
  throw std::logic_error(what);
}

void run_rank() {
  const int last = tasuki::size() - 1;
  expect(doubled.invoke(last, {1, 2}) == std::vector<double>{2, 4}, "a row");
  expect(doubled.invoke(last, std::vector<double>(200'000, 1.0)).size() == 200'000, "a long row");
  expect(of_cpp.invoke(last, 3) == 6.0, "a call within a call");
  expect(length.invoke(last, {std::byte{1}, std::byte{2}}) == 2, "bytes");
  try {
    fail_in_python.invoke(last);
    expect(false, "an exception");
  } catch (const tasuki::remote_error& failure) {
    expect(failure.remote_rank() == last, "the rank of an exception");
    expect(failure.text().find("ValueError: of Python") != std::string::npos, "its text");
  }
  expect(tasuki::allreduce(1 + tasuki::rank(), tasuki::Sum{}) == (last + 1) * (last + 2) / 2,
         "a reduction");
  const std::vector<double> large(100'000, 1.0);
  std::vector<double> sums(large.size());
  tasuki::allreduce(large, sums, tasuki::Sum{});
  expect(sums.back() == last + 1, "a reduction of many");
  tasuki::quiesce();
  tasuki::barrier();
}

}  // namespace

int main(int argc, char** argv) {
  if (argc > 1) {  // A call without a name, which the other program does not have.
    return tasuki::run(argc, argv, [] { tasuki::invoke(tasuki::size() - 1, fail); });
  }
  return tasuki::run(argc, argv, run_rank);
}
