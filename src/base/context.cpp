#include <tasuki/detail/base/context.hpp>

#include <array>

#if defined(__x86_64__)

#include <cstddef>
#include <cstdint>

// The System V ABI has a callee keep rbx, rbp, r12-r15 and the control words of SSE and x87
// ("System V Application Binary Interface, AMD64 Architecture Processor Supplement", 3.2.1). They
// are saved in the order of SavedContext. The status flags of MXCSR, its low six bits, are not
// among what a callee keeps: they stay with the thread. They differ between most contexts, and to
// change them at a switch costs ten times the switch (bench_fiber measures it).
//
// The processor predicts a return from a stack of the calls before it. Every context that waits
// inside tasuki_switch_context was left by a call and is entered by a return; every context that
// waits for its entry to be called is entered by a jump and was left by a jump. So calls and
// returns stay in step, and since fibers wait at the same place, the predictions are right.
asm(R"(
.text
.p2align 4
.globl tasuki_switch_context
.hidden tasuki_switch_context
.type tasuki_switch_context, @function
tasuki_switch_context:
  .cfi_startproc
  pushq %rbp
  .cfi_adjust_cfa_offset 8
  pushq %rbx
  .cfi_adjust_cfa_offset 8
  pushq %r15
  .cfi_adjust_cfa_offset 8
  pushq %r14
  .cfi_adjust_cfa_offset 8
  pushq %r13
  .cfi_adjust_cfa_offset 8
  pushq %r12
  .cfi_adjust_cfa_offset 8
  pushq $0
  .cfi_adjust_cfa_offset 8
  stmxcsr (%rsp)
  fnstcw 4(%rsp)
  movl (%rsp), %ecx
  movzwl 4(%rsp), %r8d
  movq %rsp, %rax
  movq %rdi, %rsp
.Ltasuki_enter:
  xorl (%rsp), %ecx
  testl $0xffc0, %ecx
  jne .Ltasuki_load_sse
.Ltasuki_sse_done:
  cmpw 4(%rsp), %r8w
  jne .Ltasuki_load_x87
.Ltasuki_x87_done:
  cmpw $0, 6(%rsp)
  leaq 8(%rsp), %rsp
  .cfi_adjust_cfa_offset -8
  popq %r12
  .cfi_adjust_cfa_offset -8
  popq %r13
  .cfi_adjust_cfa_offset -8
  popq %r14
  .cfi_adjust_cfa_offset -8
  popq %r15
  .cfi_adjust_cfa_offset -8
  popq %rbx
  .cfi_adjust_cfa_offset -8
  popq %rbp
  .cfi_adjust_cfa_offset -8
  jne tasuki_start_context
  movq %rsi, %rdx
  ret
  .cfi_adjust_cfa_offset 56
.Ltasuki_load_sse:
  andl $0x3f, %ecx
  xorl (%rsp), %ecx
  movl %ecx, -8(%rsp)
  ldmxcsr -8(%rsp)
  jmp .Ltasuki_sse_done
.Ltasuki_load_x87:
  fldcw 4(%rsp)
  jmp .Ltasuki_x87_done
  .cfi_endproc
.size tasuki_switch_context, .-tasuki_switch_context

# The saved context stays where it is, above the frames of the entry, for the next time.
.p2align 4
.type tasuki_start_context, @function
tasuki_start_context:
  .cfi_startproc
  .cfi_undefined rip
  leaq -56(%rsp), %rsp
  movq %rax, %rdi
  callq *%rbx
  movq %rdx, %rsi
  movq %rax, %rdi
  stmxcsr -8(%rsp)
  fnstcw -4(%rsp)
  movl -8(%rsp), %ecx
  movzwl -4(%rsp), %r8d
  movq %rsp, %rax
  movq %rdi, %rsp
  jmp .Ltasuki_enter
  .cfi_endproc
.size tasuki_start_context, .-tasuki_start_context
)");

namespace tasuki::base {
namespace {

struct ControlWords {
  std::uint32_t sse = __builtin_ia32_stmxcsr();
  std::uint16_t x87 = 0;
  std::uint16_t starts = 0;  ///< 1: the context waits for a call of its entry.
};

struct SavedContext {
  ControlWords control;
  std::uintptr_t r12, r13, r14, r15, rbx, rbp;
  // Of a context that was left by a call. For others it is there so that the entry is called with
  // the stack at a multiple of 16.
  std::uintptr_t return_address;
};

static_assert(sizeof(SavedContext) % 16 == 0);

}  // namespace

void* make_context(void* stack_end, ContextEntry entry) noexcept {
  static const ControlWords control = [] {
    ControlWords words;
    asm("fnstcw %0" : "=m"(words.x87));
    words.starts = 1;
    return words;
  }();
  auto* const saved = static_cast<SavedContext*>(stack_end) - 1;
  *saved = {};
  saved->control = control;
  saved->rbx = reinterpret_cast<std::uintptr_t>(entry);
  return saved;
}

SavedRegisters saved_registers() noexcept {
  static constexpr std::array<SavedRegister, 7> registers = {{
      {"r12", offsetof(SavedContext, r12)},
      {"r13", offsetof(SavedContext, r13)},
      {"r14", offsetof(SavedContext, r14)},
      {"r15", offsetof(SavedContext, r15)},
      {"rbx", offsetof(SavedContext, rbx)},
      {"rbp", offsetof(SavedContext, rbp)},
      {"rip", offsetof(SavedContext, return_address)},
  }};
  return {registers, "rsp", sizeof(SavedContext),
          offsetof(SavedContext, control) + offsetof(ControlWords, starts)};
}

}  // namespace tasuki::base

#elif defined(__aarch64__)

namespace tasuki::base {

// Boost.Context's frame (libs/context/src/asm/jump_arm64_aapcs_elf_gas.S): d8 to d15, x19 to x30,
// and where to go on.
SavedRegisters saved_registers() noexcept {
  static constexpr std::array<SavedRegister, 13> registers = {{
      {"x19", 0x40},
      {"x20", 0x48},
      {"x21", 0x50},
      {"x22", 0x58},
      {"x23", 0x60},
      {"x24", 0x68},
      {"x25", 0x70},
      {"x26", 0x78},
      {"x27", 0x80},
      {"x28", 0x88},
      {"x29", 0x90},
      {"x30", 0x98},
      {"pc", 0xa0},
  }};
  return {registers, "sp", 0xb0, 0};
}

}  // namespace tasuki::base

#else

namespace tasuki::base {

SavedRegisters saved_registers() noexcept { return {{}, "sp", 0, 0}; }

}  // namespace tasuki::base

#endif
