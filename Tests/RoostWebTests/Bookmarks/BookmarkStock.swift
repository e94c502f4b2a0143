import Foundation
import Testing

@testable import GitHub
@testable import HTTPClient

/// What tests of bookmarks share.
enum BookmarkStock {
    /// A house in which Ada has kept these.
    static func with(
        _ names: [String] = ["ada/engine", "ada/notes", "grace/compiler"],
        _ test: (TestServer) async throws -> Void
    ) async throws {
        try await TestServer.with { testServer in
            let file = Array(names.joined(separator: "\n").utf8)
            let imported = try await testServer.services.bookmarkFiles.read(
                file, for: testServer.owner.userId)
            #expect(imported.added == names.count)
            try await test(testServer)
        }
    }

    static func kept(_ testServer: TestServer) async throws -> [Bookmark] {
        let serviceQuery = BookmarkListing.Query(arrangement: .init(sort: .name))
        return try await testServer.services.bookmarks.listing(serviceQuery, for: testServer.owner.userId)
            .groups.flatMap(
                \.items)
    }

    static func ids(_ testServer: TestServer, _ names: String...) async throws -> [BookmarkID] {
        try await kept(testServer).filter { names.contains($0.fullName) }.map(\.id)
    }

    /// The page that a form led to.
    static func follow(_ answer: ClientResponse, _ testServer: TestServer) async throws -> String {
        #expect(answer.status == 303)
        return try await testServer.send("GET", try #require(answer.headers["Location"])).text
    }

    /// The address of the notice's undo.
    static func undo(in page: String) throws -> String {
        let start = try #require(page.range(of: "action=\"/bookmarks/undo?"))
        return "/bookmarks/undo?"
            + page[start.upperBound...].prefix { $0 != "\"" }.replacing("&amp;", with: "&")
    }

    /// The name of a repository that the simulated GitHub has.
    static func known(_ testServer: TestServer) async throws -> String {
        let page = try await testServer.services.repositories.page(since: 0, for: testServer.owner.userId)
        return try #require(page.items.first).fullName
    }
}
