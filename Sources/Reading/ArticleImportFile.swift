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

    private(set) var format: ArticleImportFormat?
    var entries: FileImport<ImportedArticle>
    /// Omnivore's zip archives: row indexes by the names of the files with texts and highlights.
    var slugs: [String: Int] = [:]
    /// True if the JSON is recognized as another program's; unknown fields are then ignored.
    var isRecognizedProgram = false

    /// Throws `RoostError.invalid(field: "file")` if the file isn't a list of articles.
    init(_ bytes: [UInt8], zipLimits: ZipArchive.Limits = .init()) throws {
        entries = try FileImport(of: bytes, Self.rules)
        if ZipArchive.isZip(bytes) { try readZip(bytes, zipLimits) } else { try readText(bytes) }
        try entries.requireRows()
    }

    mutating func readText(_ bytes: [UInt8]) throws {
        let text = try UploadedText(bytes, Self.rules)
        switch text.kind {
        case .json where MarkdownList.isLikely(text.bytes): try readLines(text)
        case .json: try readJSON(text)
        case .html: try readHTML(text)
        case .table: try readCSV(text)
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

extension ArticleImportFile {
    /// Reads Pocket's CSV and JSON parts, or Omnivore's lists with their texts and highlights. Pictures and other files
    /// are skipped.
    mutating func readZip(_ bytes: [UInt8], _ limits: ZipArchive.Limits) throws {
        do {
            try ZipArchive.read(bytes, limits: limits) { archive in
                let files = archive.entries.filter {
                    !$0.isFolder && ($0.isOutside || !Self.isHidden($0.name))
                }
                .sorted { $0.name < $1.name }
                // Lists come first: texts and highlights refer to their entries.
                for entry in files where Self.isList(entry) { try readPart(entry, of: &archive) }
                for entry in files where !Self.isList(entry) { try readAttachment(entry, of: &archive) }
            }
            entries.part = ""
        } catch let refusal as ZipArchive.ReadError {
            throw RoostError.file(refusal.why)
        }
    }

    /// Files that macOS and Windows add to zip archives.
    private static func isHidden(_ name: String) -> Bool {
        name.hasPrefix("__MACOSX/") || name.splitBytes(at: "/").contains { $0.hasPrefix(".") }
    }

    private static func isList(_ entry: ZipArchive.Entry) -> Bool {
        let name = entry.name.lowercased()
        if name.splitBytes(at: "/").dropLast().contains("annotations") { return false }
        return name.hasSuffix(".csv") || name.hasSuffix(".json")
            || name.hasSuffix(".html") && folder(entry) != "content"
    }

    /// The innermost folder, in lower case.
    private static func folder(_ entry: ZipArchive.Entry) -> String {
        entry.name.lowercased().splitBytes(at: "/").dropLast().last.map(String.init) ?? ""
    }

    private mutating func readPart(_ entry: ZipArchive.Entry, of archive: inout ZipArchive) throws {
        entries.part = Self.shown(entry)
        guard let bytes = content(of: entry, in: &archive), !bytes.isEmpty else { return }
        do { try readText(bytes) } catch RoostError.invalid(_, let why) { entries.refuse(1, why) }
    }

    private static func shown(_ entry: ZipArchive.Entry) -> String {
        String(entry.name.unicodeScalars.prefix(200)).sanitized
    }

    /// Returns nil for an unreadable file and adds a row to the report.
    private mutating func content(of entry: ZipArchive.Entry, in archive: inout ZipArchive) -> [UInt8]? {
        guard !entry.isOutside else {
            entries.refuse(1, "Skipped: its name points outside the zip file.")
            return nil
        }
        do { return try archive.read(entry) } catch {
            entries.refuse(1, error.why)
            return nil
        }
    }

    private mutating func readAttachment(_ entry: ZipArchive.Entry, of archive: inout ZipArchive) throws {
        let name = entry.fileName
        switch Self.folder(entry) {
        case "content" where name.hasSuffix(".html"):
            guard let row = slugs[String(name.dropLast(".html".count))] else { return }
            entries.part = Self.shown(entry)
            guard let bytes = content(of: entry, in: &archive) else { return }
            guard bytes.count <= JSONArticle.maximumContent else {
                return entries.refuse(1, "Skipped: this text is longer than 8 MB.")
            }
            let text = String(decoding: UploadedText.utf8(bytes) ?? [], as: UTF8.self)
            entries.change(at: row) { $0.content = text.nonBlank }
        case "highlights" where name.hasSuffix(".md"):
            guard let row = slugs[String(name.dropLast(".md".count))] else { return }
            entries.part = Self.shown(entry)
            guard let bytes = content(of: entry, in: &archive) else { return }
            let text = String(decoding: UploadedText.utf8(bytes) ?? [], as: UTF8.self)
            entries.change(at: row) { $0.apply(omnivoreHighlights: text) }
        case "annotations" where name.lowercased().hasSuffix(".json"):
            entries.part = Self.shown(entry)
            guard let bytes = content(of: entry, in: &archive) else { return }
            addAnnotations(bytes)
        default: break
        }
    }

    /// Adds Pocket's highlights to the articles read so far; entries of other articles become rows of their own.
    private mutating func addAnnotations(_ bytes: [UInt8]) {
        var rowsByAddress: [String: Int] = [:]
        for (index, row) in entries.rows.enumerated() {
            guard case .success(let article) = row.content, rowsByAddress[article.url] == nil else {
                continue
            }
            rowsByAddress[article.url] = index
        }
        var (reader, number, added) = (JSONReader(Data(bytes)), 0, [Int: Int]())
        do {
            try reader.list { reader in
                number += 1
                guard entries.hasRoom else { return }
                var entry = JSONArticle()
                try entry.read(&reader)
                guard !entry.article.highlights.isEmpty else { return }
                if let index = rowsByAddress[entry.article.url.trimmed] {
                    // Each change copies the article's highlights, so their number is capped.
                    guard added[index, default: 0] < JSONArticle.maximumHighlights else { return }
                    added[index, default: 0] += entry.article.highlights.count
                    entries.change(at: index) { $0.highlights += entry.article.highlights }
                } else {
                    try add(entry.article, row: number)
                }
            }
        } catch {
            entries.refuse(1, "Invalid JSON.")
        }
    }
}

extension ImportedArticle {
    /// Reads Omnivore's Markdown: each quotation after `>`, with its note below. Text before the first quotation is a
    /// note about the whole article.
    fileprivate mutating func apply(omnivoreHighlights text: String) {
        var (quote, note): ([Substring], [Substring]) = ([], [])
        func finish(_ article: inout ImportedArticle) {
            let text = note.joined(separator: "\n").trimmed.nonBlank
            if quote.isEmpty {
                article.note = article.note ?? text
            } else if article.highlights.count < 1_000 {
                article.highlights.append(.init(quote: quote.joined(separator: "\n").trimmed, note: text))
            }
            (quote, note) = ([], [])
        }
        for line in text.splitBytes(at: "\n", omittingEmptySubsequences: false) {
            guard line.utf8.first == UInt8(ascii: ">") else {
                note.append(line)
                continue
            }
            // A quotation after a note begins a new highlight.
            if note.contains(where: { !$0.allSatisfy(\.isWhitespace) }) { finish(&self) }
            note = []
            quote.append(line.dropFirst().drop { $0 == " " })
        }
        finish(&self)
    }
}
