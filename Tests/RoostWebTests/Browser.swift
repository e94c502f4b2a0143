import Foundation

@testable import HTTPClient

/// A browser without scripts: it keeps cookies and sends forms with their hidden fields.
final class Browser {
    private let testServer: TestServer
    private let headers: [(String, String)]
    private(set) var cookies: [String: String] = [:]
    private(set) var page = Page()

    struct Page {
        var status = 0
        var text = ""
        var location: String?
        var setCookies: [String] = []
        var cacheControl: String?
        var retryAfter: Int?
    }

    /// - Parameter headers: sent with every request, as a proxy or a browser adds them
    init(_ testServer: TestServer, headers: [(String, String)] = []) {
        self.testServer = testServer
        self.headers = headers
    }

    @discardableResult
    func open(_ path: String) async throws -> Page {
        take(
            try await testServer.send("GET", path, headers: sent + [("Accept", "text/html")], as: .anonymous))
    }

    /// Submits a form of the last page with its token. Does not follow redirects.
    @discardableResult
    func submit(_ path: String, _ fields: [String: String] = [:]) async throws -> Page {
        var fields = fields
        fields["token"] = token
        let body = fields.map { "\(Self.encoded($0))=\(Self.encoded($1))" }.joined(separator: "&")
        return take(try await testServer.post(path, form: body, headers: sent, as: .anonymous))
    }

    @discardableResult
    func signIn(_ name: String, _ password: String = TestServer.password, next: String? = nil) async throws
        -> Page
    {
        try await open("/login")
        var fields = ["username": name, "password": password]
        fields["next"] = next
        return try await submit("/login", fields)
    }

    /// Uploads a file with a form of the last page.
    func upload(_ path: String, _ name: String, bytes: [UInt8]) async throws -> Page {
        let head =
            "--XX\r\nContent-Disposition: form-data; name=\"token\"\r\n\r\n\(token ?? "")\r\n--XX\r\n"
            + "Content-Disposition: form-data; name=\"\(name)\"; filename=\"me.png\"\r\n"
            + "Content-Type: image/png\r\n\r\n"
        let body = Array(head.utf8) + bytes + Array("\r\n--XX--\r\n".utf8)
        return take(
            try await testServer.send(
                bytes: body, to: path,
                headers: sent + [("Content-Type", "multipart/form-data; boundary=XX")]))
    }

    /// Returns the value of a form field on the last page. Unescapes only what the tests need.
    func value(of field: String) -> String? {
        let pattern = "<input[^>]* name=\"\(field)\"[^>]* value=\"([^\"]*)\""
        guard let range = page.text.range(of: pattern, options: .regularExpression) else { return nil }
        let tag = page.text[range]
        guard let start = tag.range(of: " value=\"") else { return nil }
        return tag[start.upperBound...].dropLast().replacingOccurrences(of: "&quot;", with: "\"")
            .replacingOccurrences(of: "&amp;", with: "&")
    }

    /// Returns the error of a field on the last page, or nil.
    func error(of field: String) -> String? {
        let pattern = "id=\"([a-z]+-)?\(field)-error\">"
        guard let start = page.text.range(of: pattern, options: .regularExpression) else { return nil }
        return String(page.text[start.upperBound...].prefix { $0 != "<" })
    }

    private var token: String? { value(of: "token") }

    private var sent: [(String, String)] {
        let pairs = cookies.map { "\($0)=\($1)" }.sorted().joined(separator: "; ")
        return headers + (pairs.isEmpty ? [] : [("Cookie", pairs)])
    }

    private func take(_ response: ClientResponse) -> Page {
        for cookie in response.headers.all("Set-Cookie") {
            let parts = cookie.prefix { $0 != ";" }.split(
                separator: "=", maxSplits: 1, omittingEmptySubsequences: false)
            let isOver = cookie.contains("Max-Age=0")
            cookies[String(parts[0])] = isOver ? nil : String(parts[1])
        }
        page = Page(
            status: response.status, text: response.text, location: response.headers["Location"],
            setCookies: response.headers.all("Set-Cookie"), cacheControl: response.headers["Cache-Control"],
            retryAfter: response.headers["Retry-After"].flatMap { Int($0) })
        return page
    }

    private static func encoded(_ text: String) -> String {
        text.addingPercentEncoding(withAllowedCharacters: .alphanumerics) ?? ""
    }
}
