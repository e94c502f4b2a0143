import Foundation
import GRDB
import RoostSupport

/// What users have seen of pull requests.
enum PullViewedStore {
    /// Per user; those that were marked first are removed.
    static let maximumFiles = 10_000
    /// Per user; the oldest are removed.
    static let maximumLooks = 2_000

    fileprivate static let files = ViewedPullFile.selection(of: "pull_viewed_files")
    fileprivate static let looks = PullLook.selection(of: "pull_looks")
    fileprivate static let isPull = "user_id = ? AND host = ? AND owner = ? AND name = ? AND number = ?"

    fileprivate static func arguments(_ key: PullKey, _ user: UserID) -> StatementArguments {
        [user, key.host, key.owner, key.name, key.number]
    }
}

/// A row of `pull_viewed_files`: a file that the user has marked as viewed.
struct ViewedPullFile: ColumnRecord {
    var key = PullKey.unknown
    var path = ""
    /// SHA of the blob at the time of the mark.
    var blob = ""
    var viewedAt = Date(timeIntervalSince1970: 0)

    mutating func columns(_ columns: inout some ColumnVisitor) throws {
        try key.columns(&columns)
        try columns.column("path", &path)
        try columns.column("blob", &blob)
        try columns.column("viewed_at", &viewedAt)
    }
}

/// A row of `pull_looks`. Opening a pull request again within a few minutes is the same look.
struct PullLook: ColumnRecord {
    /// In seconds.
    private static let (lifetime, resolution): (TimeInterval, TimeInterval) = (600, 60)

    var key = PullKey.unknown
    private(set) var seenAt = Date(timeIntervalSince1970: 0)
    /// The end of the look before this one.
    private(set) var previousAt: Date?

    init() {}

    init(of key: PullKey, at time: Date) {
        self.key = key
        seenAt = time
    }

    mutating func columns(_ columns: inout some ColumnVisitor) throws {
        try key.columns(&columns)
        try columns.column("seen_at", &seenAt)
        try columns.column("previous_at", &previousAt)
    }

    /// The time of the last look that is over. It stays the same while the user continues to look.
    func before(_ now: Date) -> Date? { isOver(at: now) ? seenAt : previousAt }

    /// Returns the look after the user has seen the pull request again, or nil if it is too early to store a change.
    func seen(at now: Date) -> PullLook? {
        // The clock may have been set back.
        guard abs(now.timeIntervalSince(seenAt)) >= Self.resolution else { return nil }
        var look = PullLook(of: key, at: now)
        look.previousAt = before(now).map { min($0, now) }
        return look
    }

    private func isOver(at now: Date) -> Bool { now.timeIntervalSince(seenAt) >= Self.lifetime }
}

extension Reads {
    func viewedPullFiles(of key: PullKey, of user: UserID) throws -> [ViewedPullFile] {
        try database.rows(
            "SELECT \(PullViewedStore.files) FROM pull_viewed_files WHERE \(PullViewedStore.isPull)",
            PullViewedStore.arguments(key, user)
        ).readable { try ViewedPullFile($0) }
    }

    func viewedPullFile(_ path: String, of key: PullKey, of user: UserID) throws -> ViewedPullFile? {
        try database.rows(
            """
            SELECT \(PullViewedStore.files) FROM pull_viewed_files
            WHERE \(PullViewedStore.isPull) AND path = ?
            """, PullViewedStore.arguments(key, user) + [path]
        ).readable { try ViewedPullFile($0) }.first
    }

    /// Returns the user's viewed files of all pull requests with greater ids, in the order of the ids.
    func viewedPullFiles(
        after id: Int64, limit: Int, of user: UserID
    ) throws -> [(id: Int64, file: ViewedPullFile)] {
        try database.rows(
            """
            SELECT id, \(PullViewedStore.files) FROM pull_viewed_files
            WHERE user_id = ? AND id > ? ORDER BY id LIMIT ?
            """, [user, id, limit]
        ).readable { (try $0.id("id"), try ViewedPullFile($0, at: 1)) }
    }

    func pullLook(of key: PullKey, of user: UserID) throws -> PullLook? {
        try database.rows(
            "SELECT \(PullViewedStore.looks) FROM pull_looks WHERE \(PullViewedStore.isPull)",
            PullViewedStore.arguments(key, user)
        ).readable { try PullLook($0) }.first
    }

    func pullLooks(of user: UserID) throws -> [PullLook] {
        try database.rows(
            """
            SELECT \(PullViewedStore.looks) FROM pull_looks
            WHERE user_id = ? ORDER BY host, owner, name, number
            """, [user]
        ).readable { try PullLook($0) }
    }
}

extension Writes {
    /// Replaces the mark of the same file.
    func putViewedPullFile(_ file: ViewedPullFile, of user: UserID) throws {
        try insert(file, into: "pull_viewed_files", keys: ["user_id": user], isReplacing: true)
        try execute(
            """
            DELETE FROM pull_viewed_files WHERE user_id = ? AND id <= (
                SELECT id FROM pull_viewed_files WHERE user_id = ? ORDER BY id DESC LIMIT 1 OFFSET ?)
            """, [user, user, PullViewedStore.maximumFiles])
    }

    func removeViewedPullFile(_ path: String, of key: PullKey, of user: UserID) throws {
        try execute(
            "DELETE FROM pull_viewed_files WHERE \(PullViewedStore.isPull) AND path = ?",
            PullViewedStore.arguments(key, user) + [path])
    }

    /// Replaces the look at the same pull request.
    func putPullLook(_ look: PullLook, of user: UserID) throws {
        try insert(look, into: "pull_looks", keys: ["user_id": user], isReplacing: true)
        try execute(
            """
            DELETE FROM pull_looks WHERE user_id = ? AND (host, owner, name, number) IN (
                SELECT host, owner, name, number FROM pull_looks WHERE user_id = ?
                ORDER BY seen_at DESC, host, owner, name, number LIMIT -1 OFFSET ?)
            """, [user, user, PullViewedStore.maximumLooks])
    }
}
