import Foundation
import Testing

@testable import HTTPClient

/// Repositories that the simulated GitHub has become bookmarks.
@Suite struct AddedBookmarksTests {
    @Test func `a repository is bookmarked from another page, which says so, and can be taken back`()
        async throws
    {
        try await TestServer.with { testServer in
            let name = try await BookmarkStock.known(testServer)
            let form = "fullName=\(name)&back=/repositories?since=0%26flash=old"
            let page = try await BookmarkStock.follow(
                try await testServer.post("/bookmarks", form: form), testServer)
            #expect(page.contains("<p>\(name) is bookmarked.</p>") && page.contains("<h1>Repositories</h1>"))
            let list = try await testServer.send("GET", "/bookmarks").text
            #expect(list.contains("/repositories/\(name)?in=bookmarks"))
            let again = try await BookmarkStock.follow(
                try await testServer.post("/bookmarks", form: form), testServer)
            #expect(again.contains("<p>\(name) was bookmarked already.</p>"))
            _ = try await testServer.post(BookmarkStock.undo(in: page))
            let kept = try await BookmarkStock.kept(testServer)
            #expect(kept.isEmpty)
        }
    }

    @Test func `without scripts a page edits a bookmark, and keeps what was typed when it is refused`()
        async throws
    {
        try await TestServer.with { testServer in
            let name = try await BookmarkStock.known(testServer)
            _ = try await testServer.post("/bookmarks", form: "fullName=\(name)")
            let path = "/bookmarks/\(name)/edit"
            let back = "back=/bookmarks?tag%3Dx"
            let tag = String(repeating: "y", count: 41)
            let refused = try await testServer.post(path, form: "tags=a,\(tag)&note=Typed&\(back)")
            #expect(refused.status == 422)
            #expect(refused.text.contains("value=\"a,\(tag)\"") && refused.text.contains(">Typed</textarea>"))
            #expect(refused.text.contains("id=\"tags-error\">A tag has 40 characters at most.</p>"))
            #expect(refused.text.contains("name=\"back\" value=\"/bookmarks?tag=x\""))
            let saved = try await testServer.post(path, form: "tags=a,b&note=Typed&\(back)")
            #expect(saved.headers["Location"]?.hasPrefix("/bookmarks?tag=x&flash=") == true)
            let page = try await testServer.send("GET", "\(path)?\(back)").text
            #expect(page.contains("value=\"a, b\"") && page.contains(">Typed</textarea>"))
            let grace = try await Guest.signUp("grace", as: .member, testServer.services)
            #expect(try await testServer.send("GET", path, as: grace).status == 404)
        }
    }

    @Test func `a repository that GitHub does not know is said at the field`() async throws {
        try await TestServer.with { testServer in
            let form = "fullName=nobody-at-all/nothing&from=bookmarks"
            let answer = try await testServer.post("/bookmarks", form: form)
            #expect(answer.status == 404)
            #expect(answer.text.contains("id=\"add-fullName-error\">There is no such repository"))
        }
    }

    @Test func `one that is bookmarked as JSON carries its detail, and a second time is no error`()
        async throws
    {
        try await TestServer.with { testServer in
            let name = try await BookmarkStock.known(testServer)
            let body = "{\"fullName\": \"\(name)\", \"tags\": [\"x\"], \"note\": \"N\"}"
            let added = try await testServer.json("POST", "/api/v1/bookmarks", body)
            #expect(added.status == 201)
            #expect(added.headers["Location"] == "/api/v1/bookmarks/\(name)")
            #expect(added.object["tags"] as? [String] == ["x"] && added.object["note"] as? String == "N")
            let repository = added.object["repository"] as? [String: Any]
            #expect(repository?["fullName"] as? String == name)
            let again = try await testServer.json("POST", "/api/v1/bookmarks", "{\"fullName\": \"\(name)\"}")
            #expect(again.status == 200 && again.object["tags"] as? [String] == ["x"])
        }
    }
}
