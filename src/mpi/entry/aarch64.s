// Entry NUMBER: one jump through the table. Its stub is where the table leads at first; like the
// stubs of the dynamic linker it saves the registers of arguments, asks, and jumps.
.macro tasuki_entry number, name
  .text
  .p2align 4
  .globl \name
  .type \name, %function
\name:
  adrp x16, tasuki_mpi_entries + 8 * \number
  ldr x16, [x16, :lo12:tasuki_mpi_entries + 8 * \number]
  br x16
  .size \name, . - \name
tasuki_mpi_stub_\number:
  mov x16, #\number
  b tasuki_mpi_ask
.endm

.text
tasuki_mpi_ask:
  stp x29, x30, [sp, #-96]!
  stp x0, x1, [sp, #16]
  stp x2, x3, [sp, #32]
  stp x4, x5, [sp, #48]
  stp x6, x7, [sp, #64]
  str x8, [sp, #80]
  mov x0, x16
  bl tasuki_mpi_resolve
  mov x16, x0
  ldp x0, x1, [sp, #16]
  ldp x2, x3, [sp, #32]
  ldp x4, x5, [sp, #48]
  ldp x6, x7, [sp, #64]
  ldr x8, [sp, #80]
  ldp x29, x30, [sp], #96
  br x16
