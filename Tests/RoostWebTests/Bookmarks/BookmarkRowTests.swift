import Testing

@testable import GitHub
@testable import GitHubWeb

/// What a bookmark adds to a repository's row.
@Suite struct BookmarkRowTests {
    private func row(_ index: Int) -> String {
        rendered(RepositoryRow(Bookmark.samples[index], avatar: nil))
    }

    @Test func `its checkbox belongs to the form above the list`() {
        #expect(row(0).contains("<input type=\"checkbox\" form=\"bulk\" name=\"ids\" value=\"1\""))
    }

    @Test func `changes are described in words and can be marked as seen`() {
        let text = row(1)
        #expect(text.contains("<span class=\"news\">renamed from groue/GRDB</span>"))
        #expect(text.contains("<span class=\"news\">−3 stars</span>"))
        #expect(text.contains("formaction=\"/bookmarks/bulk\" name=\"seen\" value=\"2\""))
        #expect(row(3).contains("<span class=\"news loss\">archived</span>"))
        #expect(!row(4).contains("class=\"changes\""))
    }

    @Test func `tags link to all bookmarks with that tag, whatever characters they contain`() {
        let text = row(3)
        #expect(text.contains("<a class=\"chip\" href=\"/bookmarks?tag=sp%C3%A4ter\"><bdi>später</bdi></a>"))
        #expect(
            text.contains("href=\"/bookmarks?tag=%3Cb%3Ebold%3C%2Fb%3E\"><bdi>&lt;b&gt;bold&lt;/b&gt;</bdi>"))
    }

    @Test func `tags and note are edited on their own page or in a panel`() {
        let text = row(1)
        #expect(text.contains("class=\"note-edit\" href=\"/bookmarks/groue/GRDB.swift/edit\""))
        let page = rendered(BookmarkEditView.sample)
        #expect(page.contains("<input name=\"tags\" type=\"text\" value=\"database\""))
        #expect(page.contains("id=\"tags-error\">A tag has 40 letters at most.</p>"))
        #expect(
            page.contains(
                "maxlength=\"2000\">WAL mode works here.\nSee &lt;the&gt; issue on snapshots &amp; pools.</textarea>"
            ))
        #expect(text.contains("<p class=\"note-text\" dir=\"auto\">WAL mode works here."))
        #expect(!row(0).contains("class=\"note-text\""))
    }

    @Test func `a deleted repository and an unchecked one are labelled`() {
        #expect(row(2).contains("No longer on GitHub; shown as last seen"))
        #expect(row(4).contains("Not checked on GitHub yet"))
        #expect(!row(0).contains("class=\"facts state\""))
        let unknown = RepositoryName("a/b").map {
            Bookmark(id: 9, name: $0, item: nil, state: .gone, addedAt: .distantPast)
        }
        let text = unknown.map { rendered(RepositoryRow($0, avatar: nil)) } ?? ""
        #expect(text.contains("Not found on GitHub"))
    }
}
