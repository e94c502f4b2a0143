import Foundation
import Testing

@testable import Reading

/// Rows about articles that exist already.
@Suite struct FilesMergeTests {
    private func tags(_ fixture: FilesFixture) throws -> [String] {
        try fixture.services.sql(
            String.self, "SELECT tag FROM article_tags WHERE user_id IS NOT NULL ORDER BY article_id, place")
    }

    private func gists(_ fixture: FilesFixture) throws -> [String] {
        try fixture.services.sql(String.self, "SELECT content FROM gists ORDER BY id")
    }

    private func undo(_ done: ArticleImport, _ fixture: FilesFixture) async throws {
        try await fixture.imports.undo(done.id, by: fixture.ada)
        await fixture.imports.runUntilIdle()
    }

    // MARK: Twice in a file

    /// The same page twice, with different tags, times and notes, in each program's format.
    private static let twice: [String] = [
        """
        <!DOCTYPE NETSCAPE-Bookmark-file-1>
        <DL><p>
        <DT><A HREF="https://dup.example/page" ADD_DATE="1420200000" TAGS="boats">Page</A>
        <DT><A HREF="https://dup.example/page" ADD_DATE="1388664000" TAGS="sails,Boats,wind">Page again</A>
        <DD>[linkding-notes]remember[/linkding-notes]
        </DL><p>
        """,
        """
        {"bookmarks":[{"createdAt":1420200000,"title":"Page","tags":["boats"],"note":null,"archived":false,
        "content":{"type":"link","url":"https://dup.example/page"}},{"createdAt":1388664000,"title":"Page",
        "tags":["sails","boats","wind"],"note":"remember","archived":false,
        "content":{"type":"link","url":"https://dup.example/page"}}],"lists":[]}
        """,
        """
        url,title,tags,created,note
        https://dup.example/page,Page,boats,1420200000,
        https://dup.example/page?utm_source=x,Other,"sails,boats,wind",1388664000,remember
        """,
        """
        [{"url":"https://dup.example/page","title":"Page","tags":["boats"],"created_at":"2015-01-02T12:00:00Z",
        "is_archived":0,"is_starred":0},{"url":"https://dup.example/page","title":"Page","tags":["sails","wind"],
        "created_at":"2014-01-02T12:00:00Z","is_archived":0,"is_starred":0,"note":"remember"}]
        """,
        """
        {"program":"Roost","kind":"reading","version":1,"articles":[
        {"url":"https://dup.example/page","title":"Page","tags":["boats"],"savedAt":"2015-01-02T12:00:00Z"},
        {"url":"https://dup.example/page","title":"Page","tags":["sails","wind"],"savedAt":"2014-01-02T12:00:00Z",
        "gist":{"content":"remember","method":"own"}}]}
        """,
        """
        [{"href":"https://dup.example/page","description":"Page","extended":"","time":"2015-01-02T12:00:00Z",
        "toread":"yes","shared":"no","tags":"boats"},{"href":"https://dup.example/page","description":"Page",
        "extended":"remember","time":"2014-01-02T12:00:00Z","toread":"yes","shared":"no","tags":"sails wind"}]
        """,
    ]

    @Test(arguments: twice)
    func `a page listed twice in a file is one article with both tags and notes and the earlier time`(
        file: String
    ) async throws {
        try await withReadingFiles { fixture in
            let done = try await fixture.importFile(file)
            #expect(done.added == 1 && done.duplicates == 1 && done.merged == 1 && done.failed == 0)
            #expect(try tags(fixture) == ["boats", "sails", "wind"])
            #expect(try gists(fixture) == ["remember"])
            #expect(try fixture.articles("title") == ["Page"])
            #expect(try fixture.articles("'' || CAST(saved_at AS INTEGER)") == ["1388664000"])
            try await undo(done, fixture)
            #expect(try fixture.articles("title").isEmpty)
            #expect(try gists(fixture).isEmpty)
        }
    }

