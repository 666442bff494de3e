// The functions that the file of a loaded module has symbols for.
//
// Used for names in messages to people, and to find the runtime's own code. Thread-safety: any
// thread.
#pragma once

#include <elf.h>
#include <link.h>

#include <functional>

namespace tasuki::runtime {

/// Of a loaded module, for `for_each_function`.
const char* path_of(const link_map& module) noexcept;

/// Returns: is it to go on?
using UseFunction = std::function<bool(const char* name, const ElfW(Sym) & symbol)>;

/// Calls `use` for the functions of the symbol tables of a type, such as SHT_SYMTAB, until it
/// returns false. Nothing is done if the file cannot be read.
void for_each_function(const char* path, unsigned table_type, const UseFunction& use);

}  // namespace tasuki::runtime
