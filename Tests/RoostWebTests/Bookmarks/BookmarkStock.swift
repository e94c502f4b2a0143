import Foundation
import Testing

@testable import GitHub
@testable import HTTPClient

enum BookmarkStock {
    /// Runs a test with a server in which Ada has these bookmarks.
    static func with(
        _ names: [String] = ["ada/engine", "ada/notes", "grace/compiler"],
        _ test: (TestServer) async throws -> Void
    ) async throws {
        try await TestServer.with { testServer in
            let file = Array(names.joined(separator: "\n").utf8)
            let imported = try await testServer.services.gitHub.bookmarkFiles.read(
                file, for: testServer.owner.userId)
            #expect(imported.added == names.count)
            try await test(testServer)
        }
    }

    static func bookmarks(_ testServer: TestServer) async throws -> [Bookmark] {
        let serviceQuery = BookmarkListing.Query(arrangement: .init(sort: .name))
        return try await testServer.services.gitHub.bookmarks.listing(
            serviceQuery, for: testServer.owner.userId
        )
        .groups.flatMap(
            \.items)
    }

    static func ids(_ testServer: TestServer, _ names: String...) async throws -> [BookmarkID] {
        try await bookmarks(testServer).filter { names.contains($0.fullName) }.map(\.id)
    }

    /// Returns the page that a form redirects to.
    static func follow(_ answer: ClientResponse, _ testServer: TestServer) async throws -> String {
        #expect(answer.status == 303)
        return try await testServer.send("GET", try #require(answer.headers["Location"])).text
    }

    /// Returns the address of the notice's undo.
    static func undo(in page: String) throws -> String {
        let start = try #require(page.range(of: "action=\"/bookmarks/undo?"))
        return "/bookmarks/undo?"
            + page[start.upperBound...].prefix { $0 != "\"" }.replacing("&amp;", with: "&")
    }

    /// Returns the name of a repository on the simulated GitHub.
    static func existingName(_ testServer: TestServer) async throws -> String {
        let page = try await testServer.services.gitHub.repositories.page(
            since: 0, for: testServer.owner.userId)
        return try #require(page.items.first).fullName
    }
}
