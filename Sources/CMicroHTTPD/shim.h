#include <link.h>
#include <malloc.h>
#include <microhttpd.h>
#include <netinet/in.h>
#include <netinet/tcp.h>
#include <stdarg.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>
#include <sys/eventfd.h>
#include <sys/ioctl.h>
#include <sys/mman.h>
#include <sys/socket.h>
#include <unistd.h>

/* Wrappers for variadic C functions, which Swift cannot call. */

struct mhdshim_log {
    void (*line)(void *cls, const char *text);
    void *cls;
};

struct mhdshim_settings {
    unsigned int flags;
    int listen_fd;
    unsigned int threads;
    unsigned int connection_limit;
    unsigned int idle_seconds;
    size_t connection_memory;
    /* PEM; NULL for plain HTTP. Read by mhdshim_start only. */
    const char *certificate;
    const char *key;
    /* Must outlive the daemon. */
    struct mhdshim_log *log;
    /* Passed to every callback. */
    void *cls;
    MHD_AcceptPolicyCallback accept;
    MHD_AccessHandlerCallback access;
    MHD_RequestCompletedCallback completed;
    MHD_NotifyConnectionCallback connection;
    void *(*uri)(void *cls, const char *uri, struct MHD_Connection *connection);
};

static inline void mhdshim_log_line(void *cls, const char *format, va_list arguments) {
    const struct mhdshim_log *log = cls;
    char text[1024];
    vsnprintf(text, sizeof text, format, arguments);
    log->line(log->cls, text);
}

/* Leaves the address unchanged. libmicrohttpd would decode %2F before the path is split into segments. */
static inline size_t mhdshim_unescape_nothing(void *cls, struct MHD_Connection *connection, char *text) {
    (void)cls;
    (void)connection;
    return strlen(text);
}

static inline struct MHD_Daemon *mhdshim_start(const struct mhdshim_settings *settings) {
    struct MHD_OptionItem options[5];
    int count = 0;
    if (settings->threads > 1)
        options[count++] = (struct MHD_OptionItem){MHD_OPTION_THREAD_POOL_SIZE, (intptr_t)settings->threads, NULL};
    if (settings->certificate) {
        options[count++] = (struct MHD_OptionItem){MHD_OPTION_HTTPS_MEM_CERT, 0, (void *)settings->certificate};
        options[count++] = (struct MHD_OptionItem){MHD_OPTION_HTTPS_MEM_KEY, 0, (void *)settings->key};
        options[count++] = (struct MHD_OptionItem){
            MHD_OPTION_HTTPS_PRIORITIES, 0, (void *)"NORMAL:-VERS-ALL:+VERS-TLS1.3:+VERS-TLS1.2:%SERVER_PRECEDENCE"};
    }
    options[count] = (struct MHD_OptionItem){MHD_OPTION_END, 0, NULL};
    return MHD_start_daemon(
        settings->flags, 0, settings->accept, settings->cls, settings->access, settings->cls,
        MHD_OPTION_EXTERNAL_LOGGER, mhdshim_log_line, settings->log,
        MHD_OPTION_LISTEN_SOCKET, settings->listen_fd,
        MHD_OPTION_CONNECTION_LIMIT, settings->connection_limit,
        MHD_OPTION_CONNECTION_TIMEOUT, settings->idle_seconds,
        MHD_OPTION_CONNECTION_MEMORY_LIMIT, settings->connection_memory,
        MHD_OPTION_NOTIFY_COMPLETED, settings->completed, settings->cls,
        MHD_OPTION_NOTIFY_CONNECTION, settings->connection, settings->cls,
        MHD_OPTION_URI_LOG_CALLBACK, settings->uri, settings->cls,
        MHD_OPTION_UNESCAPE_CALLBACK, mhdshim_unescape_nothing, NULL,
        /* Not strict: HTTPServer checks Host and spaces itself. libmicrohttpd would require Host even after it has
           dropped the fields to make room for its 431, and then close the connection without an answer. */
        MHD_OPTION_STRICT_FOR_CLIENT, 0,
        MHD_OPTION_ARRAY, options,
        MHD_OPTION_END);
}

/* Cuts the query off a received address. libmicrohttpd would need memory for each argument of the query, and wait
   forever if there is not enough. */
static inline void mhdshim_cut_query(const char *uri) {
    char *query = strchr(uri, '?');
    if (query) query[1] = 0;
}

static inline void *mhdshim_socket_context(struct MHD_Connection *connection) {
    const union MHD_ConnectionInfo *info = MHD_get_connection_info(connection, MHD_CONNECTION_INFO_SOCKET_CONTEXT);
    return info ? info->socket_context : NULL;
}

