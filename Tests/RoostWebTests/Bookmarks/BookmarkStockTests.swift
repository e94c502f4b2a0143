import Foundation
import Testing

@testable import HTTPClient

/// Bookmarks through pages, forms and JSON. They are imported from a file, so that no test waits for GitHub.
@Suite struct BookmarkStockTests {
    @Test func `the page and the fragment show the stored bookmarks, the home page those that changed`()
        async throws
    {
        try await BookmarkStock.with { testServer in
            try await testServer.services.database.write {
                try $0.execute("UPDATE bookmarks SET seen_name = 'ada/motor' WHERE full_name = 'ada/engine'")
            }
            let home = try await testServer.send("GET", "/").text
            #expect(home.contains("renamed from ada/motor"))
            for path in ["/bookmarks", "/bookmarks/rows", "/"] {
                let page = try await testServer.send("GET", path).text
                #expect(page.contains("/repositories/ada/engine?in=bookmarks"), "\(path)")
            }
            let filtered = try await testServer.send("GET", "/bookmarks?text=compiler").text
            #expect(filtered.contains("grace/compiler") && !filtered.contains("ada/engine"))
            #expect(filtered.contains("End of the list: 1 bookmark of 3."))
        }
    }

    @Test func `tags and note are saved, shown in the row, and can be undone`() async throws {
        try await BookmarkStock.with { testServer in
            let answer = try await testServer.post(
                "/bookmarks/ada/engine/edit",
                form: "tags=later,+swift&note=One%0D%0ATwo&back=/bookmarks?tag=later")
            let page = try await BookmarkStock.follow(answer, testServer)
            #expect(page.contains("Saved for ada/engine."))
            #expect(page.contains("href=\"/bookmarks?tag=swift\"") && page.contains(">One\nTwo</p>"))
            #expect(!page.contains("ada/notes"), "the list keeps its filter")
            let undone = try await BookmarkStock.follow(
                try await testServer.post(BookmarkStock.undo(in: page)), testServer)
            #expect(undone.contains("Undone for ada/engine."))
            let bookmark = try await BookmarkStock.bookmarks(testServer).first
            #expect(bookmark?.tags == [] && bookmark?.note == "")
        }
    }

    @Test func `a removed bookmark leaves page and count, and undo restores it`() async throws {
        try await BookmarkStock.with { testServer in
            let answer = try await testServer.post("/bookmarks/ada/notes/remove", form: "back=/bookmarks")
            let page = try await BookmarkStock.follow(answer, testServer)
            #expect(page.contains("ada/notes is no longer bookmarked."))
            #expect(!page.contains("href=\"/repositories/ada/notes"))
            #expect(page.contains("End of the list: 2 bookmarks."))
            let undo = try BookmarkStock.undo(in: page)
            let back = try await BookmarkStock.follow(try await testServer.post(undo), testServer)
            #expect(back.contains("href=\"/repositories/ada/notes"))
            let again = try await testServer.post(undo)
            #expect(again.status == 404)
        }
    }

    @Test func `several bookmarks are tagged, untagged and removed at once`() async throws {
        try await BookmarkStock.with { testServer in
            let ids = try await BookmarkStock.ids(testServer, "ada/engine", "ada/notes").map { "ids=\($0)" }
            let form = ids.joined(separator: "&")
            let tagged = try await BookmarkStock.follow(
                try await testServer.post("/bookmarks/bulk", form: "\(form)&act=addTag&tag=mine"), testServer)
            #expect(tagged.contains("Added “mine” to 2 bookmarks."))
            let chosen = try await testServer.send("GET", "/bookmarks/rows?tag=mine").text
            #expect(chosen.contains("ada/engine") && !chosen.contains("grace/compiler"))
            let untagged = try await BookmarkStock.follow(
                try await testServer.post("/bookmarks/bulk", form: "\(ids[0])&act=removeTag&tag=mine"),
                testServer)
            #expect(untagged.contains("Removed “mine” from ada/engine."))
            let removed = try await BookmarkStock.follow(
                try await testServer.post("/bookmarks/bulk", form: "\(form)&act=remove"), testServer)
            #expect(removed.contains("2 bookmarks are no longer bookmarked."))
            let left = try await BookmarkStock.bookmarks(testServer)
            #expect(left.map(\.fullName) == ["grace/compiler"])
            let nameless = try await testServer.post("/bookmarks/bulk", form: "\(form)&act=addTag&tag=")
            #expect(nameless.status == 422)
        }
    }

