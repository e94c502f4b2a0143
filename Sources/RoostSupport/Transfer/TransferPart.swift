package import Foundation
import TextFormats

/// One file of an export of all data: how its rows are read, and how they are merged into a database. Each feature
/// states its own parts.
package struct TransferPart: Sendable {
    /// The rows of an export: of one user, or (for shared parts of a whole server) of all.
    package struct Source: Sendable {
        package let user: UserID?
        /// Whether all users are exported.
        package let isServer: Bool

        package init(user: UserID?, isServer: Bool) {
            self.user = user
            self.isServer = isServer
        }
    }

    /// The file's name without its extension, such as "bookmarks".
    package let name: String
    /// True for data that several users share, such as messages: an export contains it once.
    package let isShared: Bool
    /// Reads rows after a key, which is 0 at first. Keys only grow, so each page can be a transaction of its own.
    package let page: @Sendable (Reads, Source, Int64) throws -> TransferPage
    /// Files next to the rows, such as pictures.
    package let files: TransferFiles?
    /// Checks a row, outside of any transaction, and returns how to merge it.
    package let merge: @Sendable (TransferRow) throws -> @Sendable (Writes) throws -> TransferResult

    package init(
        _ name: String, isShared: Bool = false, files: TransferFiles? = nil,
        page: @escaping @Sendable (Reads, Source, Int64) throws -> TransferPage,
        merge: @escaping @Sendable (TransferRow) throws -> @Sendable (Writes) throws -> TransferResult
    ) {
        self.name = name
        self.isShared = isShared
        self.files = files
        self.page = page
        self.merge = merge
    }

    package var fileName: String { name + ".jsonl" }

    /// For a table with few rows, all of which are read at once.
    package static func all(_ lines: [[UInt8]], after key: Int64) -> TransferPage {
        TransferPage(lines: key == 0 ? lines : [], next: nil)
    }
}

/// Files that rows name in their member `path`, such as `files/8f0c....png`.
package struct TransferFiles: Sendable {
    /// In bytes. A larger one is refused.
    package let maximumBytes: Int
    /// The paths after a key, relative to the folder of the rows, and the next key.
    package let paths: @Sendable (Reads, TransferPart.Source, Int64) throws -> (paths: [String], next: Int64?)
    /// Nil if the file was deleted in the meantime.
    package let content: @Sendable (Reads, TransferPart.Source, String) throws -> [UInt8]?

    package init(
        maximumBytes: Int,
        paths:
            @escaping @Sendable (Reads, TransferPart.Source, Int64) throws -> (
                paths: [String], next: Int64?
            ),
        content: @escaping @Sendable (Reads, TransferPart.Source, String) throws -> [UInt8]?
    ) {
        self.maximumBytes = maximumBytes
        self.paths = paths
        self.content = content
    }
}

package struct TransferPage: Sendable {
    /// Rows and bytes of a page, so that an export needs little memory.
    package static let (rows, bytes) = (200, 1 << 20)

    /// JSON objects without line breaks.
    package let lines: [[UInt8]]
    /// The key of the last row, or nil at the end.
    package let next: Int64?

    package init(lines: [[UInt8]], next: Int64?) {
        self.lines = lines
        self.next = next
    }

    /// - Parameter rows: at most `limit`, each with its key
    package init(_ rows: [(key: Int64, line: [UInt8])], limit: Int = TransferPage.rows) {
        self.init(lines: rows.map(\.line), next: rows.count < limit ? nil : rows.last?.key)
    }
}

package enum TransferLine {
    /// Returns the value as one line of JSON. Times have milliseconds, as in Roost's other export files.
    package static func json(_ value: some Encodable) throws -> [UInt8] {
        try StableJSON.bytes(of: value, dates: .custom { try ISO8601.milliseconds($0).encode(to: $1) })
    }

    /// Reads times in any of the forms of Roost's export files.
    package static var decoder: JSONDecoder {
        let decoder = JSONDecoder()
        decoder.dateDecodingStrategy = .custom { try JSONTime(from: $0).date }
        return decoder
    }
}

/// A row of an import.
package struct TransferRow: Sendable {
    /// From 1: the line in the file.
    package let number: Int
    package let bytes: [UInt8]
    /// The content of the file that the row names, if the part has files and the zip has this one.
    package let content: [UInt8]?
    /// The user who gets the row; of a shared part the user who imports it, nil for a whole server.
    package let owner: UserID?
    package let context: TransferContext

    package init(
        number: Int, bytes: [UInt8], content: [UInt8]? = nil, owner: UserID?, context: TransferContext
    ) {
        self.number = number
        self.bytes = bytes
        self.content = content
        self.owner = owner
        self.context = context
    }

    /// More than the members of a large group and their reactions.
    private static let maximumValues = 100_000

    package var user: UserID {
        get throws {
            guard let owner else { throw RoostError.file("This row belongs to no user.") }
            return owner
        }
    }

    /// Reads the row. Throws `RoostError.invalid(field: "file")` with the reason.
    package func decode<Value: Decodable>(_ type: Value.Type = Value.self) throws -> Value {
        let data = Data(bytes)
        do { try JSONReader.check(data, maximumValues: Self.maximumValues) } catch {
            throw RoostError.file("This line isn’t valid JSON.")
        }
        do { return try TransferLine.decoder.decode(type, from: data) } catch let error as DecodingError {
            throw RoostError.file(Self.text(error))
        }
    }

    private static func text(_ error: DecodingError) -> String {
        switch error {
        case .keyNotFound(let key, _): "“\(key.stringValue)” is missing."
        case .typeMismatch(_, let context), .valueNotFound(_, let context), .dataCorrupted(let context):
            context.codingPath.last.map { "“\($0.stringValue.prefix(40))” has an invalid value." }
                ?? "This line isn’t a JSON object."
        @unknown default: "This line can’t be read."
        }
    }
}

package struct TransferResult: Equatable, Sendable {
    package enum Kind: String, CaseIterable, Codable, Sendable {
        case added, updated
        case unchanged = "already there"
        case skipped
    }

    package let kind: Kind
    /// Why it was skipped, or which parts of it were.
    package let why: String?

    package init(_ kind: Kind, why: String? = nil) {
        self.kind = kind
        self.why = why
    }

    package static let added = TransferResult(.added)
    package static let updated = TransferResult(.updated)
    package static let unchanged = TransferResult(.unchanged)

    package static func skipped(_ why: String) -> TransferResult { TransferResult(.skipped, why: why) }
}
