# How every target of this project is compiled, in one place.

if(SIDEPRESS_SANITIZE)
  add_compile_options(-fsanitize=${SIDEPRESS_SANITIZE}
    -fno-sanitize-recover=all -fno-omit-frame-pointer
    # It reads type information, which layers without RTTI do not have.
    -fno-sanitize=vptr)
  add_link_options(-fsanitize=${SIDEPRESS_SANITIZE} -fno-sanitize=vptr)
endif()

add_library(sidepress_warnings INTERFACE)
target_compile_options(sidepress_warnings INTERFACE
  -Wall -Wextra -Wpedantic -Wshadow -Wconversion -Werror)

# A layer of shipped code: no exceptions, no RTTI, no thread-safe statics
# (they would call into the C++ run-time library).
function(sidepress_layer name)
  cmake_parse_arguments(ARG "" "" "SOURCES;INCLUDE;LINK" ${ARGN})
  add_library(${name} STATIC ${ARG_SOURCES})
  target_include_directories(${name} PUBLIC ${ARG_INCLUDE})
  target_compile_options(${name} PRIVATE
    $<$<COMPILE_LANGUAGE:CXX>:-fno-exceptions;-fno-rtti;-fno-threadsafe-statics>
    -ffunction-sections -fdata-sections)
  target_link_libraries(${name} PUBLIC ${ARG_LINK}
    PRIVATE $<BUILD_INTERFACE:sidepress_warnings>)
endfunction()
