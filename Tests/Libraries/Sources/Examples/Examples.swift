import Foundation

/// Runs all examples, one after another. `Examples PAGE` reads the article from this file.
@main
struct Examples {
    static func main() async throws {
        let server = try GreetingServer.start()
        let client = GreetingClient(site: "http://\(server.address)")

        let page = try await client.page(of: "%3CAda%3E")
        print(page.status, page.headers["Content-Type"] ?? "", page.headers["X-Content-Type-Options"] ?? "")
        print(page.text)
        for link in try PageLinks.find(in: page.body) { print(link.address, link.text) }

        print(try await client.greeting("name=Gr%C3%A4ce"))
        print(try await client.greeting("name="), terminator: "")
        switch await client.pageOfUser(at: page.finalURL) {
        case .failure(.refusedAddress): print("refused")
        case let result: print("unexpected: \(result)")
        }
        await server.stop()

        let article = try Data(contentsOf: URL(filePath: CommandLine.arguments[1]))
        let lines = try ArticleSummary.lines(ofPage: Array(article), at: "https://birds.example/owls")
        print(lines.joined(separator: "\n"))
    }
}
