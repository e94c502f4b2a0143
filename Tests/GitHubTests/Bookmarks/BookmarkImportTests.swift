import Foundation
import TestSupport
import Testing

@testable import GitHub
@testable import RoostSupport

/// Files of bookmarks as other programs and people write them.
@Suite struct BookmarkImportTests {
    private func kept(_ fixture: BookmarkServiceFixture) async throws -> Set<String> {
        Set(try await fixture.names())
    }

    @Test(arguments: [
        #"["a/b", "https://github.com/c/d"]"#,
        #"[{"full_name": "a/b", "stargazers_count": 3}, {"html_url": "https://github.com/c/d"}]"#,
        #"[{"fullName": "a/b"}, {"nameWithOwner": "c/d"}]"#,
        #"[{"starred_at": "2020-01-02T03:04:05Z", "repo": {"full_name": "a/b"}}, {"repository": "c/d"}]"#,
        #"{"version": 3, "repositories": [{"name": "b", "full_name": "a/b"}, {"name": "c/d"}], "x": {}}"#,
        #"{"items": [{"url": "https://github.com/a/b"}, {"fullName": "c/d", "owner": {"login": "c"}}]}"#,
        "full_name,note\r\na/b,x\r\nc/d,\r\n", "Repo;Tags\na/b;\n\"c/d\";x\n",
        "name\towner\nb\ta\nd\tc",
        "\u{FEFF}URL,Title\nhttps://github.com/a/b,\"A, B\"\nhttps://github.com/c/d/tree/main?x#y,\n",
        "a/b\nc/d", "# mine\n\nhttps://github.com/a/b.git\r\ngit@github.com:c/d.git\r\n",
        "github.com/a/b\rwww.github.com/c/d/issues/4\r", "\u{FEFF}[\"a/b\",\"c/d\"]",
        "# Tools\n\nSome words.\n\n- [b](https://github.com/a/b) - A tool\n* <https://github.com/c/d>\n",
        "[b](https://github.com/a/b)\n[d](https://github.com/c/d)\n",
        "see https://github.com/a/b\nand (https://github.com/c/d)\n",
        #"[{"fullName": 7, "url": "git+https://github.com/a/b.git"}, {"html_url": "https://github.com/c/d"}]"#,
    ])
    func `repository names are read from every supported format`(file: String) async throws {
        try await withBookmarks { fixture in
            let imported = try await fixture.read(file)
            let names = try await kept(fixture)
            #expect(names == ["a/b", "c/d"] && imported.added == 2 && imported.failures.isEmpty)
            #expect(fixture.source.asked.isEmpty)
        }
    }

    @Test func `a repository of which only the number is known is looked up, with its note and tags`()
        async throws
    {
        try await withBookmarks { fixture in
            let imported = try await fixture.read(
                #"[{"id": 11, "repo_id": 5, "notes": "mine", "tags": [{"id": 1, "name": "swift"}]}, {"repo_id": 0}]"#
            )
            #expect(imported.added == 1 && imported.failures.map(\.row) == [2])
            let bookmark = try await fixture.find("repositories/5")
            #expect(bookmark?.note == "mine" && bookmark?.tags == ["swift"])
        }
        #expect(RepositoryName(number: 5)?.apiPath == "/repositories/5")
        #expect(RepositoryName("a/b")?.apiPath == "/repos/a/b")
        #expect(RepositoryName("repositories/x")?.apiPath == "/repos/repositories/x")
    }

    @Test func `a spreadsheet's Unicode text is read`() async throws {
        try await withBookmarks { fixture in
            let bytes = "full_name\tnote\r\na/b\tschön\r\n".data(using: .utf16) ?? Data()
            _ = try await fixture.files.read(Array(bytes), for: fixture.ada)
            let note = try await fixture.find("a/b")?.note
            #expect(note == "schön")
        }
    }

    @Test func `a file in Windows-1252 is read`() async throws {
        try await withBookmarks { fixture in
            let bytes = "full_name;note\r\na/b;sch\u{F6}n\r\n".unicodeScalars.map { UInt8($0.value) }
            _ = try await fixture.files.read(bytes, for: fixture.ada)
            #expect(try await fixture.find("a/b")?.note == "schön")
        }
    }

    @Test func `a note that is too long is reported, whatever its length, and its row is imported`()
        async throws
    {
        try await withBookmarks { fixture in
            let note = String(repeating: "x", count: 50_000)
            let imported = try await fixture.read("full_name,note\na/b,\(note)\n")
            #expect(imported.added == 1 && imported.failures.map(\.row) == [2])
            #expect(imported.failures.first?.isImported == true)
        }
    }

