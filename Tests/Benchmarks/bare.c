/* The baseline of libmicrohttpd alone: answers each PATH with the bytes of one file and the headers of another,
 * with epoll and as many threads as Roost. Usage: bare THREADS PATH HEADERS BODY [PATH HEADERS BODY]...
 * Prints the port it listens on and serves until its standard input ends. */
#include <arpa/inet.h>
#include <microhttpd.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define PAGES 8

static struct page {
    const char *path;
    struct MHD_Response *response;
} pages[PAGES];
static int page_count;

static void fail(const char *what)
{
    perror(what);
    exit(1);
}

static char *read_file(const char *name, size_t *size)
{
    FILE *file = fopen(name, "rb");
    if (!file) fail(name);
    fseek(file, 0, SEEK_END);
    *size = (size_t)ftell(file);
    rewind(file);
    char *bytes = malloc(*size + 1);
    if (!bytes || fread(bytes, 1, *size, file) != *size) fail(name);
    bytes[*size] = 0;
    fclose(file);
    return bytes;
}

/* One "Name: value" per line; the caller omits headers that libmicrohttpd adds. */
static void add_headers(struct MHD_Response *response, char *lines)
{
    for (char *line = strtok(lines, "\n"); line; line = strtok(NULL, "\n")) {
        char *colon = strstr(line, ": ");
        if (!colon) continue;
        *colon = 0;
        if (MHD_add_response_header(response, line, colon + 2) != MHD_YES) fail(line);
    }
}

static void add_page(const char *path, const char *headers, const char *body)
{
    size_t size, ignored;
    char *bytes = read_file(body, &size);
    struct MHD_Response *response = MHD_create_response_from_buffer(size, bytes, MHD_RESPMEM_PERSISTENT);
    if (!response) fail(path);
    char *lines = read_file(headers, &ignored);
    add_headers(response, lines);
    free(lines);
    pages[page_count++] = (struct page){ path, response };
}

static enum MHD_Result answer(void *context, struct MHD_Connection *connection, const char *url, const char *method,
                              const char *version, const char *data, size_t *size, void **state)
{
    (void)context; (void)method; (void)version; (void)data; (void)size;
    if (!*state) {
        *state = (void *)1; /* the first call is before the request's body */
        return MHD_YES;
    }
    for (int index = 0; index < page_count; index++)
        if (!strcmp(pages[index].path, url)) return MHD_queue_response(connection, 200, pages[index].response);
    return MHD_NO;
}

int main(int count, char **arguments)
{
    if (count < 5 || (count - 2) % 3 || (count - 2) / 3 > PAGES) return fputs("see the comment on top\n", stderr), 2;
    for (int index = 2; index < count; index += 3)
        add_page(arguments[index], arguments[index + 1], arguments[index + 2]);
    struct sockaddr_in address = { .sin_family = AF_INET, .sin_addr.s_addr = htonl(INADDR_LOOPBACK) };
    struct MHD_Daemon *daemon = MHD_start_daemon(
        MHD_USE_EPOLL_INTERNAL_THREAD, 0, NULL, NULL, answer, NULL,
        MHD_OPTION_SOCK_ADDR, (struct sockaddr *)&address,
        MHD_OPTION_THREAD_POOL_SIZE, (unsigned)atoi(arguments[1]),
        MHD_OPTION_CONNECTION_LIMIT, 4000u, MHD_OPTION_END);
    if (!daemon) fail("MHD_start_daemon");
    printf("%d\n", (int)MHD_get_daemon_info(daemon, MHD_DAEMON_INFO_BIND_PORT)->port);
    fflush(stdout);
    while (getchar() != EOF) {}
    MHD_stop_daemon(daemon);
    return 0;
}
