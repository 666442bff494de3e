! examples/parts_of_arrays.f90
! Leaves a matrix on the ranks, and solves equations with it whose vectors are parts of arrays. The
! server is that of TASUKI_SERVER.
program parts_of_arrays
  use tasuki_client
  use, intrinsic :: iso_c_binding, only: c_int64_t
  implicit none
  integer, parameter :: n = 2
  double precision :: all(2 * n, n), vectors(n, 3)
  type(tasuki_server) :: server
  type(tasuki_kept_array) :: kept
  integer(c_int64_t) :: moved_bytes, total_bytes
  integer :: stat
  all = 0
  all(1::2, :) = reshape([2, 1, 1, 3], [n, n])
  vectors(:, 1) = [10, 5]
  call tasuki_connect(server, stat=stat)
  if (stat /= 0) then
    print "(a)", tasuki_error_text()
    stop 1
  end if
  call tasuki_set_mode(server, "hand-off")
  call tasuki_set_wire_format(server, "xdr")
  call tasuki_put(server, kept, "linpack", "solve", "A", '{"n": 2}', all(1::2, :))
  call tasuki_call(server, "linpack/solve", n, kept, vectors(n:1:-1, 1), vectors(:, 3))
  print "(2(g0.3, 1x))", vectors(:, 3)
  call tasuki_free(server, "linpack", kept)
  call tasuki_progress(server, moved_bytes, total_bytes)
  print "(2(i0, 1x))", moved_bytes, total_bytes

  call tasuki_call(server, "linpack/solve", n, all, vectors(:, 1), vectors(:, 3), stat=stat)
  print "(i0, 1x, a)", stat, tasuki_error_text()
  call tasuki_call(server, "linpack/solve", n, kept, vectors(:, 1), vectors(:, 3), stat=stat)
  print "(i0, 2(1x, a))", stat, tasuki_error_kind(), tasuki_error_text()
  print "(l1)", tasuki_may_have_run()
  call tasuki_cancel(server)  ! There is no call that it could cancel.
  call tasuki_call(server, "linpack/solve", n, all(1::2, :), vectors(n:1:-1, 1), &
                   vectors(:, 3), stat=stat)
  print "(i0, 2(1x, g0.3))", stat, vectors(:, 3)
  call tasuki_close(server)
end program
