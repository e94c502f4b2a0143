import Foundation
import TestSupport
import Testing

@testable import Reading
@testable import RoostSupport
@testable import TextFormats

/// Parses other programs' files without importing them.
@Suite struct FilesFormatTests {
    private func file(_ text: String) throws -> ArticleImportFile { try ArticleImportFile(Array(text.utf8)) }

    private func articles(_ file: ArticleImportFile) -> [ImportedArticle] {
        file.entries.drafts
    }

    private func faults(_ file: ArticleImportFile) -> [String] {
        file.entries.rows.compactMap { row in
            guard case .failure(let error) = row.content else { return nil }
            return "\(row.number): \(error.message)"
        }
    }

    private func article(_ text: String) throws -> ImportedArticle {
        try #require(articles(try file(text)).first)
    }

    private func date(_ text: String) throws -> Date { try Date(text, strategy: .iso8601) }

    // MARK: Pocket

    @Test func `Pocket's CSV is read with its tags, states and times`() throws {
        let file = try file(SampleFiles.pocket)
        #expect(file.format == .pocket)
        let read = articles(file)
        #expect(read.map(\.title) == ["A long read", nil, "Quoted, with \"marks\" and\na second line"])
        #expect(read.map(\.isArchived) == [false, true, false])
        #expect(read.first?.tags == ["swift", "server side"])
        #expect(read.first?.savedAt == Date(timeIntervalSince1970: 1_588_248_671))
        #expect(file.entries.rows.map(\.number) == [2, 3, 4])
    }

