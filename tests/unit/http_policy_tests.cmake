foreach(subject accept_encoding coding_election content_kind header_lexer
    proxied_requests response_eligibility response_headers)
  sidepress_test(${subject}_test LABEL unit
    SOURCES http_policy/${subject}_test.cc
    LINK sidepress_http_policy)
endforeach()

# The body of each fuzz target, run over its committed seeds.
foreach(target accept_encoding_fuzz response_headers_fuzz)
  set(replay ${target}_replay)
  add_executable(${replay}
    ${PROJECT_SOURCE_DIR}/fuzz/${target}.cc
    ${PROJECT_SOURCE_DIR}/fuzz/corpus_replay.cc)
  target_link_libraries(${replay} PRIVATE sidepress_http_policy
    sidepress_warnings)
  add_test(NAME ${replay}
    COMMAND ${replay} ${PROJECT_SOURCE_DIR}/fuzz/corpus/${target})
  set_tests_properties(${replay} PROPERTIES LABELS unit)
endforeach()