    @Test func `both notes are kept one below the other, and identical notes only once`() async throws {
        try await withReadingFiles { fixture in
            try await fixture.importFile(
                """
                url,note
                https://example.org/a,first
                https://example.org/a,second
                https://example.org/a,first
                """)
            #expect(try gists(fixture) == ["first\n\nsecond"])
            let done = try #require(
                try await fixture.imports.database.read { try fixture.imports.imports($0, of: fixture.ada) }
                    .first)
            try await undo(done, fixture)
            #expect(try gists(fixture).isEmpty)
        }
    }

    @Test(arguments: [
        ("archive", "unread", "unread"), ("archive", "archive", "archived"), ("unread", "archive", "unread"),
    ])
    func `a page listed twice is archived only if all its rows are`(
        first: String, second: String, state: String
    ) async throws {
        try await withReadingFiles { fixture in
            try await fixture.importFile(
                """
                url,status,favorite
                https://example.org/a,\(first),0
                https://example.org/a,\(second),1
                """)
            #expect(try fixture.articles("state") == [state])
            #expect(try fixture.articles("'' || (archived_at IS NULL)") == [state == "unread" ? "1" : "0"])
            #expect(try fixture.articles("'' || is_favorite") == ["1"])
        }
    }

    // MARK: Existing articles

    private static let knowsMore = """
        [{"url":"https://example.org/a","title":"Theirs","tags":["new","old"],"note":"noted","category":"Science",
        "createdAt":"2014-01-02T12:00:00Z","isFavorite":true,"isArchived":true,"author":"Ada","excerpt":"About",
        "highlights":[{"quote":"marked words","note":"mine"}]}]
        """

    @Test func `a second import adds missing data to an article and keeps its title and state`()
        async throws
    {
        try await withReadingFiles { fixture in
            try await fixture.importFile(
                "url,title,tags,created\nhttps://example.org/a,Mine,Old,2020-01-01\n")
            let done = try await fixture.importFile(Self.knowsMore)
            #expect(done.added == 0 && done.duplicates == 1 && done.merged == 1 && done.canBeUndone)
            #expect(try tags(fixture) == ["Old", "new"])
            #expect(try gists(fixture) == ["noted"])
            #expect(
                try fixture.articles("title || ',' || state || ',' || category || ',' || is_favorite")
                    == ["Mine,unread,Science,1"])
            #expect(try fixture.articles("author || ' ' || excerpt") == ["Ada About"])
            #expect(try fixture.articles("'' || CAST(saved_at AS INTEGER)") == ["1388664000"])
            let quotes = try fixture.services.sql(
                String.self, "SELECT quote || ': ' || note FROM article_highlights")
            #expect(quotes == ["marked words: mine"])
            let again = try await fixture.importFile(Self.knowsMore)
            #expect(again.duplicates == 1 && again.merged == 0 && !again.canBeUndone)
            let problems = try await fixture.services.services.problems()
            #expect(problems == [])
        }
    }

    /// Everything that a merge may change.
    private func everything(_ fixture: FilesFixture) throws -> [String] {
        try fixture.services.sql(
            String.self,
            """
            SELECT json_array(title, title_is_given, title_key, category, state, is_favorite, created_at, saved_at,
                archived_at, author, language, excerpt, image_url, published_at, fetch_state, word_count, kind)
            FROM articles WHERE user_id IS NOT NULL ORDER BY id
            """)
            + tags(fixture) + gists(fixture)
            + fixture.services.sql(
                String.self, "SELECT id || quote || note FROM article_highlights ORDER BY id")
            + fixture.services.sql(String.self, "SELECT text FROM article_texts ORDER BY article_id")
            + fixture.services.sql(
                String.self, "SELECT kind || name || count FROM reading_counts ORDER BY kind, name")
    }

    @Test func `undoing an import restores every article that it changed`() async throws {
        try await withReadingFiles { fixture in
            try await fixture.importFile(
                """
                [{"url":"https://example.org/a","title":"Mine","tags":["Old"],"note":"own",
                "highlights":[{"quote":"marked words"}]},
                {"url":"https://example.org/b"},{"url":"https://example.org/c","is_archived":1}]
                """)
            let before = try everything(fixture)
            var file = Self.knowsMore
            file.removeLast()
            file += """
                ,{"url":"https://example.org/a","tags":["third"],"note":"again"},
                {"url":"https://example.org/b","title":"Named","language":"de","content":"<p>The text.</p>",
                "image":"https://example.org/p.png","publishedAt":"2013-01-01"},
                {"url":"https://example.org/new","tags":["x"]}]
                """
            let done = try await fixture.importFile(file)
            #expect(done.added == 1 && done.merged == 3)
            #expect(try gists(fixture) == ["own\n\nnoted\n\nagain"])
            #expect(try fixture.articles("title").contains("Named"))
            #expect(try fixture.count("article_texts") == 1)
            try await undo(done, fixture)
            #expect(try everything(fixture) == before)
            let undone = try await fixture.imports.find(done.id, for: fixture.ada)
            #expect(undone.state == .undone && undone.removed == 1)
            try fixture.services.change(
                "INSERT INTO reading_search (reading_search, rank) VALUES ('integrity-check', 1)")
        }
    }

    @Test func `undo keeps what the user has changed since`() async throws {
        try await withReadingFiles { fixture in
            try await fixture.importFile("url\nhttps://example.org/a\n")
            let done = try await fixture.importFile(Self.knowsMore)
            try fixture.services.change("UPDATE articles SET title = 'Renamed', category = 'Own'")
            try fixture.services.change("UPDATE gists SET content = content || ' and more'")
            try await undo(done, fixture)
            #expect(try fixture.articles("title || ' ' || category") == ["Renamed Own"])
            #expect(try gists(fixture) == ["noted and more"])
            #expect(try tags(fixture).isEmpty)
        }
    }

    @Test func `an import of many rows that each change an article is undone as a whole`() async throws {
        try await withReadingFiles { fixture in
            try await fixture.importFile(FilesFixture.addresses(450))
            let rows = (1...450).map { "https://example.org/\($0),tag\n" }.joined()
            let done = try await fixture.importFile("url,tags\n" + rows)
            #expect(done.merged == 450)
            try await undo(done, fixture)
            #expect(try fixture.count("article_tags") == 0 && fixture.count("articles") == 450)
        }
    }

    @Test func `an article deleted since does not stop the undo`() async throws {
        try await withReadingFiles { fixture in
            try await fixture.importFile("url\nhttps://example.org/a\n")
            let done = try await fixture.importFile(Self.knowsMore)
            try fixture.services.change("DELETE FROM articles")
            try await undo(done, fixture)
            #expect(try await fixture.imports.find(done.id, for: fixture.ada).state == .undone)
        }
    }

    @Test func `data beyond the limits is reported, and the rest is merged`() async throws {
        try await withReadingFiles { fixture in
            let many = (1...50).map { "t\($0)" }.joined(separator: ",")
            try await fixture.importFile("url,tags\nhttps://example.org/a,\"\(many)\"\n")
            let done = try await fixture.importFile("url,tags,note\nhttps://example.org/a,more,noted\n")
            let warnings = try await fixture.imports.database.read {
                try fixture.imports.problems($0, of: done.id, for: fixture.ada)
            }
            #expect(done.merged == 1 && warnings.count == 1 && warnings[0].isImported)
            #expect(warnings[0].why.contains("up to 50 tags"))
            #expect(try gists(fixture) == ["noted"])
        }
    }
}
