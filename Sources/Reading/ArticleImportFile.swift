import Foundation
import RoostSupport
import TextFormats

/// An uploaded file of articles. Its content determines the format, not its name.
struct ArticleImportFile: Sendable {
    static let rules = FileImportRules(
        megabytes: 64, maximumRows: 100_000, maximumFieldBytes: 200_000,
        unknownKind: """
            Roost does not know this kind of file. It reads exports of Pocket, Instapaper, Omnivore, wallabag, \
            Karakeep, Linkwarden, Pinboard, linkding, Raindrop.io, Readwise Reader, Readeck, Shaarli and Roost, \
            browsers’ bookmarks, CSV with a column “url”, and lists of addresses, also in Markdown.
            """,
        noRows: "The file contains no articles.")

    /// Of Roost's own JSON.
    static let version = 1

    private(set) var format: ArticleImportFormat?
    var entries: FileImport<ImportedArticle>
    /// Omnivore's zip archives: row indexes by the names of the files with texts and highlights.
    var slugs: [String: Int] = [:]
    /// True if the JSON is recognized as another program's; unknown fields are then ignored.
    var isRecognizedProgram = false

    /// Throws `RoostError.invalid(field: "file")` if the file isn't a list of articles.
    init(_ bytes: [UInt8], zipLimits: ZipArchive.Limits = .init()) throws {
        entries = try FileImport(of: bytes, Self.rules)
        if ZipArchive.isZip(bytes) {
            try ZippedArticles.read(bytes, zipLimits, into: &self)
        } else {
            try readText(bytes)
        }
        try entries.requireRows()
    }

    mutating func readText(_ bytes: [UInt8]) throws {
        let text = try UploadedText(bytes, Self.rules)
        switch text.kind {
        case .json where AddressList.isLikely(text.bytes): try AddressList.read(text, into: &self)
        case .json: try ArticleLists.read(text, into: &self)
        case .html: try HTMLBookmarks.read(text, into: &self)
        case .table: try ArticleTable.read(text, into: &self)
        }
    }

    static var unknownKind: RoostError { .file(rules.unknownKind) }

    /// In a zip archive the first file determines the format.
    mutating func note(_ found: ArticleImportFormat) { format = format ?? found }

    mutating func add(_ article: ImportedArticle, row: Int) throws {
        let isOwn = format == .roost
        try entries.add(row) { try article.checked(isOwn: isOwn) }
    }

    /// Splits a text of tags, which is a JSON list or uses `separator`.
    static func tags(_ text: String, separator: Unicode.Scalar) -> [String] {
        let text = text.trimmed
        guard text.utf8.first == UInt8(ascii: "[") else {
            // Readwise Reader writes sets: {'one', 'two'}.
            let isSet = text.hasPrefix("{") && text.hasSuffix("}")
            let names = (isSet ? text.dropFirst().dropLast() : text[...]).splitBytes(
                at: isSet ? "," : separator)
            return names.prefix(maximumTags).map {
                isSet ? String($0).trimmed.trimmingCharacters(in: ["'", "\""]) : String($0)
            }
        }
        var (tags, reader) = ([String](), JSONReader(Data(text.utf8)))
        _ = try? reader.list { reader in
            if let tag = try reader.string(), tags.count < maximumTags { tags.append(tag) }
        }
        // Python's form: ['one', 'two'].
        guard tags.isEmpty, text.hasSuffix("]") else { return tags }
        return text.dropFirst().dropLast().splitBytes(at: ",").prefix(maximumTags).map {
            String($0).trimmed.trimmingCharacters(in: ["'", "\""])
        }
    }

    static func isArchived(_ status: String) -> Bool {
        ["archive", "archived", "read"].contains(status.trimmed.lowercased())
    }

    /// Per article. Higher than the number that can be kept, so that the import can report the rest.
    static let maximumTags = 200
}

extension ImportedArticle {
    /// Throws `RoostError` if the article has no address.
    func checked(isOwn: Bool) throws -> ImportedArticle {
        var article = self
        article.url = url.trimmed
        if isOwn { article.isOwn = true }
        guard !article.url.isEmpty else { throw RoostError.file("This entry has no address.") }
        return article
    }
}

extension String {
    var nonBlank: String? { isBlank ? nil : self }
}