    @Test func `Pocket's zip file is read part by part, with highlights in a separate file`() throws {
        var zip = ZipWriter(at: TestClock.start)
        zip.add(Array(SampleFiles.pocket.utf8), as: "pocket/part_000000.csv")
        zip.add(
            Array("title,url,time_added,tags,status\nB,https://example.org/b,1,,unread\n".utf8),
            as: "pocket/part_000001.csv")
        zip.add(
            Array(
                """
                [{"url":"https://example.org/b","title":"B","highlights":[{"quote":"words","created_at":1588248671}]}]
                """.utf8), as: "pocket/annotations/part_000000.json")
        zip.add([1, 2, 3], as: "__MACOSX/._part_000000.csv")
        let file = try ArticleImportFile(try zip.finish())
        #expect(file.format == .pocket)
        #expect(
            file.entries.rows.map(\.part).suffix(2) == ["pocket/part_000000.csv", "pocket/part_000001.csv"])
        #expect(articles(file).last?.highlights.map(\.quote) == ["words"])
        #expect(faults(file) == [])
    }

    @Test func `Pocket's older HTML file is read with its two lists`() throws {
        let file = try file(SampleFiles.pocketPage)
        #expect(file.format == .pocket)
        let read = articles(file)
        #expect(read.map(\.url) == ["https://example.org/a?x=1&y=2", "https://example.org/b"])
        #expect(read.map(\.title) == ["Café — one", nil])
        #expect(read.map(\.isArchived) == [false, true])
        #expect(read.first?.tags == ["swift", "web"])
    }

    // MARK: Instapaper, Omnivore, wallabag

    @Test func `Instapaper's folders become a state, a star or a category`() throws {
        let file = try file(SampleFiles.instapaper)
        #expect(file.format == .instapaper)
        let read = articles(file)
        #expect(read.map(\.isArchived) == [false, true, false, false])
        #expect(read.map(\.isFavorite) == [false, false, true, false])
        #expect(read.map(\.category) == [nil, nil, nil, "Science"])
        #expect(read.first?.tags == ["swift", "web"])
        #expect(read[1].highlights.map(\.quote) == ["A sentence that somebody liked."])
    }

    @Test func `Omnivore's list is read with progress, labels and states`() throws {
        let file = try file(SampleFiles.omnivore)
        #expect(file.format == .omnivore)
        let read = articles(file)
        #expect(read.map(\.isArchived) == [true, false])
        #expect(read.first?.progress == 0.5 && read.first?.tags == ["swift", "web"])
        #expect(read.first?.author == "Ada Byron" && read.first?.excerpt == "What it is about")
        let time = try date("2023-05-01T10:00:00Z")
        #expect(read.first?.savedAt == time)
    }

    @Test func `Omnivore's zip file has texts, highlights and notes`() throws {
        var zip = ZipWriter(at: TestClock.start)
        zip.add(Array("<p>The text.</p>".utf8), as: "content/one-0a.html")
        zip.add(Array(SampleFiles.omnivoreHighlights.utf8), as: "highlights/one-0a.md")
        zip.add(Array(SampleFiles.omnivore.utf8), as: "metadata_0_to_20.json")
        let file = try ArticleImportFile(try zip.finish())
        let one = try #require(articles(file).first)
        #expect(file.entries.rows.count == 2 && one.content == "<p>The text.</p>")
        #expect(one.note == "A note about the whole.")
        #expect(one.highlights.map(\.quote) == ["The first passage\non two lines", "The second passage"])
        #expect(one.highlights.first?.note == "#label\n\nWhat I think of it.")
    }

    @Test func `wallabag's entries are read with annotations, both forms of tags and numeric flags`()
        throws
    {
        let file = try file(SampleFiles.wallabag)
        #expect(file.format == .wallabag)
        let read = articles(file)
        #expect(read.map(\.isArchived) == [true, false] && read.map(\.isFavorite) == [true, false])
        let entry = try #require(read.first)
        #expect(entry.tags == ["swift", "web"] && entry.author == "Grace")
        let time = try date("2016-09-08T09:55:58Z")
        #expect(entry.createdAt == time)
        #expect(entry.highlights.first?.quote == "a passage" && entry.highlights.first?.note == "My note")
    }

    @Test func `Karakeep's bookmarks are read by their links`() throws {
        let read = try article(
            """
            {"bookmarks":[{"createdAt":1588248671,"title":"A","tags":["x"],"note":"mine","archived":true,
            "content":{"type":"link","url":"https://example.org/a"}}]}
            """)
        #expect(read.url == "https://example.org/a" && read.isArchived && read.note == "mine")
        #expect(read.createdAt == Date(timeIntervalSince1970: 1_588_248_671))
    }

    @Test func `Pinboard's bookmarks are read with the meaning of their fields`() throws {
        let read = articles(
            try file(
                """
                [{"href":"https://pin.example/1","description":"How ropes are made","extended":"Good second part",
                "meta":"x","hash":"y","time":"2014-01-02T12:00:00Z","shared":"no","toread":"yes",
                "tags":"rope craft history"},
                {"href":"https://pin.example/2","description":false,"extended":"","meta":"x","hash":"z",
                "time":"2014-01-03T12:00:00Z","shared":"yes","toread":"no","tags":""}]
                """))
        #expect(read.map(\.url) == ["https://pin.example/1", "https://pin.example/2"])
        #expect(read.map(\.title) == ["How ropes are made", nil] && read.map(\.excerpt) == [nil, nil])
        #expect(read.map(\.note) == ["Good second part", nil])
        #expect(read.map(\.tags) == [["rope", "craft", "history"], []])
        #expect(read.map(\.isArchived) == [false, true])
        let time = try date("2014-01-02T12:00:00Z")
        #expect(read.first?.savedAt == time)
    }

    @Test func `Linkwarden's collections become categories`() throws {
        let read = articles(
            try file(
                """
                {"id":1,"name":"Ada","username":"ada","collections":[{"id":1,"links":[{"id":1,
                "name":"Lines of a dinghy","type":"url","description":"two drawings","url":"https://lw.example/1",
                "textContent":null,"createdAt":"2014-01-02T12:00:00.000Z","tags":[{"id":1,"name":"drawing"}]}],
                "name":"Boats","parentId":null},{"id":2,"name":"Unorganized","links":[{"id":2,"name":"Oars",
                "url":"https://lw.example/2","createdAt":"2014-01-03T12:00:00.000Z","tags":[],"pinnedBy":[]}]}],
                "pinnedLinks":[],"whitelistedUsers":[]}
                """))
        #expect(read.map(\.title) == ["Lines of a dinghy", "Oars"])
        #expect(read.map(\.category) == ["Boats", nil] && read.map(\.tags) == [["drawing"], []])
        #expect(read.first?.excerpt == "two drawings")
        let time = try date("2014-01-02T12:00:00Z")
        #expect(read.first?.createdAt == time)
    }

    @Test func `linkding's JSON is read with its tags, notes, times and read marks`() throws {
        let read = articles(
            try file(
                """
                {"count":2,"next":null,"previous":null,"results":[{"id":1,"url":"https://example.org/a","title":"A",
                "description":"About","notes":"mine","website_title":null,"is_archived":false,"unread":true,
                "shared":false,"tag_names":["one","two"],"date_added":"2020-09-26T09:46:23.006313Z"},
                {"id":2,"url":"https://example.org/b","title":"","is_archived":true,"unread":true,"tag_names":[]}]}
                """))
        #expect(read.map(\.title) == ["A", nil] && read.map(\.isArchived) == [false, true])
        #expect(read.first?.tags == ["one", "two"] && read.first?.note == "mine")
        #expect(read.first?.excerpt == "About" && read.first?.savedAt != nil)
    }

    @Test(arguments: [
        (#"[{"url":"https://example.org/a","heading":"A","keywords":"x"}]"#, ["heading", "keywords"]),
        (#"[{"href":"https://example.org/a","description":"A","shared":"no"}]"#, ["shared"]),
        (#"{"items":[{"link":"https://example.org/a","summary_html":"x"}]}"#, ["summary_html"]),
        (#"{"guid":"root","tree":[{"uri":"https://example.org/a"}]}"#, ["guid", "tree"]),
        (#"[{"url":"https://example.org/a"},{"url":"https://example.org/b","<b>\u202E":1}]"#, ["<b>"]),
    ])
    func `JSON with only unknown fields is refused with their names`(
        text: String, fields: [String]
    ) {
        #expect {
            _ = try file(text)
        } throws: { error in
            let message = (error as? RoostError)?.message ?? ""
            return (error as? RoostError)?.field == "file"
                && fields.allSatisfy { message.contains("“\($0)”") }
        }
    }

    @Test func `a list with known fields needs no program's name`() throws {
        let read = try article(
            """
            [{"id":7,"url":"https://example.org/a","title":"A","tags":"one,two","note":"mine","excerpt":"About",
            "category":"Science","state":"archived","createdAt":"2020-01-01","isFavorite":true}]
            """)
        #expect(read.title == "A" && read.tags == ["one", "two"] && read.note == "mine" && read.isArchived)
        #expect(read.category == "Science" && read.isFavorite && read.excerpt == "About")
    }

    @Test func `a program's own sentence is no text of an article`() {
        let sentence =
            "wallabag can't retrieve contents for this article. Please <a href='/x'>troubleshoot</a>."
        #expect(PlaceholderText.isPlaceholder(sentence))
        #expect(PlaceholderText.isPlaceholder("<p>wallabag can’t retrieve contents\n for this article.</p>"))
        #expect(PlaceholderText.isPlaceholder("[unable to retrieve full-text content]"))
        #expect(!PlaceholderText.isPlaceholder("<p>The keeper climbed the stairs.</p>"))
        let article =
            sentence + String(repeating: "<p>The keeper climbed the stairs every evening.</p>", count: 40)
        #expect(!PlaceholderText.isPlaceholder(article))
    }

    @Test func `Raindrop's CSV is read with folders, times and highlights`() throws {
        let read = try article(
            """
            id,title,note,excerpt,url,folder,tags,created,cover,highlights,favorite
            1,A,mine,about,https://example.org/a,Boats / Ropes,"one, two",2024-02-03T04:05:06.000Z,https://example.org/a.png,"Highlight:A passage
            Note:what I think",true
            """)
        #expect(read.category == "Boats / Ropes" && read.note == "mine" && read.excerpt == "about")
        #expect(
            read.highlights.map(\.quote) == ["A passage"] && read.highlights.first?.note == "what I think")
        #expect(read.image == "https://example.org/a.png" && read.isFavorite)
    }

    @Test func `Raindrop's JSON is read with its highlights`() throws {
        let read = try article(
            """
            {"result":true,"items":[{"_id":1,"link":"https://example.org/a","title":"A","note":"mine","important":true,
            "tags":["one"],"created":"2024-02-03T04:05:06.000Z","lastUpdate":"2024-02-04T04:05:06.000Z",
            "collectionId":7,"cover":"https://example.org/a.png","highlights":[{"text":"A passage","note":"n"}]}]}
            """)
        #expect(read.url == "https://example.org/a" && read.isFavorite && read.createdAt != nil)
        #expect(read.highlights.map(\.quote) == ["A passage"] && read.highlights.first?.note == "n")
    }

    @Test func `Readwise Reader's files name the page, not Reader`() throws {
        let table = try article(
            """
            Title,URL,ID,Document tags,Saved date,Reading progress,Location,Seen
            A,https://example.org/a,1,"{'one', 'two words'}",2024-02-03 04:05:06+00:00,0.4,archive,True
            """)
        #expect(table.tags == ["one", "two words"] && table.isArchived && table.progress == 0.4)
        let entry = try article(
            """
            {"count":1,"results":[{"id":"1","url":"https://read.readwise.io/read/1","source_url":"https://example.org/a",
            "title":"A","location":"later","reading_progress":0.25,"summary":"About","notes":"mine"}]}
            """)
        #expect(entry.url == "https://example.org/a" && entry.progress == 0.25 && !entry.isArchived)
        #expect(entry.excerpt == "About" && entry.note == "mine")
    }

    @Test func `Readeck's and Shaarli's JSON are read`() throws {
        let readeck = try article(
            """
            [{"id":"x","href":"https://readeck.example/api/bookmarks/x","url":"https://example.org/a","title":"A","state":0,
            "is_marked":true,"is_archived":true,"labels":["one"],"read_progress":50,"created":"2024-02-03T04:05:06Z"}]
            """)
        #expect(readeck.url == "https://example.org/a" && readeck.isArchived && readeck.isFavorite)
        #expect(readeck.tags == ["one"] && readeck.progress == 0.5 && readeck.createdAt != nil)
        let shaarli = try article(
            """
            [{"id":1,"url":"https://example.org/a","shorturl":"abc","title":"A","description":"About","tags":["one"],
            "private":true,"created":"2024-02-03T04:05:06+00:00","updated":""}]
            """)
        #expect(shaarli.title == "A" && shaarli.excerpt == "About" && shaarli.createdAt != nil)
    }

    @Test func `an answer of Pocket's API is read`() throws {
        let file = try file(
            """
            {"status":1,"list":{"1":{"item_id":"1","given_url":"https://example.org/a","given_title":"",
            "resolved_title":"A","favorite":"1","status":"1","time_added":"1588248671",
            "tags":{"one":{"item_id":"1","tag":"one"}}},"2":{"item_id":"2","given_url":"https://example.org/b",
            "status":"0"}}}
            """)
        let read = articles(file)
        #expect(file.format == .pocket && read.map(\.isArchived) == [true, false])
        #expect(read.first?.title == "A" && read.first?.tags == ["one"] && read.first?.isFavorite == true)
    }

    @Test func `a feed reader's starred articles are read with their texts`() throws {
        let read = try article(
            """
            {"id":"user/starred","items":[{"crawlTimeMsec":"1588248671000","published":1588248671,"title":"A",
            "canonical":[{"href":"https://example.org/a"}],"summary":{"content":"<p>The text.</p>"}}]}
            """)
        #expect(read.url == "https://example.org/a" && read.content == "<p>The text.</p>")
        #expect(read.publishedAt == Date(timeIntervalSince1970: 1_588_248_671))
    }

    @Test func `browsers' own files are read with folders as paths`() throws {
        let chrome = articles(
            try file(
                """
                {"checksum":"x","roots":{"bookmark_bar":{"children":[{"type":"folder","name":"Garden","children":[
                {"type":"folder","name":"Ideas","children":[{"type":"url","name":"Beds","url":"https://example.org/a",
                "date_added":"13232722271000000"}]}]},{"type":"url","name":"Settings","url":"chrome://settings"}],
                "name":"Bookmarks bar","type":"folder"}},"version":1}
                """))
        #expect(chrome.map(\.category) == ["Garden / Ideas"] && chrome.map(\.title) == ["Beds"])
        #expect(chrome.first?.savedAt == Date(timeIntervalSince1970: 1_588_248_671))
        let firefox = articles(
            try file(
                """
                {"guid":"root________","title":"","root":"placesRoot","children":[{"title":"menu",
                "root":"bookmarksMenuFolder","children":[{"title":"Kitchen","children":[{"title":"Bread",
                "uri":"https://example.org/b","dateAdded":1588248671000000,"tags":"one,two"}]}]}]}
                """))
        #expect(firefox.map(\.category) == ["Kitchen"] && firefox.first?.tags == ["one", "two"])
        #expect(firefox.first?.savedAt == Date(timeIntervalSince1970: 1_588_248_671))
    }

    // MARK: Lists

    @Test func `a list of addresses needs no columns`() throws {
        let file = try file(
            """
            https://example.org/a
            # a comment

            See https://example.org/b, and https://example.org/c.
            """)
        #expect(
            articles(file).map(\.url) == [
                "https://example.org/a", "https://example.org/b", "https://example.org/c",
            ])
        #expect(file.entries.rows.map(\.number) == [1, 4, 4])
    }

    @Test func `a Markdown list has titles, headings as categories, and marks`() throws {
        let read = articles(
            try file(
                """
                # Things to read

                ## Boats
                - [Ropes (and knots)](https://example.org/a_(b)) - How they are made
                * [x] [Oars](https://example.org/b)
                ### Old ones
                1. <https://example.org/c> <!-- TAGS: one,two words -->
                ```
                https://example.org/code
                ```
                """))
        #expect(
            read.map(\.url) == [
                "https://example.org/a_(b)", "https://example.org/b", "https://example.org/c",
            ])
        #expect(read.map(\.title) == ["Ropes (and knots)", "Oars", nil])
        #expect(read.map(\.category) == ["Boats", "Boats", "Boats / Old ones"])
        #expect(read.map(\.isArchived) == [false, true, false])
        #expect(read.first?.excerpt == "How they are made" && read.last?.tags == ["one", "two words"])
    }

    @Test func `a Markdown list may begin with a link`() throws {
        let read = try article("[A](https://example.org/a)\n[B](https://example.org/b)\n")
        #expect(read.title == "A" && read.url == "https://example.org/a")
    }

    @Test func `a table without addresses is refused with its columns`() {
        #expect {
            _ = try file("Highlight,Book Title,Color\nwords,A book,yellow\n")
        } throws: { error in
            (error as? RoostError)?.message.contains("“Highlight”, “Book Title”, “Color”") == true
        }
    }

    // MARK: Bookmarks

    @Test func `nested folders become a path, without a browser's own folders`() throws {
        let read = articles(
            try file(
                """
                <!DOCTYPE NETSCAPE-Bookmark-file-1>
                <H1>Lesezeichen</H1>
                <DL><p><DT><H3 PERSONAL_TOOLBAR_FOLDER="true">Lesezeichen-Symbolleiste</H3>
                <DL><p><DT><H3>Garten</H3><DL><p><DT><H3>Ideen</H3>
                <DL><p><DT><A HREF="https://example.org/a">Beet</A></DL><p>
                <DT><A HREF="https://example.org/b">Danach</A></DL><p>
                <DT><H3>Küche</H3><DL><p><DT><H3>Ideen</H3><DL><p><DT><A HREF="https://example.org/c">Brot</A>
                </DL><p></DL><p></DL><p>
                <DT><H3>Mobile Lesezeichen</H3><DL><p><DT><A HREF="https://example.org/d">Mobil</A></DL><p></DL><p>
                """))
        #expect(read.map(\.category) == ["Garten / Ideen", "Garten", "Küche / Ideen", nil])
    }

    @Test func `thousands of folders inside each other with many links are read at once`() throws {
        let folders = String(repeating: "<DT><H3>Deep</H3><DL>", count: 10_000)
        let links = (0..<5_000).map { "<DT><A HREF=\"https://example.org/\($0)\">x</A>" }.joined()
        let read = articles(try file("<!DOCTYPE NETSCAPE-Bookmark-file-1><DL>\(folders)\(links)"))
        #expect(read.count == 5_000)
        #expect(Set(read.map(\.category)) == ["Deep / Deep / Deep / Deep / Deep / Deep / Deep / Deep / Deep"])
    }

    @Test func `a path that is too long for a category loses its outer folders`() {
        let outer = String(repeating: "o", count: 50)
        #expect(ImportedFolders.category([outer, "Garden", "Ideas"]) == "Garden / Ideas")
        #expect(ImportedFolders.category([]) == nil)
    }

    @Test func `a browser's folders become categories, except its built-in ones`() throws {
        let file = try file(SampleFiles.browser)
        #expect(file.format == .netscape)
        let read = articles(file)
        #expect(read.map(\.title) == ["Top", "Bar", "Deep", "Bookmarklet"])
        #expect(read.map(\.category) == [nil, nil, "Science & nature", nil])
        #expect(read[2].tags == ["a", "b"] && read[2].excerpt == "What it is")
        // Chrome and Firefox write microseconds here.
        #expect(read[2].savedAt == Date(timeIntervalSince1970: 1_588_248_671.123456))
        #expect(faults(file) == ["5: This entry has no address."])
    }

    @Test func `linkding's bookmarks file is read with notes, archive and read marks`() throws {
        let read = articles(try file(SampleFiles.linkding))
        #expect(read.map(\.isArchived) == [false, true, true])
        #expect(read.map(\.tags) == [["one", "two"], [], []])
        #expect(read.first?.excerpt == "Described" && read.first?.note == "My own\nwords")
    }

    // MARK: Forms of text

    private static let line =
        "title,url,time_added,tags,status\r\nCaf\u{E9},https://example.org/,1,,unread\r\n"
    private static let littleEndian: [UInt8] = line.utf16.flatMap { [UInt8($0 & 0xFF), UInt8($0 >> 8)] }
    private static let bigEndian: [UInt8] = line.utf16.flatMap { [UInt8($0 >> 8), UInt8($0 & 0xFF)] }
    private static let mark: [UInt8] = [0xEF, 0xBB, 0xBF]
    private static let spellings: [[UInt8]] = [
        Array(line.utf8), mark + Array(line.utf8), line.unicodeScalars.map { UInt8($0.value) },
        [0xFF, 0xFE] + littleEndian, [0xFE, 0xFF] + bigEndian,
        Array(line.replacing(",", with: ";").utf8), Array(line.replacing(",", with: "\t").utf8),
    ]

    @Test(arguments: spellings)
    func `a text file is read in any common encoding and with any common separator`(bytes: [UInt8]) throws {
        let read = articles(try ArticleImportFile(bytes))
        #expect(read.map(\.title) == ["Café"] && read.map(\.url) == ["https://example.org/"])
    }

    @Test func `unknown columns are ignored, and a row without an address is reported`() throws {
        let file = try file(
            """
            id,title,note,excerpt,url,folder,created,cover,highlights,favorite
            1,A,mine,about,https://example.org/a,Science,2024-02-03T04:05:06.000Z,x,y,true
            2,B,,,,,,,,false
            3,"C
            """)
        let read = articles(file)
        #expect(read.count == 1 && read.first?.category == "Science" && read.first?.isFavorite == true)
        let time = try date("2024-02-03T04:05:06Z")
        #expect(read.first?.savedAt == time)
        #expect(
            faults(file) == [
                "3: This entry has no address.", "4: A quotation mark opened here is never closed.",
            ])
    }

    private static let times: [(String, Double?)] = [
        ("1588248671", 1_588_248_671.0), ("1588248671000", 1_588_248_671), ("2016-09-08", 1_473_292_800),
        ("2016-09-08 11:55:58", 1_473_335_758), ("2016-09-08T11:55:58+0200", 1_473_328_558),
        ("2016-09-08T11:55:58.5+02:00", 1_473_328_558.5), ("0", nil), ("-5", nil), ("yesterday", nil),
        ("", nil),
        ("99999999999999999999", nil),
    ]

    @Test(arguments: times)
    func `a time is read in every format that the programs write`(text: String, seconds: Double?) throws {
        let read = try article("url,time_added,status\nhttps://example.org/,\(text),unread\n")
        #expect(read.savedAt?.timeIntervalSince1970 == seconds)
    }

    // MARK: Invalid files

    @Test(arguments: [
        "", "   \n", "hello", "a,b\n1,2\n", "{}", "[]", "<p>hello</p>", "{\"program\":\"other\"}",
        "\u{0}\u{1}",
    ])
    func `a file without articles is refused with a message`(text: String) {
        #expect {
            _ = try ArticleImportFile(Array(text.utf8))
        } throws: { error in
            (error as? RoostError)?.field == "file"
        }
    }

    @Test func `truncated JSON is refused with the position`() {
        #expect {
            _ = try ArticleImportFile(Array("[{\"url\":\"https://example.org/\"".utf8))
        } throws: { error in
            (error as? RoostError)?.message.contains("byte 31") == true
        }
    }

    @Test func `files of a newer Roost and of Roost's bookmarks are refused`() {
        for head in [#""kind":"reading","version":2"#, #""kind":"bookmarks","version":1"#] {
            #expect(throws: RoostError.self) {
                _ = try ArticleImportFile(
                    Array(#"{"program":"Roost",\#(head),"articles":[{"url":"x"}]}"#.utf8))
            }
        }
    }
}
