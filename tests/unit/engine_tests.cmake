sidepress_test(engine_test LABEL unit
  SOURCES
    engine/arena_test.cc
    engine/block_cache_test.cc
    engine/compressed_stream_test.cc
    engine/encoder_cache_test.cc
    engine/input_queue_test.cc
    engine/output_queue_test.cc
    engine/scheduler_test.cc
  LINK sidepress_simulation)
