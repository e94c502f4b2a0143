/* Many clients in one conversation, each with its own long poll, and messages posted to it.
 * Usage: wakes PORT CLIENTS TOKENS CONVERSATION AFTER POSTS RATE GAP
 * TOKENS is a file with an API token a line: one for each client, and a last one that posts. AFTER is the cursor of the log to
 * begin at. With RATE 0 one message is posted at a time: the next one GAP milliseconds after the last client has it; with
 * no clients at all, as soon as one of the eight connections is free. Otherwise RATE messages are posted a second.
 * Says "open" when all polls are waiting for an answer and waits for a line on standard input. Prints the milliseconds
 * from each POST to the last client: median, 99 of 100, longest; how many messages somebody did not get within 20 s; how
 * often a client had to ask the log; and the seconds of all of it. */
#include "client.h"

#define POSTERS 8
#define PATIENCE 20e3
#define MARK "bench-"

struct line {
    int socket;
    int is_busy;
    char *token;
    char *bytes; /* the response so far */
    size_t used, room;
    char cursor[64];
    char after[64];
    unsigned char *heard; /* by message */
};

static struct line *lines;
static int clients, line_count, posts, queue, started, finished, fallbacks;
static const char *conversation;
static double *posted, *last_heard;
static int *hearers;
static unsigned run;

static void *allocated(size_t count, size_t size)
{
    void *memory = calloc(count ? count : 1, size);
    if (!memory) fail("calloc");
    return memory;
}

static void send_all(int socket, const char *bytes, size_t length)
{
    while (length > 0) {
        ssize_t sent = send(socket, bytes, length, MSG_NOSIGNAL);
        if (sent < 0 && errno != EAGAIN) fail("send");
        if (sent < 0) continue;
        bytes += sent;
        length -= (size_t)sent;
    }
}

static void ask(struct line *line, const char *method, const char *target, const char *body)
{
    char request[2048];
    int length = snprintf(request, sizeof request,
                          "%s %s HTTP/1.1\r\nHost: 127.0.0.1\r\nAuthorization: Bearer %s\r\n", method, target, line->token);
    if (*body)
        length += snprintf(request + length, sizeof request - (size_t)length,
                           "Content-Type: application/json\r\nContent-Length: %zu\r\n", strlen(body));
    length += snprintf(request + length, sizeof request - (size_t)length, "\r\n%s", body);
    if (length >= (int)sizeof request) fail("a request is too long");
    line->used = 0;
    line->is_busy = 1;
    send_all(line->socket, request, (size_t)length);
}

static void poll_changes(struct line *line)
{
    char target[256];
    snprintf(target, sizeof target, "/changes?topics=chat&cursor=%s&after=%s", line->cursor, line->after);
    ask(line, "GET", target, "");
}

static void open_line(int index)
{
    struct epoll_event event = { .events = EPOLLIN, .data.u32 = (unsigned)index };
    struct line *line = &lines[index];
    line->socket = connected();
    fcntl(line->socket, F_SETFL, O_NONBLOCK);
    if (!line->bytes) line->bytes = allocated(line->room = 4096, 1);
    if (epoll_ctl(queue, EPOLL_CTL_ADD, line->socket, &event)) fail("epoll_ctl");
}

static void post_next(struct line *line)
{
    char target[256], body[256];
    int number = started++;
    snprintf(target, sizeof target, "/api/v1/conversations/%s/messages", conversation);
    snprintf(body, sizeof body, "{\"id\":\"%08x-0000-4000-8000-%012x\",\"text\":\"" MARK "%d says hello\"}", run,
             (unsigned)number, number);
    posted[number] = now();
    ask(line, "POST", target, body);
}

/* Records the messages in a response; each appears in it more than once. */
static void hear(struct line *line)
{
    for (char *place = line->bytes; (place = strstr(place, MARK)); place++) {
        long number = strtol(place + strlen(MARK), NULL, 10);
        if (number < 0 || number >= posts || line->heard[number]) continue;
        line->heard[number] = 1;
        if (++hearers[number] == clients) {
            last_heard[number] = now();
            finished++;
        }
    }
}

static char *last_of(char *bytes, const char *word)
{
    char *found = NULL;
    for (char *place = bytes; (place = strstr(place, word)); place++) found = place;
    return found ? found + strlen(word) : NULL;
}

/* Whether the whole response has arrived, by its Content-Length. */
static int is_whole(const struct line *line)
{
    const char *end = strstr(line->bytes, "\r\n\r\n");
    const char *length = strcasestr(line->bytes, "\r\ncontent-length:");
    if (!end || !length || length > end) return 0;
    return line->bytes + line->used >= end + 4 + atoll(length + 17);
}

/* Copies the text up to the next quotation mark. */
static void keep(char *into, size_t size, const char *text)
{
    size_t length = strcspn(text, "\"");
    if (length >= size) fail("a cursor is too long");
    memcpy(into, text, length);
    into[length] = 0;
}

static void go_on(struct line *line)
{
    char *cursor = strstr(line->bytes, "\"cursor\":\""), *next = last_of(line->bytes, "\"next\":\"");
    if (cursor) keep(line->cursor, sizeof line->cursor, cursor + 10);
    if (next) {
        keep(line->after, sizeof line->after, next);
        hear(line);
    } else if (strstr(line->bytes, "\"changed\":[\"chat\"")) {
        char target[192];
        snprintf(target, sizeof target, "/api/v1/conversations/log?limit=500&after=%s", line->after);
        fallbacks++;
        ask(line, "GET", target, "");
        return;
    }
    poll_changes(line);
}

