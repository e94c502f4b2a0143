import ArgumentParser
import ArticleText
import Foundation
import TextFormats

/// `roost extract`: prints the article in an HTML page, by the reading list's rules, without a database or
/// network.
struct ExtractCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "extract",
        abstract: "Prints the article of an HTML page on standard input, one paragraph per line.")

    @Option(help: "The page's address, for resolving relative links.") var url: String?
    @Option(help: "The charset that the page was sent with; by default its own.") var charset: String?
    @Flag(help: "Prints a JSON object with title, author, date, HTML and more instead.") var json = false

    func run() throws {
        let html = try FileHandle.standardInput.readToEnd() ?? Data()
        let article: ExtractedArticle
        do {
            article = try ArticleExtractor.extract(html, charset: charset, url: url)
        } catch {
            throw ValidationError(error.message)
        }
        if article.isCut {
            FileHandle.standardError.write(
                Data("The page is larger than Roost reads; the end of the text is missing.\n".utf8))
        }
        print(json ? try Self.object(article) : article.text)
    }

    private static func object(_ article: ExtractedArticle) throws -> String {
        try StableJSON.text(of: ArticleJSON(article))
    }

    /// Writes null for missing values.
    private struct ArticleJSON: Encodable {
        let article: ExtractedArticle

        init(_ article: ExtractedArticle) { self.article = article }

        enum CodingKeys: CodingKey {
            case title, byline, siteName, language, published, excerpt, leadImage, canonical, kind, wordCount,
                isCut, text
            case html, comments
        }

        func encode(to encoder: any Encoder) throws {
            var object = encoder.container(keyedBy: CodingKeys.self)
            try object.encode(article.title, forKey: .title)
            try object.encode(article.byline, forKey: .byline)
            try object.encode(article.siteName, forKey: .siteName)
            try object.encode(article.language, forKey: .language)
            try object.encode(article.published.map(ISO8601.seconds), forKey: .published)
            try object.encode(article.excerpt, forKey: .excerpt)
            try object.encode(article.leadImage, forKey: .leadImage)
            try object.encode(article.canonical, forKey: .canonical)
            try object.encode(article.kind, forKey: .kind)
            try object.encode(article.wordCount, forKey: .wordCount)
            try object.encode(article.isCut, forKey: .isCut)
            try object.encode(article.text, forKey: .text)
            try object.encode(article.markup.html, forKey: .html)
            try object.encode(article.comments?.html, forKey: .comments)
        }
    }
}
