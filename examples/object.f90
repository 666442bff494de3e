! examples/object.f90
! Counts with two objects of examples/counter.idl on the server that TASUKI_SERVER names, and tells
! where the time of the last call went.
program object
  use tasuki_client
  use, intrinsic :: iso_c_binding, only: c_int64_t
  implicit none
  type(tasuki_server) :: server
  type(tasuki_object) :: first, second
  type(tasuki_report) :: report
  integer(c_int64_t) :: now
  integer :: i, stat
  call tasuki_connect(server)
  call tasuki_set_mode(server, "hand-off")
  call tasuki_make(server, first, "stats/Counter")
  call tasuki_make(server, second, "Counter")
  do i = 1, 3
    call tasuki_call_method(server, first, "add", i, now)
  end do
  call tasuki_call_method(server, second, "add", 1000, now)
  call tasuki_call_method(server, first, "add", 0, now)
  print "(i0)", now

  call tasuki_last_report(server, report)
  print "(6a, 2(1x, i0))", report%mode, " on ", report%server, ", ", report%wire, ":", &
    report%sent_bytes, report%received_bytes
  print "(3(f9.6, a))", report%client_s, " s: front end ", report%front_end_s, &
    " s, computation ", report%computation_s, " s"
  do i = 1, size(report%ranks)
    print "(a, i0, a, 4(1x, f9.6))", "rank ", i - 1, ":", report%ranks(i)%receive_s, &
      report%ranks(i)%compute_s, report%ranks(i)%send_s, report%ranks(i)%threads
  end do

  call tasuki_call_method(server, first, "subtract", 1, now, stat=stat)
  print "(i0, 1x, a)", stat, tasuki_error_text()
  call tasuki_free_object(server, first)
  call tasuki_call_method(server, first, "add", 1, now, stat=stat)
  print "(i0, 1x, a)", stat, tasuki_error_kind()
  call tasuki_close(server)
end program
