"""Directives with good and bad values.

PREFIX stands for the directive prefix of a codec, PREFER for its token.
"""

# A line, and parts of the message besides directive and value.
REFUSED = [
    ("PREFIX maybe", ["on", "off"]),
    ("PREFIX_static sometimes", ["on", "off", "always"]),
    ("PREFIX_min_length -1", []),
    ("PREFIX_min_length x", []),
    ("PREFIX_max_length x", []),
    ("PREFIX_buffers 0 8k", []),
    ("PREFIX_buffers x 8k", []),
    ("PREFIX_buffers 16 x", []),
    ("PREFIX_buffers 16 0", []),
    ("PREFIX_reuse_memory maybe", ["on", "off"]),
    (
        "PREFIX_retention_policy sometimes",
        ["aggressive", "current_config", "release_all", "bounded"],
    ),
    ("PREFIX_retention_policy bounded x", []),
    ("PREFIX_parallel_segment_size 63k", ["64k", "16m"]),
    ("PREFIX_parallel_segment_size 17m", ["64k", "16m"]),
    ("PREFIX_parallel_segment_size x", ["64k", "16m"]),
    ("PREFIX_parallel_tasks 0", ["1", "1024"]),
    ("PREFIX_parallel_tasks 1025", ["1", "1024"]),
    ("PREFIX_parallel_tasks x", ["1", "1024"]),
    ("PREFIX_parallel_compressors 1025", ["0", "1024"]),
    ("PREFIX_parallel_compressors x", ["0", "1024"]),
    ("PREFIX_idle_encoders 1025", ["0", "1024"]),
    ("PREFIX_idle_encoders -1", ["0", "1024"]),
    ("compress_thread_priority high", ["normal", "low", "idle"]),
    ("compress_prefer lz4", ["br", "zstd", "gzip"]),
    ("compress_prefer br lz4", ["br", "zstd", "gzip"]),
    ("compress_prefer gzip br gzip", ["br", "zstd", "gzip"]),
    ("compress_prefer identity", ["br", "zstd", "gzip"]),
    ("compress_prefer br BR", ["br", "zstd", "gzip"]),
    ("compress_prefer br zstd gzip br", ["br", "zstd", "gzip"]),
    ("compress_vary maybe", ["on", "off"]),
    ("compress_proxied sometimes", ["off", "expired", "no-cache", "any"]),
    ("compress_proxied auth x", ["no_last_modified", "no_etag", "auth"]),
    ("compress_statuses 204", []),
    ("compress_statuses 200 205", []),
    ("compress_statuses 206", []),
    ("compress_statuses 304", []),
    ("compress_statuses 101", []),
    ("compress_statuses 99", []),
    ("compress_statuses 1000", []),
    ("compress_statuses x", []),
    ("compress_no_transform maybe", ["on", "off"]),
    ("compress_etag gone", ["weak", "keep", "strip"]),
]

REFUSED_PLANNED = [
    ("compress_memory x", ["off"]),
    ("compress_flush_after x", ["off"]),
]

# Bounds that belong to one codec.
REFUSED_BROTLI = [
    ("brotli_comp_level -1", ["0", "11"]),
    ("brotli_comp_level 12", ["0", "11"]),
    ("brotli_comp_level x", ["0", "11"]),
    ("brotli_comp_level 6x", ["0", "11"]),
    ("brotli_window 3m", ["power of two", "1k", "16m"]),
    ("brotli_window 512", ["1k", "16m"]),
    ("brotli_window 32m", ["1k", "16m"]),
    ("brotli_window 0", ["1k", "16m"]),
    ("brotli_window x", ["1k", "16m"]),
]

REFUSED_ZSTD = [
    ("zstd_comp_level 0", ["131072", "22"]),
    ("zstd_comp_level -0", ["131072", "22"]),
    ("zstd_comp_level 23", ["131072", "22"]),
    ("zstd_comp_level -131073", ["131072", "22"]),
    ("zstd_comp_level x", ["131072", "22"]),
    ("zstd_comp_level -", ["131072", "22"]),
    ("zstd_comp_level 3x", ["131072", "22"]),
    ("zstd_window_log 9", ["10", "23"]),
    ("zstd_window_log 24", ["10", "23"]),
    ("zstd_window_log x", ["10", "23"]),
    ("zstd_long maybe", ["on", "off"]),
    ("zstd_target_cblock_size 1339", ["1340", "128k"]),
    ("zstd_target_cblock_size 129k", ["1340", "128k"]),
    ("zstd_dict_file /nonexistent/dictionary", ["readable file"]),
    ("zstd_dict_file /", ["readable file"]),
    ("zstd_dict_file /dev/null", ["readable file"]),
]

REFUSED_BY_CODEC = {"br": REFUSED_BROTLI, "zstd": REFUSED_ZSTD}

ACCEPTED = """
    PREFIX on;
    PREFIX_static always;
    PREFIX_types text/plain text/css application/json *;
    PREFIX_min_length 0;
    PREFIX_max_length 100m;
    PREFIX_buffers 16 8k;
    PREFIX_reuse_memory off;
    PREFIX_retention_policy bounded 16m;
    PREFIX_bypass $http_x $arg_y;
    PREFIX_thread_pool compressors;
    PREFIX_parallel_segment_size 64k;
    PREFIX_parallel_tasks 1024;
    compress_prefer PREFER gzip;
    compress_vary on;
    compress_proxied expired no-cache no-store private auth;
    compress_statuses 200 201 404 500;
    compress_no_transform on;
    compress_etag keep;
"""

PLANNED = """
    compress_flush_after 50ms;
"""

ACCEPTED_ONLY_AT_HTTP = """
    PREFIX_idle_encoders 0;
    PREFIX_parallel_compressors 1024;
    compress_thread_priority idle;
"""

PLANNED_ONLY_AT_HTTP = """
    compress_memory off;
"""

GOOGLE_STYLE = """
    brotli on;
    brotli_static on;
    brotli_types text/plain text/css application/javascript
        application/json image/svg+xml font/ttf;
    brotli_buffers 16 8k;
    brotli_comp_level 6;
    brotli_window 1m;
    brotli_min_length 256;
"""
