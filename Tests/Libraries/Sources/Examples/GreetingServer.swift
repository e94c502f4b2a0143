import HTTPServer

/// HTTPServer: a page, and an address that takes a form and answers JSON.
enum GreetingServer {
    static func start() throws -> Server {
        var configuration = ServerConfiguration()
        configuration.address = "127.0.0.1:0"  // a free port
        configuration.headers = [("X-Content-Type-Options", "nosniff")]
        let routes = [
            Route(.get, "/people/{name}", .ready(page)),
            Route(.post, "/greetings", bodyLimit: 1_024, .async(greet)),
        ]
        let server = Server(configuration, router: try Router(routes))
        try server.start()
        return server
    }

    /// Runs on the server's thread, so it must not block.
    @Sendable private static func page(_ request: Request) -> HandlerResult {
        .response(.html(GreetingPage.html(for: request.parameters["name"])))
    }

    /// Runs in a task, which is cancelled when the client leaves.
    @Sendable private static func greet(_ request: Request) async throws -> HandlerResult {
        guard let name = try request.form()["name"], !name.isEmpty else {
            throw RequestError.malformed("The form has no name.")  // answered 400
        }
        return .response(try .json(["greeting": "Hello, \(name)!"]))
    }
}
