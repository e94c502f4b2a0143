import Foundation
import RoostSupport
import TextFormats

extension ArticleImportFile {
    /// Pocket's parts in CSV and JSON, or Omnivore's lists with a file for each text and its highlights. Pictures and
    /// whatever else lies beside them is passed over.
    mutating func readZip(_ bytes: [UInt8], _ limits: ZipArchive.Limits) throws {
        do {
            var archive = try ZipArchive(bytes, limits: limits)
            let files = archive.entries.filter { !$0.isFolder && ($0.isOutside || !Self.isHidden($0.name)) }
                .sorted { $0.name < $1.name }
            // The lists first: texts and highlights belong to what stands in them.
            for entry in files where Self.isList(entry) { try readPart(entry, of: &archive) }
            for entry in files where !Self.isList(entry) { try readBeside(entry, of: &archive) }
            part = ""
        } catch let refusal as ZipArchive.ReadError {
            throw Self.refusal(refusal.why)
        }
    }

    /// What macOS and Windows put into zip files for themselves.
    private static func isHidden(_ name: String) -> Bool {
        name.hasPrefix("__MACOSX/") || name.splitBytes(at: "/").contains { $0.hasPrefix(".") }
    }

    private static func isList(_ entry: ZipArchive.Entry) -> Bool {
        let name = entry.name.lowercased()
        if name.splitBytes(at: "/").dropLast().contains("annotations") { return false }
        return name.hasSuffix(".csv") || name.hasSuffix(".json")
            || name.hasSuffix(".html") && folder(entry) != "content"
    }

    /// The innermost, in small letters.
    private static func folder(_ entry: ZipArchive.Entry) -> String {
        entry.name.lowercased().splitBytes(at: "/").dropLast().last.map(String.init) ?? ""
    }

    private mutating func readPart(_ entry: ZipArchive.Entry, of archive: inout ZipArchive) throws {
        part = Self.shown(entry)
        guard let bytes = content(of: entry, in: &archive), !bytes.isEmpty else { return }
        do { try readText(bytes) } catch RoostError.invalid(_, let why) { refuse(why, row: 1) }
    }

    private static func shown(_ entry: ZipArchive.Entry) -> String {
        String(entry.name.unicodeScalars.prefix(200)).sanitized
    }

    /// Nil for one that cannot be read, which is a row of the report.
    private mutating func content(of entry: ZipArchive.Entry, in archive: inout ZipArchive) -> [UInt8]? {
        guard !entry.isOutside else {
            refuse("Its name leads out of the zip file: it is not read.", row: 1)
            return nil
        }
        do { return try archive.read(entry) } catch {
            refuse(error.why, row: 1)
            return nil
        }
    }

    private mutating func readBeside(_ entry: ZipArchive.Entry, of archive: inout ZipArchive) throws {
        let name = entry.fileName
        switch Self.folder(entry) {
        case "content" where name.hasSuffix(".html"):
            guard let row = slugs[String(name.dropLast(".html".count))] else { return }
            part = Self.shown(entry)
            guard let bytes = content(of: entry, in: &archive) else { return }
            guard bytes.count <= JSONArticle.maximumContent else {
                return refuse("This text is longer than 8 MB: it was left out.", row: 1)
            }
            let text = String(decoding: UploadedText.utf8OrLatin(bytes) ?? [], as: UTF8.self)
            change({ $0.content = text.nonBlank }, at: row)
        case "highlights" where name.hasSuffix(".md"):
            guard let row = slugs[String(name.dropLast(".md".count))] else { return }
            part = Self.shown(entry)
            guard let bytes = content(of: entry, in: &archive) else { return }
            let text = String(decoding: UploadedText.utf8OrLatin(bytes) ?? [], as: UTF8.self)
            change({ $0.take(omnivoreHighlights: text) }, at: row)
        case "annotations" where name.lowercased().hasSuffix(".json"):
            part = Self.shown(entry)
            guard let bytes = content(of: entry, in: &archive) else { return }
            addAnnotations(bytes)
        default: break
        }
    }

    /// Pocket's highlights: entries as those of a list, of articles that stand in the parts already or not.
    private mutating func addAnnotations(_ bytes: [UInt8]) {
        var rowsByAddress: [String: Int] = [:]
        for (place, row) in rows.enumerated() where rowsByAddress[row.url] == nil {
            rowsByAddress[row.url] = place
        }
        var (reader, number, added) = (JSONReader(Data(bytes)), 0, [Int: Int]())
        do {
            try reader.list { reader in
                number += 1
                guard hasRoom else { return }
                var entry = JSONArticle()
                try entry.read(&reader)
                guard !entry.article.highlights.isEmpty else { return }
                if let place = rowsByAddress[entry.article.url.trimmed] {
                    // Each change copies what is there: a million of them for one article must end.
                    guard added[place, default: 0] < JSONArticle.maximumHighlights else { return }
                    added[place, default: 0] += entry.article.highlights.count
                    change({ $0.highlights += entry.article.highlights }, at: place)
                } else {
                    add(entry.article, row: number)
                }
            }
        } catch {
            refuse("This is no JSON.", row: 1)
        }
    }
}

extension ImportedArticle {
    /// Markdown as Omnivore's export writes it: each quotation after `>`, below it the note; what stands before the
    /// first is a note about the whole.
    fileprivate mutating func take(omnivoreHighlights text: String) {
        var (quote, note): ([Substring], [Substring]) = ([], [])
        func finish(_ article: inout ImportedArticle) {
            let words = note.joined(separator: "\n").trimmed.nonBlank
            if quote.isEmpty {
                article.note = article.note ?? words
            } else if article.highlights.count < 1_000 {
                article.highlights.append(.init(quote: quote.joined(separator: "\n").trimmed, note: words))
            }
            (quote, note) = ([], [])
        }
        for line in text.splitBytes(at: "\n", omittingEmptySubsequences: false) {
            guard line.utf8.first == UInt8(ascii: ">") else {
                note.append(line)
                continue
            }
            // A quotation after a note is the next one.
            if note.contains(where: { !$0.allSatisfy(\.isWhitespace) }) { finish(&self) }
            note = []
            quote.append(line.dropFirst().drop { $0 == " " })
        }
        finish(&self)
    }
}
