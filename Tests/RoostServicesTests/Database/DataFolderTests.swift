import Foundation
import TestSupport
import Testing

@testable import RoostServices
@testable import RoostSupport

@Suite struct DataFolderTests {
    private let files = FileManager.default

    private func mode(_ path: String) throws -> Int? {
        (try files.attributesOfItem(atPath: path)[.posixPermissions] as? NSNumber)?.intValue
    }

    private func set(_ mode: Int, _ path: String) throws {
        try files.setAttributes([.posixPermissions: mode], ofItemAtPath: path)
    }

    @Test(arguments: [0o755, 0o750, 0o770, 0o701, 0o777, 0o2755])
    func `an open folder of Roost's is made private, with its files, and the log says so`(open: Int)
        async throws
    {
        try await withFolder { folder in
            try MigratedDatabase.put(into: folder)
            let names = ["roost.sqlite", "roost.sqlite-wal", "roost.sqlite-shm"]
            for name in names {
                if name != names[0] { #expect(files.createFile(atPath: folder + "/" + name, contents: nil)) }
                try set(0o644, folder + "/" + name)
            }
            try set(open, folder)
            let log = LogCapture()
            try DataFolder.prepare(folder, log: log.logger)
            #expect(try mode(folder) == 0o700)
            for name in names { #expect(try mode(folder + "/" + name) == 0o600, "\(name)") }
            #expect(log.lines.count == 4)
            try DataFolder.prepare(folder, log: log.logger)
            #expect(log.lines.count == 4)
        }
    }

    @Test func `everything that opens the folder makes it private`() async throws {
        try await withFolder { folder in
            try MigratedDatabase.put(into: folder)
            let ways: [() async throws -> Void] = [
                { _ = try DataFolderLock(folder: folder) },
                { try RoostSupport.Database.close(try RoostSupport.Database.open(in: folder)) },
                { _ = try await Services.problems(in: folder) },
                { try ServicesFixture(in: folder).end() },
            ]
            for way in ways {
                try set(0o755, folder)
                try await way()
                #expect(try mode(folder) == 0o700)
            }
        }
    }

    @Test(arguments: [".bashrc", "Documents", "notes.txt", "backup.sqlite"])
    func `an open folder with foreign files is refused and stays unchanged`(other: String) async throws {
        try await withFolder { folder in
            try MigratedDatabase.put(into: folder)
            #expect(files.createFile(atPath: folder + "/" + other, contents: nil))
            try set(0o755, folder)
            let refusal = await refusal { try DataFolder.prepare(folder) }
            let message = try #require(refusal?.message)
            #expect(message.contains("\(folder) is open to other users (mode 0755)"))
            #expect(message.contains(other) && message.contains("chmod 700 \(folder)"))
            #expect(try mode(folder) == 0o755)
            try set(0o700, folder)
            try DataFolder.prepare(folder)
        }
    }

    @Test func `a folder shared by all users is refused, even if it is empty`() async throws {
        try await withFolder { folder in
            try files.createDirectory(atPath: folder, withIntermediateDirectories: true)
            try set(0o1777, folder)
            let refusal = await refusal { try DataFolder.prepare(folder) }
            #expect(refusal?.message.contains("(mode 1777) and shared like /tmp") == true)
            #expect(try mode(folder) == 0o1777)
        }
    }

    @Test func `a database behind a symbolic link is made private too`() async throws {
        try await withFolder { folder in
            let (data, disk) = (folder + "/data", folder + "/disk")
            for each in [data, disk] {
                try files.createDirectory(
                    atPath: each, withIntermediateDirectories: true, attributes: [.posixPermissions: 0o700])
            }
            for name in ["roost.sqlite", "roost.sqlite-wal"] {
                #expect(files.createFile(atPath: disk + "/" + name, contents: nil))
                try set(0o664, disk + "/" + name)
            }
            try files.createSymbolicLink(
                atPath: data + "/roost.sqlite", withDestinationPath: disk + "/roost.sqlite")
            try DataFolder.prepare(data)
            #expect(try mode(disk + "/roost.sqlite") == 0o600)
            #expect(try mode(disk + "/roost.sqlite-wal") == 0o600)
        }
    }
}
