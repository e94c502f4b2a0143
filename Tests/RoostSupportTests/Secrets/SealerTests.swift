import Foundation
import TestSupport
import Testing

@testable import RoostSupport

@Suite struct SealerTests {
    private static let refusal = RoostError.unavailable(
        "A stored secret cannot be decrypted: it was encrypted with another secret.key, or was changed.")

    private func load(_ folder: String, credentials: String? = nil) throws -> Sealer {
        try Sealer.load(
            folder: folder, environment: credentials.map { ["CREDENTIALS_DIRECTORY": $0] } ?? [:])
    }

    private func mode(_ path: String) throws -> Int? {
        (try FileManager.default.attributesOfItem(atPath: path)[.posixPermissions] as? NSNumber)?.intValue
    }

    private func write(_ text: String, to path: String, mode: Int = 0o600) throws {
        let isMade = FileManager.default.createFile(
            atPath: path, contents: Data(text.utf8), attributes: [.posixPermissions: mode])
        #expect(isMade)
        try FileManager.default.setAttributes([.posixPermissions: mode], ofItemAtPath: path)
    }

    @Test(arguments: ["ghp_secret", "", "пароль 🐢", String(repeating: "long ", count: 10_000)])
    func `a sealed value can be opened and is unreadable while sealed`(secret: String) async throws {
        try await withFolder { folder in
            let sealer = try load(folder)
            let (one, other) = (try sealer.seal(secret, as: "a"), try sealer.seal(secret, as: "a"))
            #expect(one != other && one[0] == 1 && one.count == secret.utf8.count + 29)
            #expect(secret.isEmpty || Data(one).range(of: Data(secret.utf8)) == nil)
            #expect(try sealer.open(one, as: "a") == secret && sealer.open(other, as: "a") == secret)
        }
    }

    @Test func `a sealed secret opens only in its own context`() async throws {
        try await withFolder { folder in
            let sealer = try load(folder)
            let sealed = try sealer.seal("ghp_secret", as: "user 1: github")
            for context in ["user 2: github", "user 1: githu", "", "user 1: github "] {
                #expect(throws: Self.refusal) { try sealer.open(sealed, as: context) }
            }
        }
    }

    @Test func `a sealed secret that was changed or cut anywhere does not open`() async throws {
        try await withFolder { folder in
            let sealer = try load(folder)
            let sealed = try sealer.seal("ghp_secret", as: "a")
            for place in sealed.indices {
                var changed = sealed
                changed[place] ^= 1
                #expect(throws: Self.refusal) { try sealer.open(changed, as: "a") }
                #expect(throws: Self.refusal) { try sealer.open(Array(sealed.prefix(place)), as: "a") }
            }
            #expect(throws: Self.refusal) { try sealer.open(sealed + [0], as: "a") }
        }
    }

    @Test func `only the same key opens a sealed value`() async throws {
        try await withFolder { folder in
            let sealed = try load(folder).seal("ghp_secret", as: "a")
            #expect(try load(folder).open(sealed, as: "a") == "ghp_secret")
            try FileManager.default.removeItem(atPath: folder + "/secret.key")
            let other = try load(folder)
            #expect(throws: Self.refusal) { try other.open(sealed, as: "a") }
        }
    }

    @Test func `a key file is created once, readable only by its owner, without leftovers`() async throws {
        try await withFolder { folder in
            _ = try load(folder + "/new")
            let text = try String(contentsOfFile: folder + "/new/secret.key", encoding: .utf8)
            #expect(text.hasSuffix("\n") && Data(base64Encoded: String(text.dropLast()))?.count == 32)
            #expect(try mode(folder + "/new/secret.key") == 0o600 && mode(folder + "/new") == 0o700)
            _ = try load(folder + "/new")
            #expect(try String(contentsOfFile: folder + "/new/secret.key", encoding: .utf8) == text)
            #expect(try FileManager.default.contentsOfDirectory(atPath: folder + "/new") == ["secret.key"])
            _ = try load(folder + "/other")
            #expect(try String(contentsOfFile: folder + "/other/secret.key", encoding: .utf8) != text)
        }
    }

    @Test func `processes that start at the same time get the same key`() async throws {
        try await withFolder { folder in
            let sealers = try await withThrowingTaskGroup(of: Sealer.self) { group in
                for _ in 0..<16 { group.addTask { try load(folder) } }
                return try await group.reduce(into: []) { $0.append($1) }
            }
            let sealed = try sealers[0].seal("ghp_secret", as: "a")
            for sealer in sealers { #expect(try sealer.open(sealed, as: "a") == "ghp_secret") }
        }
    }

    @Test(arguments: [0o644, 0o640, 0o604, 0o660, 0o620, 0o602])
    func `a key file that others can access is refused with a message`(mode: Int) async throws {
        try await withFolder { folder in
            _ = try load(folder)
            let path = folder + "/secret.key"
            try FileManager.default.setAttributes([.posixPermissions: mode], ofItemAtPath: path)
            #expect(
                throws: RoostError.unavailable(
                    "The key file \(path) can be read by other users (run chmod 600 \(path)).")
            ) { try load(folder) }
        }
    }

    @Test(arguments: [
        "", "\n", "key", "AAAA", String(repeating: "A", count: 40), String(repeating: "A", count: 2_000),
        "\u{0}",
        String(repeating: "A", count: 42) + "-=",
    ])
    func `a broken key file is refused with a message and stays unchanged`(text: String) async throws {
        try await withFolder { folder in
            try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
            try write(text, to: folder + "/secret.key")
            let error = #expect(throws: RoostError.self) { try load(folder) }
            #expect(error?.message.contains("secret.key is broken: it should hold 32 bytes") == true)
            #expect(try String(contentsOfFile: folder + "/secret.key", encoding: .utf8) == text)
        }
    }

    @Test func `a key path that is not a file is refused with a message`() async throws {
        try await withFolder { folder in
            try FileManager.default.createDirectory(
                atPath: folder + "/secret.key", withIntermediateDirectories: true)
            let error = #expect(throws: RoostError.self) { try load(folder) }
            #expect(error?.message == "The key file \(folder)/secret.key is not a file.")
        }
    }

    @Test
    func `systemd's credential overrides the folder's key, and may be readable by its group`()
        async throws
    {
        try await withFolder { folder in
            let (data, credentials) = (folder + "/data", folder + "/credentials")
            try FileManager.default.createDirectory(atPath: credentials, withIntermediateDirectories: true)
            let sealed = try load(data, credentials: credentials).seal("from the folder", as: "a")
            #expect(try load(data).open(sealed, as: "a") == "from the folder")
            let key = Data((0..<32).map { UInt8($0) }).base64EncodedString()
            try write(key, to: credentials + "/secret.key", mode: 0o440)
            #expect(throws: Self.refusal) { try load(data, credentials: credentials).open(sealed, as: "a") }
            _ = try load(folder + "/untouched", credentials: credentials)
            #expect(!FileManager.default.fileExists(atPath: folder + "/untouched"))
            try write(key, to: credentials + "/secret.key", mode: 0o444)
            #expect(throws: RoostError.self) { try load(data, credentials: credentials) }
            #expect(try load(data, credentials: "").open(sealed, as: "a") == "from the folder")
        }
    }
}
