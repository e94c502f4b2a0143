/* Holds many long polls open on 127.0.0.1 and measures when each receives one change.
 * Usage: polls PORT COUNT TARGET WORD TRIGGER-TARGET TRIGGER-BODY HEADERS
 * HEADERS are sent with each request, every line with its end (CR LF).
 * Says "open" when all requests are sent; polls that are answered without WORD are sent again. A line on standard
 * input makes it POST the trigger; then it prints the milliseconds from that until 50, 90, 99 and 100 of 100 polls had
 * an answer with WORD, and how many had none within 10 s. */
#include "client.h"

#define ROOM 4096

struct poll {
    int socket;
    int used;
    double heard;
    char bytes[ROOM];
};

static struct poll *polls;
static int count, open_polls, heard_polls, queue;
static char request[2048];
static const char *word;

static void send_all(int socket, const char *bytes)
{
    size_t length = strlen(bytes);
    if (send(socket, bytes, length, MSG_NOSIGNAL) != (ssize_t)length) fail("send");
}

static void open_poll(int index)
{
    struct epoll_event event = { .events = EPOLLIN, .data.u32 = (unsigned)index };
    polls[index].socket = connected();
    send_all(polls[index].socket, request);
    fcntl(polls[index].socket, F_SETFL, O_NONBLOCK);
    if (epoll_ctl(queue, EPOLL_CTL_ADD, polls[index].socket, &event)) fail("epoll_ctl");
    open_polls++;
}

/* Whether the whole response has arrived, by its Content-Length. */
static int is_whole(const struct poll *poll)
{
    const char *end = strstr(poll->bytes, "\r\n\r\n");
    const char *length = strcasestr(poll->bytes, "\r\ncontent-length:");
    if (!end || !length || length > end) return 0;
    return poll->bytes + poll->used >= end + 4 + atoi(length + 17);
}

static void take(struct poll *poll)
{
    ssize_t got = recv(poll->socket, poll->bytes + poll->used, (size_t)(ROOM - 1 - poll->used), 0);
    if (got < 0 && errno == EAGAIN) return;
    if (got <= 0) {
        fprintf(stderr, "a poll was cut off\n");
        exit(1);
    }
    poll->used += (int)got;
    poll->bytes[poll->used] = 0;
    if (!is_whole(poll)) return;
    if (strncmp(poll->bytes, "HTTP/1.1 200", 12)) {
        fprintf(stderr, "a poll was refused: %.60s\n", poll->bytes);
        exit(1);
    }
    poll->used = 0;
    if (strstr(poll->bytes, word)) {
        if (!poll->heard) heard_polls++;
        poll->heard = now();
    } else {
        send_all(poll->socket, request);
    }
}

static void serve_events(int milliseconds)
{
    struct epoll_event events[512];
    int ready = epoll_wait(queue, events, 512, milliseconds);
    for (int index = 0; index < ready; index++) take(&polls[events[index].data.u32]);
}

static int by_time(const void *one, const void *other)
{
    double left = ((const struct poll *)one)->heard, right = ((const struct poll *)other)->heard;
    return (left > right) - (left < right);
}

/* Polls without a response have time 0 and come first. */
static double percentile(int percent, double start)
{
    int silent = count - heard_polls;
    int place = silent + (heard_polls * percent + 99) / 100 - 1;
    return place < silent ? -1 : polls[place].heard - start;
}

int main(int argument_count, char **arguments)
{
    struct rlimit files;
    char trigger[2048];
    if (argument_count != 8) return fputs("see the comment on top\n", stderr), 2;
    getrlimit(RLIMIT_NOFILE, &files);
    files.rlim_cur = files.rlim_max;
    setrlimit(RLIMIT_NOFILE, &files);
    server.sin_port = htons((unsigned short)atoi(arguments[1]));
    server.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
    count = atoi(arguments[2]);
    word = arguments[4];
    snprintf(request, sizeof request, "GET %s HTTP/1.1\r\nHost: 127.0.0.1\r\n%s\r\n", arguments[3], arguments[7]);
    snprintf(trigger, sizeof trigger,
             "POST %s HTTP/1.1\r\nHost: 127.0.0.1\r\n%sContent-Type: application/json\r\nContent-Length: %zu\r\n\r\n%s",
             arguments[5], arguments[7], strlen(arguments[6]), arguments[6]);
    polls = calloc((size_t)count, sizeof *polls);
    queue = epoll_create1(EPOLL_CLOEXEC);
    if (!polls || queue < 0) fail("polls");
    while (open_polls < count) {
        open_poll(open_polls);
        if (open_polls % 64 == 0) serve_events(0);
    }
    puts("open");
    fflush(stdout);
    fcntl(0, F_SETFL, O_NONBLOCK);
    for (char line; read(0, &line, 1) < 0 && errno == EAGAIN;) serve_events(50);
    int control = connected();
    double start = now();
    send_all(control, trigger);
    while (heard_polls < count && now() - start < 10e3) serve_events(20);
    qsort(polls, (size_t)count, sizeof *polls, by_time);
    printf("%.1f %.1f %.1f %.1f %d\n", percentile(50, start), percentile(90, start), percentile(99, start),
           percentile(100, start), count - heard_polls);
    return 0;
}