    @Test func `tags, notes and times are imported`() async throws {
        try await withBookmarks { fixture in
            _ = try await fixture.read(
                #"""
                [{"fullName": "a/json", "tags": ["x", " X ", "Y"], "note": "one\r\ntwo",
                  "addedAt": "2020-01-02T03:04:05.678Z"},
                 {"full_name": "a/names", "custom_tags": [{"name": "p"}, {"name": "q"}]},
                 {"full_name": "a/text", "tags": "r, s", "starred_at": "2999-01-01T00:00:00Z"}]
                """#)
            _ = try await fixture.read(
                "full_name,tags,notes,added_at\na/csv,\"t, u\",\"line \"\"one\"\"\nline two\",2021-02-03T04:05:06Z\n"
            )
            let json = try await fixture.find("a/json")
            #expect(json?.tags == ["x", "Y"] && json?.note == "one\ntwo")
            #expect(json?.addedAt == Date(timeIntervalSince1970: 1_577_934_245.678))
            let (names, text) = (try await fixture.find("a/names"), try await fixture.find("a/text"))
            #expect(names?.tags == ["p", "q"] && text?.tags == ["r", "s"])
            #expect(text?.addedAt == fixture.clock.now)
            let csv = try await fixture.find("a/csv")
            #expect(csv?.tags == ["t", "u"] && csv?.note == "line \"one\"\nline two")
            #expect(csv?.addedAt == Date(timeIntervalSince1970: 1_612_325_106))
        }
    }

    @Test func `every failed row is reported with its line and reason, and the others are imported`()
        async throws
    {
        try await withBookmarks { fixture in
            let imported = try await fixture.read(
                "full_name,note,tags\na/b,\"two\nlines\",\nnot a name,x,\n,,\n"
                    + "https://gitlab.com/x/y,,\nc/d,,\(String(repeating: "t", count: 41))\n")
            #expect(imported.added == 2)
            #expect(imported.failures.map(\.row) == [4, 5, 6, 7])
            #expect(imported.failures[0].why.contains("“not a name”"))
            #expect(imported.failures[1].why.hasPrefix("This row has no repository"))
            #expect(imported.failures[2].why.contains("gitlab.com"))
            #expect(imported.failures[3].why == "A tag can have at most 40 characters. It was skipped.")
            let json = try await fixture.read(#"["e/f", 7, {"x": 1}, null, "g h", {"full_name": "e/g"}]"#)
            #expect(json.failures.map(\.row) == [2, 3, 4, 5] && json.added == 2)
        }
    }

    @Test func `notes and tags are merged with existing ones, and facts from GitHub are kept`()
        async throws
    {
        try await withBookmarks { fixture in
            try await fixture.add(try BookmarkFixture.item(5, "a/b", description: "true"))
            _ = try await fixture.bookmarks.edit(
                BookmarkFixture.name("a/b"), tags: ["One"], note: "first", of: fixture.ada)
            let file = """
                [{"fullName": "A/B", "tags": ["one", "two"], "note": "second", "repository": {"id": 99,
                "nodeId": "x", "name": "b", "fullName": "a/b", "description": "false", "fork": false,
                "owner": {"login": "a", "type": "User"}}}]
                """
            let imported = try await fixture.read(file)
            #expect(imported.updated == 1 && imported.added == 0 && imported.unchanged == 0)
            let bookmark = try await fixture.find("a/b")
            #expect(bookmark?.tags == ["One", "two"] && bookmark?.note == "first\n\nsecond")
            #expect(bookmark?.item?.id == 5 && bookmark?.about == "true")
            let again = try await fixture.read(file)
            #expect(again.unchanged == 1 && again.updated == 0 && again.undo == nil)
            _ = try await fixture.bookmarks.undo(imported.undo ?? 0, for: fixture.ada)
            let back = try await fixture.find("a/b")
            #expect(back?.tags == ["One"] && back?.note == "first")
        }
    }

    @Test func `an import is undone as a whole`() async throws {
        try await withBookmarks { fixture in
            try await fixture.add(try BookmarkFixture.item(5, "a/b"))
            let imported = try await fixture.read("a/b\nc/d\ne/f\n")
            #expect(imported.added == 2 && imported.unchanged == 1)
            let done = try await fixture.bookmarks.undo(imported.undo ?? 0, for: fixture.ada)
            let names = try await fixture.names()
            #expect(done.count == 2 && names == ["a/b"])
        }
    }

    @Test(arguments: [
        "", "  \n ", "[]", "{}", "[\"a/b\"", "[\"a/b\"] x", "{\"bookmarks\": [{\"fullName\": \"a/b\"}}",
        "\u{0}\u{1}\u{2}", String(repeating: "[", count: 100_000), "full_name,note\n",
    ])
    func `a file that is not a list is refused as a whole`(file: String) async throws {
        try await withBookmarks { fixture in
            let error = await refusal { _ = try await fixture.read(file) }
            #expect(error?.field == "file")
            let count = try await fixture.bookmarks.count(of: fixture.ada)
            #expect(count == 0)
        }
    }

    @Test
    func `a file over 64 megabytes is refused, and rows beyond twenty thousand are reported`() throws {
        func rows(_ file: [UInt8]) throws -> FileImport<BookmarkFile.Entry> {
            try BookmarkFile.rows(of: file, webURL: "https://github.com", now: TestClock.start)
        }
        let error = #expect(throws: RoostError.self) {
            try rows([UInt8](repeating: UInt8(ascii: "a"), count: (64 << 20) + 1))
        }
        #expect(error?.field == "file")
        let names = (1...20_003).map { "o/n\($0)" }
        for file in [names.joined(separator: "\n"), "[\"\(names.joined(separator: "\",\""))\"]"] {
            let read = try rows(Array(file.utf8))
            #expect(read.drafts.count == 20_000 && read.rows.map(\.number) == Array(1...20_001))
        }
    }

    @Test func `every row beyond the bookmark limit is reported`() async throws {
        try await withBookmarks(limit: 2) { fixture in
            let imported = try await fixture.read("a/b\nc/d\ne/f\na/b\n")
            #expect(imported.added == 2 && imported.unchanged == 1)
            #expect(imported.failures == [.init(row: 3, why: "You have reached the limit of bookmarks.")])
        }
    }

    @Test
    func
        `what a file claims of a repository is shown, and trusted by nobody until GitHub has said so`()
        async throws
    {
        try await withBookmarks { fixture in
            _ = try await fixture.read(
                #"""
                [{"fullName": "a/b", "state": "present", "repository": {"id": 5, "nodeId": "R_5", "name": "b",
                "fullName": "a/b", "owner": {"login": "a", "type": "User"}, "fork": false,
                "htmlURL": "https://evil.example/login", "detail": {"stars": 9, "forks": 1, "openIssues": 0,
                "topics": [], "archived": false, "defaultBranch": "main", "homepage": "javascript:alert(1)",
                "pushedAt": "2020-01-01T00:00:00Z", "createdAt": "2020-01-01T00:00:00Z"}}}]
                """#)
            let claimed = try await fixture.find("a/b")
            #expect(claimed?.facts?.stars == 9 && claimed?.facts?.homepage == nil)
            #expect(claimed?.item?.repository.htmlURL == "https://github.com/a/b")
            #expect(try await fixture.kept().isEmpty)
            #expect(try await fixture.marked().isEmpty)
            // Facts about the id that the file claims do not apply to this bookmark.
            try await fixture.tell(
                try BookmarkFixture.item(5, "other/thing", fetchedAt: fixture.clock.now + 60))
            let same = try await fixture.find("a/b")
            #expect(same == claimed)
            let item = try BookmarkFixture.item(77, "a/b", stars: 12, fetchedAt: fixture.clock.now)
            fixture.source.refresh("a/b", gives: .success(.changed(item)))
            #expect(await fixture.refreshDue())
            let bookmark = try await fixture.find("a/b")
            #expect(bookmark?.item == item && bookmark?.changes == [.stars(3)])
            #expect(try await fixture.marked() == [77])
        }
    }

    @Test func `a repository without a node id is exported and imported`() async throws {
        try await withBookmarks { fixture in
            let item = try BookmarkFixture.item(5, "a/b", nodeId: nil)
            try await fixture.add(item)
            let file = try await fixture.files.export(.json, of: fixture.ada)
            _ = try await fixture.files.read(file, for: fixture.grace)
            let own = try await fixture.find("a/b")
            let graceBookmark = try await fixture.find("a/b", of: fixture.grace)
            #expect(own?.item == item)
            #expect(graceBookmark?.item == item)
        }
    }

    @Test
    func `an imported claim that is incomplete or names another repository is dropped, and the name is kept`()
        async throws
    {
        try await withBookmarks { fixture in
            _ = try await fixture.read(
                #"""
                [{"fullName": "a/b", "repository": {"id": 5, "nodeId": "R", "name": "d", "fullName": "c/d",
                  "owner": {"login": "c", "type": "User"}, "fork": false}},
                 {"fullName": "e/f", "repository": {"id": -1, "fullName": "e/f"}},
                 {"fullName": "g/h", "repository": {"id": 5, "nodeId": "R", "name": "h", "fullName": "g/h",
                  "owner": {"login": "someone", "type": "User"}, "fork": false}}]
                """#)
            for full in ["a/b", "e/f", "g/h"] {
                let bookmark = try await fixture.find(full)
                #expect(bookmark?.item == nil && bookmark?.state == .unresolved, "\(full)")
            }
        }
    }

    @Test func `an unclosed quotation mark is reported, and the rows before it are kept`()
        async throws
    {
        try await withBookmarks { fixture in
            let imported = try await fixture.read("full_name,note\na/b,x\nc/d,\"open\ne/f,y\n")
            let names = try await fixture.names()
            #expect(names == ["a/b"] && imported.failures.map(\.row) == [3])
        }
    }

    @Test func `hostile names are shortened and cleaned in failure messages`() async throws {
        try await withBookmarks { fixture in
            let accents = "e" + String(repeating: "\u{301}", count: 500_000)
            let imported = try await fixture.read("full_name\n\(accents)\n\u{202E}evil\u{7}\n")
            #expect(imported.failures.count == 2 && imported.added == 0)
            #expect(imported.failures.allSatisfy { $0.why.unicodeScalars.count < 200 })
            #expect(
                !imported.failures[1].why.unicodeScalars.contains { $0.value == 0x202E || $0.value == 7 })
        }
    }
}
