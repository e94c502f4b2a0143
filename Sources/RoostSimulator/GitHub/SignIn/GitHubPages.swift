/// The simulated GitHub's web pages: plain, small, without scripts.
enum GitHubPages {
    static let notFound = page("Page not found", "<p>This is not the web page you are looking for.</p>", 404)

    static func device(code: String) -> SimulatedResponse {
        page(
            "Device activation",
            """
            <form method="post" action="/login/device">
            <p><label>Code <input name="user_code" value="\(escaped(code))" autofocus></label></p>
            \(person)<p><button name="decision" value="allow">Authorize</button>
            <button name="decision" value="deny">Cancel</button></p></form>
            """)
    }

    static func deviceDone(_ message: String, status: Int = 200) -> SimulatedResponse {
        page("Device activation", "<p>\(escaped(message))</p>", status)
    }

    /// The page that a browser reaches from Roost to sign in.
    static func authorise(_ authorization: WebFlow.AuthorizationRequest) -> SimulatedResponse {
        let hidden = authorization.fields.map { name, value in
            "<input type=\"hidden\" name=\"\(name)\" value=\"\(escaped(value))\">"
        }
        return page(
            "Authorize the application",
            """
            <p>It asks for: \(escaped(authorization.scope.isEmpty ? "public data" : authorization.scope)).</p>
            <form method="post" action="/login/oauth/authorize">\(hidden.joined())
            \(person)<p><button name="decision" value="allow">Authorize</button>
            <button name="decision" value="deny">Cancel</button></p></form>
            """)
    }

    static func pull(_ pull: SimulatedPull) -> SimulatedResponse {
        let author = pull.author?.restLogin ?? "ghost"
        return page(
            "\(pull.title) by \(author) · Pull Request #\(pull.number) · \(pull.repository.fullName)",
            """
            <p>\(escaped(pull.key)) by \(escaped(author)): \(pull.state.rawValue.lowercased())</p>
            <p>\(escaped(pull.body))</p>
            """)
    }

    static func plain(_ title: String) -> SimulatedResponse { page(title, "<p>Simulated GitHub.</p>") }

    private static let person =
        "<p><label>Sign in as <input name=\"login\" value=\"\(PullScript.viewer)\"></label></p>\n"

    private static func page(_ title: String, _ body: String, _ status: Int = 200) -> SimulatedResponse {
        SimulatedResponse(
            status: status,
            headers: [
                .init("Content-Type", "text/html; charset=utf-8"), .init("Cache-Control", "no-store"),
                .init("X-Frame-Options", "deny"),
            ],
            body: Array(
                """
                <!DOCTYPE html>
                <html lang="en"><head><meta charset="utf-8"><title>\(escaped(title))</title></head>
                <body><h1>\(escaped(title))</h1>
                \(body)
                </body></html>

                """.utf8))
    }

    private static func escaped(_ text: String) -> String { ReadmeMarkup.escaped(text) }
}
