import Foundation
import HTTPServer
import Reading
import RoostSupport
import TextFormats

enum ReadingAddress {
    /// Throws `RoostError.notFound` for text that is not an id.
    static func article(_ request: Request) throws -> ArticleID { try number(request, "article") }
    static func gist(_ request: Request) throws -> GistID { try number(request, "gist") }
    static func sharedItem(_ request: Request) throws -> Int64 { try number(request, "shared item") }

    /// Splits "12.epub" into "12" and true, if `ending` is ".epub"; returns "12" and false for "12".
    static func parts(of text: String, ending: String) -> (number: String, hasEnding: Bool) {
        text.hasSuffix(ending) ? (String(text.dropLast(ending.count)), true) : (text, false)
    }

    static func number(_ request: Request, _ what: String) throws -> Int64 {
        try number(request.parameters["id"], what)
    }

    static func number(_ text: String, _ what: String) throws -> Int64 {
        guard let number = Int64(text), number > 0 else {
            throw RoostError.notFound("There is no such \(what).")
        }
        return number
    }

    /// Returns the version that a form was based on. Throws `RoostError.invalid`.
    static func updatedAt(_ text: String?) throws -> Date? { try time(text, field: "updatedAt") }

    /// The version of an article, gist or highlight in its `ETag`.
    static func version(_ updatedAt: Date) -> String {
        "\(Int64((updatedAt.timeIntervalSince1970 * 1_000).rounded()))"
    }

    /// Returns the time of the version that a change in the API is based on, or nil for any. No item has the time of a
    /// version that cannot be read.
    static func editedVersion(_ request: Request) -> Date? {
        request.editedVersion.map { version in
            Int64(version).map { Date(timeIntervalSince1970: Double($0) / 1_000) } ?? .distantPast
        }
    }

    /// Throws `RoostError.invalid` for `field`.
    static func time(_ text: String?, field: String) throws -> Date? {
        guard let text, !text.isBlank else { return nil }
        guard let date = ISO8601.parse(text) else {
            throw RoostError.invalid(field: field, why: "“\(field)” must be an ISO 8601 time.")
        }
        return date
    }

    /// Converts line ends, because browsers submit text areas with CR LF.
    static func lines(_ text: String?) -> String { (text ?? "").replacingBytes(of: "\r\n", with: "\n") }
}

extension RoostError {
    /// The item was changed elsewhere: show both versions.
    var isStaleEdit: Bool { if case .conflict("updatedAt", _) = self { true } else { false } }
}
