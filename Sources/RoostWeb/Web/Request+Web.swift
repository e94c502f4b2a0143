import Foundation
import HTTPServer
import RoostSupport

extension Request {
    static let themeCookie = "roost_theme"

    static let firstStepsCookie = "roost_first_steps"

    /// Whether the first steps were hidden in this browser.
    var hidesFirstSteps: Bool { cookies[Self.firstStepsCookie] == "hidden" }

    /// The colours that this browser chose.
    var theme: LayoutView.Theme {
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

    /// A browser opens a page. Parts that scripts fetch are not redirected to the sign-in.
    var isNavigation: Bool {
        guard method == .get || method == .head, !wantsJSON,
            headers["Accept"]?.containsBytes("text/html") == true
        else {
            return false
        }
        return headers["Sec-Fetch-Mode"].map { $0 == "navigate" } ?? true
    }

    /// Errors are answered in JSON: to the API, to polls, and to clients that ask for it.
    var wantsJSON: Bool {
        if path.hasPrefix("/api/") || path == "/changes" || path.hasSuffix("/changes") { return true }
        let accept = headers["Accept"] ?? ""
        return accept.containsBytes("application/json") && !accept.containsBytes("text/html")
    }

    /// A script sent this form, and replaces the changed parts in its page.
    var wantsChangedParts: Bool { headers[ChangedPartsView.header] == ChangedPartsView.headerValue }

    /// Decodes the body; a field that is missing or does not fit is refused by name.
    func json<Body: Decodable>(_ type: Body.Type, field: String) throws -> Body {
        do {
            return try json(type)
        } catch RequestError.notJSON where !body.isEmpty {
            throw RequestError.notJSON
        } catch is RequestError {
            throw RoostError.invalid(
                field: field, why: "The body is no JSON object with a fitting “\(field)”.")
        }
    }

    /// Decodes the body; a field that is missing or of the wrong type is refused by name.
    func fields<Body: Decodable>(_ type: Body.Type) throws -> Body {
        guard hasJSON else { throw RequestError.notJSON }
        do {
            return try JSONDecoder().decode(type, from: Data(body))
        } catch DecodingError.keyNotFound(let key, _) {
            throw RoostError.invalid(field: key.stringValue, why: "“\(key.stringValue)” is missing.")
        } catch DecodingError.typeMismatch(_, let context), DecodingError.valueNotFound(_, let context) {
            guard let key = context.codingPath.last?.stringValue else {
                throw RequestError.malformed("The body is no JSON object.")
            }
            throw RoostError.invalid(field: key, why: "“\(key)” is not of the right kind.")
        } catch is DecodingError {
            throw RequestError.malformed("The body is no JSON object.")
        }
    }
}