static inline int mhdshim_socket(struct MHD_Connection *connection) {
    const union MHD_ConnectionInfo *info = MHD_get_connection_info(connection, MHD_CONNECTION_INFO_CONNECTION_FD);
    return info ? info->connect_fd : -1;
}

static inline const struct sockaddr *mhdshim_client_address(struct MHD_Connection *connection) {
    const union MHD_ConnectionInfo *info = MHD_get_connection_info(connection, MHD_CONNECTION_INFO_CLIENT_ADDRESS);
    return info ? info->client_addr : NULL;
}

/* The GnuTLS session of a connection, or NULL without TLS. Use it only in the connection's callbacks. */
static inline void *mhdshim_tls_session(struct MHD_Connection *connection) {
    const union MHD_ConnectionInfo *info = MHD_get_connection_info(connection, MHD_CONNECTION_INFO_GNUTLS_SESSION);
    return info ? info->tls_session : NULL;
}

/* The bytes of the request line and the header fields. */
static inline size_t mhdshim_header_size(struct MHD_Connection *connection) {
    const union MHD_ConnectionInfo *info =
        MHD_get_connection_info(connection, MHD_CONNECTION_INFO_REQUEST_HEADER_SIZE);
    return info ? info->header_size : 0;
}

/* Ends an answer of unknown length by closing the connection, instead of sending chunks. */
static inline void mhdshim_send_without_chunks(struct MHD_Response *response) {
    MHD_set_response_options(response, MHD_RF_HTTP_VERSION_1_0_ONLY, MHD_RO_END);
}

/* Linux's POLLRDHUP, the peer has closed its end. <poll.h> defines it only for _GNU_SOURCE. */
enum { mhdshim_peer_closed = 0x2000 };

/* 0 if no answer is queued. */
static inline unsigned int mhdshim_status(struct MHD_Connection *connection) {
    const union MHD_ConnectionInfo *info = MHD_get_connection_info(connection, MHD_CONNECTION_INFO_HTTP_STATUS);
    return info ? info->http_status : 0;
}

/* The total bytes received on a TCP socket. The offset of tcpi_bytes_received in the kernel's struct tcp_info is
   fixed (Linux 4.1 and later); glibc's copy of the struct ends before it. */
static inline uint64_t mhdshim_bytes_received(int socket) {
    unsigned char info[256];
    socklen_t length = sizeof info;
    uint64_t bytes = 0;
    if (getsockopt(socket, IPPROTO_TCP, TCP_INFO, info, &length) != 0 || length < 128 + sizeof bytes) return 0;
    memcpy(&bytes, info + 128, sizeof bytes);
    return bytes;
}

/* The received bytes that have not been read. */
static inline int mhdshim_bytes_unread(int socket) {
    int bytes = 0;
    return ioctl(socket, FIONREAD, &bytes) == 0 ? bytes : 0;
}

/* Resets a TCP connection immediately (RST). close() with SO_LINGER would come after libmicrohttpd's own FIN. */
static inline void mhdshim_reset(int socket) {
    struct sockaddr nobody;
    memset(&nobody, 0, sizeof nobody);
    nobody.sa_family = AF_UNSPEC;
    connect(socket, &nobody, sizeof nobody);
}

/* <link.h> declares these only for _GNU_SOURCE. The first members of the struct never change. */
struct dl_phdr_info;
int dl_iterate_phdr(int (*)(struct dl_phdr_info *, size_t, void *), void *);
struct mhdshim_loaded {
    ElfW(Addr) address;
    const char *name;
    const ElfW(Phdr) *headers;
    ElfW(Half) header_count;
};

static inline int mhdshim_let_go_of_code_of(struct dl_phdr_info *info, size_t size, void *cls) {
    const struct mhdshim_loaded *loaded = (const void *)info;
    const ElfW(Addr) page = (ElfW(Addr))sysconf(_SC_PAGESIZE);
    (void)size;
    (void)cls;
    /* Skip the kernel's vDSO, which is not a file. The program itself has an empty name. */
    if (loaded->name[0] && !strchr(loaded->name, '/')) return 0;
    for (int index = 0; index < loaded->header_count; index++) {
        const ElfW(Phdr) *header = &loaded->headers[index];
        if (header->p_type != PT_LOAD || (header->p_flags & (PF_X | PF_W)) != PF_X) continue;
        ElfW(Addr) start = (loaded->address + header->p_vaddr) / page * page;
        ElfW(Addr) end = loaded->address + header->p_vaddr + header->p_filesz;
        madvise((void *)start, end - start, MADV_DONTNEED);
    }
    return 0;
}

/* Unmaps the code of the program and its libraries; pages that are used are mapped again. Code is never written to, so
   its contents stay the same. No library is unloaded during the iteration. */
static inline void mhdshim_let_go_of_code(void) {
    dl_iterate_phdr(mhdshim_let_go_of_code_of, NULL);
}
