import Foundation
import Testing

@testable import HTTPClient
@testable import Reading
@testable import ReadingWeb
@testable import RoostSupport

/// Import and export of reading lists, in a browser without scripts.
@Suite struct ReadingToolsTests {
    private static let file = """
        title,url,time_added,tags,status
        A clock,https://one.example/,1600000000,a|b,unread
        Nothing,,1600000001,,unread

        """

    /// Submits the import form with a file.
    private static func upload(_ file: String, to testServer: TestServer) async throws -> ClientResponse {
        let body =
            "--XX\r\nContent-Disposition: form-data; name=\"file\"; filename=\"<pocket>.csv\"\r\n\r\n\(file)\r\n--XX--\r\n"
        return try await testServer.send(
            "POST", "/reading/import", headers: [("Content-Type", "multipart/form-data; boundary=XX")],
            body: body)
    }

    /// Returns the page once no import is running.
    private static func page(_ testServer: TestServer) async throws -> String {
        try await eventually("the import is done") {
            try await testServer.services.database.read {
                try testServer.services.reading.imports.imports($0, of: testServer.owner.userId)
            }
            .allSatisfy { !$0.isInProgress }
        }
        return try await testServer.send("GET", "/reading/tools").text
    }

    @Test func `a file is imported, and the page reports the result of each row`() async throws {
        try await TestServer.with { testServer in
            let answer = try await Self.upload(Self.file, to: testServer)
            #expect(answer.status == 303)
            #expect(answer.headers["Location"] == "/reading/tools#import")
            let page = try await Self.page(testServer)
            #expect(page.contains("&lt;pocket&gt;.csv"))
            #expect(page.contains("1 added, 1 not imported."))
            let report = try #require(page.firstMatch(of: #/href="(/reading/imports/[0-9]+/report\.csv)"/#)).1
            let file = try await testServer.send("GET", "\(report)")
            #expect(file.headers["Content-Disposition"]?.hasPrefix("attachment") == true)
            let grace = try await Guest.signUp("grace", as: .member, testServer.services)
            #expect(try await testServer.send("GET", "\(report)", as: grace).status == 404)
        }
    }

    @Test func `the page says how many rows were merged, and undo restores the article`() async throws {
        try await TestServer.with { testServer in
            _ = try await Self.upload(Self.file, to: testServer)
            _ = try await Self.page(testServer)
            _ = try await Self.upload("url,tags\r\nhttps://one.example/,c\r\n", to: testServer)
            let page = try await Self.page(testServer)
            #expect(page.contains("0 added, 1 already in your list, 1 of them merged."))
            let undo = try #require(page.firstMatch(of: #/action="(/reading/imports/[0-9]+/undo)"/#)).1
            #expect(try await testServer.post("\(undo)").status == 303)
            #expect(try await Self.page(testServer).contains("merged ones restored."))
            let list = try await testServer.services.reading.articles.list(
                ArticleFilter(list: .all), of: testServer.owner.userId)
            #expect(list.items.map(\.tags) == [["a", "b"]])
        }
    }

    @Test func `undoing an import removes its articles and its report`() async throws {
        try await TestServer.with { testServer in
            _ = try await Self.upload(Self.file, to: testServer)
            let page = try await Self.page(testServer)
            let undo = try #require(page.firstMatch(of: #/action="(/reading/imports/[0-9]+/undo)"/#)).1
            #expect(try await testServer.post("\(undo)").status == 303)
            let after = try await Self.page(testServer)
            #expect(
                try await testServer.services.reading.articles.counts(of: testServer.owner.userId).all == 0)
            let remove = try #require(after.firstMatch(of: #/action="(/reading/imports/[0-9]+/remove)"/#)).1
            #expect(try await testServer.post("\(remove)").status == 303)
            #expect(try await !testServer.send("GET", "/reading/tools").text.contains("&lt;pocket&gt;.csv"))
        }
    }

    @Test func `an invalid file is refused at its field`() async throws {
        try await TestServer.with { testServer in
            for file in ["", "hello"] {
                let answer = try await Self.upload(file, to: testServer)
                #expect(answer.status == 422)
                #expect(answer.text.contains("id=\"file-error\""))
            }
        }
    }

    @Test func `the whole list is exported in three formats`() async throws {
        try await ReadingFixture.with { reading in
            for (path, type) in [
                ("json", "application/json"), ("html", "text/html"), ("csv", "text/csv"),
                ("json?texts=1", "application/json"),
            ] {
                let answer = try await reading.testServer.send("GET", "/reading/export.\(path)")
                #expect(answer.status == 200, "\(path)")
                #expect(answer.headers["Content-Type"]?.hasPrefix(type) == true, "\(path)")
                #expect(answer.headers["Content-Disposition"]?.hasPrefix("attachment") == true, "\(path)")
                #expect(answer.text.contains("clocks.example"), "\(path)")
            }
            let plain = try await reading.page("/reading/export.json")
            let texts = try await reading.page("/reading/export.json?texts=1")
            #expect(!plain.contains("lets one tooth") && texts.contains("lets one tooth"))
        }
    }

    @Test func `a feed of suggestions is refused at its form`() async throws {
        try await TestServer.with { testServer in
            let answer = try await testServer.post("/reading/feeds", form: "list=suggested")
            #expect(answer.status == 422)
            #expect(answer.text.contains("id=\"feed-error\""))
        }
    }

    @Test func `the default length of gists is remembered`() async throws {
        try await TestServer.with { testServer in
            let form = "gistLength=sentences-5&back=/reading/tools"
            #expect(try await testServer.post("/reading/preferences", form: form).status == 303)
            let page = try await testServer.send("GET", "/reading/tools").text
            #expect(page.contains("<option value=\"sentences-5\" selected>"))
            let wrong = try await testServer.post("/reading/preferences", form: "gistLength=long")
            #expect(wrong.status == 422)
        }
    }

    @Test(arguments: [
        ("", true), ("automatic", true), ("sentences-3", true), ("words-120", true), ("sentences-0", false),
        ("words-1", false), ("sentences-3-4", false), ("long", false),
    ])
    func `a gist length is read from its name`(text: String, isOne: Bool) {
        if isOne {
            #expect(throws: Never.self) { try GistLengthChoice.read(text) }
        } else {
            #expect(throws: RoostError.self) { try GistLengthChoice.read(text) }
        }
    }
}
