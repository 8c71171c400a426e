# Finds NGINX's headers: SIDEPRESS_NGINX_SOURCE_DIR (with src/) and
# SIDEPRESS_NGINX_OBJS_DIR (with ngx_auto_config.h, which `configure` writes).
# Without them, those of the installed NGINX are configured (package nginx-dev
# on Debian and Ubuntu).
set(SIDEPRESS_NGINX_SOURCE_DIR "" CACHE PATH "NGINX's source tree")
set(SIDEPRESS_NGINX_OBJS_DIR "" CACHE PATH
  "Where NGINX was configured (default: objs in its source tree)")

if(NOT SIDEPRESS_NGINX_SOURCE_DIR)
  set(installed /usr/share/nginx/src)
  if(NOT EXISTS ${installed}/conf_flags)
    message(FATAL_ERROR "No headers of the installed NGINX in ${installed}. "
      "Install nginx-dev (scripts/setup does), or name a source tree: "
      "scripts/build --nginx-source DIR")
  endif()
  set(tree ${CMAKE_BINARY_DIR}/nginx-headers)
  # Configured again whenever the package changes: the module must carry the
  # signature of the binary that loads it.
  file(SHA256 ${installed}/src/core/nginx.h version_hash)
  file(SHA256 ${installed}/conf_flags flags_hash)
  set(stamp ${tree}/configured-${version_hash}-${flags_hash})
  if(NOT EXISTS ${stamp})
    file(REMOVE_RECURSE ${tree})
    file(MAKE_DIRECTORY ${tree})
    file(COPY ${installed}/ DESTINATION ${tree})
    execute_process(
      COMMAND bash -c ". ./conf_flags && ./configure \"\${NGX_CONF_FLAGS[@]}\""
      WORKING_DIRECTORY ${tree} RESULT_VARIABLE failed
      OUTPUT_VARIABLE output ERROR_VARIABLE output)
    if(failed)
      message(FATAL_ERROR "NGINX's configure failed:\n${output}")
    endif()
    file(TOUCH ${stamp})
  endif()
  set(nginx_source ${tree})
else()
  set(nginx_source ${SIDEPRESS_NGINX_SOURCE_DIR})
endif()

set(nginx_objs ${SIDEPRESS_NGINX_OBJS_DIR})
if(NOT nginx_objs)
  set(nginx_objs ${nginx_source}/objs)
endif()
if(NOT EXISTS ${nginx_objs}/ngx_auto_config.h)
  message(FATAL_ERROR "${nginx_objs}/ngx_auto_config.h does not exist: "
    "run configure in ${nginx_source} first, with the options that the NGINX "
    "that is to load the module was built with")
endif()

add_library(nginx_headers INTERFACE)
target_include_directories(nginx_headers SYSTEM INTERFACE
  ${nginx_source}/src/core
  ${nginx_source}/src/event
  ${nginx_source}/src/event/modules
  ${nginx_source}/src/event/quic
  ${nginx_source}/src/os/unix
  ${nginx_source}/src/http
  ${nginx_source}/src/http/modules
  ${nginx_source}/src/http/v2
  ${nginx_source}/src/http/v3
  ${nginx_objs})
