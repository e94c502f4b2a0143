/// Responses with GitHub's headers and error bodies.
///
/// Source: recorded answers of hub4j/github-api, and docs.github.com.
enum GitHubResponse {
    static let documentation = "https://docs.github.com/rest"

    static func json(
        _ body: [UInt8], as type: String = "application/json; charset=utf-8"
    ) -> SimulatedResponse {
        var answer = plain(200, body, as: type)
        answer.headers.append(.init("ETag", "W/\"\(Fingerprint.text(body))\""))
        answer.headers.append(.init("Cache-Control", "private, max-age=60, s-maxage=60"))
        return answer
    }

    static func graphQL(_ body: [UInt8]) -> SimulatedResponse { plain(200, body) }

    static func plain(
        _ status: Int, _ body: [UInt8], as type: String = "application/json; charset=utf-8"
    ) -> SimulatedResponse {
        SimulatedResponse(
            status: status,
            headers: [
                .init("Content-Type", type),
                .init("Vary", "Accept, Authorization, Cookie, X-GitHub-OTP, Accept-Encoding"),
                .init("X-GitHub-Media-Type", "github.v3; format=json"),
                .init("x-github-api-version-selected", "2022-11-28"),
            ], body: body)
    }

    static func failure(_ status: Int, _ message: String, _ page: String = "") -> SimulatedResponse {
        var json = JSONWriter()
        json.object { json in
            json.key("message")
            json.string(message)
            json.key("documentation_url")
            json.string(documentation + page)
            json.key("status")
            json.string(String(status))
        }
        return plain(status, json.bytes)
    }

    static let badCredentials = failure(401, "Bad credentials")
    static let needsSignIn = failure(401, "Requires authentication")
    static let notFound = failure(404, "Not Found")

    static func invalid(_ message: String, code: String) -> SimulatedResponse {
        var json = JSONWriter()
        func write(_ texts: KeyValuePairs<String, String>, _ json: inout JSONWriter) {
            for (name, text) in texts {
                json.key(name)
                json.string(text)
            }
        }
        json.object { json in
            write(["message": "Validation Failed"], &json)
            json.key("errors")
            json.array { json in
                json.object { json in
                    write(["message": message, "resource": "Search", "field": "q", "code": code], &json)
                }
            }
            let page = "https://docs.github.com/v3/search/"
            write(["documentation_url": page, "status": "422"], &json)
        }
        return plain(422, json.bytes)
    }

    /// A request without User-Agent is rejected (docs.github.com, "Getting started with the REST API").
    static let noUserAgent = SimulatedResponse(
        status: 403, headers: [.init("Content-Type", "text/html; charset=utf-8")],
        body: Array(
            ("\r\nRequest forbidden by administrative rules. Please make sure your request has a User-Agent "
                + "header "
                + "(https://docs.github.com/en/rest/overview/resources-in-the-rest-api#user-agent-required). "
                + "Check https://developer.github.com for other possible causes.\r\n").utf8))

    /// Returns 301 for a renamed repository (docs.github.com, "Best practices: follow redirects").
    static func moved(to address: String) -> SimulatedResponse {
        var json = JSONWriter()
        json.object { json in
            for (name, text) in [
                ("message", "Moved Permanently"), ("url", address),
                ("documentation_url", "\(documentation)/guides/best-practices-for-using-the-rest-api"),
            ] {
                json.key(name)
                json.string(text)
            }
        }
        var answer = plain(301, json.bytes)
        answer.headers.append(.init("Location", address))
        return answer
    }

    static let searchLimitExceeded = failure(
        422, "Only the first 1000 search results are available", "/search/search")

    static func refused(_ failure: SimulatedPullSearch.Failure) -> SimulatedResponse {
        switch failure {
        case .missing: invalid("Search query missing", code: "missing")
        case .tooLong: invalid("The search is longer than 256 characters.", code: "invalid")
        case .tooManyOperators:
            invalid("More than five AND / OR / NOT operators were used.", code: "invalid")
        case .wrongDate(let text):
            invalid(
                "\"\(text)\" is not a recognized date/time format. Please provide an ISO 8601 date/time "
                    + "value, such as YYYY-MM-DD.", code: "invalid")
        case .unknownNames:
            invalid(
                "The listed users and repositories cannot be searched either because the resources do not "
                    + "exist or you do not have permission to view them.", code: "invalid")
        }
    }

    static func limited(_ caller: GitHubCaller) -> SimulatedResponse {
        let callerName = caller.person.map { "user ID \($0.number)" } ?? "127.0.0.1"
        return failure(
            403,
            "API rate limit exceeded for \(callerName). If you reach out to GitHub Support for help, "
                + "please include "
                + "the request ID.", "/overview/rate-limits-for-the-rest-api")
    }

    static let secondary = failure(
        403,
        "You have exceeded a secondary rate limit. Please wait a few minutes before you try again.",
        "/overview/rate-limits-for-the-rest-api#about-secondary-rate-limits")

    static func notAccessible(_ permissions: String) -> SimulatedResponse {
        var answer = failure(403, "Resource not accessible by personal access token")
        answer.headers.append(.init("X-Accepted-GitHub-Permissions", permissions))
        return answer
    }

    /// The HTML page with the unicorn (recorded 2024-03).
    static let unicorn = SimulatedResponse(
        status: 503, headers: [.init("Content-Type", "text/html; charset=utf-8")],
        body: Array(
            """
            <!DOCTYPE html>
            <!-- Hello future GitHubber! -->
            <html><head><title>Unicorn! &middot; GitHub</title></head><body>
            <p><strong>We had issues producing the response to your request.</strong></p>
            <p>Sorry about that. Please try refreshing and contact us if the problem persists.</p>
            </body></html>

            """.utf8))
}
