import Glibc

/// A program that a test starts and ends. It does not use Foundation's `Process`, whose children inherit the signals
/// that Swift's threads block, SIGTERM among them; waiting for one also takes a thread from all tests.
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

        var argumentList: [UnsafeMutablePointer<CChar>?] = ([program] + arguments).map { strdup($0) } + [nil]
        defer { argumentList.forEach { free($0) } }
        var id: pid_t = 0
        let code = posix_spawn(&id, program, &files, &attributes, &argumentList, environ)
        guard code == 0 else {
            throw ServerFailure(message: "\(program): " + String(cString: strerror(code)))
        }
        self.id = id
    }

    /// The exit code, -1 after a signal, or nil while it runs. Do not call it again after a value.
    func exitCode() -> Int32? {
        var status: Int32 = 0
        guard waitpid(id, &status, WNOHANG) == id else { return nil }
        return status & 0x7f == 0 ? (status >> 8) & 0xff : -1
    }

    /// Waits at most ten seconds for the program to end, then kills it.
    func wait() async throws -> Int32 {
        for _ in 1...2_000 {
            if let code = exitCode() { return code }
            try await Task.sleep(for: .milliseconds(5))
        }
        stop()
        return -1
    }

    /// Uses SIGKILL, so that the wait is short.
    func stop() {
        kill(id, SIGKILL)
        waitpid(id, nil, 0)
    }
}
