import Foundation

extension ArticleImportFile {
    /// Where one is in a bookmarks file.
    private struct Position {
        enum Collecting { case nothing, folder, list, title, description }

        /// Of each list that is open the innermost folder that is a category; nil where none is.
        var folders: [String?] = []
        /// A folder's name stands before the list of what is in it.
        var nextFolder: String?
        /// Of Pocket's and Instapaper's lists.
        var isInArchive = false
        var collecting = Collecting.nothing
        var text = ""
        var article: ImportedArticle?
        var number = 0
    }

    /// Folders that browsers make of themselves.
    private static let browserFolders: Set<String> = [
        "bookmarks", "bookmarks bar", "bookmarks toolbar", "bookmarks menu", "favorites bar",
        "other bookmarks",
        "other favorites", "mobile bookmarks", "unsorted bookmarks",
    ]
    private static let archivedTag = "linkding:bookmarks.archived"

    /// Netscape's format as browsers, Linkding, Shiori and Readeck write it, and Pocket's and Instapaper's own pages.
    mutating func readHTML(_ text: [UInt8]) throws {
        var position = Position()
        note(Self.isPocket(text) ? .pocket : .netscape)
        for token in BookmarkFileTokens(text) {
            guard hasRoom else { break }
            switch token {
            case .text(let words): if position.collecting != .nothing { position.text += words }
            case .start(let name, let attributes): start(name, attributes, &position)
            case .end(let name): end(name, &position)
            }
        }
        finish(&position)
        guard position.number > 0 else { throw Self.notUnderstood() }
    }

    private static func isPocket(_ text: [UInt8]) -> Bool {
        let head = text.prefix(2_000)
        return !head.containsIgnoringCase("netscape") && head.containsIgnoringCase("pocket")
    }

    private mutating func start(_ name: String, _ attributes: [String: String], _ position: inout Position) {
        switch name {
        case "a":
            finish(&position)
            position.number += 1
            position.article = Self.article(attributes, position)
            (position.collecting, position.text) = (.title, "")
        case "h1": (position.collecting, position.text) = (.list, "")
        case "h3":
            finish(&position)
            (position.collecting, position.text) = (.folder, "")
            let isBrowsers =
                attributes["personal_toolbar_folder"] != nil || attributes["unfiled_bookmarks_folder"] != nil
            position.nextFolder = isBrowsers ? nil : ""
        case "dl":
            finish(&position)
            position.folders.append(position.nextFolder ?? position.folders.last ?? nil)
            position.nextFolder = nil
        case "dd" where position.article != nil: (position.collecting, position.text) = (.description, "")
        case "dt", "li", "hr": finish(&position)
        default: break
        }
    }

    private mutating func end(_ name: String, _ position: inout Position) {
        switch name {
        case "a" where position.collecting == .title:
            position.article?.title = position.text.nonBlank.map(\.trimmed)
            if position.article?.title == position.article?.url { position.article?.title = nil }
            (position.collecting, position.text) = (.nothing, "")
        case "h1":
            let list = position.text.trimmed.lowercased()
            position.isInArchive = list == "read archive" || list == "archive"
            (position.collecting, position.text) = (.nothing, "")
        case "h3":
            let folder = position.text.trimmed
            if position.nextFolder != nil {
                position.nextFolder =
                    Self.browserFolders.contains(folder.lowercased()) ? nil : folder.nonBlank
            }
            (position.collecting, position.text) = (.nothing, "")
        case "dl":
            finish(&position)
            _ = position.folders.popLast()
        case "ul", "ol": finish(&position)
        default: break
        }
    }

    /// What belongs to a link has been read.
    private mutating func finish(_ position: inout Position) {
        guard var article = position.article else { return }
        if position.collecting == .title { article.title = position.text.nonBlank.map(\.trimmed) }
        if position.collecting == .description { article.take(description: position.text) }
        add(article, row: position.number)
        (position.article, position.collecting, position.text) = (nil, .nothing, "")
    }

    private static func article(_ attributes: [String: String], _ position: Position) -> ImportedArticle {
        var article = ImportedArticle(url: (attributes["href"] ?? "").trimmed)
        article.category = position.folders.last ?? nil
        article.tags = tags(attributes["tags"] ?? "", separator: ",")
        article.savedAt = ImportedTime.parse(attributes["add_date"] ?? attributes["time_added"] ?? "")
        article.isArchived = position.isInArchive || attributes["toread"] == "0"
        if article.tags.contains(archivedTag) {
            article.tags.removeAll { $0 == archivedTag }
            article.isArchived = true
        }
        article.isFavorite = attributes["favorite"] == "1"
        return article
    }
}

extension ImportedArticle {
    /// Linkding has the user's own words after the page's.
    fileprivate mutating func take(description: String) {
        let (open, close) = ("[linkding-notes]", "[/linkding-notes]")
        var words = description
        if let start = words.utf8.firstRange(of: open.utf8), let end = words.utf8.firstRange(of: close.utf8),
            start.upperBound <= end.lowerBound
        {
            note = String(words[start.upperBound..<end.lowerBound]).trimmed.nonBlank
            words.removeSubrange(start.lowerBound..<end.upperBound)
        }
        excerpt = words.trimmed.nonBlank
    }
}

extension ArraySlice<UInt8> {
    fileprivate func containsIgnoringCase(_ word: String) -> Bool {
        map { $0 &- UInt8(ascii: "A") < 26 ? $0 | 0x20 : $0 }.firstRange(of: Array(word.utf8)) != nil
    }
}
