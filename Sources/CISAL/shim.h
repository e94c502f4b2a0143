#include <isa-l/igzip_lib.h>

/* In bytes. The macro contains casts, which Swift cannot import. */
static const uint32_t isalshim_buffer_size = ISAL_DEF_LVL1_DEFAULT;

/* Resets the stream for gzip at level 1. The buffer must outlive the compression. */
static inline void isalshim_gzip_begin(struct isal_zstream *stream, uint8_t *buffer) {
    isal_deflate_init(stream);
    stream->level = 1;
    stream->level_buf = buffer;
    stream->level_buf_size = isalshim_buffer_size;
    stream->gzip_flag = IGZIP_GZIP;
}
