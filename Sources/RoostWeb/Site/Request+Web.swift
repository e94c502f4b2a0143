import Foundation
import HTTPServer
import RoostSupport
import TextFormats

extension Request {
    /// More than a body of the usual limit can have. A limit, because decoding can take hundreds of bytes for a value of
    /// two.
    private static let maximumBodyValues = 65_536

    package static let themeCookie = "roost_theme"

    /// The browser's time zone, set by `home.js`.
    static let zoneCookie = "roost_zone"

    package static let firstStepsCookie = "roost_first_steps"

    package var hidesFirstSteps: Bool { cookies[Self.firstStepsCookie] == "hidden" }

    package var theme: LayoutView.Theme {
        cookies[Self.themeCookie].flatMap(LayoutView.Theme.init) ?? .auto
    }

    /// The token of `Authorization: Bearer TOKEN` (RFC 6750).
    var bearerToken: String? {
        guard let value = headers["Authorization"] else { return nil }
        guard let blank = value.utf8.firstIndex(of: UInt8(ascii: " ")),
            value[..<blank].lowercased() == "bearer"
        else { return "" }
        return String(value[value.utf8.index(after: blank)...])
    }

    /// True if a browser opens a page. Parts that scripts fetch are not redirected to the sign-in.
    package var isNavigation: Bool {
        guard method == .get || method == .head, !wantsJSON,
            headers["Accept"]?.containsBytes("text/html") == true
        else {
            return false
        }
        return headers["Sec-Fetch-Mode"].map { $0 == "navigate" } ?? true
    }

    /// True if errors are sent as JSON: for the API, for polls, and for clients that send JSON or ask for it.
    var wantsJSON: Bool {
        if path == "/api" || path.hasPrefix("/api/") || path == "/changes" || path.hasSuffix("/changes") {
            return true
        }
        if !method.isSafe, hasJSON { return true }
        let accept = headers["Accept"] ?? ""
        return accept.containsBytes("application/json") && !accept.containsBytes("text/html")
    }

    /// True if a script sent this form and replaces the changed parts in its page.
    package var wantsChangedParts: Bool { headers[ChangedPartsView.header] == ChangedPartsView.headerValue }

    /// Decodes the JSON body. Throws `RequestError.notJSON` for another content type, `.malformed` for anything but a JSON
    /// object, and `RoostError.invalid` with the path of a field that is missing, unknown or has a wrong value.
    ///
    /// - Parameter ignoresUnknown: for senders that add fields of their own, such as GitHub's webhooks
    package func body<Body: Decodable>(_ type: Body.Type, ignoresUnknown: Bool = false) throws -> Body {
        guard hasJSON else { throw RequestError.notJSON }
        let data = Data(body)
        do {
            try JSONReader.check(data, maximumValues: Self.maximumBodyValues)
            let decoder = JSONDecoder()
            return ignoresUnknown
                ? try decoder.decode(type, from: data)
                : try decoder.decode(Exactly<Body>.self, from: data).value
        } catch is JSONReader.Malformed {
            throw Self.malformed
        } catch DecodingError.keyNotFound(let key, let context) {
            throw Self.rejected("is missing", at: context.codingPath + [key])
        } catch DecodingError.typeMismatch(_, let context), DecodingError.valueNotFound(_, let context) {
            throw Self.rejected("has the wrong type", at: context.codingPath)
        } catch DecodingError.dataCorrupted(let context) {
            throw Self.rejected("doesn’t accept this value", at: context.codingPath)
        } catch let unknown as UnknownMember {
            throw Self.rejected("isn’t a field of this request", at: unknown.path)
        } catch let error as ValidationError {
            throw RoostError.invalid(field: error.field, why: "“\(error.field)” \(error.why).")
        }
    }

    private static let malformed = RequestError.malformed("The body isn’t a JSON object.")

    /// Names the field by its path, such as `participants[0]`.
    private static func rejected(_ why: String, at path: [any CodingKey]) -> any Error {
        guard !path.isEmpty else { return malformed }
        let field = path.reduce(into: "") { field, key in
            if let index = key.intValue {
                field += "[\(index)]"
            } else {
                field += field.isEmpty ? key.stringValue : ".\(key.stringValue)"
            }
        }
        return RoostError.invalid(field: field, why: "“\(field)” \(why).")
    }
}
