import Foundation
import GRDB
import RoostSupport

/// The last known details of pull requests, for each account that sees them.
enum PullDetailsStore {
    /// Per account; the oldest are removed.
    static let maximumRows = 200
    /// Of an account's details together, in bytes of JSON; the oldest are removed.
    static let maximumBytes = 64 << 20
}

/// The commits of a pull request, which are read without its details. Empty if unknown.
struct PullCommits: ColumnRecord {
    private(set) var base = ""
    private(set) var head = ""

    var knownHead: String? { head.isEmpty ? nil : head }

    init() {}

    init(_ details: PullDetails) {
        base = PullText.sha(details.baseCommit) ?? ""
        head = PullText.sha(details.headCommit) ?? ""
    }

    mutating func columns(_ columns: inout some ColumnVisitor) throws {
        try columns.column("base_commit", &base)
        try columns.column("head_commit", &head)
    }

    fileprivate static let selection = selection(of: "pull_details")
}

/// A row of `pull_details`. Details that an earlier version of Roost stored count as absent if its rules
/// for texts were others, or if they are unreadable.
struct StoredPullDetails: ColumnRecord {
    private var owner = ""
    private var name = ""
    private var number = 0
    fileprivate private(set) var fetchedAt = Date(timeIntervalSince1970: 0)
    fileprivate private(set) var version = PullMarkup.version
    private var commits = PullCommits()
    fileprivate private(set) var details = ""

    init() {}

    /// Equal details have the same JSON, whenever they were fetched.
    ///
    /// - Parameter version: that of the rules that sanitized the texts
    init(_ details: PullDetails, of key: PullKey, version: Int = PullMarkup.version) throws {
        (owner, name, number) = (key.owner, key.name, key.number)
        self.version = version
        commits = PullCommits(details)
        fetchedAt = details.fetchedAt
        var value = details
        value.fetchedAt = Date(timeIntervalSince1970: 0)
        let encoder = JSONEncoder()
        encoder.outputFormatting = [.sortedKeys, .withoutEscapingSlashes]
        self.details = String(decoding: try encoder.encode(value), as: UTF8.self)
    }

    mutating func columns(_ columns: inout some ColumnVisitor) throws {
        try columns.column("owner", &owner)
        try columns.column("name", &name)
        try columns.column("number", &number)
        try columns.column("fetched_at", &fetchedAt)
        try columns.column("version", &version)
        try commits.columns(&columns)
        columns.written("bytes", details.utf8.count)
        try columns.column("details", &details)
    }

    /// The host is the account's.
    fileprivate var key: PullKey { PullKey(host: "", owner: owner, name: name, number: number) }

    fileprivate var value: PullDetails? {
        var value = try? JSONDecoder().decode(PullDetails.self, from: Data(details.utf8))
        value?.fetchedAt = fetchedAt
        return value
    }

    fileprivate static let selection = selection(of: "pull_details")
    fileprivate static let isPull = "account_id = ? AND owner = ? AND name = ? AND number = ?"
    fileprivate static let isCurrent = "\(isPull) AND version = \(PullMarkup.version)"

    fileprivate static func arguments(_ key: PullKey, _ account: GitHubAccountID) -> StatementArguments {
        [account, key.owner, key.name, key.number]
    }
}

/// What is stored of a pull request, without its conversation.
struct StoredPull {
    let owner, name: String
    let number: Int
    let fetchedAt: Date
    let pull: PullRequest
}

extension Reads {
    /// Returns those that are stored, with one statement. Names must be possible ones, without quotation marks.
    func storedPulls(_ keys: Set<PullKey>, as account: GitHubAccountID) throws -> [StoredPull] {
        let names = keys.filter(\.isPossible).map { "[\"\($0.owner)\",\"\($0.name)\",\($0.number)]" }
        guard !names.isEmpty else { return [] }
        return try database.rows(
            """
            SELECT p.owner, p.name, p.number, p.fetched_at, json_extract(p.details, '$.pull') AS pull
            FROM json_each(?) AS wanted CROSS JOIN pull_details AS p
                ON p.account_id = ? AND p.owner = wanted.value ->> 0 AND p.name = wanted.value ->> 1
                AND p.number = wanted.value ->> 2
            WHERE p.version = \(PullMarkup.version)
            """, ["[\(names.joined(separator: ","))]", account]
        ).readable { row in
            StoredPull(
                owner: try row.text("owner"), name: try row.text("name"),
                number: try row.number("number", in: 1...Int.max), fetchedAt: try row.time("fetched_at"),
                pull: try row.json("pull"))
        }
    }

    func pullDetails(of key: PullKey, as account: GitHubAccountID) throws -> PullDetails? {
        try database.rows(
            "SELECT \(StoredPullDetails.selection) FROM pull_details WHERE \(StoredPullDetails.isCurrent)",
            StoredPullDetails.arguments(key, account)
        ).readable { try StoredPullDetails($0) }.first?.value
    }

    /// When the stored details were fetched, without reading them. Nil until they have loaded.
    func pullDetailsTime(of key: PullKey, as account: GitHubAccountID) throws -> Date? {
        try database.rows(
            "SELECT fetched_at FROM pull_details WHERE \(StoredPullDetails.isCurrent)",
            StoredPullDetails.arguments(key, account)
        ).readable { try $0.time("fetched_at") }.first
    }

    /// Nil until the details have loaded.
    func pullCommits(of key: PullKey, as account: GitHubAccountID) throws -> PullCommits? {
        try database.rows(
            "SELECT \(PullCommits.selection) FROM pull_details WHERE \(StoredPullDetails.isCurrent)",
            StoredPullDetails.arguments(key, account)
        ).readable { try PullCommits($0) }.first
    }
}

extension Writes {
    /// Stores the details unless the account has been removed. Only the time changes if they are the same as before.
    ///
    /// - Parameter maximumBytes: of the account's details together; the newest are kept in any case
    func putPullDetails(
        _ record: StoredPullDetails, as account: GitHubAccountID,
        maximumBytes: Int = PullDetailsStore.maximumBytes
    ) throws {
        var arguments: StatementArguments = [record.fetchedAt.stored]
        arguments += StoredPullDetails.arguments(record.key, account)
        arguments += [record.version, record.details]
        try execute(
            """
            UPDATE pull_details SET fetched_at = ?
            WHERE \(StoredPullDetails.isPull) AND version = ? AND details = ?
            """, arguments)
        guard database.changesCount == 0 else { return }
        guard try username(ofGitHubAccount: account) != nil else { return }
        try insert(record, into: "pull_details", keys: ["account_id": account], isReplacing: true)
        try execute(
            """
            DELETE FROM pull_details WHERE account_id = ? AND rowid IN (
                SELECT id FROM (
                    SELECT rowid AS id, row_number() OVER newest AS place, sum(bytes) OVER newest AS total
                    FROM pull_details WHERE account_id = ?
                    WINDOW newest AS (ORDER BY fetched_at DESC, rowid DESC))
                WHERE place > ? OR place > 1 AND total > ?)
            """,
            [account, account, PullDetailsStore.maximumRows, maximumBytes])
    }

    func removePullDetails(of key: PullKey, as account: GitHubAccountID) throws {
        try execute(
            "DELETE FROM pull_details WHERE \(StoredPullDetails.isPull)",
            StoredPullDetails.arguments(key, account))
    }
}
