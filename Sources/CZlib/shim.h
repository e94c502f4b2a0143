#include <zlib.h>

/* Wraps a macro, which Swift cannot call. 15 + 16: the largest window, with a gzip header. */
static inline int zshim_gzip_begin(z_stream *stream, int level) {
    return deflateInit2(stream, level, Z_DEFLATED, 15 + 16, 8, Z_DEFAULT_STRATEGY);
}
