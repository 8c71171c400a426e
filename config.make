cat << END >> $NGX_MAKEFILE

modules: $NGX_OBJS/ngx_http_sidepress_module.so

.PHONY: sidepress_cmake
sidepress_cmake:
	cmake -S $SIDEPRESS_DIR -B $NGX_OBJS/sidepress \\
		-DCMAKE_BUILD_TYPE=Release \\
		-DCMAKE_CXX_FLAGS="\$(SIDEPRESS_CXX_FLAGS)" \\
		-DSIDEPRESS_SANITIZE="\$(SIDEPRESS_SANITIZE)" \\
		-DSIDEPRESS_CODECS="${SIDEPRESS_CODECS:-brotli;zstd}" \\
		-DSIDEPRESS_NGINX_SOURCE_DIR=\$(CURDIR) \\
		-DSIDEPRESS_NGINX_OBJS_DIR=\$(CURDIR)/$NGX_OBJS
	cmake --build $NGX_OBJS/sidepress --parallel

$NGX_OBJS/ngx_http_sidepress_module.so: sidepress_cmake
	cp $NGX_OBJS/sidepress/ngx_http_sidepress_module.so \$@

END
