import HTTPServer
import SameBytes

/// Roost's HTTPServer: `/N` makes each answer in an async handler, as the other servers do, and `/prepared/N` sends one
/// that was made before.
@main
struct LibmicrohttpdServer {
    static func main() async throws {
        let routes = try SameBytes.bodies().enumerated().flatMap { index, body in
            let bytes = Array(body)
            let prepared = PreparedResponse(response(bytes))
            return [
                Route(.get, "/\(index)", .async { _ in .response(response(bytes)) }),
                Route(.get, "/prepared/\(index)", .ready { _ in .prepared(prepared) }),
            ]
        }
        var configuration = ServerConfiguration()
        configuration.threads = SameBytes.threads
        let server = Server(configuration, router: try Router(routes))
        try server.start()
        SameBytes.announce(port: Int(server.address.split(separator: ":").last ?? "") ?? 0)
        try await SameBytes.serve()
        await server.stop()
    }

    private static func response(_ bytes: [UInt8]) -> Response {
        Response(headers: SameBytes.headers.map { (name: $0.0, value: $0.1) }, body: .bytes(bytes))
    }
}
