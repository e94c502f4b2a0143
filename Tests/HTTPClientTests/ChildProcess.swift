import Glibc

/// A program that a test starts and ends. Not Foundation's `Process`: its children inherit the signals that
/// Swift's threads block, SIGTERM among them, and waiting for one takes a thread from all tests.
struct ChildProcess: Sendable {
    private let id: pid_t

    /// Input and output are /dev/null; no signal is blocked or ignored.
    init(_ program: String, _ arguments: [String]) throws {
        var files = posix_spawn_file_actions_t()
        posix_spawn_file_actions_init(&files)
        defer { posix_spawn_file_actions_destroy(&files) }
        for descriptor: Int32 in 0...2 {
            posix_spawn_file_actions_addopen(&files, descriptor, "/dev/null", O_RDWR, 0)
        }
        var attributes = posix_spawnattr_t()
        posix_spawnattr_init(&attributes)
        defer { posix_spawnattr_destroy(&attributes) }
        var signals = sigset_t()
        sigemptyset(&signals)
        posix_spawnattr_setsigmask(&attributes, &signals)
        sigfillset(&signals)
        posix_spawnattr_setsigdefault(&attributes, &signals)
        posix_spawnattr_setflags(&attributes, Int16(POSIX_SPAWN_SETSIGMASK | POSIX_SPAWN_SETSIGDEF))

        var words: [UnsafeMutablePointer<CChar>?] = ([program] + arguments).map { strdup($0) } + [nil]
        defer { words.forEach { free($0) } }
        var id: pid_t = 0
        let code = posix_spawn(&id, program, &files, &attributes, &words, environ)
        guard code == 0 else { throw ServerFailure(words: "\(program): " + String(cString: strerror(code))) }
        self.id = id
    }

    /// Its exit code, -1 for a signal's end, `nil` while it runs. To be asked only until it is not `nil`.
    func exitCode() -> Int32? {
        var status: Int32 = 0
        guard waitpid(id, &status, WNOHANG) == id else { return nil }
        return status & 0x7f == 0 ? (status >> 8) & 0xff : -1
    }

    /// Waits ten seconds at most for it to end by itself, then ends it.
    func wait() async throws -> Int32 {
        for _ in 1...2_000 {
            if let code = exitCode() { return code }
            try await Task.sleep(for: .milliseconds(5))
        }
        stop()
        return -1
    }

    /// Ends it by SIGKILL, so that the wait is short.
    func stop() {
        kill(id, SIGKILL)
        waitpid(id, nil, 0)
    }
}
