import Accounts
import Foundation
package import RoostSupport
import TextFormats

/// Exports all data of a user or of the whole server to a zip file, and merges such a file.
///
/// Nothing that opens something is in it: no password, session, token, link or key.
package final class TransferService: Sendable {
    private let parts: [TransferPart]
    private let database: Database
    private let accounts: AccountService
    private let heavyWork: HeavyWorkQueue
    private let clock: WallClock

    /// - Parameter parts: in the order of importing
    init(
        _ parts: [TransferPart], database: Database, accounts: AccountService, heavyWork: HeavyWorkQueue,
        clock: WallClock
    ) {
        self.parts = parts
        self.database = database
        self.accounts = accounts
        self.heavyWork = heavyWork
        self.clock = clock
    }

    // MARK: Export

    /// Writes a new file of mode 0600, which appears under its name when it is complete. Rows are read in small
    /// transactions: what changes in the meantime is in the file in its old or its new state.
    ///
    /// Throws `RoostError.conflict` if the file exists, `.unavailable` if it can't be written, and `CancellationError`.
    ///
    /// - Parameter user: nil for the whole server
    package func export(
        of user: UserID?, to path: String, progress: TransferProgress = TransferProgress()
    ) async throws -> TransferManifest {
        let users = try await accounts.users.filter {
            !$0.isPlaceholder && (user == nil || $0.userId == user)
        }
        guard !users.isEmpty else { throw RoostError.notFound("There is no such user.") }
        let exporter = TransferExporter(
            parts: parts, database: database, now: clock.now(), progress: progress)
        return try await withTaskCancellationHandler {
            try await DetachedThread.run {
                try Self.write(to: path) { partial in
                    try exporter.write(users, isServer: user == nil, to: partial)
                }
            }
        } onCancel: {
            progress.cancel()
        }
    }

    private static func write<Value>(to path: String, _ body: (String) throws -> Value) throws -> Value {
        let draft = try DraftCopy(of: path)
        defer { draft.discard() }
        let value: Value
        do { value = try body(draft.file) } catch let error as ZipFileWriter.WriteError {
            throw RoostError.unavailable(error.why)
        }
        let written = open(draft.file, O_RDONLY | O_CLOEXEC)
        let isSynced = written >= 0 && fsync(written) == 0
        if written >= 0 { close(written) }
        guard isSynced else { throw RoostError.unavailable("The file \(path) could not be written.") }
        try draft.publish()
        return value
    }

    // MARK: Import

    /// Whose data a file has, without reading the rows. Throws `RoostError.invalid(field: "file")`.
    package static func manifest(ofFileAt path: String) throws -> TransferManifest {
        try refusing { try manifest(of: ZipFileReader(path: path)) }
    }

    private static func manifest(of reader: ZipFileReader) throws -> TransferManifest {
        let bytes = try reader.content(
            of: TransferManifest.fileName, maximumBytes: TransferManifest.maximumBytes)
        guard let bytes else {
            throw RoostError.file("This zip file has no manifest.json, so it isn’t an export of all data.")
        }
        struct Head: Decodable {
            let program, kind: String?
            let version: Int?
        }
        let (data, decoder) = (Data(bytes), TransferLine.decoder)
        guard (try? JSONReader.check(data, maximumValues: 1_000_000)) != nil,
            let head = try? decoder.decode(Head.self, from: data),
            head.program == TransferManifest.program, head.kind == TransferManifest.kind,
            let version = head.version
        else { throw RoostError.file("Its manifest.json isn’t that of an export of all data from Roost.") }
        guard version <= TransferManifest.version else {
            throw RoostError.file("This file is from a newer version of Roost. Update this Roost first.")
        }
        guard let manifest = try? decoder.decode(TransferManifest.self, from: data), !manifest.users.isEmpty
        else { throw RoostError.file("Its manifest.json is incomplete.") }
        return manifest
    }

    private static func refusing<Value>(_ work: () throws -> Value) throws -> Value {
        do { return try work() } catch let error as ZipFileReader.ReadError {
            throw RoostError.file(error.why)
        }
    }

    /// Merges a file; rows that are here already add nothing, so that importing twice or after a failure is harmless.
    /// A row that can't be imported is skipped with the reason.
    ///
    /// Throws `RoostError.invalid(field: "file")` for another kind of file or a broken one; rows before the break are
    /// imported then.
    ///
    /// - Parameters:
    ///   - limits: of what is unpacked
    ///   - user: who gets the file's data; nil for the operator, who imports all users of the file and adds missing
    ///     ones
    ///   - report: called for each row
    ///   - checkRoom: called before some rows are written; an error ends the import
    package func importFile(
        at path: String, for user: UserID?, limits: ZipFileReader.Limits = ZipFileReader.Limits(),
        progress: TransferProgress = TransferProgress(),
        report: @escaping @Sendable (TransferReport.Row) -> Void = { _ in },
        checkRoom: @escaping @Sendable () throws -> Void = {}
    ) async throws -> TransferReport {
        // Reading blocks, which the threads of Swift's pool must not.
        let thread = TaskThreads(count: 1, niceness: 10)
        guard thread.start() else {
            throw RoostError.unavailable("Roost is busy. Please try again in a moment.")
        }
        defer { thread.stop() }
        return try await withTaskExecutorPreference(thread) {
            try await merge(path, for: user, limits, progress, checkRoom, report)
        }
    }

    private func merge(
        _ path: String, for user: UserID?, _ limits: ZipFileReader.Limits, _ progress: TransferProgress,
        _ checkRoom: @escaping @Sendable () throws -> Void,
        _ report: @escaping @Sendable (TransferReport.Row) -> Void
    ) async throws -> TransferReport {
        let reader = try Self.refusing {
            try ZipFileReader(path: path, limits: limits) { try progress.check() }
        }
        let manifest = try Self.refusing { try Self.manifest(of: reader) }
        var newUsers: [String] = []
        let isServer = user == nil && manifest.scope == .server
        if user == nil { newUsers = try await addUsers(of: manifest) }
        var ids = Dictionary(
            try await accounts.users.filter { !$0.isPlaceholder }.map {
                (Profile.key($0.username), $0.userId)
            }
        ) { first, _ in first }
        var folders: [(folder: String, owner: UserID)] = []
        if let user {
            let person = try await Self.person(of: manifest, like: try accounts.user(user))
            ids[Profile.key(person.username)] = user
            folders = [(person.folder, user)]
        } else {
            folders = manifest.users.compactMap { person in
                ids[Profile.key(person.username)].map { (person.folder, $0) }
            }
        }
        let owner = isServer ? nil : folders.first?.owner
        let importer = TransferImporter(
            parts: parts, database: database, heavyWork: heavyWork,
            context: TransferContext(now: clock.now(), isServer: isServer) { [ids] name in
                ids[Profile.key(name)]
            },
            progress: progress, checkRoom: checkRoom, report: report, folders: folders, owner: owner)
        do {
            var report = try await importer.run(reader)
            report.newUsers = newUsers
            return report
        } catch let error as ZipFileReader.ReadError {
            throw RoostError.file(error.why)
        }
    }

    private static func person(
        of manifest: TransferManifest, like user: User?
    ) throws -> TransferManifest.Person {
        guard let user else { throw RoostError.notFound("There is no such user.") }
        let same = manifest.users.first { Profile.key($0.username) == Profile.key(user.username) }
        if let same { return same }
        guard manifest.users.count == 1, let only = manifest.users.first else {
            throw RoostError.file("This file has no data of a user named “\(user.username)”.")
        }
        return only
    }

    /// Adds the users of a server's file that are missing, without a password. A file of one user belongs to the user of
    /// that name, whom a new server gets as its owner.
    private func addUsers(of manifest: TransferManifest) async throws -> [String] {
        let users = try await accounts.users.filter { !$0.isPlaceholder }
        let known = Set(users.map { Profile.key($0.username) })
        let missing = manifest.users.filter { !known.contains(Profile.key($0.username)) }
        guard manifest.scope == .server || missing.isEmpty || users.isEmpty else {
            let name = missing.first?.username ?? ""
            throw RoostError.notFound(
                "There is no user named “\(name)”. Name the user who gets the data with --user.")
        }
        var added: [String] = []
        // Owners first: the first one inherits what the server has.
        for person in missing.filter({ $0.role == .owner }) + missing.filter({ $0.role != .owner }) {
            let role = manifest.scope == .user ? User.Role.owner : person.role
            do {
                let profile = try Profile(
                    username: person.username, email: person.email, displayName: person.displayName)
                try await accounts.add(profile, role: role, password: nil)
            } catch RoostError.conflict(let field, _) where field == "email" {
                let profile = try Profile(username: person.username, displayName: person.displayName)
                try await accounts.add(profile, role: role, password: nil)
            }
            added.append(person.username)
        }
        return added
    }
}
