// examples/mpi_executor.cpp
#include <mpi.h>
#include <tasuki/mpi_executor.hpp>

#include <cstdio>
#include <vector>

int main(int argc, char** argv) {
  namespace coll = tasuki::coll;
  MPI_Init(&argc, &argv);
  {
    tasuki::mpi::Executor executor(MPI_COMM_WORLD);
    coll::Shape shape;
    shape.element_bytes = sizeof(double);
    shape.count = 1000;
    shape.commutative = true;  // As additions are; the ring needs it.
    const std::vector<double> mine(shape.count, executor.rank() + 1.0);
    std::vector<double> sums(shape.count);
    const auto& ring = coll::algorithm_named(coll::Collective::allreduce, "ring");
    const auto sum = coll::reduce_op<double>(tasuki::Sum{});
    executor.run(ring, {}, shape, mine.data(), sums.data(), &sum);
    if (executor.rank() == 0) std::printf("%d ranks: %g\n", executor.size(), sums.back());
  }
  MPI_Finalize();
}
