import Foundation
import Testing

@testable import HTTPClient
@testable import TextFormats

/// The bookmark pages' requests that need no stored bookmark.
@Suite struct BookmarksControllerTests {
    @Test func `an empty bookmarks page explains bookmarks, and the home page has an empty tile`()
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

    @Test func `an ETag does not match for another filter or another user`() async throws {
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

    @Test func `a repository opened from the bookmarks is shown next to them`() async throws {
        try await TestServer.with { testServer in
            let page = try await testServer.send("GET", "/repositories/apple/swift-nio?in=bookmarks&tag=x")
            #expect(page.status == 200)
            #expect(page.text.contains("data-live=\"/bookmarks/rows?tag=x\""))
            let other = try await testServer.send("GET", "/repositories/apple/swift-nio?since=0")
            #expect(other.text.contains("data-live=\"/repositories/rows"))
        }
    }

    @Test func `an invalid repository name is reported at its field`() async throws {
        try await TestServer.with { testServer in
            let answer = try await testServer.post("/bookmarks", form: "fullName=not+a+name&from=bookmarks")
            #expect(answer.status == 422)
            #expect(answer.text.contains("id=\"add-fullName-error\">Enter owner/name"))
            #expect(answer.text.contains("value=\"not a name\""))
            let elsewhere = try await testServer.post("/bookmarks", form: "fullName=not+a+name")
            #expect(elsewhere.status == 422 && !elsewhere.text.contains("add-fullName"))
        }
    }

    @Test(arguments: ["/bookmarks/a/b/remove", "/bookmarks/a/b/edit", "/bookmarks/a%20b/c/remove"])
    func `only bookmarked repositories can be removed or edited`(path: String) async throws {
        try await TestServer.with { testServer in
            let answer = try await testServer.post(path, form: "tags=x")
            #expect(answer.status == 404)
        }
    }

    @Test func `a bulk action needs a selection, and an unknown action is refused`() async throws {
        try await TestServer.with { testServer in
            let answer = try await testServer.post("/bookmarks/bulk", form: "act=remove&back=/bookmarks")
            let location = try #require(answer.headers["Location"])
            #expect(answer.status == 303 && location.hasPrefix("/bookmarks?flash="))
            let page = try await testServer.send("GET", location)
            #expect(page.text.contains("Select bookmarks first"))
            let unknown = try await testServer.post("/bookmarks/bulk", form: "act=burn&ids=1")
            #expect(unknown.status == 422)
        }
    }

    @Test(arguments: [
        ("/repositories?since=0&flash=old&pages=2", "/repositories?since=0&pages=2&flash="),
        ("https://evil.example/", "/bookmarks?flash="), ("//evil.example", "/bookmarks?flash="),
        ("/bookmarks?flash=x", "/bookmarks?flash="), ("", "/bookmarks?flash="),
    ])
    func `a bulk action returns to the previous page, on this site only`(back: String, location: String)
        async throws
    {
        try await TestServer.with { testServer in
            let encoded = PercentEncoding.encode(back)
            let answer = try await testServer.post("/bookmarks/bulk", form: "act=seen&back=\(encoded)")
            #expect(answer.headers["Location"]?.hasPrefix(location) == true)
            #expect(answer.headers["Location"]?.contains("flash=old") == false)
        }
    }
}
