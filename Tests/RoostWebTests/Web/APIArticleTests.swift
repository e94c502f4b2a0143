import Foundation
import Testing

@testable import HTTPServer
@testable import RoostWeb
@testable import roost

/// Compares `APIRoutes.md` with the program's routes.
@Suite struct APIArticleTests {
    @Test func `the article has a section for each route of the JSON API, and no others`() async throws {
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
