import Foundation
import RoostSupport

/// The links of a bookmarks file with their folders.
struct HTMLBookmarks: Sequence, IteratorProtocol {
    private enum Collecting { case nothing, folder, list, title, description }

    private static let archivedTag = "linkding:bookmarks.archived"

    private var tokens: BookmarkFileTokens
    /// For each open list, its folder's name; nil for the browser's own folders.
    private var folders: [String?] = []
    /// Set by a folder's name, which comes before the folder's list.
    private var nextFolder: String?
    private var nextIsBrowsers = false
    /// In a Pocket or Instapaper file.
    private var isInArchive = false
    private var collecting = Collecting.nothing
    private var text = ""
    private var article: ImportedArticle?

    /// Reads Netscape bookmarks as written by browsers, Linkding, Shiori and Readeck, and the HTML exports of Pocket
    /// and Instapaper.
    static func read(_ text: UploadedText, into file: inout ArticleImportFile) throws {
        file.note(isPocket(text.bytes) ? .pocket : .netscape)
        var number = 0
        for article in HTMLBookmarks(text.bytes) {
            number += 1
            guard file.entries.hasRoom else { break }
            try file.add(article, row: number)
        }
        guard number > 0 else {
            throw RoostError.file(
                "Roost found a web page without links. \(ArticleImportFile.rules.unknownKind)")
        }
    }

    private static func isPocket(_ text: [UInt8]) -> Bool {
        let head = text.prefix(2_000)
        return !head.containsIgnoringCase("netscape") && head.containsIgnoringCase("pocket")
    }

    private init(_ bytes: [UInt8]) { tokens = BookmarkFileTokens(bytes) }

    /// Returns each link when the next one, its list or its folder ends it.
    mutating func next() -> ImportedArticle? {
        while let token = tokens.next() {
            switch token {
            case .text(let more): if collecting != .nothing { text += more }
            case .start(let name, let attributes):
                let ended = ["a", "h3", "dl", "dt", "li", "hr"].contains(name) ? finished() : nil
                start(name, attributes)
                if let ended { return ended }
            case .end(let name):
                let ended = ["dl", "ul", "ol"].contains(name) ? finished() : nil
                end(name)
                if let ended { return ended }
            }
        }
        return finished()
    }

    private mutating func collect(_ what: Collecting) { (collecting, text) = (what, "") }

    private mutating func start(_ name: String, _ attributes: [String: String]) {
        switch name {
        case "a":
            article = link(attributes)
            collect(.title)
        case "h1": collect(.list)
        case "h3":
            collect(.folder)
            let isBrowsers =
                attributes["personal_toolbar_folder"] != nil || attributes["unfiled_bookmarks_folder"] != nil
            (nextFolder, nextIsBrowsers) = (nil, isBrowsers)
        case "dl":
            folders.append(nextFolder)
            nextFolder = nil
        case "dd" where article != nil: collect(.description)
        default: break
        }
    }

    private mutating func end(_ name: String) {
        switch name {
        case "a" where collecting == .title:
            article?.title = text.nonBlank.map(\.trimmed)
            if article?.title == article?.url { article?.title = nil }
            collect(.nothing)
        case "h1":
            isInArchive = ["read archive", "archive"].contains(text.trimmed.lowercased())
            collect(.nothing)
        case "h3":
            let isBrowsers =
                nextIsBrowsers
                || ImportedFolders.isBrowsers(text, depth: folders.lazy.compactMap(\.self).prefix(2).count)
            nextFolder = isBrowsers ? nil : ImportedFolders.name(text)
            collect(.nothing)
        case "dl": _ = folders.popLast()
        default: break
        }
    }

    private mutating func finished() -> ImportedArticle? {
        guard var article else { return nil }
        if collecting == .title { article.title = text.nonBlank.map(\.trimmed) }
        if collecting == .description { article.apply(description: text) }
        self.article = nil
        collect(.nothing)
        return article
    }

    private func link(_ attributes: [String: String]) -> ImportedArticle {
        var article = ImportedArticle(url: (attributes["href"] ?? "").trimmed)
        article.category = ImportedFolders.category(
            folders.suffix(BrowserBackup.maximumDepth).compactMap(\.self))
        article.tags = ArticleImportFile.tags(attributes["tags"] ?? "", separator: ",")
        article.savedAt = ImportedTime.parse(attributes["add_date"] ?? attributes["time_added"] ?? "")
        article.isArchived = isInArchive || attributes["toread"] == "0"
        if article.tags.contains(Self.archivedTag) {
            article.tags.removeAll { $0 == Self.archivedTag }
            article.isArchived = true
        }
        article.isFavorite = attributes["favorite"] == "1"
        return article
    }
}

extension ImportedArticle {
    /// Linkding appends the user's notes to the page's description.
    fileprivate mutating func apply(description: String) {
        let (open, close) = ("[linkding-notes]", "[/linkding-notes]")
        var excerptText = description
        if let start = excerptText.utf8.firstRange(of: open.utf8),
            let end = excerptText.utf8.firstRange(of: close.utf8),
            start.upperBound <= end.lowerBound
        {
            note = String(excerptText[start.upperBound..<end.lowerBound]).trimmed.nonBlank
            excerptText.removeSubrange(start.lowerBound..<end.upperBound)
        }
        details.excerpt = excerptText.trimmed.nonBlank
    }
}

extension ArraySlice<UInt8> {
    fileprivate func containsIgnoringCase(_ word: String) -> Bool {
        map { $0 &- UInt8(ascii: "A") < 26 ? $0 | 0x20 : $0 }.firstRange(of: Array(word.utf8)) != nil
    }
}
