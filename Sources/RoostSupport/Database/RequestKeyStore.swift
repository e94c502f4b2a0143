import Crypto
package import Foundation
import GRDB

/// A request with an `Idempotency-Key`.
package struct KeyedRequest: Sendable {
    package let key: String
    package let user: UserID
    /// Distinguishes another request with the same key.
    let digest: [UInt8]

    /// - Parameter parts: what must be the same when the request is repeated
    package init(key: String, user: UserID, parts: [[UInt8]]) {
        self.key = key
        self.user = user
        var hash = SHA256()
        for part in parts {
            hash.update(data: Array("\(part.count) ".utf8))
            hash.update(data: part)
        }
        digest = Array(hash.finalize())
    }
}

/// A stored answer to a `KeyedRequest`.
package struct KeyedAnswer: Sendable, Equatable {
    package let status: Int
    /// Pairs of name and value.
    package let headers: [[String]]
    package let body: [UInt8]

    package init(status: Int, headers: [[String]], body: [UInt8]) {
        self.status = status
        self.headers = headers
        self.body = body
    }
}

package enum RequestKeyStore {
    /// The most keys of each user; the oldest are removed.
    fileprivate static let limit = 10_000
    fileprivate static let maximumBody = 8 << 20

    package static let stored = [
        StoredRows("request_keys") { row in
            _ = (
                try row.id("user_id"), try row.text("key"), try row.digest("request"), try row.time("made_at")
            )
            guard try row.value("status") as Int? != nil else { return }
            _ = (try row.number("status", in: 200...299), try row.json("headers") as [[String]])
            _ = try row.bytes("body", maximumBytes: maximumBody)
        }
    ]

    fileprivate static func range(at now: Date) -> StatementArguments {
        [now.timeIntervalSince1970 - RequestKeys.lifetime, now.timeIntervalSince1970 + RequestKeys.lifetime]
    }
}

extension Migration {
    /// `status`, `headers` and `body` are null until the request is answered.
    package static let requestKeys = Migration(
        "request keys",
        sql: """
            CREATE TABLE request_keys (
                user_id INTEGER NOT NULL REFERENCES users (id) ON DELETE CASCADE,
                key TEXT NOT NULL CHECK (key <> ''),
                request BLOB NOT NULL CHECK (length(request) = 32),
                made_at REAL NOT NULL,
                status INTEGER CHECK (status BETWEEN 200 AND 299),
                headers TEXT,
                body BLOB,
                PRIMARY KEY (user_id, key)
            ) STRICT;
            CREATE INDEX request_keys_by_time ON request_keys (made_at);
            """)
}

extension Reads {
    /// Returns nil for a key that was not used, and an answer of nil for a request that was carried out but not answered.
    /// Throws `RoostError.invalid` for a key of another request.
    package func keyedAnswer(to request: KeyedRequest, at now: Date) throws -> KeyedAnswer?? {
        let row = try database.row(
            """
            SELECT request, status, headers, body FROM request_keys
            WHERE user_id = ? AND key = ? AND made_at BETWEEN ? AND ?
            """, [request.user, request.key] + RequestKeyStore.range(at: now))
        guard let row else { return .none }
        guard try row.digest("request") == request.digest else {
            throw RoostError.invalid(
                field: "Idempotency-Key", why: "This Idempotency-Key was used for another request.")
        }
        guard let status = try row.value("status") as Int? else { return .some(nil) }
        return KeyedAnswer(
            status: status, headers: try row.json("headers"),
            body: try row.bytes("body", maximumBytes: RequestKeyStore.maximumBody))
    }

    func hasExpiredRequestKeys(at now: Date) throws -> Bool {
        try database.value(
            Bool.self, "SELECT EXISTS (SELECT 1 FROM request_keys WHERE made_at NOT BETWEEN ? AND ?)",
            RequestKeyStore.range(at: now)) ?? false
    }
}

extension Writes {
    /// Notes that a request is carried out, in the transaction that does so.
    package func begin(_ request: KeyedRequest, at now: Date) throws {
        try execute(
            "DELETE FROM request_keys WHERE user_id = ? AND key = ?", [request.user, request.key])
        let count = try database.value(
            Int.self, "SELECT count(*) FROM request_keys WHERE user_id = ?", [request.user])
        if (count ?? 0) >= RequestKeyStore.limit {
            try execute(
                """
                DELETE FROM request_keys WHERE rowid IN (
                    SELECT rowid FROM request_keys WHERE user_id = ? ORDER BY made_at, rowid LIMIT ?)
                """, [request.user, (count ?? 0) - RequestKeyStore.limit + 1])
        }
        try execute(
            "INSERT INTO request_keys (user_id, key, request, made_at) VALUES (?, ?, ?, ?)",
            [request.user, request.key, Data(request.digest), now.stored])
    }

    /// Keeps the answer for repetitions of the request.
    package func end(_ request: KeyedRequest, with answer: KeyedAnswer, at now: Date) throws {
        let body = answer.body.count > RequestKeyStore.maximumBody ? [] : answer.body
        let headers = String(decoding: try JSONEncoder().encode(answer.headers), as: UTF8.self)
        try execute(
            """
            INSERT INTO request_keys (user_id, key, request, made_at, status, headers, body)
            VALUES (?, ?, ?, ?, ?, ?, ?)
            ON CONFLICT (user_id, key) DO UPDATE SET
                status = excluded.status, headers = excluded.headers, body = excluded.body
            """,
            [
                request.user, request.key, Data(request.digest), now.stored, answer.status, headers,
                Data(body),
            ])
    }

    /// Lets the request be sent again, because it failed.
    package func forget(_ request: KeyedRequest) throws {
        try execute(
            "DELETE FROM request_keys WHERE user_id = ? AND key = ? AND status IS NULL",
            [request.user, request.key])
    }

    func removeExpiredRequestKeys(at now: Date) throws {
        try execute(
            "DELETE FROM request_keys WHERE made_at NOT BETWEEN ? AND ?",
            RequestKeyStore.range(at: now))
    }
}
