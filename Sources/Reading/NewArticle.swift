/// What somebody saves.
package struct NewArticle: Sendable, Equatable {
    package var url: String
    package var title: String?
    /// Somebody else has written the title: it names a new article, and does not rename one that is there.
    var isTitleOthers: Bool
    /// Nil: "Unsorted", or what the article has already.
    package var category: String?
    package var tags: [String]
    package var autoCreateGist: Bool
    /// The page as the browser has it: taken instead of a fetch.
    package var html: [UInt8]?
    /// "bookmarklet", "share", "chat", "import", or the token's name; nil: the page of Roost.
    package var source: String?

    package init(
        url: String, title: String? = nil, category: String? = nil, tags: [String] = [],
        autoCreateGist: Bool = false, html: [UInt8]? = nil, source: String? = nil, isTitleOthers: Bool = false
    ) {
        self.url = url
        self.title = title
        self.isTitleOthers = isTitleOthers
        self.category = category
        self.tags = tags
        self.autoCreateGist = autoCreateGist
        self.html = html
        self.source = source
    }
}

/// What became of a save.
package struct SavedArticle: Sendable, Equatable {
    package static let saved = "Article saved."
    package static let known = "Already in your list."

    package let item: ArticleItem
    /// False for one that was in the list already: it is at the top of it now.
    package let isNew: Bool

    package var message: String { isNew ? Self.saved : Self.known }

    package init(item: ArticleItem, isNew: Bool) {
        self.item = item
        self.isNew = isNew
    }
}

/// What became of one line of many that were saved at once.
package struct SavedLine: Sendable, Equatable {
    /// From 1.
    package let number: Int
    /// As it was given, cut after a few words.
    package let line: String
    /// "Article saved.", "Already in your list.", or why it was not saved.
    package let message: String
    /// Nil: it was not saved.
    package let id: ArticleID?
    package let isNew: Bool

    package init(number: Int, line: String, message: String, id: ArticleID? = nil, isNew: Bool = false) {
        self.number = number
        self.line = line
        self.message = message
        self.id = id
        self.isNew = isNew
    }
}
