import Foundation
import Testing

@testable import HTTPClient
@testable import TextFormats

/// The bookmarks' addresses, as far as they need no bookmark.
@Suite struct BookmarksControllerTests {
    @Test func `who has no bookmarks is told what they are for, and the home page has a place for the first`()
        async throws
    {
        try await TestServer.with { testServer in
            for path in ["/bookmarks", "/bookmarks?text=a&group=language", "/bookmarks/rows"] {
                let answer = try await testServer.send("GET", path)
                #expect(answer.status == 200, "\(path)")
                #expect(answer.text.contains("Keep what you want to find again"), "\(path)")
            }
            let home = try await testServer.send("GET", "/")
            #expect(home.text.contains("data-live=\"/bookmarks/tile\""))
            #expect(home.text.contains("No bookmarks yet."))
        }
    }

    @Test func `a fragment is sent again when another filter asks for it, or somebody else`() async throws {
        try await TestServer.with { testServer in
            let tag = try #require(try await testServer.send("GET", "/bookmarks/rows?text=a").headers["ETag"])
            let header = [("If-None-Match", tag)]
            let same = try await testServer.send("GET", "/bookmarks/rows?text=a", headers: header)
            #expect(same.status == 304)
            let other = try await testServer.send("GET", "/bookmarks/rows?text=b", headers: header)
            #expect(other.status == 200)
            let grace = try await Guest.signUp("grace", as: .member, testServer.services)
            let hers = try await testServer.send("GET", "/bookmarks/rows?text=a", headers: header, as: grace)
            #expect(hers.status == 200)
        }
    }

    @Test func `a repository that one came to from the bookmarks has them beside it`() async throws {
        try await TestServer.with { testServer in
            let page = try await testServer.send("GET", "/repositories/apple/swift-nio?in=bookmarks&tag=x")
            #expect(page.status == 200)
            #expect(page.text.contains("data-live=\"/bookmarks/rows?tag=x\""))
            let other = try await testServer.send("GET", "/repositories/apple/swift-nio?since=0")
            #expect(other.text.contains("data-live=\"/repositories/rows"))
        }
    }

    @Test func `a name that cannot be one is said at its field`() async throws {
        try await TestServer.with { testServer in
            let answer = try await testServer.post("/bookmarks", form: "fullName=not+a+name&from=bookmarks")
            #expect(answer.status == 422)
            #expect(answer.text.contains("id=\"add-fullName-error\">A repository is named like"))
            #expect(answer.text.contains("value=\"not a name\""))
            let elsewhere = try await testServer.post("/bookmarks", form: "fullName=not+a+name")
            #expect(elsewhere.status == 422 && !elsewhere.text.contains("add-fullName"))
        }
    }

    @Test(arguments: ["/bookmarks/a/b/remove", "/bookmarks/a/b/edit", "/bookmarks/a%20b/c/remove"])
    func `what is not bookmarked can be neither removed nor edited`(path: String) async throws {
        try await TestServer.with { testServer in
            let answer = try await testServer.post(path, form: "tags=x")
            #expect(answer.status == 404)
        }
    }

    @Test func `nothing chosen is said, and an act that does not exist is refused`() async throws {
        try await TestServer.with { testServer in
            let answer = try await testServer.post("/bookmarks/bulk", form: "act=remove&back=/bookmarks")
            let place = try #require(answer.headers["Location"])
            #expect(answer.status == 303 && place.hasPrefix("/bookmarks?flash="))
            let page = try await testServer.send("GET", place)
            #expect(page.text.contains("Choose some bookmarks first"))
            let unknown = try await testServer.post("/bookmarks/bulk", form: "act=burn&ids=1")
            #expect(unknown.status == 422)
        }
    }

    @Test(arguments: [
        ("/repositories?since=0&flash=old&pages=2", "/repositories?since=0&pages=2&flash="),
        ("https://evil.example/", "/bookmarks?flash="), ("//evil.example", "/bookmarks?flash="),
        ("/bookmarks?flash=x", "/bookmarks?flash="), ("", "/bookmarks?flash="),
    ])
    func `an act leads back to where one was, on this site alone`(back: String, place: String) async throws {
        try await TestServer.with { testServer in
            let encoded = PercentEncoding.encode(back)
            let answer = try await testServer.post("/bookmarks/bulk", form: "act=seen&back=\(encoded)")
            #expect(answer.headers["Location"]?.hasPrefix(place) == true)
            #expect(answer.headers["Location"]?.contains("flash=old") == false)
        }
    }

    @Test func `what is over cannot be undone`() async throws {
        try await TestServer.with { testServer in
            let answer = try await testServer.post("/bookmarks/undo?undo=x&back=/bookmarks")
            #expect(answer.status == 404)
        }
    }
}
