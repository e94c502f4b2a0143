import Foundation
import GRDB
import TestSupport

@testable import Reading
@testable import RoostSupport

/// Two users with their export, import and feed services.
struct FilesFixture: Sendable {
    let services: ServicesFixture
    let ada, grace: UserID

    var imports: ArticleImportService { services.services.reading.imports }
    var exports: ArticleExportService { services.services.reading.exports }
    var feeds: ReadingFeedService { services.services.reading.feeds }

    /// Imports a file completely, for Ada by default.
    @discardableResult
    func importFile(
        _ text: String, fetching: Bool = false, by user: UserID? = nil
    ) async throws -> ArticleImport {
        try await importFile(Array(text.utf8), fetching: fetching, by: user)
    }

    @discardableResult
    func importFile(
        _ bytes: [UInt8], fetching: Bool = false, by user: UserID? = nil
    ) async throws -> ArticleImport {
        let reader = user ?? ada
        let started = try await imports.start(bytes, named: "list.csv", fetching: fetching, by: reader)
        await imports.runUntilIdle()
        return try await imports.find(started.id, for: reader)
    }

    /// A column of the articles ordered by address, for Ada by default.
    func articles(_ column: String, of user: UserID? = nil) throws -> [String] {
        try services.sql(
            String.self,
            """
            SELECT coalesce(\(column), '-') FROM articles WHERE user_id = \(user ?? ada) ORDER BY normalized_url
            """)
    }

    func count(_ table: String, where condition: String = "1") throws -> Int {
        try services.sql(Int.self, "SELECT count(*) FROM \(table) WHERE \(condition)").first ?? -1
    }

    /// "url" and this many rows of addresses.
    static func addresses(_ count: Int) -> String {
        "url,title\n" + (1...count).map { "https://example.org/\($0),Article \($0)\n" }.joined()
    }
}

@discardableResult
func withReadingFiles<Value>(_ body: (FilesFixture) async throws -> Value) async throws -> Value {
    try await withAccounts { fixture in
        let ada = try await fixture.add("ada", .owner)
        let grace = try await fixture.add("grace")
        return try await body(FilesFixture(services: fixture, ada: ada.userId, grace: grace.userId))
    }
}

/// Files in the formats of other programs, current and discontinued.
enum SampleFiles {
    static let pocket = """
        title,url,time_added,tags,status
        A long read,https://example.org/long?utm_source=pocket,1588248671,swift|server side,unread
        https://example.org/untitled,https://example.org/untitled,1588248600,,archive
        "Quoted, with ""marks"" and
        a second line",https://example.org/quoted,1588248500,,unread

        """

    static let pocketPage = """
        <!DOCTYPE html>
        <html>
        <!--So long and thanks for all the fish-->
        <head><meta http-equiv="Content-Type" content="text/html; charset=utf-8"><title>Pocket Export</title></head>
        <body>
        <h1>Unread</h1>
        <ul>
        <li><a href="https://example.org/a?x=1&amp;y=2" time_added="1588248671" tags="swift,web">Caf&eacute; &#8212; one</a></li>
        </ul>
        <h1>Read Archive</h1>
        <ul>
        <li><a href="https://example.org/b" time_added="1588248600" tags="">https://example.org/b</a></li>
        </ul>
        </body></html>
        """

    static let instapaper = """
        URL,Title,Selection,Folder,Timestamp,Tags
        https://example.org/1,One,,Unread,1588248671,"[""swift"",""web""]"
        https://example.org/2,Two,A sentence that somebody liked.,Archive,1588248672,[]
        https://example.org/3,Three,,Starred,1588248673,[]
        https://example.org/4,Four,,Science,1588248674,[]

        """

    static let omnivore = """
        [{"id":"0a","slug":"one-0a","title":"One","description":"What it is about","author":"Ada Byron",
        "url":"https://example.org/one","state":"Archived","readingProgress":50,"thumbnail":null,
        "labels":["swift","web"],"savedAt":"2023-05-01T10:00:00.000Z","updatedAt":"2023-05-02T10:00:00.000Z",
        "publishedAt":"2023-04-01T00:00:00.000Z"},
        {"id":"0b","slug":"two-0b","title":"Two","url":"https://example.org/two","state":"Active",
        "readingProgress":0,"labels":[],"savedAt":"2023-05-03T10:00:00.000Z"}]
        """

    static let omnivoreHighlights = """
        A note about the whole.

        > The first passage
        > on two lines

        #label

        What I think of it.

        > The second passage
        """

    static let wallabag = """
        [{"is_archived":1,"is_starred":1,"user_name":"ada","tags":["swift",{"id":7,"label":"web","slug":"web"}],
        "is_public":false,"id":11,"uid":null,"title":"An entry","url":"https://example.org/entry",
        "hashed_url":"e94c1a","given_url":"https://example.org/entry?utm_medium=x",
        "created_at":"2016-09-08T11:55:58+0200","updated_at":"2016-09-09T11:57:16+0200",
        "published_at":"2016-09-01T00:00:00+0200","published_by":["Grace"],
        "annotations":[{"text":"My note","quote":"a passage","ranges":[{"start":"/p[1]","startOffset":"4"}],
        "created_at":"2016-09-10T10:00:00+0200"}],
        "mimetype":"text/html","language":"en_US","reading_time":3,"domain_name":"example.org",
        "preview_picture":"https://example.org/p.png"},
        {"is_archived":0,"is_starred":0,"tags":[],"title":"Another","url":"https://example.org/another",
        "created_at":"2016-09-08T11:55:58+0200"}]
        """

    static let browser = """
        <!DOCTYPE NETSCAPE-Bookmark-file-1>
        <!-- This is an automatically generated file. -->
        <META HTTP-EQUIV="Content-Type" CONTENT="text/html; charset=UTF-8">
        <TITLE>Bookmarks</TITLE>
        <H1>Bookmarks Menu</H1>
        <DL><p>
            <DT><A HREF="https://example.org/top" ADD_DATE="1588248671" ICON="data:image/png;base64,AAAA">Top</A>
            <DT><H3 ADD_DATE="1" PERSONAL_TOOLBAR_FOLDER="true">Bookmarks Toolbar</H3>
            <DL><p>
                <DT><A HREF="https://example.org/bar">Bar</A>
                <DT><H3>Science &amp; nature</H3>
                <DL><p>
                    <DT><A HREF="https://example.org/deep" TAGS="a,b" ADD_DATE="1588248671123456">Deep</A>
                    <DD>What it is
                    <HR>
                </DL><p>
                <DT><A HREF="javascript:alert(1)">Bookmarklet</A>
            </DL><p>
            <DT><A HREF="">Nowhere</A>
        </DL>
        """

    static let linkding = """
        <!DOCTYPE NETSCAPE-Bookmark-file-1>
        <TITLE>Bookmarks</TITLE>
        <H1>Bookmarks</H1>
        <DL><p>
        <DT><A HREF="https://example.org/1" ADD_DATE="1588248671" PRIVATE="0" TOREAD="1" TAGS="one,two">First</A>
        <DD>Described[linkding-notes]My own
        words[/linkding-notes]
        <DT><A HREF="https://example.org/2" ADD_DATE="1588248672" TOREAD="1" TAGS="linkding:bookmarks.archived">Second</A>
        <DT><A HREF="https://example.org/3" ADD_DATE="1588248673" TOREAD="0" TAGS="">Third</A>
        </DL><p>
        """
}
