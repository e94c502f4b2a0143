import Foundation
import GRDB
import RoostSupport

/// The last known details of pull requests, for each account that sees them.
enum PullDetailsStore {
    /// Per account; the oldest are removed.
    static let maximumRows = 200
}

/// A row of `pull_details`. Details that an earlier version of Roost stored may be unreadable, and count as absent.
struct StoredPullDetails: ColumnRecord {
    private var owner = ""
    private var name = ""
    private var number = 0
    fileprivate private(set) var fetchedAt = Date(timeIntervalSince1970: 0)
    fileprivate private(set) var details = ""

    init() {}

    /// Equal details have the same JSON, whenever they were fetched.
    init(_ details: PullDetails, of key: PullKey) throws {
        (owner, name, number) = (key.owner, key.name, key.number)
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

    fileprivate static func arguments(_ key: PullKey, _ account: GitHubAccountID) -> StatementArguments {
        [account, key.owner, key.name, key.number]
    }
}

extension Reads {
    func pullDetails(of key: PullKey, as account: GitHubAccountID) throws -> PullDetails? {
        try database.rows(
            "SELECT \(StoredPullDetails.selection) FROM pull_details WHERE \(StoredPullDetails.isPull)",
            StoredPullDetails.arguments(key, account)
        ).readable { try StoredPullDetails($0) }.first?.value
    }
}

extension Writes {
    /// Stores the details unless the account has been removed. Only the time changes if they are the same as before.
    func putPullDetails(_ record: StoredPullDetails, as account: GitHubAccountID) throws {
        var arguments: StatementArguments = [record.fetchedAt.stored]
        arguments += StoredPullDetails.arguments(record.key, account)
        arguments += [record.details]
        try execute(
            "UPDATE pull_details SET fetched_at = ? WHERE \(StoredPullDetails.isPull) AND details = ?",
            arguments)
        guard database.changesCount == 0 else { return }
        guard try username(ofGitHubAccount: account) != nil else { return }
        try insert(record, into: "pull_details", keys: ["account_id": account], isReplacing: true)
        try execute(
            """
            DELETE FROM pull_details WHERE account_id = ? AND rowid IN (
                SELECT rowid FROM pull_details WHERE account_id = ?
                ORDER BY fetched_at DESC, rowid DESC LIMIT -1 OFFSET ?)
            """,
            [account, account, PullDetailsStore.maximumRows])
    }

    func removePullDetails(of key: PullKey, as account: GitHubAccountID) throws {
        try execute(
            "DELETE FROM pull_details WHERE \(StoredPullDetails.isPull)",
            StoredPullDetails.arguments(key, account))
    }
}
