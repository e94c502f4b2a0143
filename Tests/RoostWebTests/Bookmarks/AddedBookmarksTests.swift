import Foundation
import Testing

@testable import HTTPClient

/// Bookmarks of repositories on the simulated GitHub.
@Suite struct AddedBookmarksTests {
    @Test func `a repository is bookmarked from another page, with a notice and undo`()
        async throws
    {
        try await TestServer.with { testServer in
            let name = try await BookmarkStock.existingName(testServer)
            let form = "fullName=\(name)&back=/repositories?since=0%26flash=old"
            let page = try await BookmarkStock.follow(
                try await testServer.post("/bookmarks", form: form), testServer)
            #expect(page.contains("<p>\(name) is bookmarked.</p>") && page.contains("<h1>Repositories</h1>"))
            let list = try await testServer.send("GET", "/bookmarks").text
            #expect(list.contains("/repositories/\(name)?in=bookmarks"))
            let again = try await BookmarkStock.follow(
                try await testServer.post("/bookmarks", form: form), testServer)
            #expect(again.contains("<p>\(name) is already bookmarked.</p>"))
            _ = try await testServer.post(BookmarkStock.undo(in: page))
            let bookmarks = try await BookmarkStock.bookmarks(testServer)
            #expect(bookmarks.isEmpty)
        }
    }

    @Test func `without scripts a page edits a bookmark, and a refused edit keeps what was typed`()
        async throws
    {
        try await TestServer.with { testServer in
            let name = try await BookmarkStock.existingName(testServer)
            _ = try await testServer.post("/bookmarks", form: "fullName=\(name)")
            let path = "/bookmarks/\(name)/edit"
            let back = "back=/bookmarks?tag%3Dx"
            let tag = String(repeating: "y", count: 41)
            let refused = try await testServer.post(path, form: "tags=a,\(tag)&note=Typed&\(back)")
            #expect(refused.status == 422)
            #expect(refused.text.contains("value=\"a,\(tag)\"") && refused.text.contains(">Typed</textarea>"))
            #expect(refused.text.contains("id=\"tags-error\">A tag can have at most 40 characters.</p>"))
            #expect(refused.text.contains("name=\"back\" value=\"/bookmarks?tag=x\""))
            let saved = try await testServer.post(path, form: "tags=a,b&note=Typed&\(back)")
            #expect(saved.headers["Location"]?.hasPrefix("/bookmarks?tag=x&flash=") == true)
            let page = try await testServer.send("GET", "\(path)?\(back)").text
            #expect(page.contains("value=\"a, b\"") && page.contains(">Typed</textarea>"))
            let grace = try await Guest.signUp("grace", as: .member, testServer.services)
            #expect(try await testServer.send("GET", path, as: grace).status == 404)
        }
    }

    @Test func `a repository unknown to GitHub is reported at the field`() async throws {
        try await TestServer.with { testServer in
            let form = "fullName=nobody-at-all/nothing&from=bookmarks"
            let answer = try await testServer.post("/bookmarks", form: form)
            #expect(answer.status == 404)
            #expect(answer.text.contains("id=\"add-fullName-error\">This repository does not exist"))
        }
    }

    @Test func `adding a bookmark as JSON returns its detail, and adding it again is not an error`()
        async throws
    {
        try await TestServer.with { testServer in
            let name = try await BookmarkStock.existingName(testServer)
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
