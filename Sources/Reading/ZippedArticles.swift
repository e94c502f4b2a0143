import Foundation
import RoostSupport
import TextFormats

/// A zip archive of articles: Pocket's CSV and JSON parts, or Omnivore's lists with their texts and highlights. Pictures
/// and other files are skipped.
enum ZippedArticles {
    static func read(_ bytes: [UInt8], _ limits: ZipArchive.Limits, into file: inout ArticleImportFile) throws
    {
        do {
            try ZipArchive.read(bytes, limits: limits) { archive in
                let files = archive.entries.filter {
                    !$0.isFolder && ($0.isOutside || !isHidden($0.name))
                }
                .sorted { $0.name < $1.name }
                // Lists come first: texts and highlights refer to their file.entries.
                for entry in files where isList(entry) { try readPart(entry, of: &archive, into: &file) }
                for entry in files where !isList(entry) {
                    try readAttachment(entry, of: &archive, into: &file)
                }
            }
            file.entries.part = ""
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

    private static func readPart(
        _ entry: ZipArchive.Entry, of archive: inout ZipArchive, into file: inout ArticleImportFile
    ) throws {
        file.entries.part = shown(entry)
        guard let bytes = content(of: entry, in: &archive, for: &file), !bytes.isEmpty else { return }
        do { try file.readText(bytes) } catch RoostError.invalid(_, let why) { file.entries.refuse(1, why) }
    }

    private static func shown(_ entry: ZipArchive.Entry) -> String {
        String(entry.name.unicodeScalars.prefix(200)).sanitized
    }

    /// Returns nil for an unreadable file and adds a row to the report.
    private static func content(
        of entry: ZipArchive.Entry, in archive: inout ZipArchive, for file: inout ArticleImportFile
    ) -> [UInt8]? {
        guard !entry.isOutside else {
            file.entries.refuse(1, "Skipped: its name points outside the zip file.")
            return nil
        }
        do { return try archive.read(entry) } catch {
            file.entries.refuse(1, error.why)
            return nil
        }
    }

    private static func readAttachment(
        _ entry: ZipArchive.Entry, of archive: inout ZipArchive, into file: inout ArticleImportFile
    ) throws {
        let name = entry.fileName
        switch folder(entry) {
        case "content" where name.hasSuffix(".html"):
            guard let row = file.slugs[String(name.dropLast(".html".count))] else { return }
            file.entries.part = shown(entry)
            guard let bytes = content(of: entry, in: &archive, for: &file) else { return }
            guard bytes.count <= JSONArticle.maximumContent else {
                return file.entries.refuse(1, "Skipped: this text is longer than 8 MB.")
            }
            let text = String(decoding: UploadedText.utf8(bytes) ?? [], as: UTF8.self)
            file.entries.change(at: row) { $0.content = text.nonBlank }
        case "highlights" where name.hasSuffix(".md"):
            guard let row = file.slugs[String(name.dropLast(".md".count))] else { return }
            file.entries.part = shown(entry)
            guard let bytes = content(of: entry, in: &archive, for: &file) else { return }
            let text = String(decoding: UploadedText.utf8(bytes) ?? [], as: UTF8.self)
            file.entries.change(at: row) { $0.apply(omnivoreHighlights: text) }
        case "annotations" where name.lowercased().hasSuffix(".json"):
            file.entries.part = shown(entry)
            guard let bytes = content(of: entry, in: &archive, for: &file) else { return }
            addAnnotations(bytes, to: &file)
        default: break
        }
    }

    /// Adds Pocket's highlights to the articles read so far; file.entries of other articles become rows of their own.
    private static func addAnnotations(_ bytes: [UInt8], to file: inout ArticleImportFile) {
        var rowsByAddress: [String: Int] = [:]
        for (index, row) in file.entries.rows.enumerated() {
            guard case .success(let article) = row.content, rowsByAddress[article.url] == nil else {
                continue
            }
            rowsByAddress[article.url] = index
        }
        var (reader, number, added) = (JSONReader(Data(bytes)), 0, [Int: Int]())
        do {
            try reader.list { reader in
                number += 1
                guard file.entries.hasRoom else { return }
                var entry = JSONArticle()
                try entry.read(&reader)
                guard !entry.article.highlights.isEmpty else { return }
                if let index = rowsByAddress[entry.article.url.trimmed] {
                    // Each change copies the article's highlights, so their number is capped.
                    guard added[index, default: 0] < JSONArticle.maximumHighlights else { return }
                    added[index, default: 0] += entry.article.highlights.count
                    file.entries.change(at: index) { $0.highlights += entry.article.highlights }
                } else {
                    try file.add(entry.article, row: number)
                }
            }
        } catch {
            file.entries.refuse(1, "Invalid JSON.")
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