    @Test func `an imported file is reported with every row that failed`() async throws {
        try await TestServer.with { testServer in
            let browser = Browser(testServer)
            try await browser.signIn("ada")
            try await browser.open("/bookmarks/import")
            let file = Array("ada/engine\nnot a name\nhttps://github.com/ada/notes\n".utf8)
            let answer = try await browser.upload("/bookmarks/import", "file", bytes: file)
            #expect(answer.status == 303)
            let page = try await browser.open("/bookmarks/import?report=1")
            #expect(page.text.contains("2 bookmarks added"))
            #expect(page.text.contains("1 row could not be read:") && page.text.contains("Row 2<"))
            let failures = try await testServer.send("GET", "/bookmarks/import/failures.csv")
            #expect(failures.status == 200 && failures.text.hasPrefix("row,why\r\n2,"))
            let undone = try await testServer.post(BookmarkStock.undo(in: page.text))
            #expect(undone.headers["Location"]?.hasPrefix("/bookmarks/import?flash=") == true)
            let bookmarks = try await BookmarkStock.bookmarks(testServer)
            #expect(bookmarks.isEmpty)
        }
    }

    @Test func `an invalid file is refused at its field`() async throws {
        try await TestServer.with { testServer in
            let browser = Browser(testServer)
            try await browser.signIn("ada")
            try await browser.open("/bookmarks/import")
            let answer = try await browser.upload(
                "/bookmarks/import", "file", bytes: [0x89, 0x50, 0x4E, 0x47, 0, 1])
            #expect(answer.status == 422 && answer.text.contains("id=\"file-error\">"))
        }
    }

    @Test func `an exported file can be imported`() async throws {
        try await BookmarkStock.with { testServer in
            _ = try await testServer.post("/bookmarks/ada/engine/edit", form: "tags=a,b&note=N")
            let grace = try await Guest.signUp("grace", as: .member, testServer.services)
            for format in ["json", "csv"] {
                let file = try await testServer.send("GET", "/bookmarks/export.\(format)").body
                _ = try await testServer.services.gitHub.bookmarkFiles.read(
                    Array(file), for: grace.user.userId)
                let hers = try await testServer.send("GET", "/api/v1/bookmarks/ada/engine", as: grace)
                #expect(hers.object["tags"] as? [String] == ["a", "b"], "\(format)")
                #expect(hers.object["note"] as? String == "N", "\(format)")
                let all = try await testServer.send("GET", "/api/v1/bookmarks", as: grace)
                #expect(all.items.count == 3)
            }
        }
    }

    @Test func `the JSON API edits, shows and removes bookmarks by name, ignoring case`() async throws {
        try await BookmarkStock.with { testServer in
            let path = "/api/v1/bookmarks/ADA/Engine"
            let changed = try await testServer.json("PATCH", path, #"{"tags": ["x", "y"], "note": "N"}"#)
            #expect(changed.status == 200 && changed.object["tags"] as? [String] == ["x", "y"])
            let noted = try await testServer.json("PATCH", path, #"{"note": "M"}"#)
            #expect(
                noted.object["tags"] as? [String] == ["x", "y"] && noted.object["note"] as? String == "M")
            let wrong = try await testServer.json("PATCH", path, #"{"tags": "x"}"#)
            #expect(wrong.status >= 400 && wrong.status < 500)
            let nameless = try await testServer.json("POST", "/api/v1/bookmarks", #"{"fullName": "x"}"#)
            #expect(nameless.status == 422 && nameless.error("field") == "fullName")
            let removed = try await testServer.send("DELETE", path)
            #expect(removed.status == 204)
            let again = try await testServer.send("DELETE", path)
            #expect(again.status == 404)
        }
    }

    private static func page(after cursor: String?, _ testServer: TestServer) async throws -> (
        names: [String], next: String?
    ) {
        let query = cursor.map { "?cursor=\($0)" } ?? ""
        let answer = try await testServer.send("GET", "/api/v1/bookmarks\(query)")
        return (answer.items.compactMap { $0["fullName"] as? String }, answer.object["next"] as? String)
    }

    @Test func `JSON pages neither repeat nor skip a bookmark when another is added between requests`()
        async throws
    {
        try await BookmarkStock.with((0..<250).map { "ada/r\($0)" }) { testServer in
            let first = try await Self.page(after: nil, testServer)
            let late = Array("late/comer".utf8)
            _ = try await testServer.services.gitHub.bookmarkFiles.read(late, for: testServer.owner.userId)
            let second = try await Self.page(after: first.next, testServer)
            let third = try await Self.page(after: second.next, testServer)
            let names = first.names + second.names + third.names
            #expect(names.count == 250 && Set(names).count == 250 && !names.contains("late/comer"))
            #expect(first.names.count == 100 && third.next == nil)
            let wrong = try await testServer.send("GET", "/api/v1/bookmarks?cursor=x")
            #expect(wrong.status == 422 && wrong.error("field") == "cursor")
        }
    }
}
