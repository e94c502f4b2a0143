import Foundation
import Testing

@testable import HTTPServer
@testable import RoostWeb

/// `APIRoutes.md` against the program's own routes.
@Suite struct APIArticleTests {
    @Test func `each route of the JSON API has its section, and nothing else has`() async throws {
        let file = SiteFiles.root.appending(path: "Sources/roost/roost.docc/APIRoutes.md")
        let lines = try String(contentsOf: file, encoding: .utf8).split(separator: "\n")
        let documented = lines.filter { $0.hasPrefix("### ") }.map { String($0.dropFirst(4)) }
        try await TestServer.with { testServer in
            let routes = testServer.server.routes.filter { $0.pattern.hasPrefix("/api/v1/") }
                .map { "\($0.method.rawValue) \($0.pattern)" }
            #expect(routes.count > 20)
            #expect(documented.sorted() == routes.sorted())
        }
    }
}
