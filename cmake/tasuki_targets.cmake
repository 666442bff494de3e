# Targets of Tasuki: one static library per layer, programs and plug-ins, one warning level for all.
# Installation has four components: `client` (what programs need that call a server's routines),
# `programs` (with it, all that a wheel needs), `development`, and `command` (what belongs to the
# command and is not in a wheel).

add_library(tasuki_options INTERFACE)
target_compile_options(tasuki_options INTERFACE -Wall -Wextra -Wpedantic -Wshadow -Wnon-virtual-dtor
                       -Woverloaded-virtual -Wcast-qual $<$<BOOL:${TASUKI_WERROR}>:-Werror>)
# SimGrid loads a program once per rank into one process; unique symbols would make the ranks share
# inline variables. Nothing else loads one library twice.
target_compile_options(tasuki_options INTERFACE $<$<COMPILE_LANG_AND_ID:CXX,GNU>:-fno-gnu-unique>)
include(CheckCXXCompilerFlag)
check_cxx_compiler_flag(-fstack-clash-protection TASUKI_PROBES_STACKS)
if(TASUKI_PROBES_STACKS)  # see src/fiber/CMakeLists.txt
  target_compile_options(tasuki_options INTERFACE
                         $<$<COMPILE_LANGUAGE:C,CXX>:-fstack-clash-protection>)
endif()
if(TASUKI_SANITIZE)
  add_compile_options(-fsanitize=${TASUKI_SANITIZE} -fno-omit-frame-pointer)
  add_link_options(-fsanitize=${TASUKI_SANITIZE})
  if(TASUKI_SANITIZE MATCHES "thread")
    # The sanitizer does not model fences; ours order the flags of sleepers, they publish no data.
    add_compile_options(-Wno-tsan)
  endif()
endif()

# What the components `client` and `programs` install; a wheel builds nothing else.
add_custom_target(tasuki_installed)

# tasuki_layer(NAME [OWN_TARGETS] [LINKS layer...] [ROOMS folder...] [INTERFACE header...]): the
# library of src/NAME with its headers in include/tasuki/detail/NAME and the users' headers that it
# names. A layer with its own src/NAME/CMakeLists.txt may add dependencies and plug-ins there. One
# that is no library (OWN_TARGETS: it is compiled for each MPI, or loaded by Python) makes all its
# targets there.
function(tasuki_layer name)
  cmake_parse_arguments(LAYER "OWN_TARGETS" "" "LINKS;ROOMS;INTERFACE" ${ARGN})
  if(LAYER_OWN_TARGETS)
    add_subdirectory(${PROJECT_SOURCE_DIR}/src/${name} ${PROJECT_BINARY_DIR}/src/${name})
    return()
  endif()
  file(GLOB_RECURSE sources CONFIGURE_DEPENDS ${PROJECT_SOURCE_DIR}/src/${name}/*.cpp)
  list(FILTER sources EXCLUDE REGEX "/plugin/")
  if(TASUKI_CLIENT_ONLY)
    list(FILTER sources EXCLUDE REGEX "/src/rpc/(rank|web|server)/")
  endif()
  set(target tasuki_${name})
  list(TRANSFORM LAYER_LINKS PREPEND tasuki_)
  if(sources)
    add_library(${target} STATIC ${sources})
    set(scope PUBLIC)
    target_include_directories(${target} PRIVATE ${PROJECT_SOURCE_DIR}/src)
    target_link_libraries(${target} PRIVATE $<BUILD_INTERFACE:tasuki_options>)
  else()
    add_library(${target} INTERFACE)
    set(scope INTERFACE)
  endif()
  add_library(tasuki::${name} ALIAS ${target})
  set_target_properties(${target} PROPERTIES EXPORT_NAME ${name})
  target_include_directories(${target} ${scope}
    $<BUILD_INTERFACE:${PROJECT_SOURCE_DIR}/include>
    $<INSTALL_INTERFACE:${CMAKE_INSTALL_INCLUDEDIR}>)
  target_compile_definitions(${target} ${scope} $<$<BOOL:${TASUKI_DEBUG}>:TASUKI_DEBUG>)
  target_link_libraries(${target} ${scope} ${LAYER_LINKS})
  install(TARGETS ${target} EXPORT tasuki COMPONENT development)
  set_property(GLOBAL APPEND PROPERTY TASUKI_LAYERS ${target})
  if(EXISTS ${PROJECT_SOURCE_DIR}/src/${name}/CMakeLists.txt)
    add_subdirectory(${PROJECT_SOURCE_DIR}/src/${name} ${PROJECT_BINARY_DIR}/src/${name})
  endif()
endfunction()

# tasuki_algorithms(LAYER FOLDER/NAME...): the list of the algorithms of a layer. FOLDER/NAME is the
# AlgorithmDescriptor tasuki::LAYER::FOLDER::NAME; tasuki::LAYER::own_algorithms() returns all of
# them in this order.
function(tasuki_algorithms layer)
  set(type ::tasuki::coll::AlgorithmDescriptor)
  set(declarations "")
  set(entries "")
  foreach(algorithm IN LISTS ARGN)
    get_filename_component(folder ${algorithm} DIRECTORY)
    get_filename_component(name ${algorithm} NAME)
    string(APPEND declarations "namespace ${folder} { extern const ${type} ${name}; }\n")
    string(APPEND entries "    &${folder}::${name},\n")
  endforeach()
  set(source ${CMAKE_CURRENT_BINARY_DIR}/own_algorithms.cpp)
  file(CONFIGURE OUTPUT ${source} CONTENT "// Made by tasuki_algorithms (CMake).
#include <tasuki/detail/coll/algorithm.hpp>

namespace tasuki::${layer} {
${declarations}
namespace {
constexpr const ${type}* algorithms[] = {
${entries}};
}
std::span<const ${type}* const> own_algorithms() noexcept { return algorithms; }
}  // namespace tasuki::${layer}
")
  target_sources(tasuki_${layer} PRIVATE ${source})
endfunction()

# tasuki_program(NAME SOURCES file... [LINKS target...]): a program that the tasuki command starts:
# bin/NAME in the build tree, installed to bin/ and into the Python package.
function(tasuki_program name)
  cmake_parse_arguments(PROGRAM "" "" "SOURCES;LINKS" ${ARGN})
  add_executable(${name} ${PROGRAM_SOURCES})
  target_link_libraries(${name} PRIVATE ${PROGRAM_LINKS} tasuki_options)
  add_dependencies(tasuki_installed ${name})
  install(TARGETS ${name} RUNTIME DESTINATION ${CMAKE_INSTALL_BINDIR} COMPONENT programs)
endfunction()

# tasuki_plugin(NAME SOURCES file... [LINKS target...]): a module that Tasuki loads at run time:
# lib/tasuki/NAME.so in the build tree and where it is installed.
function(tasuki_plugin name)
  cmake_parse_arguments(PLUGIN "" "" "SOURCES;LINKS" ${ARGN})
  add_library(${name} MODULE ${PLUGIN_SOURCES})
  target_link_libraries(${name} PRIVATE ${PLUGIN_LINKS} tasuki_options)
  set_target_properties(${name} PROPERTIES PREFIX ""
                        LIBRARY_OUTPUT_DIRECTORY ${CMAKE_LIBRARY_OUTPUT_DIRECTORY}/tasuki)
  set_property(GLOBAL APPEND PROPERTY TASUKI_PLUGINS ${name})
  add_dependencies(tasuki_installed ${name})
  install(TARGETS ${name} LIBRARY DESTINATION ${CMAKE_INSTALL_LIBDIR}/tasuki COMPONENT programs)
endfunction()
