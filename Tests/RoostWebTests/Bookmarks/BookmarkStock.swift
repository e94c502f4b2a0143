import Foundation
import HTTPClient
import RoostServices
import Testing

/// What tests of bookmarks share.
enum BookmarkStock {
    /// A house in which Ada has kept these.
    static func with(
        _ names: [String] = ["ada/engine", "ada/notes", "grace/compiler"],
        _ test: (TestServer) async throws -> Void
    ) async throws {
        try await TestServer.with { house in
            let file = Array(names.joined(separator: "\n").utf8)
            let imported = try await house.services.bookmarkFiles.read(file, for: house.owner.userId)
            #expect(imported.added == names.count)
            try await test(house)
        }
    }

    static func kept(_ house: TestServer) async throws -> [Bookmark] {
        let wish = BookmarkListing.Query(arrangement: .init(sort: .name))
        return try await house.services.bookmarks.listing(wish, for: house.owner.userId).groups.flatMap(
            \.items)
    }

    static func ids(_ house: TestServer, _ names: String...) async throws -> [BookmarkID] {
        try await kept(house).filter { names.contains($0.fullName) }.map(\.id)
    }

    /// The page that a form led to.
    static func follow(_ answer: ClientResponse, _ house: TestServer) async throws -> String {
        #expect(answer.status == 303)
        return try await house.send("GET", try #require(answer.headers["Location"])).text
    }

    /// The address of the notice's undo.
    static func undo(in page: String) throws -> String {
        let start = try #require(page.range(of: "action=\"/bookmarks/undo?"))
        return "/bookmarks/undo?"
            + page[start.upperBound...].prefix { $0 != "\"" }.replacing("&amp;", with: "&")
    }

    /// The name of a repository that the simulated GitHub has.
    static func known(_ house: TestServer) async throws -> String {
        let page = try await house.services.repositories.page(since: 0, for: house.owner.userId)
        return try #require(page.items.first).fullName
    }
}
