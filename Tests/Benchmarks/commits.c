/* The baseline of SQLite alone: transactions like that of a chat message, one after another, with Roost's settings.
 * Usage: commits FILE COUNT
 * Makes the file anew and prints the commits a second. */
#include <sqlite3.h>
#include <stdio.h>
#include <stdlib.h>
#include <time.h>

static sqlite3 *database;

static void check(int result, const char *what)
{
    if (result == SQLITE_OK || result == SQLITE_DONE) return;
    fprintf(stderr, "%s: %s\n", what, sqlite3_errmsg(database));
    exit(1);
}

static void run(const char *sql)
{
    check(sqlite3_exec(database, sql, NULL, NULL, NULL), sql);
}

static sqlite3_stmt *prepared(const char *sql)
{
    sqlite3_stmt *statement;
    check(sqlite3_prepare_v2(database, sql, -1, &statement, NULL), sql);
    return statement;
}

static void step(sqlite3_stmt *statement, int number)
{
    if (sqlite3_bind_parameter_count(statement) > 0) check(sqlite3_bind_int(statement, 1, number), "bind");
    check(sqlite3_step(statement), sqlite3_sql(statement));
    sqlite3_reset(statement);
}

int main(int count, char **arguments)
{
    struct timespec start, end;
    if (count != 3) return fputs("see the comment on top\n", stderr), 2;
    check(sqlite3_open(arguments[1], &database), arguments[1]);
    run("PRAGMA journal_mode = WAL; PRAGMA synchronous = FULL; PRAGMA cache_size = -8000;"
        "CREATE TABLE log (seq INTEGER PRIMARY KEY AUTOINCREMENT, conversation TEXT, kind TEXT, at REAL);"
        "CREATE INDEX log_in_order ON log (conversation, seq);"
        "CREATE TABLE messages (seq INTEGER PRIMARY KEY, id TEXT UNIQUE, conversation TEXT, number INTEGER, text TEXT, at REAL);"
        "CREATE INDEX messages_in_order ON messages (conversation, seq);"
        "CREATE TABLE conversations (id TEXT PRIMARY KEY, count INTEGER, last TEXT);"
        "INSERT INTO conversations VALUES ('one', 0, '');");
    sqlite3_stmt *statements[] = {
        prepared("BEGIN IMMEDIATE"),
        prepared("INSERT INTO log (conversation, kind, at) VALUES ('one', 'message', ?1)"),
        prepared("INSERT INTO messages VALUES (last_insert_rowid(), lower(hex(randomblob(16))), 'one', ?1, 'hello', 1.0)"),
        prepared("UPDATE conversations SET count = count + 1, last = 'hello' WHERE id = 'one'"),
        prepared("COMMIT"),
    };
    int commits = atoi(arguments[2]);
    clock_gettime(CLOCK_MONOTONIC, &start);
    for (int number = 1; number <= commits; number++)
        for (unsigned place = 0; place < sizeof statements / sizeof *statements; place++) step(statements[place], number);
    clock_gettime(CLOCK_MONOTONIC, &end);
    double seconds = (double)(end.tv_sec - start.tv_sec) + (double)(end.tv_nsec - start.tv_nsec) / 1e9;
    printf("%.0f\n", commits / seconds);
    for (unsigned place = 0; place < sizeof statements / sizeof *statements; place++) sqlite3_finalize(statements[place]);
    sqlite3_close(database);
    return 0;
}
