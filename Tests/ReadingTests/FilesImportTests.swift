import Foundation
import TestSupport
import Testing

@testable import Reading
@testable import RoostSupport
@testable import TextFormats

@Suite struct FilesImportTests {
    @Test func `states, stars, tags, categories and times are imported`() async throws {
        try await withReadingFiles { fixture in
            let done = try await fixture.importFile(SampleFiles.instapaper)
            #expect(done.state == .done && done.added == 4 && done.failed == 0 && done.format == .instapaper)
            #expect(try fixture.articles("state") == ["unread", "archived", "unread", "unread"])
            #expect(try fixture.articles("'' || is_favorite") == ["0", "0", "1", "0"])
            #expect(try fixture.articles("category") == ["Unsorted", "Unsorted", "Unsorted", "Science"])
            #expect(try fixture.articles("'' || CAST(saved_at AS INTEGER)").first == "1588248671")
            let tags = try fixture.services.sql(String.self, "SELECT tag FROM article_tags ORDER BY place")
            #expect(tags == ["swift", "web"])
        }
    }

    @Test func `a highlight, an annotation and a note are imported`() async throws {
        try await withReadingFiles { fixture in
            try await fixture.importFile(SampleFiles.wallabag)
            try await fixture.importFile(SampleFiles.linkding)
            let quotes = try fixture.services.sql(
                String.self, "SELECT quote || ': ' || note FROM article_highlights")
            #expect(quotes == ["a passage: My note"])
            let gists = try fixture.services.sql(
                String.self, "SELECT title || ', ' || method || ', ' || content FROM gists")
            #expect(gists == ["First, own, My own\nwords"])
        }
    }

    @Test func `articles without a time keep the file's order`() async throws {
        try await withReadingFiles { fixture in
            try await fixture.importFile(
                "url\nhttps://example.org/2\nhttps://example.org/1\nhttps://example.org/3\n")
            let order = try fixture.services.sql(
                String.self, "SELECT normalized_url FROM articles ORDER BY saved_at DESC")
            #expect(order.map { $0.suffix(1) } == ["2", "1", "3"])
        }
    }

    @Test func `a time in the future becomes now`() async throws {
        try await withReadingFiles { fixture in
            try await fixture.importFile("url,created\nhttps://example.org/,2099-01-01\n")
            let saved = try fixture.services.sql(Double.self, "SELECT saved_at FROM articles").first
            #expect(saved == fixture.services.clock.now.timeIntervalSince1970)
        }
    }

    // MARK: Texts

    private static let withText = """
        [{"is_archived":0,"is_starred":0,"tags":[],"title":"T","url":"https://example.org/a/b","created_at":"2020-01-01",
        "content":"<h1 onclick=\\"x()\\">Head<\\/h1><p>First, a  marked\\npassage.<\\/p><script>bad()<\\/script><ul><li>One<li>Two<\\/ul><p><img src=\\"p.png\\" alt=\\"P\\"><a href=\\"..\\/c\\">link<\\/a><a href=\\"javascript:x()\\">none<\\/a><\\/p>",
        "annotations":[{"text":"My note","quote":"a marked passage"}]}]
        """

