import Foundation
import TestSupport
import Testing

@testable import Reading
@testable import RoostServices
@testable import RoostSupport

/// With scripts in place of poppler's programs, which the tests don't need then.
@Suite(.timeLimit(.minutes(3))) struct PDFReaderTests {
    private typealias Response = ScriptedUpstream.Response

    private static let facts =
        #"printf 'Title:          On lanterns\nAuthor:         Grace\nPages:          2\n'"#
    private static let text = #"""
        printf 'The lanterns of the har-\nbour burn until the ferry has come in.\n\n'
        printf 'A second paragraph & a <sign>.\n\fThe second page has the word zeppelin.\n\f'
        """#

    private func withPDF(
        text: String = PDFReaderTests.text, facts: String = PDFReaderTests.facts,
        _ body: (ReadingFixture, ArticleItem) async throws -> Void
    ) async throws {
        try await withFolder { folder in
            try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
            for (name, script) in ["pdftotext": text, "pdfinfo": facts] {
                let file = folder + "/" + name
                try Data("#!/bin/sh\n\(script)\n".utf8).write(to: URL(filePath: file))
                try FileManager.default.setAttributes([.posixPermissions: 0o755], ofItemAtPath: file)
            }
            try await withReading({ $0.pdfFolders = [folder] }) { fixture in
                fixture.serve([
                    "example.org/a.pdf": Response(
                        headers: ["Content-Type: application/pdf"], body: "%PDF-1.7")
                ])
                try await body(fixture, try await fixture.fetched("http://example.org/a.pdf"))
            }
        }
    }

    @Test func `a PDF becomes an article with title, author, pages and text`() async throws {
        try await withPDF { fixture, item in
            #expect(item.fetchState == .fetched)
            #expect(item.title == "On lanterns" && item.author == "Grace" && item.pages == 2)
            let article = try await fixture.reading.reading(item.id, for: fixture.ada)
            #expect(
                article.text == """
                    The lanterns of the harbour burn until the ferry has come in.
                    A second paragraph & a <sign>.
                    The second page has the word zeppelin.
                    """)
            #expect(article.markup?.html.contains("A second paragraph &amp; a &lt;sign") == true)
        }
    }

    @Test func `a PDF is found by its words and summarised`() async throws {
        try await withPDF { fixture, item in
            #expect(try await fixture.urls(ArticleFilter(text: "zeppelin")) == ["http://example.org/a.pdf"])
            let gist = try await fixture.gists.make(for: item.id, by: fixture.ada)
            #expect(gist.content.contains("The lanterns of the harbour"))
        }
    }

    @Test(arguments: ["exit 3", "printf '\\f\\f'"])
    func `a PDF that is damaged, or has no text, is a link`(script: String) async throws {
        try await withPDF(text: script) { _, item in
            #expect(item.fetchState == .link(mediaType: "application/pdf"))
        }
    }

    @Test func `without poppler's programs a PDF is a link`() async throws {
        try await withReading({ $0.pdfFolders = ["/nowhere"] }) { fixture in
            fixture.serve([
                "example.org/a.pdf": Response(headers: ["Content-Type: application/pdf"], body: "%PDF-1.7")
            ])
            let item = try await fixture.fetched("http://example.org/a.pdf")
            #expect(item.fetchState == .link(mediaType: "application/pdf"))
        }
    }

    @Test func `a title that a program invented gives way to the first paragraph`() async throws {
        try await withPDF(facts: "printf 'Title: Microsoft Word - draft7.doc\\nPages: 1\\n'") { _, item in
            #expect(item.title == "The lanterns of the harbour burn until the ferry has come in.")
            #expect(item.pages == 1)
        }
    }
}
