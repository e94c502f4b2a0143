import Testing

@testable import GitHub
@testable import RoostSupport
@testable import RoostWeb

@Suite struct TagRulesTests {
    @Test(arguments: [
        (BookmarkChange.stars(1_204), "+1,204 stars"), (.stars(1), "+1 star"), (.stars(-1), "−1 star"),
        (.stars(-30_000), "−30,000 stars"), (.archived, "archived"), (.unarchived, "no longer archived"),
        (.renamed(from: "a/b"), "renamed from a/b"), (.gone, "no longer on GitHub"),
        (.back, "on GitHub again"), (.madePrivate, "made private"),
    ])
    func `a change has its words`(change: BookmarkChange, words: String) {
        #expect(BookmarkChangeText.words(change) == words)
    }

    @Test(arguments: [
        ("apple/swift-nio", "apple/swift-nio"), ("  apple/swift-nio\n", "apple/swift-nio"),
        ("https://github.com/apple/swift-nio", "apple/swift-nio"),
        ("http://GitHub.com/apple/swift-nio/", "apple/swift-nio"),
        ("github.com/apple/swift-nio/issues/3", "apple/swift-nio"),
        ("https://github.com/apple/swift-nio.git", "apple/swift-nio"),
    ])
    func `a repository is named by its name or by its address`(typed: String, name: String) throws {
        let found = try RepositoryName(typed: typed, at: "https://github.com")
        #expect(found.description == name)
    }

    @Test(arguments: [
        "", "apple", "apple/", "/swift-nio", "apple/swift nio", "a/b/c", "https://example.org/a/b",
        "https://github.com.example.org/a/b", "https://github.com/apple", "javascript:a/b", "a/..",
    ])
    func `anything else is refused at its field`(typed: String) {
        #expect(throws: RoostError.self) { try RepositoryName(typed: typed, at: "https://github.com") }
    }

    @Test(arguments: [
        ("", []), (" , ,", []), ("swift", ["swift"]), ("read later,  swift ,", ["read later", "swift"]),
        ("später,<b>", ["später", "<b>"]),
    ])
    func `tags stand between commas`(typed: String, tags: [String]) {
        #expect(TypedTags.read(typed) == tags)
        #expect(TypedTags.read(TypedTags.text(tags)) == tags)
    }
}

@Suite struct BookmarkNoticeTests {
    private func done(_ count: Int, _ name: String? = nil, undo: String? = "u-1")
        -> BookmarkService.ChangeResult
    {
        .init(count: count, fullName: name, undo: undo)
    }

    @Test func `each act says what it did`() {
        func text(_ notice: BookmarkNotice) -> String { notice.view(back: "/bookmarks").text }
        #expect(text(.added(done(1), "a/b")) == "a/b is bookmarked.")
        #expect(text(.added(done(0, undo: nil), "a/b")) == "a/b was bookmarked already.")
        #expect(text(.removed(done(1, "a/b"))) == "a/b is no longer bookmarked.")
        #expect(text(.edited(done(1, "a/b"))) == "Saved for a/b.")
        #expect(text(.edited(done(0))) == "Nothing to save: all is as it was.")
        #expect(text(.changed(done(12), .addTag("later"))) == "“later” is now on 12 bookmarks.")
        #expect(text(.changed(done(0), .addTag("later"))) == "“later” was on all of them already.")
        #expect(text(.changed(done(1, "a/b"), .removeTag("x"))) == "“x” is taken off a/b.")
        #expect(text(.changed(done(1_200), .remove)) == "1,200 bookmarks are no longer bookmarked.")
        #expect(text(.changed(done(2), .markSeen)) == "What changed is marked as seen: 2 bookmarks.")
        #expect(text(.seen(0)) == "Nothing new to mark as seen.")
        #expect(text(.undone(done(3))) == "3 bookmarks: as before.")
    }

    @Test func `only what can be taken back offers it, and leads back to where one was`() {
        let notice = BookmarkNotice.removed(done(1, "a/b", undo: "x y")).view(
            back: "/bookmarks?text=a&pages=2")
        #expect(
            notice.undo == "/bookmarks/undo?undo=x%20y&back=%2Fbookmarks%3Ftext%3Da%26pages%3D2")
        #expect(BookmarkNotice.seen(3).view(back: "/bookmarks").undo == nil)
        #expect(BookmarkNotice.nothingChosen.view(back: "/").isTrouble)
    }
}
