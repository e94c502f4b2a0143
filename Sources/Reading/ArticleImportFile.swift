import Foundation
package import RoostSupport
import TextFormats

/// A file of articles as somebody uploads it. What it is, its content says and not its name.
package struct ArticleImportFile: Sendable {
    /// One article of it, or why there is none in its place.
    package struct Row: Sendable {
        /// From 1; of CSV the line, of others the number of the entry.
        package let number: Int
        /// Which file of a zip file; empty for a file alone.
        package let part: String
        /// As it stands there, for the report.
        package let url: String
        package let content: Result<ImportedArticle, Fault>
    }

    package struct Fault: Error, Equatable {
        package let why: String
    }

    package static let maximumBytes = 64 << 20
    static let maximumRows = 100_000

    package private(set) var format: ArticleImportFormat?
    package private(set) var rows: [Row] = []
    /// Gists that belong to no article; only our own files have them.
    var gists: [ImportedArticle.Gist] = []
    /// Of Omnivore's zip files: the rows by the names of the files with their texts and highlights.
    var slugs: [String: Int] = [:]
    /// Whether JSON has the form of one program: then fields that Roost does not know are passed over.
    var isOfKnownProgram = false
    /// Of a zip file the one that is being read.
    var part = ""

    private static let unknown = """
        Roost does not know this kind of file. It reads exports of Pocket, Instapaper, Omnivore, wallabag, Karakeep, \
        Linkwarden, Pinboard, linkding and Roost, browsers’ bookmarks (HTML), and CSV with a column “url”.
        """

    /// Throws `RoostError.invalid(field: "file")` for what is no list of articles at all.
    package init(_ bytes: [UInt8], zipLimits: ZipArchive.Limits = .init()) throws {
        guard bytes.count <= Self.maximumBytes else { throw Self.refusal("A file has 64 MB at most.") }
        if ZipArchive.isZip(bytes) { try readZip(bytes, zipLimits) } else { try readText(bytes) }
        guard !rows.isEmpty || !gists.isEmpty else { throw Self.refusal("There are no articles in it.") }
    }

    static func refusal(_ why: String) -> RoostError { .invalid(field: "file", why: why) }

    /// Reads a file that is no zip file.
    mutating func readText(_ bytes: [UInt8]) throws {
        guard let text = UploadedText.utf8OrLatin(bytes) else { throw Self.refusal(Self.unknown) }
        guard let first = text.first(where: { ![0x20, 0x09, 0x0A, 0x0D].contains($0) }) else {
            throw Self.refusal("The file is empty.")
        }
        switch first {
        case UInt8(ascii: "["), UInt8(ascii: "{"): try readJSON(text)
        case UInt8(ascii: "<"): try readHTML(text)
        default: try readCSV(text)
        }
    }

    static func notUnderstood() -> RoostError { refusal(unknown) }

    /// The first file of a zip file says what wrote it.
    mutating func note(_ found: ArticleImportFormat) { format = format ?? found }

    /// Adds an article; one without an address is a fault.
    mutating func add(_ article: ImportedArticle, row: Int) {
        var article = article
        article.url = article.url.trimmed
        if format == .roost { article.isOwn = true }
        guard !article.url.isEmpty else { return refuse("There is no address in it.", row: row) }
        append(Row(number: row, part: part, url: article.url, content: .success(article)))
    }

    mutating func refuse(_ why: String, row: Int, url: String = "") {
        append(Row(number: row, part: part, url: url, content: .failure(Fault(why: why))))
    }

    /// False from the first row on for which there is no room, which says so.
    var hasRoom: Bool { rows.count <= Self.maximumRows }

    private mutating func append(_ row: Row) {
        guard hasRoom else { return }
        guard rows.count < Self.maximumRows else {
            let fault = Fault(why: "Only the first 100,000 entries are read: split the file.")
            rows.append(Row(number: row.number, part: part, url: row.url, content: .failure(fault)))
            return
        }
        rows.append(row)
    }

    /// Changes the rows that are there, where a zip file tells of an article in several files.
    mutating func change(_ change: (inout ImportedArticle) -> Void, at place: Int) {
        let row = rows[place]
        guard case .success(var article) = row.content else { return }
        change(&article)
        rows[place] = Row(number: row.number, part: row.part, url: row.url, content: .success(article))
    }

    /// Tags of one text: a JSON list, or with a sign between them.
    static func tags(_ text: String, separator: Unicode.Scalar) -> [String] {
        let text = text.trimmed
        guard text.utf8.first == UInt8(ascii: "[") else {
            return text.splitBytes(at: separator).prefix(maximumTags).map(String.init)
        }
        var (tags, reader) = ([String](), JSONReader(Data(text.utf8)))
        _ = try? reader.list { reader in
            if let tag = try reader.string(), tags.count < maximumTags { tags.append(tag) }
        }
        return tags
    }

    /// Read of one article; more than anybody may keep is only counted out.
    static let maximumTags = 200
}
