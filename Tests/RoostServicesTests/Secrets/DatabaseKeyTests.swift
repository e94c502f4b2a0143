import Foundation
import TestSupport
import Testing

@testable import Accounts
@testable import RoostServices
@testable import RoostSupport

/// A database knows the key that it is sealed with and accepts no other.
@Suite struct DatabaseKeyTests {
    private static let withoutKey = Sealer.missingKey

    /// The services of a folder, as after a start with this environment and these settings.
    @discardableResult
    private func started<Value>(
        _ folder: String, credentials: String? = nil, keyFile: String? = nil, usesKey: Bool = true,
        _ body: (ServicesFixture) async throws -> Value
    ) async throws -> Value {
        let fixture = try ServicesFixture(in: folder) { configuration in
            configuration.passwordCost = .cheap
            configuration.environment = credentials.map { ["CREDENTIALS_DIRECTORY": $0] } ?? [:]
            configuration.keyFile = keyFile
            configuration.usesKey = usesKey
        }
        let result: Result<Value, any Error>
        do {
            try await fixture.services.load()
            result = .success(try await body(fixture))
        } catch { result = .failure(error) }
        try fixture.end()
        return try result.get()
    }

    /// Seals something and returns it.
    private func seal(_ fixture: ServicesFixture) async throws -> String {
        let owner = try await fixture.services.owner().userId
        return try await fixture.services.market.displays.add("Wall", for: owner).token
    }

    private func opened(_ fixture: ServicesFixture, at index: Int = 0) async throws -> String? {
        let owner = try await fixture.services.owner().userId
        let displays = try await fixture.services.market.displays.displays(of: owner)
        let display = try #require(displays.dropFirst(index).first)
        return try await fixture.services.market.displays.token(of: display.id, for: owner)
    }

    private func write(_ byte: UInt8, to path: String, mode: Int = 0o600) throws {
        try FileManager.default.createDirectory(
            atPath: (path as NSString).deletingLastPathComponent, withIntermediateDirectories: true)
        try Data(repeating: byte, count: 32).base64EncodedString().write(
            toFile: path, atomically: true, encoding: .utf8)
        try FileManager.default.setAttributes([.posixPermissions: mode], ofItemAtPath: path)
    }

    private func exists(_ path: String) -> Bool { FileManager.default.fileExists(atPath: path) }

    @Test func `a command creates no key, before the first start or after it`() async throws {
        try await withFolder { folder in
            let key = folder + "/secret.key"
            try await started(folder, usesKey: false) { fixture in
                try await fixture.services.identity.accounts.add(
                    Profile(username: "ada"), role: .owner, password: nil)
            }
            #expect(!exists(key))
            let token = try await started(folder) { try await seal($0) }
            #expect(exists(key))
            let made = try String(contentsOfFile: key, encoding: .utf8)
            try await started(folder, usesKey: false) { fixture in
                #expect(fixture.log.lines.isEmpty)
                await #expect(throws: Self.withoutKey) { try await seal(fixture) }
            }
            #expect(try String(contentsOfFile: key, encoding: .utf8) == made)
            #expect(try await started(folder) { try await opened($0) } == token)
        }
    }

    @Test func `a command without the service's credential creates no second key`() async throws {
        try await withFolder { folder in
            let (data, credentials) = (folder + "/data", folder + "/credentials")
            try write(1, to: credentials + "/secret.key", mode: 0o440)
            let token = try await started(data, credentials: credentials) { try await seal($0) }
            try await started(data, usesKey: false) { fixture in
                try await fixture.services.identity.accounts.add(
                    Profile(username: "grace"), role: .member, password: nil)
            }
            #expect(!exists(data + "/secret.key"))
            #expect(try await started(data, credentials: credentials) { try await opened($0) } == token)
        }
    }

    private enum Mistake: CaseIterable {
        case missing, otherInFolder, otherCredential, otherFile
    }

