import Testing

@testable import GitHub
@testable import GitHubWeb
@testable import RoostSupport
@testable import RoostWeb

@Suite struct TagRulesTests {
    @Test(arguments: [
        (BookmarkChange.stars(1_204), "+1,204 stars"), (.stars(1), "+1 star"), (.stars(-1), "−1 star"),
        (.stars(-30_000), "−30,000 stars"), (.archived, "archived"), (.unarchived, "no longer archived"),
        (.renamed(from: "a/b"), "renamed from a/b"), (.gone, "no longer on GitHub"),
        (.back, "on GitHub again"), (.madePrivate, "made private"),
    ])
    func `a bookmark change is described in words`(change: BookmarkChange, text: String) {
        #expect(BookmarkChangeText.text(change) == text)
    }

    @Test(arguments: [
        ("apple/swift-nio", "apple/swift-nio"), ("  apple/swift-nio\n", "apple/swift-nio"),
        ("https://github.com/apple/swift-nio", "apple/swift-nio"),
        ("http://GitHub.com/apple/swift-nio/", "apple/swift-nio"),
        ("github.com/apple/swift-nio/issues/3", "apple/swift-nio"),
        ("https://github.com/apple/swift-nio.git", "apple/swift-nio"),
    ])
    func `a repository is given by name or by address`(typed: String, name: String) throws {
        let found = try RepositoryName(typed: typed, at: "https://github.com")
        #expect(found.description == name)
    }

    @Test(arguments: [
        "", "apple", "apple/", "/swift-nio", "apple/swift nio", "a/b/c", "https://example.org/a/b",
        "https://github.com.example.org/a/b", "https://github.com/apple", "javascript:a/b", "a/..",
    ])
    func `invalid repository names are refused at their field`(typed: String) {
        #expect(throws: RoostError.self) { try RepositoryName(typed: typed, at: "https://github.com") }
    }

    @Test(arguments: [
        ("", []), (" , ,", []), ("swift", ["swift"]), ("read later,  swift ,", ["read later", "swift"]),
        ("später,<b>", ["später", "<b>"]),
    ])
    func `tags are separated by commas`(typed: String, tags: [String]) {
        #expect(TypedTags.read(typed) == tags)
        #expect(TypedTags.read(TypedTags.text(tags)) == tags)
    }
}

@Suite struct BookmarkNoticeTests {
    private func done(_ count: Int, _ name: String? = nil, undo: UndoID? = 1)
        -> BookmarkService.ChangeResult
    {
        .init(count: count, fullName: name, undo: undo)
    }

    @Test func `each action reports what it did`() {
        func text(_ notice: BookmarkNotice) -> String { notice.view(back: "/bookmarks").text }
        #expect(text(.added(done(1), "a/b")) == "a/b is bookmarked.")
        #expect(text(.added(done(0, undo: nil), "a/b")) == "a/b is already bookmarked.")
        #expect(text(.removed(done(1, "a/b"))) == "a/b is no longer bookmarked.")
        #expect(text(.edited(done(1, "a/b"))) == "Saved for a/b.")
        #expect(text(.edited(done(0))) == "No changes to save.")
        #expect(text(.changed(done(12), .addTag("later"))) == "Added “later” to 12 bookmarks.")
        #expect(text(.changed(done(0), .addTag("later"))) == "All of them already have “later”.")
        #expect(text(.changed(done(1, "a/b"), .removeTag("x"))) == "Removed “x” from a/b.")
        #expect(text(.changed(done(1_200), .remove)) == "1,200 bookmarks are no longer bookmarked.")
        #expect(text(.changed(done(2), .markSeen)) == "Marked as seen: 2 bookmarks.")
        #expect(text(.seen(0)) == "No changes to mark as seen.")
        #expect(text(.undone(done(3))) == "Undone for 3 bookmarks.")
    }

    @Test func `only reversible actions offer undo, which returns to the previous page`() {
        let notice = BookmarkNotice.removed(done(1, "a/b", undo: 12)).view(
            back: "/bookmarks?text=a&pages=2")
        #expect(
            notice.undo == "/bookmarks/undo?undo=12&back=%2Fbookmarks%3Ftext%3Da%26pages%3D2")
        #expect(BookmarkNotice.seen(3).view(back: "/bookmarks").undo == nil)
        #expect(BookmarkNotice.nothingChosen.view(back: "/").isProblem)
    }
}
