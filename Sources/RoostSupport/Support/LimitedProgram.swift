import Foundation
import Glibc

/// Runs another program on an untrusted file, with limits on its time, memory and output.
///
/// There is no shell. Programs of util-linux, which every Debian has, prepare the process: `prlimit` sets the limits,
/// `setpriv` denies new privileges, and `unshare` takes away the network, access to other processes' memory and to chosen
/// folders, where the system allows this without root. The program gets none of Roost's environment, which may have secrets, and none of its
/// open files. It does not use Foundation's `Process`, whose children inherit the signals that Swift's threads block.
package struct LimitedProgram: Sendable {
    package enum Failure: Error, Equatable {
        case tooSlow
        /// Its exit code, or -1 after a signal, which a limit sends.
        case failed(Int32)
    }

    package struct Limits: Sendable {
        package var time = Duration.seconds(30)
        package var memoryBytes = 1 << 30
        package var outputBytes = 8 << 20

        package init() {}
    }

    package static let folders = ["/usr/local/bin", "/usr/bin", "/bin"]
    private static let environment = ["PATH=/usr/bin:/bin", "LC_ALL=C.UTF-8", "HOME=/nonexistent"]

    private static let privileges = find("setpriv", in: folders).map { [$0, "--no-new-privs", "--"] } ?? []

    /// What runs before the program in the same process: each entry starts the next one.
    private static let namespaceWrappers: [String] = {
        guard let unshare = find("unshare", in: folders), let nothing = find("true", in: folders) else {
            return privileges
        }
        // In a user namespace of its own, a process has no access to the memory of Roost. Containers and systemd's
        // `RestrictNamespaces` may refuse it.
        let namespaces = [unshare, "--user", "--map-current-user", noNetwork, "--ipc", "--"]
        return privileges + (succeeds(privileges + namespaces + [nothing]) ? namespaces : [])
    }()

    /// The same, and covers each folder with an empty one that the program can neither open nor remove. Returns nil
    /// where the system refuses it.
    private static func coveringWrappers(of hidden: [String]) -> [String]? {
        guard !hidden.isEmpty, let unshare = find("unshare", in: folders),
            let shell = find("sh", in: folders),
            let mount = find("mount", in: folders), let setpriv = find("setpriv", in: folders),
            let nothing = find("true", in: folders)
        else { return nil }
        // Mounting needs root's rights in the namespace, which end before the program starts.
        let namespaces = [unshare, "--user", "--map-root-user", "--mount", noNetwork, "--ipc", "--"]
        let cover = "\(mount) -t tmpfs -o size=4k,mode=0 none \"$0\" && exec \"$@\""
        let command =
            privileges + namespaces + hidden.flatMap { [shell, "-c", cover, $0] }
            + [setpriv, "--bounding-set=-all", "--inh-caps=-all", "--"]
        return succeeds(command + [nothing]) ? command : nil
    }

    /// The folders without those in another one, which cannot be covered a second time.
    private static func outermost(_ folders: [String]) -> [String] {
        Set(folders).sorted().filter { folder in !folders.contains { isInside(folder, of: $0) } }
    }

    private static func isInside(_ path: String, of folder: String) -> Bool {
        path.utf8.starts(with: (folder == "/" ? folder : folder + "/").utf8)
    }

    /// Whether programs run without a network.
    static var isWithoutNetwork: Bool { namespaceWrappers.contains(noNetwork) }
    private static let noNetwork = "--net"

    private let path, limiter: String
    private let limits: Limits
    private let wrappers: [String]
    /// Absolute, without links.
    let hiddenFolders: [String]

    /// Returns nil if the program is not installed.
    ///
    /// - Parameter hidden: folders that the program cannot open, where the system allows this; one with the program or
    ///   with temporary files stays open
    package init?(
        _ name: String, in folders: [String] = LimitedProgram.folders, limits: Limits = Limits(),
        hiding hidden: [String] = []
    ) {
        guard let path = Self.find(name, in: folders), let limiter = Self.find("prlimit", in: Self.folders)
        else { return nil }
        (self.path, self.limiter, self.limits) = (path, limiter, limits)
        let needed = [path, FileManager.default.temporaryDirectory.path].map {
            URL(filePath: $0).resolvingSymlinksInPath().path + "/"
        }
        let candidates = Self.outermost(
            hidden.map { URL(filePath: $0).resolvingSymlinksInPath().path }.filter { folder in
                access(folder, F_OK) == 0 && !needed.contains { Self.isInside($0, of: folder) }
            })
        let covering = Self.coveringWrappers(of: candidates)
        hiddenFolders = covering == nil ? [] : candidates
        wrappers = covering ?? Self.namespaceWrappers
    }

    private static func find(_ name: String, in folders: [String]) -> String? {
        folders.map { $0 + "/" + name }.first { access($0, X_OK) == 0 }
    }

    private static func succeeds(_ command: [String]) -> Bool {
        guard let process = try? spawn(command, output: "/dev/null", flags: O_WRONLY) else { return false }
        var status: Int32 = -1
        while waitpid(process, &status, 0) < 0, errno == EINTR {}
        return status == 0
    }

    /// Returns what the program prints. Kills it if the task is cancelled.
    ///
    /// Throws `Failure` and `CancellationError`.
    ///
    /// - Parameter folder: a private folder for the output, which is removed again
    package func run(_ arguments: [String], in folder: String) async throws -> [UInt8] {
        let output = folder + "/output"
        defer { unlink(output) }
        let process = try Self.spawn(
            [
                limiter, "--as=\(limits.memoryBytes)", "--cpu=\(limits.time.components.seconds + 1)",
                "--fsize=\(limits.outputBytes)", "--core=0", "--",
            ] + wrappers + [path] + arguments, output: output, flags: O_WRONLY | O_CREAT | O_EXCL)
        let end = ContinuousClock.now + limits.time
        while true {
            var status: Int32 = 0
            let ended = waitpid(process, &status, WNOHANG)
            if ended == process || ended < 0 && errno != EINTR {
                let code = ended == process && status & 0x7F == 0 ? (status >> 8) & 0xFF : -1
                guard code == 0 else { throw Failure.failed(code) }
                return Array(try Data(contentsOf: URL(filePath: output)))
            }
            guard ContinuousClock.now < end, !Task.isCancelled else {
                kill(process, SIGKILL)
                waitpid(process, &status, 0)
                try Task.checkCancellation()
                throw Failure.tooSlow
            }
            try? await Task.sleep(for: .milliseconds(10))
        }
    }

    private static func spawn(_ command: [String], output: String, flags: Int32) throws -> pid_t {
        var files = posix_spawn_file_actions_t()
        posix_spawn_file_actions_init(&files)
        defer { posix_spawn_file_actions_destroy(&files) }
        posix_spawn_file_actions_addopen(&files, 0, "/dev/null", O_RDONLY, 0)
        posix_spawn_file_actions_addopen(&files, 1, output, flags, 0o600)
        posix_spawn_file_actions_addopen(&files, 2, "/dev/null", O_WRONLY, 0)
        // Those that are opened from now on are closed when the program starts.
        for name in try FileManager.default.contentsOfDirectory(atPath: "/proc/self/fd") {
            if let file = Int32(name), file > 2 { posix_spawn_file_actions_addclose(&files, file) }
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
        var argumentList: [UnsafeMutablePointer<CChar>?] = command.map { strdup($0) } + [nil]
        var variables: [UnsafeMutablePointer<CChar>?] = environment.map { strdup($0) } + [nil]
        defer { for text in argumentList + variables { free(text) } }
        var process: pid_t = 0
        let code = posix_spawn(&process, command[0], &files, &attributes, &argumentList, &variables)
        guard code == 0 else { throw Failure.failed(code) }
        return process
    }
}
