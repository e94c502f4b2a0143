import TestSupport
import Testing

@testable import GitHub
@testable import RoostSupport

@Suite struct TagRulesTests {
    @Test(arguments: [
        ([" a ", "A", "b\tc", ""], ["a", "b c"]), (["\u{202E}x\u{0}"], ["x"]), ([], []),
        (["e\u{301}", "\u{E9}"], ["\u{E9}"]), (["straße", "STRASSE"], ["straße", "STRASSE"]),
    ])
    func `a tag is one line and appears once`(given: [String], kept: [String]) throws {
        let tags = try TagRules.tags(given)
        #expect(tags == kept)
    }

    @Test(arguments: [
        [String(repeating: "x", count: 41)], ["a,b"], ["a,\u{301}b"], ["a\u{D4E},b"],
        (1...21).map { "t\($0)" },
        ["e" + String(repeating: "\u{301}", count: 100_000)],
    ])
    func `an invalid tag is refused at its field`(given: [String]) async {
        let error = await refusal { _ = try TagRules.tags(given) }
        #expect(error?.field == "tags")
    }

    @Test func `the longest tags and notes fit, in code points as SQLite counts them`() async throws {
        try await withBookmarks { fixture in
            try await fixture.add(try BookmarkFixture.item(5, "a/b"))
            let tags = (0..<20).map { "\($0 % 10)\($0 / 10)" + String(repeating: "\u{1F600}", count: 38) }
            let note = String(repeating: "\u{1F600}", count: 2_000)
            _ = try await fixture.bookmarks.edit(
                BookmarkFixture.name("a/b"), tags: tags, note: note, of: fixture.ada)
            let kept = try await fixture.find("a/b")
            #expect(kept?.tags == tags && kept?.note == note)
            let error = await refusal {
                _ = try await fixture.bookmarks.edit(
                    BookmarkFixture.name("a/b"), tags: nil, note: note + "x", of: fixture.ada)
            }
            #expect(error?.field == "note")
        }
    }

    @Test func `a note keeps its lines and loses control characters`() throws {
        let note = try TagRules.note(" \r\none\r\n\r\n\u{1B}[31mtwo\u{202E}\rthree\n ")
        #expect(note == "one\n\n[31mtwo\nthree")
    }

    @Test func `a note of nothing but accents is refused quickly`() {
        let start = ContinuousClock.now
        // In the wrong order: comparing them as characters has to sort them first.
        let accents =
            "e" + String(repeating: "\u{301}", count: 4_900) + String(repeating: "\u{316}", count: 4_900)
        for _ in 0..<60 {
            #expect(throws: RoostError.self) { try TagRules.note(accents) }
        }
        // This took nine seconds, and a file of five megabytes can hold hundreds of them.
        #expect(ContinuousClock.now - start < .seconds(2))
    }

    @Test(arguments: [
        ("", "b", "b"), ("a", "", "a"), ("a", "a", "a"), ("a\n\nb", "b", "a\n\nb"), ("b", "a\n\nb", "a\n\nb"),
        ("ab", "b", "ab\n\nb"),
        ("a", "b", "a\n\nb"),
    ])
    func `two notes are joined without repeating a line`(one: String, other: String, both: String) {
        #expect(TagRules.joined(one, other) == both)
    }

    @Test func `notes that are too long together are not joined`() {
        let long = String(repeating: "x", count: 1_999)
        #expect(TagRules.joined(long, "y") == nil)
    }

    @Test func `changes are listed most important first, and a change of case is not a rename`()
        throws
    {
        let seen = AcknowledgedState(
            fullName: "A/b", state: .present, stars: 10, archived: false, isPrivate: false)
        let item = try BookmarkFixture.item(5, "a/c", stars: 7, archived: true, isPrivate: true)
        #expect(
            seen.changes(to: item, fullName: "a/c", state: .gone)
                == [.gone, .madePrivate, .archived, .renamed(from: "A/b"), .stars(-3)])
        let same = try BookmarkFixture.item(5, "a/B", stars: 10)
        #expect(seen.changes(to: same, fullName: "a/B", state: .present).isEmpty)
        var gone = seen
        (gone.state, gone.archived) = (.gone, true)
        #expect(gone.changes(to: same, fullName: "a/B", state: .present) == [.back, .unarchived])
        let unknown = AcknowledgedState(fullName: "a/b", state: .unresolved)
        #expect(unknown.changes(to: same, fullName: "a/b", state: .present).isEmpty)
    }
}
