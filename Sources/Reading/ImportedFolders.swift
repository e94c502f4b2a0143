import TextFormats

/// Where a bookmark is in a browser's or another program's folders, as an article's category: "Garden / Ideas".
enum ImportedFolders {
    static let separator = " / "

    /// Folders that browsers create themselves, in the languages of most users, folded.
    private static let browserFolders: Set<String> = [
        // English
        "bookmarks", "bookmarks bar", "bookmarks toolbar", "bookmarks menu", "bookmark menu", "favorites bar",
        "favourites bar", "favorites", "favourites", "other bookmarks", "other favorites", "other favourites",
        "mobile bookmarks", "mobile favorites", "synced bookmarks", "unsorted bookmarks", "imported",
        "reading list", "com.apple.readinglist", "all bookmarks",
        // German
        "lesezeichen", "lesezeichenleiste", "lesezeichen-leiste", "lesezeichen-symbolleiste",
        "lesezeichen-menü",
        "weitere lesezeichen", "mobile lesezeichen", "favoritenleiste", "andere favoriten", "leseliste",
        // French
        "marque-pages", "barre personnelle", "barre de favoris", "menu des marque-pages",
        "autres marque-pages",
        "marque-pages des appareils mobiles", "autres favoris", "favoris", "favoris sur mobile",
        // Spanish, Portuguese, Italian
        "marcadores", "barra de marcadores", "barra de herramientas de marcadores", "menú marcadores",
        "otros marcadores", "marcadores móviles", "marcadores del móvil", "favoritos", "barra de favoritos",
        "otros favoritos", "outros marcadores", "outros favoritos", "favoritos do celular", "segnalibri",
        "barra dei segnalibri", "barra dei preferiti", "altri segnalibri", "altri preferiti", "preferiti",
        "segnalibri mobile", "menu segnalibri",
        // Dutch, Polish, Swedish
        "bladwijzers", "bladwijzerbalk", "andere bladwijzers", "mobiele bladwijzers", "zakładki",
        "pasek zakładek",
        "inne zakładki", "zakładki z telefonu", "bokmärken", "bokmärkesfältet", "andra bokmärken",
        // Russian, Ukrainian
        "закладки", "панель закладок", "другие закладки", "мобильные закладки", "меню закладок",
        "інші закладки",
        // Chinese, Japanese
        "书签", "书签栏", "其他书签", "移动设备书签", "收藏夹栏", "書籤", "其他書籤", "ブックマーク",
        "ブックマーク バー", "ブックマークバー", "その他のブックマーク", "モバイルのブックマーク",
    ]

    /// Whether a folder on the highest two levels belongs to the browser, not to the user.
    static func isBrowsers(_ name: String, depth: Int) -> Bool {
        depth < 2 && browserFolders.contains(name.trimmed.lowercased())
    }

    /// A folder's name on one line, cut to what a category can show, because thousands of bookmarks may share it.
    static func name(_ text: String) -> String? {
        String(String.UnicodeScalarView(text.unicodeScalars.prefix(ArticleRules.maximumCategoryLength * 10)))
            .words.joined(separator: " ").nonBlank
    }

    /// The category of a bookmark in folders with these names, outermost first. A path that is too long loses its outer
    /// folders.
    static func category(_ names: some BidirectionalCollection<String>) -> String? {
        var path: String?
        for name in names.reversed() {
            guard let inner = path else {
                path = name
                continue
            }
            let longer = name + separator + inner
            guard longer.unicodeScalars.count <= ArticleRules.maximumCategoryLength else { break }
            path = longer
        }
        return path
    }
}
