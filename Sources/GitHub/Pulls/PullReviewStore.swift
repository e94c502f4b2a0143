import Foundation
import GRDB
package import RoostSupport

/// A row of `pull_review_drafts`: a review that its author has not sent yet.
struct StoredReviewDraft {
    private(set) var key: PullKey
    private(set) var review: PullReview
    private(set) var changedAt: Date
}

extension StoredReviewDraft: ColumnRecord {
    init() {
        self.init(
            key: PullKey(host: "", owner: "", name: "", number: 0), review: PullReview(),
            changedAt: Date(timeIntervalSince1970: 0))
    }

    mutating func columns(_ columns: inout some ColumnVisitor) throws {
        var (host, owner, name, number) = (key.host, key.owner, key.name, key.number)
        try columns.column("host", &host)
        try columns.column("owner", &owner)
        try columns.column("name", &name)
        try columns.column("number", &number)
        key = PullKey(host: host, owner: owner, name: name, number: number)
        try columns.column("verdict", &review.verdict)
        try columns.column("head", &review.head)
        try columns.column("changed_at", &changedAt)
        try columns.column("body", &review.body)
        try columns.column("comments", &review.comments)
    }
}

package enum PullReviewStore {
    /// Drafts of each user.
    static let maximumDrafts = 100
    /// In bytes of JSON.
    static let maximumComments = 1_000_000

    package static let stored = [
        StoredRows("pull_review_drafts", StoredReviewDraft.self, ids: ["user_id"])
    ]

    fileprivate static let columns = StoredReviewDraft.selection(of: "pull_review_drafts")
    fileprivate static let isDraft =
        "user_id = ? AND host = ? AND owner = ? AND name = ? AND number = ?"

    fileprivate static func arguments(_ key: PullKey, of user: UserID) -> StatementArguments {
        [user, key.host, key.owner, key.name, key.number]
    }
}

extension Migration {
    /// `comments` is a list in JSON; nothing asks for one of them.
    package static let pullReviewDrafts = Migration(
        "pulls: drafts of reviews",
        sql: """
            CREATE TABLE pull_review_drafts (
                user_id INTEGER NOT NULL REFERENCES users (id) ON DELETE CASCADE,
                host TEXT NOT NULL COLLATE NOCASE CHECK (length(host) BETWEEN 1 AND 255),
                owner TEXT NOT NULL COLLATE NOCASE CHECK (length(owner) BETWEEN 1 AND 200),
                name TEXT NOT NULL COLLATE NOCASE CHECK (length(name) BETWEEN 1 AND 200),
                number INTEGER NOT NULL CHECK (number > 0),
                verdict TEXT NOT NULL CHECK (verdict IN ('comment', 'approve', 'requestChanges')),
                head TEXT NOT NULL CHECK (length(head) <= 64),
                changed_at REAL NOT NULL,
                body TEXT NOT NULL CHECK (length(body) <= 65536),
                comments TEXT NOT NULL CHECK (length(comments) <= 1000000),
                PRIMARY KEY (user_id, host, owner, name, number)
            ) STRICT;
            """)
}

extension Reads {
    /// A draft that cannot be read is not shown.
    func pullReviewDraft(of key: PullKey, by user: UserID) throws -> PullReview? {
        try database.rows(
            "SELECT \(PullReviewStore.columns) FROM pull_review_drafts WHERE \(PullReviewStore.isDraft)",
            PullReviewStore.arguments(key, of: user)
        ).readable { try StoredReviewDraft($0).review }.first
    }
}

extension Writes {
    /// Throws `RoostError.invalid` if its comments are too long together, and `.conflict` if it is one draft too many.
    func putPullReviewDraft(_ review: PullReview, of key: PullKey, by user: UserID, at now: Date) throws {
        guard let json = try? JSONEncoder().encode(review.comments),
            json.count <= PullReviewStore.maximumComments
        else {
            throw RoostError.invalid(
                field: "body", why: "This review’s comments on lines are too long together. Send it first.")
        }
        // A draft is someone's work, so none is removed to make room.
        let others = try database.value(
            Int.self,
            "SELECT count(*) FROM pull_review_drafts WHERE user_id = ? AND NOT (\(PullReviewStore.isDraft))",
            [user] + PullReviewStore.arguments(key, of: user))
        guard (others ?? 0) < PullReviewStore.maximumDrafts else {
            throw RoostError.conflict(
                field: "act",
                why: "You have \(PullReviewStore.maximumDrafts) drafts of reviews. Send or discard one first."
            )
        }
        try insert(
            StoredReviewDraft(key: key, review: review, changedAt: now), into: "pull_review_drafts",
            keys: ["user_id": user], isReplacing: true)
    }

    func removePullReviewDraft(of key: PullKey, by user: UserID) throws {
        try execute(
            "DELETE FROM pull_review_drafts WHERE \(PullReviewStore.isDraft)",
            PullReviewStore.arguments(key, of: user))
    }
}
