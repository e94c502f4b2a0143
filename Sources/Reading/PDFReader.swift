import ArticleText
import Foundation
import Glibc
import RoostSupport
import TextFormats

/// Reads the text of PDFs with poppler's `pdftotext` and `pdfinfo`, if both are installed.
package struct PDFReader: Sendable {
    /// Why a PDF stays a link.
    enum Failure: Error { case noText }

    static let mediaType = "application/pdf"
    static let maximumBytes = 30 << 20
    private static let maximumPages = 2_000
    private static let maximumTitle = 200

    private let text, info: LimitedProgram

    /// - Parameters:
    ///   - folders: where the programs may be
    ///   - hidden: folders that they cannot open, where the system allows this
    package init?(folders: [String], hiding hidden: [String]) {
        guard let text = LimitedProgram("pdftotext", in: folders, hiding: hidden),
            let info = LimitedProgram("pdfinfo", in: folders, hiding: hidden)
        else { return nil }
        (self.text, self.info) = (text, info)
    }

    static func isPDF(_ bytes: [UInt8]) -> Bool { bytes.starts(with: "%PDF-".utf8) }

    /// Returns the text with its number of pages. Throws an error of either program, or if there is no text.
    func read(_ bytes: [UInt8], at url: String) async throws -> (article: ExtractedArticle, pages: Int?) {
        let folder = try Self.makeFolder()
        defer { try? FileManager.default.removeItem(atPath: folder) }
        let file = folder + "/file.pdf"
        try Data(bytes).write(to: URL(filePath: file), options: .withoutOverwriting)
        let facts = Self.facts(
            try await info.run(["-enc", "UTF-8", "-isodates", file], in: folder))
        let printed = try await text.run(
            ["-q", "-enc", "UTF-8", "-eol", "unix", "-l", "\(Self.maximumPages)", file, "-"], in: folder)
        let paragraphs = Self.paragraphs(of: printed)
        guard let first = paragraphs.first?.first,
            let content = try? ImportedText.cleaned(Array(Self.html(of: paragraphs).utf8), at: url)
        else { throw Failure.noText }
        let title = facts["Title"].flatMap(Self.title) ?? Self.title(first)
        let article = ExtractedArticle(
            title: title, byline: facts["Author"]?.sanitized.nonBlank,
            published: facts["CreationDate"].flatMap {
                ISO8601.parse("\($0.prefix("2026-11-23".count))T00:00:00Z")
            },
            text: content.text, markup: CleanMarkup(cleaned: content.markup), wordCount: content.wordCount,
            isCut: content.isCut)
        return (article, facts["Pages"].flatMap { Int($0) }.flatMap { (1...100_000).contains($0) ? $0 : nil })
    }

    /// A folder that only this process's user can read.
    private static func makeFolder() throws -> String {
        var path = Array((FileManager.default.temporaryDirectory.path + "/roost-pdf-XXXXXX").utf8CString)
        guard mkdtemp(&path) != nil else { throw RoostError.unavailable("No folder for a PDF.") }
        return String(decoding: path.dropLast().map { UInt8(bitPattern: $0) }, as: UTF8.self)
    }

    /// `pdfinfo` prints a line for each: "Title:          On lanterns". The first of each name counts.
    static func facts(_ printed: [UInt8]) -> [String: String] {
        var facts: [String: String] = [:]
        for line in String(decoding: printed, as: UTF8.self).splitBytes(at: "\n") {
            let parts = line.splitBytes(at: ":", maxSplits: 1)
            guard parts.count == 2 else { continue }
            let name = String(parts[0])
            if facts[name] == nil { facts[name] = String(parts[1]).trimmed }
        }
        return facts
    }

    /// Nil for a title that the program that wrote the PDF has invented.
    private static func title(_ text: String) -> String? {
        let title = text.sanitized
        let isInvented = ["untitled", "microsoft word - ", "microsoft powerpoint - "].contains {
            title.lowercased().hasPrefix($0)
        }
        return title.isBlank || isInvented || title.unicodeScalars.count > maximumTitle ? nil : title
    }

    /// The paragraphs of each page. `pdftotext` ends a page with a form feed and a paragraph with an empty line.
    static func paragraphs(of printed: [UInt8]) -> [[String]] {
        String(decoding: printed, as: UTF8.self).splitBytes(at: "\u{0C}").map { page in
            var (paragraphs, lines): ([String], [String]) = ([], [])
            for line in page.splitBytes(at: "\n", omittingEmptySubsequences: false) + [""] {
                let line = String(line).sanitized.trimmed
                guard line.isEmpty else {
                    lines.append(line)
                    continue
                }
                if !lines.isEmpty { paragraphs.append(joined(lines)) }
                lines = []
            }
            return paragraphs
        }.filter { !$0.isEmpty }
    }

    /// Joins a word that is hyphenated at the end of a line.
    private static func joined(_ lines: [String]) -> String {
        var text = ""
        for line in lines {
            let before = text.unicodeScalars.dropLast().last
            if text.utf8.last == UInt8(ascii: "-"), before?.properties.isLowercase == true,
                line.unicodeScalars.first?.properties.isLowercase == true
            {
                text.unicodeScalars.removeLast()
                text += line
            } else {
                text += text.isEmpty ? line : " " + line
            }
        }
        return text
    }

    /// A rule separates pages.
    private static func html(of pages: [[String]]) -> String {
        pages.map { page in
            page.map { paragraph in
                let escaped = paragraph.replacingBytes(of: "&", with: "&amp;")
                    .replacingBytes(of: "<", with: "&lt;")
                return "<p>\(escaped)</p>"
            }.joined()
        }.joined(separator: "<hr>")
    }
}