    @Test(arguments: Mistake.allCases)
    private func `a wrong or missing key is reported and changes nothing until it is corrected`(
        mistake: Mistake
    ) async throws {
        try await withFolder { folder in
            let data = folder + "/data"
            let (key, kept, other) = (data + "/secret.key", folder + "/kept", folder + "/other/secret.key")
            let token = try await started(data) { try await seal($0) }
            if mistake == .missing || mistake == .otherInFolder {
                try FileManager.default.moveItem(atPath: key, toPath: kept)
            }
            try write(7, to: mistake == .otherInFolder ? key : other)
            try await started(
                data, credentials: mistake == .otherCredential ? folder + "/other" : nil,
                keyFile: mistake == .otherFile ? other : nil
            ) { fixture in
                let brief =
                    mistake == .missing ? "is missing." : "is not the one that this database was sealed with."
                #expect(fixture.services.keyProblem?.hasSuffix(brief) == true)
                let problem = try #require(
                    fixture.log.lines.first { $0.hasPrefix("error") && $0.contains("key") })
                #expect(problem.contains(mistake == .missing ? "is missing" : "is not the key"))
                #expect(problem.contains("last read from \(key)"))
                #expect(
                    mistake == .missing
                        || problem.contains("in \(mistake == .otherInFolder ? key : other) is not"))
                #expect(try await opened(fixture) == nil)
                await #expect(throws: Self.withoutKey) { try await seal(fixture) }
            }
            if mistake == .missing { #expect(!exists(key)) }
            if exists(kept) {
                try? FileManager.default.removeItem(atPath: key)
                try FileManager.default.moveItem(atPath: kept, toPath: key)
            }
            try await started(data) { fixture in
                let found = try await opened(fixture)
                #expect(found == token && fixture.services.keyProblem == nil)
            }
        }
    }

    @Test func `a wrong key is detected from the first start on, even before anything was sealed`()
        async throws
    {
        try await withFolder { folder in
            try await started(folder) { fixture in #expect(fixture.services.keyProblem == nil) }
            try write(7, to: folder + "/secret.key")
            try await started(folder) { fixture in #expect(fixture.services.keyProblem != nil) }
        }
    }

    @Test func `a database without a recorded key accepts only the key that opens it`()
        async throws
    {
        try await withFolder { folder in
            let (key, kept) = (folder + "/secret.key", folder + "/kept")
            let token = try await started(folder) { fixture in
                let token = try await seal(fixture)
                try fixture.change("DELETE FROM secret_key")
                return token
            }
            try FileManager.default.moveItem(atPath: key, toPath: kept)
            try await started(folder) { fixture in
                #expect(fixture.services.keyProblem?.contains("is missing") == true)
                #expect(!exists(key))
            }
            try write(7, to: key)
            try await started(folder) { fixture in
                #expect(fixture.services.keyProblem?.contains("is not the one") == true)
                let count = try fixture.sql(Int.self, "SELECT count(*) FROM secret_key")
                #expect(count == [0])
            }
            try FileManager.default.removeItem(atPath: key)
            try FileManager.default.moveItem(atPath: kept, toPath: key)
            try await started(folder) { fixture in
                let found = try await opened(fixture)
                let lengths = try fixture.sql(Int.self, "SELECT length(fingerprint) FROM secret_key")
                #expect(found == token && lengths == [32])
            }
        }
    }

    /// In every table with sealed values, a single row is enough to detect a wrong key.
    @Test(arguments: [
        "INSERT INTO sealed_secrets VALUES (1, 'github/1', zeroblob(40), 1)",
        """
        INSERT INTO join_links (code_hash, sealed_code, note, created_at, expires_at, uses_allowed)
        VALUES (zeroblob(32), zeroblob(40), '', 1, 2, 1)
        """,
        "INSERT INTO displays (user_id, name, token_hash, token_sealed, created_at) VALUES (1, 'x', zeroblob(32), zeroblob(40), 1)",
        "INSERT INTO reading_feeds VALUES (1, 1, 'unread', '', '', '', '', zeroblob(32), zeroblob(40), 1)",
    ])
    func `any table sealed with another key reveals it`(row: String) async throws {
        try await withFolder { folder in
            try await started(folder) { fixture in
                try fixture.change("DELETE FROM secret_key")
                try fixture.change(row)
            }
            try await started(folder) { fixture in #expect(fixture.services.keyProblem != nil) }
        }
    }

    @Test func `a lost key is forgotten on demand, and the next start uses a new one`() async throws {
        try await withFolder { folder in
            let key = folder + "/secret.key"
            try await started(folder) { fixture in _ = try await seal(fixture) }
            try FileManager.default.removeItem(atPath: key)
            try Services.forgetKey(in: folder)
            #expect(!exists(key))
            let token = try await started(folder) { fixture in
                #expect(fixture.services.keyProblem == nil && exists(key))
                #expect(try await opened(fixture) == nil)
                return try await seal(fixture)
            }
            try await started(folder) { fixture in
                #expect(fixture.services.keyProblem == nil)
                let found = try await opened(fixture, at: 1)
                #expect(found == token)
            }
        }
    }

    @Test func `a key is not forgotten while a server runs`() async throws {
        try await withFolder { folder in
            let lock = try DataFolderLock(folder: folder)
            #expect(throws: RoostError.self) { try Services.forgetKey(in: folder) }
            withExtendedLifetime(lock) {}
        }
    }

    @Test func `an unused key gives a warning, so that it is not the one backed up`() async throws {
        try await withFolder { folder in
            let (data, credentials) = (folder + "/data", folder + "/credentials")
            try write(1, to: credentials + "/secret.key", mode: 0o440)
            try write(2, to: data + "/secret.key")
            try await started(data, credentials: credentials) { fixture in
                #expect(fixture.services.keyProblem == nil)
                #expect(
                    fixture.log.lines.contains {
                        $0.hasPrefix("warning") && $0.contains("\(data)/secret.key is not in use")
                            && $0.contains("\(credentials)/secret.key")
                    })
            }
            try await started(data, usesKey: false) { fixture in
                #expect(
                    fixture.log.lines.contains { $0.hasPrefix("warning") && $0.contains("is not the key") })
            }
        }
    }

    @Test func `a key file named in the settings is not created`() async throws {
        try await withFolder { folder in
            let (data, file) = (folder + "/data", folder + "/etc/roost.key")
            #expect(throws: RoostError.unavailable("The key file \(file) does not exist.")) {
                try ServicesFixture(in: data) { $0.keyFile = file }
            }
            try write(3, to: file, mode: 0o640)
            let token = try await started(data, keyFile: file) { try await seal($0) }
            #expect(!exists(data + "/secret.key"))
            #expect(try await started(data, keyFile: file) { try await opened($0) } == token)
            try write(3, to: file, mode: 0o644)
            await #expect(throws: RoostError.self) { try await started(data, keyFile: file) { _ in } }
        }
    }

    @Test func `nothing on the disk contains the key`() async throws {
        try await withFolder { folder in
            try await started(folder) { fixture in
                let text = try String(contentsOfFile: folder + "/secret.key", encoding: .utf8)
                let key = try #require(Data(base64Encoded: String(text.dropLast())))
                let stored = try fixture.sql(Data.self, "SELECT fingerprint FROM secret_key")
                #expect(stored.count == 1 && stored.first != key)
                for file in ["", "-wal"] {
                    let bytes = try Data(contentsOf: URL(filePath: folder + "/roost.sqlite" + file))
                    #expect(bytes.range(of: key) == nil)
                }
            }
        }
    }
}
