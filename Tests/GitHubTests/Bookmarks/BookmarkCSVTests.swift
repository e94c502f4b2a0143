import Foundation
import TestSupport
import Testing

@testable import TextFormats

@Suite struct BookmarkCSVTests {
    private func notes(_ file: String) async throws -> [String] {
        try await withBookmarks { fixture in
            _ = try await fixture.read(file)
            return try await fixture.listing().groups.flatMap { $0.items.map(\.note) }
        }
    }

    @Test(arguments: [
        ("repo,note\na/b,\"x, y\"", "x, y"), ("repo;note\na/b;x, y", "x, y"),
        ("repo\tnote\na/b\t\"x\ty\"", "x\ty"),
        ("note,repo\r\n\"say \"\"hi\"\"\",a/b\r\n", "say \"hi\""),
        ("repo,note\na/b,\"1\n2\r\n3\"\n", "1\n2\n3"), ("repo,note\na/b,", ""), ("repo,note\na/b", ""),
        ("Full Name,NOTES\na/b,x,too,many", "x"), ("repo,note\na/b,'quoted'", "'quoted'"),
        ("repo,note\na/b,'=1", "=1"), ("repo,note\na/b,\"x\" y", "x y"),
        ("repo,note\na/b,x\"y", "x\"y"),
        ("repo,note\n\n\n  a/b  ,x\n\n", "x"), ("\"repo\",\"note\"\n\"a/b\",\"x\"", "x"),
        ("REPO,note\ra/b,x\r", "x"), ("repo,note,note\na/b,x,y", "x"),
    ])
    func `a field is parsed exactly`(file: String, note: String) async throws {
        let notes = try await notes(file)
        #expect(notes == [note.replacing("\t", with: " ")])
    }

    @Test(
        arguments: ["", "\u{D4E}", "\u{110BD}", "\u{600}"],
        ["", "\u{301}", "\u{200D}", "\u{FE0F}", "\u{20DD}"])
    func `a quotation mark in the text does not end the field, even before a combining character`(
        letter: String, mark: String
    ) {
        let written = CSV.written("a\(letter)\"\(mark),=1+1")
        #expect(Array(written.utf8) == Array("\"a\(letter)\"\"\(mark),=1+1\"".utf8))
    }

    @Test(arguments: ["=", "+", "-", "@", "\t", "\r", "'"], ["", "\u{301}", "\u{200D}", "\u{FE0F}"])
    func `a cell that starts with a formula sign is escaped, even before a combining character`(
        sign: String, mark: String
    ) {
        let written = CSV.written("\(sign)\(mark)1")
        #expect(written.utf8.drop { $0 == UInt8(ascii: "\"") }.first == UInt8(ascii: "'"))
    }

    @Test func `a failure reports its line in the file, even after multi-line rows`()
        async throws
    {
        try await withBookmarks { fixture in
            let imported = try await fixture.read(
                "repo,note\r\na/b,\"1\r\n2\r\n3\"\r\n\r\nbad one,x\r\nc/d,\"a\rb\"\r\nbad two,x\r\n")
            #expect(imported.failures.map(\.row) == [6, 9] && imported.added == 2)
        }
    }

    @Test func `another program's header row is understood, and its unknown columns are ignored`()
        async throws
    {
        try await withBookmarks { fixture in
            let imported = try await fixture.read(
                """
                Name,Description,URL,Stars,Labels,Comment,Starred At
                swift,"The language",https://github.com/apple/swift,60000,"lang, big",see,2020-01-01T00:00:00Z
                """)
            let bookmark = try await fixture.find("apple/swift")
            #expect(imported.added == 1 && bookmark?.tags == ["lang", "big"] && bookmark?.note == "see")
            #expect(
                bookmark?.addedAt == Date(timeIntervalSince1970: 1_577_836_800) && bookmark?.item == nil)
        }
    }

    @Test(.timeLimit(.minutes(1)), arguments: [0, 1, 2, 3, 4])
    func `a hostile file does not exhaust the reader`(kind: Int) async throws {
        let file =
            switch kind {
            case 0: "repo,note\n" + String(repeating: "\"", count: 1_000_001)
            case 1: String(repeating: ",", count: 3_000_000)
            case 2: "repo,tags\na/b," + String(repeating: "x,", count: 5_000) + "\n"
            case 3: "repo,note\na/b,e" + String(repeating: "\u{301}", count: 9_000) + "\n"
            default: String(repeating: "\n", count: 3_000_000) + "a/b"
            }
        try await withBookmarks { fixture in
            let began = ContinuousClock.now
            _ = await refusal { _ = try await fixture.read(file) }
            #expect(ContinuousClock.now - began < .seconds(20))
            let count = try await fixture.bookmarks.count(of: fixture.ada)
            #expect(count <= 1)
        }
    }
}