    @Test func `a text in the file is sanitized and kept, and its page is not fetched`() async throws {
        try await withReadingFiles { fixture in
            let done = try await fixture.importFile(Self.withText, fetching: true)
            #expect(done.added == 1)
            #expect(try fixture.articles("fetch_state || ' ' || word_count") == ["fetched 8"])
            #expect(try fixture.count("shared_items") == 0)
            let text = try fixture.services.sql(String.self, "SELECT text FROM article_texts").first
            #expect(text == "Head\nFirst, a marked passage.\nOne\nTwo\nlinknone")
            let markup = try #require(
                try fixture.services.sql(String.self, "SELECT markup FROM article_texts").first)
            #expect(markup.contains("<h2>Head</h2>") && markup.contains("https://example.org/a/p.png"))
            #expect(markup.contains("href=\"https://example.org/c\""))
            #expect(!markup.contains("bad") && !markup.contains("onclick") && !markup.contains("javascript"))
        }
    }

    @Test func `a highlight is located in the text despite different white space`() async throws {
        try await withReadingFiles { fixture in
            try await fixture.importFile(Self.withText)
            let quotes = try fixture.services.sql(
                String.self, "SELECT quote || '|' || before || '|' || after FROM article_highlights")
            #expect(quotes == ["a  marked\npassage|HeadFirst, |.OneTwolinknone"])
            let lengths = try fixture.services.sql(
                Int.self, "SELECT end_offset - start_offset FROM article_highlights WHERE start_offset = 11")
            #expect(lengths == ["a  marked\npassage".utf16.count])
        }
    }

    // MARK: Fetching

    @Test func `with fetching on, every page waits in the queue`() async throws {
        try await withReadingFiles { fixture in
            try await fixture.importFile(FilesFixture.addresses(3), fetching: true)
            #expect(try fixture.articles("fetch_state") == ["waiting", "waiting", "waiting"])
            #expect(
                try fixture.count("shared_items", where: "processed = 0 AND source_application = 'import'")
                    == 3)
        }
    }

    @Test func `with fetching off, the articles are links, and nothing is requested`() async throws {
        try await withReadingFiles { fixture in
            try await fixture.importFile(FilesFixture.addresses(3))
            #expect(try fixture.articles("fetch_state") == ["link", "link", "link"])
            #expect(try fixture.count("shared_items") == 0)
        }
    }

    // MARK: Repeated imports

    @Test func `a second import adds nothing and reports how many exist`() async throws {
        try await withReadingFiles { fixture in
            try await fixture.importFile(SampleFiles.pocket)
            let second = try await fixture.importFile(SampleFiles.pocket)
            #expect(second.added == 0 && second.duplicates == 3)
            #expect(try fixture.count("articles") == 3)
        }
    }

    @Test func `one page under two addresses in a file becomes one article`() async throws {
        try await withReadingFiles { fixture in
            let done = try await fixture.importFile(
                "url\nhttps://Example.org/a?utm_source=x#top\nhttps://example.org/a\nhttps://example.org/b\n"
            )
            #expect(done.added == 2 && done.duplicates == 1)
        }
    }

    @Test func `an existing article stays unchanged`() async throws {
        try await withReadingFiles { fixture in
            try await fixture.importFile("url,title,status,time_added\nhttps://example.org/,Mine,archive,1\n")
            try await fixture.importFile(
                "url,title,status,time_added\nhttps://example.org/,Theirs,unread,2\n")
            #expect(try fixture.articles("title || ' ' || state") == ["Mine archived"])
        }
    }

    @Test func `another user can import the same file`() async throws {
        try await withReadingFiles { fixture in
            try await fixture.importFile(SampleFiles.pocket)
            let other = try await fixture.importFile(SampleFiles.pocket, by: fixture.grace)
            #expect(other.added == 3 && other.duplicates == 0)
        }
    }

    // MARK: Failures

    private static let bad = """
        url,title
        javascript:alert(1),Script
        ftp://example.org/,FTP
        https://example.org/\u{202E}evil,Turned
        =1+1,Formula
        ,Nothing
        https://example.org/good,Good

        """

    @Test func `each failed row is reported with its line, address and reason`() async throws {
        try await withReadingFiles { fixture in
            let done = try await fixture.importFile(Self.bad)
            #expect(done.added == 1 && done.failed == 5 && done.total == 6)
            let warnings = try await fixture.imports.database.read {
                try fixture.imports.problems($0, of: done.id, for: fixture.ada)
            }
            #expect(warnings.map(\.row) == [2, 3, 4, 5, 6])
            #expect(warnings[0].address == "javascript:alert(1)" && !warnings[0].isImported)
            #expect(warnings.allSatisfy { !$0.why.isEmpty })
            #expect(warnings.map(\.address).joined().unicodeScalars.contains("\u{202E}") == false)
        }
    }

    @Test func `the full report is a CSV file without formulas`() async throws {
        try await withReadingFiles { fixture in
            let rows = (1...300).map { "javascript:a\($0)\n" }.joined()
            let done = try await fixture.importFile("url\n=1+1\n" + rows)
            let shown = try await fixture.imports.database.read {
                try fixture.imports.problems($0, of: done.id, for: fixture.ada)
            }
            let report = try await fixture.imports.report(of: done.id, for: fixture.ada)
            let lines = String(decoding: report, as: UTF8.self).split(separator: "\r\n")
            #expect(shown.count == ArticleImportService.maximumShownProblems && lines.count == 302)
            #expect(lines[0] == "file,line,address,imported,reason")
            #expect(lines[1].hasPrefix(",2,'=1+1,no,"))
        }
    }

    @Test func `an invalid part is reported, and the rest of the article is imported`() async throws {
        try await withReadingFiles { fixture in
            let long = String(repeating: "x", count: 61)
            let done = try await fixture.importFile(
                "url,tags,folder\nhttps://example.org/,\"good,\(long),\(long)x,better\",\(long)\n")
            let warnings = try await fixture.imports.database.read {
                try fixture.imports.problems($0, of: done.id, for: fixture.ada)
            }
            #expect(done.added == 1 && done.failed == 0)
            #expect(warnings.count == 1 && warnings[0].isImported)
            #expect(
                try fixture.services.sql(String.self, "SELECT tag FROM article_tags ORDER BY place")
                    == ["good", "better"])
        }
    }

    @Test func `an invalid field does not stop its article from being imported`() async throws {
        let fields = [
            #""readingProgress":"nan""#, #""progress":1e999"#, #""progress":-7"#, #""savedAt":1e300"#,
            #""tags":[[],{},1]"#,
            #""highlights":[{"quote":"x","start":999999999,"end":1}]"#, #""category":"\u0000\u0001""#,
            #""publishedAt":"0000-00-00T00:00:00Z""#, #""image":"javascript:x()""#,
            #""content":"<script>x</script>""#,
            #""gist":{"content":"x","method":"nobody"}"#, #""finalUrl":"ftp://example.org/""#,
            #""language":"\"><b>""#,
        ]
        let articles = fields.enumerated().map { #"{"url":"https://example.org/\#($0)",\#($1)}"# }
        try await withReadingFiles { fixture in
            let head = #"{"program":"Roost","kind":"reading","version":1,"articles":["#
            let done = try await fixture.importFile(head + articles.joined(separator: ",") + "]}")
            #expect(done.state == .done && done.added == fields.count)
            let problems = try await fixture.services.services.problems()
            #expect(problems == [])
        }
    }

    @Test func `a file without articles leaves nothing behind`() async throws {
        try await withReadingFiles { fixture in
            let refused = await refusal { try await fixture.importFile("hello") }
            let imports = try await fixture.imports.database.read {
                try fixture.imports.imports($0, of: fixture.ada)
            }
            #expect(refused?.field == "file" && imports == [])
        }
    }

    // MARK: Other users

    @Test func `users can neither see nor change another user's import`() async throws {
        try await withReadingFiles { fixture in
            let id = try await fixture.importFile(SampleFiles.pocket).id
            let (imports, grace) = (fixture.imports, fixture.grace)
            #expect(try await imports.database.read { try imports.imports($0, of: grace) } == [])
            let refusals = [
                await refusal { _ = try await imports.find(id, for: grace) },
                await refusal {
                    _ = try await imports.database.read { try imports.problems($0, of: id, for: grace) }
                },
                await refusal { _ = try await imports.report(of: id, for: grace) },
                await refusal { try await imports.cancel(id, by: grace) },
                await refusal { try await imports.undo(id, by: grace) },
                await refusal { try await imports.remove(id, by: grace) },
            ]
            #expect(refusals == [RoostError?](repeating: .notFound("There is no such import."), count: 6))
            #expect(try fixture.count("articles") == 3)
        }
    }

    @Test func `an import is published on the user's topic`() async throws {
        try await withReadingFiles { fixture in
            let feed = fixture.services.services.feed
            let before = feed.version(of: [Topic.reading(fixture.ada)])
            try await fixture.importFile(SampleFiles.pocket)
            #expect(feed.version(of: [Topic.reading(fixture.ada)]) > before)
            #expect(feed.version(of: [Topic.reading(fixture.grace)]) == 0)
        }
    }

    @Test func `the same error of many highlights is reported once`() async throws {
        try await withReadingFiles { fixture in
            let long = String(repeating: "x", count: 10_001)
            let highlights = (0..<200).map { #"{"quote":"words \#($0)","note":"\#(long)"}"# }
            let done = try await fixture.importFile(
                #"[{"url":"https://example.org/a","highlights":[\#(highlights.joined(separator: ","))]}]"#)
            #expect(done.added == 1)
            #expect(
                try await fixture.imports.database.read {
                    try fixture.imports.problems($0, of: done.id, for: fixture.ada)
                }.map(\.why)
                    == ["A note was too long and was left out."])
        }
    }
}
