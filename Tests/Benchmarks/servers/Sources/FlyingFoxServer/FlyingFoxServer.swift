import FlyingFox
import FlyingSocks
import Foundation
import SameBytes

@main
struct FlyingFoxServer {
    static func main() async throws {
        let server = HTTPServer(address: try .inet(ip4: "127.0.0.1", port: 0), logger: .disabled)
        var headers = HTTPHeaders()
        for (name, value) in SameBytes.headers { headers[HTTPHeader(name)] = value }
        // The other servers add it. Formatted once, because FlyingFox leaves it out.
        headers[HTTPHeader("Date")] = Date().formatted(
            .verbatim(
                "\(weekday: .abbreviated), \(day: .twoDigits) \(month: .abbreviated) \(year: .defaultDigits) \(hour: .twoDigits(clock: .twentyFourHour, hourCycle: .zeroBased)):\(minute: .twoDigits):\(second: .twoDigits) GMT",
                locale: Locale(identifier: "en_US_POSIX"), timeZone: .gmt,
                calendar: Calendar(identifier: .gregorian)))
        for (index, body) in try SameBytes.bodies().enumerated() {
            await server.appendRoute(HTTPRoute("GET /\(index)")) { [headers] _ in
                HTTPResponse(statusCode: .ok, headers: headers, body: body)
            }
        }
        let running = Task { try await server.run() }
        try await server.waitUntilListening()
        guard case .ip4(_, let port) = await server.listeningAddress else { return }
        SameBytes.announce(port: Int(port))
        try await running.value
    }
}
