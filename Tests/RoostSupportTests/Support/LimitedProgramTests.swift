import Foundation
import TestSupport
import Testing

@testable import RoostSupport

@Suite(.timeLimit(.minutes(1))) struct LimitedProgramTests {
    /// Runs a script as the program.
    private func run(
        _ script: String, _ arguments: [String] = [],
        _ change: (inout LimitedProgram.Limits) -> Void = { _ in }
    ) async throws -> String {
        try await withFolder { folder in
            try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
            let file = folder + "/tool"
            try Data("#!/bin/sh\n\(script)\n".utf8).write(to: URL(filePath: file))
            try FileManager.default.setAttributes([.posixPermissions: 0o755], ofItemAtPath: file)
            var limits = LimitedProgram.Limits()
            change(&limits)
            let program = try #require(LimitedProgram("tool", in: ["/nowhere", folder], limits: limits))
            let printed = try await program.run(arguments, in: folder)
            return String(decoding: printed, as: UTF8.self)
        }
    }

    @Test func `what the program prints is returned, and arguments are no shell text`() async throws {
        let printed = try await run(#"printf '%s|' "$@""#, ["a b", "$(id)", "; exit 1"])
        #expect(printed == "a b|$(id)|; exit 1|")
    }

    @Test func `the program gets none of the environment`() async throws {
        let lines = try await run("env").split(separator: "\n")
        // The shell adds some of its own.
        let names = Set(lines.map { String($0.prefix { $0 != "=" }) })
        #expect(names.isSubset(of: ["PATH", "LC_ALL", "HOME", "PWD", "OLDPWD", "SHLVL", "_"]), "\(names)")
        #expect(lines.contains("LC_ALL=C.UTF-8"))
    }

    @Test func `the program can get no new privileges`() async throws {
        let status = try await run("cat /proc/self/status")
        #expect(status.contains("NoNewPrivs:\t1"))
    }

    @Test(.enabled(if: LimitedProgram.isWithoutNetwork))
    func `the program has no network, and no access to the memory of Roost`() async throws {
        let devices = try await run("cat /proc/self/net/dev").split(separator: "\n").dropFirst(2)
        #expect(devices.map { $0.trimmingCharacters(in: .whitespaces).prefix { $0 != ":" } } == ["lo"])
        let memory = try await run("cat /proc/\(getpid())/maps > /dev/null 2>&1 && echo open || echo closed")
        #expect(memory == "closed\n")
    }

    /// What a script prints that tries to read a file in a hidden folder by its path, by a link, and after uncovering it.
    private func stolen(hiding: (String) -> [String]) async throws -> (text: String, isHidden: Bool) {
        try await withFolder { folder in
            let manager = FileManager.default
            for name in ["tools", "work", "data/inner"] {
                try manager.createDirectory(atPath: "\(folder)/\(name)", withIntermediateDirectories: true)
            }
            try Data("secret".utf8).write(to: URL(filePath: "\(folder)/data/key"))
            try manager.createSymbolicLink(atPath: "\(folder)/link", withDestinationPath: "\(folder)/data")
            let script = """
                #!/bin/sh
                cat "$1/data/key" "$1/link/key" 2> /dev/null
                umount "$1/data" 2> /dev/null && cat "$1/data/key"
                unshare --user --map-root-user --mount sh -c 'umount "$0" && cat "$0/key"' "$1/data" 2> /dev/null
                echo end
                """
            try Data(script.utf8).write(to: URL(filePath: "\(folder)/tools/tool"))
            try manager.setAttributes([.posixPermissions: 0o755], ofItemAtPath: "\(folder)/tools/tool")
            let program = try #require(
                LimitedProgram("tool", in: ["\(folder)/tools"], hiding: hiding(folder)))
            let printed = try await program.run([folder], in: "\(folder)/work")
            return (String(decoding: printed, as: UTF8.self), !program.hiddenFolders.isEmpty)
        }
    }

    @Test func `a program cannot read a hidden folder, where the system allows to hide it`() async throws {
        let open = try await stolen { _ in [] }
        #expect(open.text == "secretsecretend\n" && !open.isHidden)
        for hidden in [["data"], ["link"], ["data", "data/inner", "missing", "link"]] {
            let found = try await stolen { folder in hidden.map { "\(folder)/\($0)" } }
            #expect(found.text == (found.isHidden ? "end\n" : "secretsecretend\n"), "\(hidden)")
        }
    }

    @Test func `a folder with the program or with temporary files stays open`() async throws {
        #expect(try await !stolen { [$0] }.isHidden)
        #expect(try await !stolen { ["\($0)/tools"] }.isHidden)
        #expect(try await !stolen { _ in [FileManager.default.temporaryDirectory.path, "/"] }.isHidden)
    }

    @Test func `a program that fails throws its exit code`() async {
        await #expect(throws: LimitedProgram.Failure.failed(3)) { try await run("exit 3") }
    }

    @Test func `a program that takes too long is killed`() async {
        await #expect(throws: LimitedProgram.Failure.tooSlow) {
            try await run("exec sleep 50") { $0.time = .milliseconds(100) }
        }
    }

    @Test func `a program that prints too much is killed`() async {
        await #expect(throws: LimitedProgram.Failure.failed(-1)) {
            try await run("exec head -c 100000 /dev/zero") { $0.outputBytes = 10_000 }
        }
    }

    @Test func `a program gets no more memory than allowed`() async throws {
        #expect(try await run("ulimit -v") { $0.memoryBytes = 64 << 20 } == "65536\n")
    }

    @Test func `a cancelled task kills the program`() async throws {
        let task = Task { try await run("exec sleep 50") }
        task.cancel()
        await #expect(throws: CancellationError.self) { try await task.value }
    }

    @Test func `a program that is not installed is missing`() {
        #expect(LimitedProgram("no-such-program-here") == nil)
    }
}
