import Foundation
import TestSupport
import Testing

@testable import ArticleText

@Suite struct PageCommentsTests {
    private static let first =
        "I have been up there once as a child, and I can still smell the oil of the lamp when I think of it."
    private static let answer = "So have I, and the stairs were much steeper than anybody would admit today."

    /// As WordPress writes them.
    private static let wordPress = """
        <div id="comments" class="comments-area"><h2 class="comments-title">2 thoughts on “The keeper”</h2>
        <ol class="comment-list"><li id="comment-7" class="comment even depth-1"><article id="div-comment-7" class="comment-body">
        <footer class="comment-meta"><div class="comment-author vcard"><b class="fn">Grace</b></div>
        <time datetime="2025-09-05">5 September 2025</time></footer>
        <div class="comment-content"><p>\(first)</p><p><img src="/avatar.png" alt="Grace"></p></div>
        <div class="reply"><a class="comment-reply-link" href="#respond">Reply to Grace</a></div></article>
        <ol class="children"><li id="comment-8" class="comment odd depth-2"><article class="comment-body">
        <div class="comment-author vcard"><b class="fn">Alan</b></div><div class="comment-content"><p>\(answer)</p></div>
        <a href="#respond">Reply</a></article></li></ol></li></ol>
        <form class="comment-form"><label>Leave a comment</label><textarea></textarea><button>Send</button></form></div>
        """

    @Test func `comments are kept apart from the text`() throws {
        let article = try SamplePage.extract(after: Self.wordPress)
        #expect(SamplePage.paragraphs.allSatisfy(article.text.contains))
        #expect(!article.text.contains("Grace") && !article.text.contains(Self.answer))
        #expect(article.markup == (try SamplePage.extract().markup))
        let comments = try #require(article.comments?.html)
        #expect(comments.contains(Self.first))
        #expect(comments.contains("Grace"))
    }

    @Test func `an answer is inside the comment that it answers`() throws {
        let comments = try #require(try SamplePage.extract(after: Self.wordPress).comments?.html)
        let parts = comments.components(separatedBy: "<blockquote")
        #expect(parts.count == 3)
        #expect(parts.last?.contains(Self.answer) == true)
        #expect(comments.hasSuffix("</blockquote></blockquote>"))
    }

    @Test(arguments: ["Reply", "Leave a comment", "<img", "<li", "<h2", "Send"])
    func `forms, buttons and pictures are not part of comments`(part: String) throws {
        let comments = try #require(try SamplePage.extract(after: Self.wordPress).comments?.html)
        #expect(!comments.contains(part))
    }

    @Test(arguments: [
        "<div itemscope itemtype='https://schema.org/Comment'><span>Grace</span><p>TEXT</p></div>",
        "<section class='comments'><ul><li><p>Grace</p><p>TEXT</p></li></ul></section>",
        "<div class='comment'><span class='author'>Grace</span><p>TEXT</p></div>",
        "<ul class='kommentarliste'><li class='kommentar'><p>TEXT</p></li></ul>",
    ])
    func `comments are recognised by their markup`(html: String) throws {
        let html = html.components(separatedBy: "TEXT").joined(separator: Self.first)
        let article = try SamplePage.extract(after: html)
        #expect(article.comments?.html.contains(Self.first) == true)
        #expect(!article.text.contains(Self.first))
    }

    @Test(arguments: [
        "<div class='comment'><p>TEXT</p></div>",
        "<p>You can read <span class='comments'>3 comments</span> on this. TEXT</p>",
        "<table><tr><td class='comment'>TEXT</td></tr></table>",
    ])
    func `other elements with such a class stay in the text`(html: String) throws {
        let html = html.components(separatedBy: "TEXT").joined(separator: Self.first)
        let article = try SamplePage.extract(inside: html)
        #expect(article.comments == nil)
        #expect(article.text.contains(Self.first))
    }

    @Test(arguments: [
        "<meta name='generator' content='Discourse 3.4.0'>",
        """
        <script type="application/ld+json">{"@type": "DiscussionForumPosting", "headline": "The keeper"}</script>
        """,
    ])
    func `a forum's posts are not comments`(head: String) throws {
        #expect(try SamplePage.extract(after: Self.wordPress, head: head).comments == nil)
    }

    @Test func `a page with only a comment keeps it as its text`() throws {
        let html = """
            <!DOCTYPE html><html><head><title>Comment by Grace</title></head><body><main>
            <div class="comment" id="comment-7"><span class="author">Grace</span>
            <p>\(SamplePage.paragraphs[0])</p><p>\(SamplePage.paragraphs[1])</p><p>\(Self.first)</p></div>
            </main></body></html>
            """
        let article = try SamplePage.extract(html)
        #expect(article.comments == nil)
        #expect(article.text.contains(Self.first))
    }

    @Test func `thousands of comments are cut, which is said`() throws {
        let one = "<li class='comment'><p>Grace</p><p>\(Self.first)</p></li>"
        let list = "<ol class='comment-list'>\(String(repeating: one, count: 3_000))</ol>"
        let comments = try #require(try SamplePage.extract(after: list).comments?.html)
        #expect(comments.components(separatedBy: "<blockquote").count == 501)
        #expect(comments.contains("There are more comments on the original page."))
    }

    @Test func `comments are sanitised as the text is`() throws {
        let bad = """
            <ol class='comment-list'><li class='comment'><p onclick='steal()'>Hello <script>steal()</script>
            <a href='javascript:steal()'>there</a> <a href='https://a.example/'>friend</a></p></li></ol>
            """
        let comments = try #require(try SamplePage.extract(after: bad).comments?.html)
        #expect(!comments.contains("steal"))
        #expect(comments.contains("href=\"https://a.example/\""))
    }
}
