import Accounts
import Foundation
import RoostSupport

/// Writes an export of all data. Blocks until it is written.
struct TransferExporter {
    let parts: [TransferPart]
    let database: Database
    let now: Date
    let progress: TransferProgress

    /// The rows written so far. The entries are written one after the other, the manifest last.
    private final class Counts {
        var rows: [String: Int] = [:]
    }

    /// - Parameters:
    ///   - isServer: whether these are all users
    ///   - path: an empty file, which is replaced
    func write(_ users: [User], isServer: Bool, to path: String) throws -> TransferManifest {
        let writer = try ZipFileWriter(path: path, at: now)
        let counts = Counts()
        var manifest = TransferManifest(
            exportedAt: now, scope: isServer ? .server : .user,
            users: users.enumerated().map { index, user in
                TransferManifest.Person(
                    folder: "users/\(index + 1)", username: user.username, displayName: user.displayName,
                    email: user.email, role: user.role)
            })
        for (person, user) in zip(manifest.users, users) {
            let source = TransferPart.Source(user: user.userId, isServer: isServer)
            for part in parts where !part.isShared {
                try add(part, of: source, in: person.folder, to: writer, counts)
            }
        }
        let source = TransferPart.Source(user: isServer ? nil : users.first?.userId, isServer: isServer)
        for part in parts where part.isShared {
            try add(part, of: source, in: TransferManifest.sharedFolder, to: writer, counts)
        }
        try writer.add(TransferManifest.fileName) { [manifest] in
            var whole: TransferManifest? = manifest
            return {
                defer { whole = nil }
                whole?.counts = counts.rows
                return try whole.map { try TransferLine.json($0) }
            }
        }
        try writer.finish()
        manifest.counts = counts.rows
        return manifest
    }

    private func add(
        _ part: TransferPart, of source: TransferPart.Source, in folder: String, to writer: ZipFileWriter,
        _ counts: Counts
    ) throws {
        let name = "\(folder)/\(part.fileName)"
        try writer.add(name) { [self] in
            try progress.begin(name)
            counts.rows[name] = 0
            var (key, isAtEnd): (Int64, Bool) = (0, false)
            return {
                while !isAtEnd {
                    let page = try read { try part.page($0, source, key) }
                    if let next = page.next, next > key { key = next } else { isAtEnd = true }
                    try progress.add(page.lines.count)
                    counts.rows[name, default: 0] += page.lines.count
                    if !page.lines.isEmpty { return page.lines.reduce(into: []) { $0 += $1 + [0x0A] } }
                }
                return nil
            }
        }
        guard let files = part.files else { return }
        var key: Int64? = 0
        while let last = key {
            try progress.check()
            let (paths, next) = try read { try files.paths($0, source, last) }
            for path in paths {
                // Pictures and most other files are compressed.
                try writer.add("\(folder)/\(path)", isStored: true) { [self] in
                    var isRead = false
                    return {
                        defer { isRead = true }
                        return isRead ? nil : try read { try files.content($0, source, path) }
                    }
                }
            }
            key = next.flatMap { $0 > last ? $0 : nil }
        }
    }

    /// One transaction, which ends before anything is written.
    private func read<Value>(_ work: (Reads) throws -> Value) throws -> Value {
        guard let value = try database.readUnlessNested(work) else {
            throw RoostError.unavailable("Couldn’t read the database. Please try again.")
        }
        return value
    }
}
