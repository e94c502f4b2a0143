import Foundation
import HTTPServer
import Reading
import RoostSupport
import TextFormats

/// What the addresses and forms of the reading list name.
enum ReadingAddress {
    /// Throws `RoostError.notFound`, as for another user's.
    static func article(_ request: Request) throws -> ArticleID { try number(request, "article") }
    static func gist(_ request: Request) throws -> GistID { try number(request, "gist") }
    static func sharedItem(_ request: Request) throws -> Int64 { try number(request, "shared item") }

    /// "12.epub" and "12": the number, and whether it ends like this.
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

    /// When what a form changes was last changed, as the form had it. Throws `RoostError.invalid`.
    static func updatedAt(_ text: String?) throws -> Date? { try time(text, field: "updatedAt") }

    /// Throws `RoostError.invalid` for the field.
    static func time(_ text: String?, field: String) throws -> Date? {
        guard let text, !text.isBlank else { return nil }
        guard let date = ISO8601.parse(text) else {
            throw RoostError.invalid(field: field, why: "“\(field)” is a time in ISO 8601.")
        }
        return date
    }

    /// Browsers send a text area's lines with CR LF.
    static func lines(_ text: String?) -> String { (text ?? "").replacingBytes(of: "\r\n", with: "\n") }
}

extension RoostError {
    /// It was changed meanwhile: both versions are shown.
    var isStaleEdit: Bool { if case .conflict("updatedAt", _) = self { true } else { false } }
}