static void take(int index)
{
    struct line *line = &lines[index];
    for (;;) {
        if (line->room - line->used < 4096) {
            line->room *= 2;
            line->bytes = realloc(line->bytes, line->room);
            if (!line->bytes) fail("realloc");
        }
        ssize_t got = recv(line->socket, line->bytes + line->used, line->room - line->used - 1, 0);
        if (got < 0 && errno == EAGAIN) break;
        if (got == 0 && !line->is_busy) {
            /* A posting connection that was idle for longer than the server allows. */
            close(line->socket);
            open_line(index);
            return;
        }
        if (got <= 0) fail("a connection was cut off");
        line->used += (size_t)got;
    }
    line->bytes[line->used] = 0;
    if (!line->is_busy || !is_whole(line)) return;
    if (strncmp(line->bytes, "HTTP/1.1 20", 11)) {
        fprintf(stderr, "refused: %.400s\n", line->bytes);
        exit(1);
    }
    line->is_busy = 0;
    if (index < clients) {
        go_on(line);
    } else if (clients == 0) {
        finished++;
        if (started < posts) post_next(line);
    }
}

static void serve_events(int milliseconds)
{
    struct epoll_event events[512];
    int ready = epoll_wait(queue, events, 512, milliseconds);
    for (int index = 0; index < ready; index++) take((int)events[index].data.u32);
}

static struct line *free_poster(void)
{
    for (int index = clients; index < line_count; index++)
        if (!lines[index].is_busy) return &lines[index];
    return NULL;
}

/* Posts this many messages a second, however long the responses take; late ones as soon as a connection is free. */
static void post_steadily(double rate)
{
    double start = now();
    while (finished < posts) {
        struct line *line = free_poster();
        double due = start + started * 1e3 / rate;
        if (started < posts && line && now() >= due) {
            post_next(line);
            posted[started - 1] = due < now() ? due : now();
            continue;
        }
        if (started == posts && now() - posted[posts - 1] > PATIENCE) return;
        serve_events(1);
    }
}

static void post_one_by_one(double gap)
{
    for (int number = 0; number < posts; number++) {
        while (!free_poster()) serve_events(1);
        post_next(free_poster());
        while (hearers[number] < clients && now() - posted[number] < PATIENCE) serve_events(5);
        for (double until = now() + gap; now() < until;) serve_events(5);
    }
}

static void post_quickly(void)
{
    for (int index = 0; index < line_count && started < posts; index++) post_next(&lines[index]);
    while (finished < posts) serve_events(20);
}

static int by_size(const void *one, const void *other)
{
    double left = *(const double *)one, right = *(const double *)other;
    return (left > right) - (left < right);
}

static void report(double seconds)
{
    double *taken = allocated((size_t)posts, sizeof *taken);
    int heard = 0;
    for (int number = 0; number < posts; number++)
        if (clients && hearers[number] == clients) taken[heard++] = last_heard[number] - posted[number];
    qsort(taken, (size_t)heard, sizeof *taken, by_size);
    printf("%.1f %.1f %.1f %d %d %.3f\n", heard ? taken[heard / 2] : 0, heard ? taken[(heard * 99 + 99) / 100 - 1] : 0,
           heard ? taken[heard - 1] : 0, clients ? posts - heard : 0, fallbacks, seconds);
}

static void read_tokens(const char *name)
{
    char text[256], *last = NULL;
    FILE *file = fopen(name, "r");
    if (!file) fail(name);
    for (int index = 0; fgets(text, sizeof text, file); index++) {
        text[strcspn(text, "\r\n")] = 0;
        last = strdup(text);
        if (!last) fail("strdup");
        if (index < clients) lines[index].token = last;
    }
    fclose(file);
    for (int index = 0; index < line_count; index++) {
        if (index >= clients) lines[index].token = last;
        if (!lines[index].token) fail("too few tokens");
    }
}

int main(int count, char **arguments)
{
    struct rlimit files;
    if (count != 9) return fputs("see the comment on top\n", stderr), 2;
    getrlimit(RLIMIT_NOFILE, &files);
    files.rlim_cur = files.rlim_max;
    setrlimit(RLIMIT_NOFILE, &files);
    server.sin_port = htons((unsigned short)atoi(arguments[1]));
    server.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
    clients = atoi(arguments[2]);
    conversation = arguments[4];
    posts = atoi(arguments[6]);
    double rate = atof(arguments[7]), gap = atof(arguments[8]);
    line_count = clients + POSTERS;
    run = (unsigned)time(NULL) ^ (unsigned)getpid() << 16;
    lines = allocated((size_t)line_count, sizeof *lines);
    posted = allocated((size_t)posts, sizeof *posted);
    last_heard = allocated((size_t)posts, sizeof *last_heard);
    hearers = allocated((size_t)posts, sizeof *hearers);
    read_tokens(arguments[3]);
    queue = epoll_create1(EPOLL_CLOEXEC);
    if (queue < 0) fail("epoll_create1");
    for (int index = 0; index < line_count; index++) {
        open_line(index);
        if (index >= clients) continue;
        lines[index].heard = allocated((size_t)posts, 1);
        keep(lines[index].after, sizeof lines[index].after, arguments[5]);
        strcpy(lines[index].cursor, "none");
        poll_changes(&lines[index]);
        if (index % 64 == 63) serve_events(0);
    }
    for (double until = now() + 3e3; now() < until;) serve_events(50);
    puts("open");
    fflush(stdout);
    fcntl(0, F_SETFL, O_NONBLOCK);
    for (char byte; read(0, &byte, 1) < 0 && errno == EAGAIN;) serve_events(50);
    fallbacks = 0;
    double start = now();
    if (clients == 0) post_quickly();
    else if (rate > 0) post_steadily(rate);
    else post_one_by_one(gap);
    report((now() - start) / 1e3);
    return 0;
}
