/// What wrote a file of articles.
package enum ArticleImportFormat: String, CaseIterable, Sendable {
    case roost, pocket, instapaper, omnivore, wallabag, netscape, other

    /// As pages name it.
    package var name: String {
        switch self {
        case .roost: "Roost"
        case .pocket: "Pocket"
        case .instapaper: "Instapaper"
        case .omnivore: "Omnivore"
        case .wallabag: "wallabag"
        case .netscape: "Bookmarks (Netscape HTML)"
        case .other: "Another program"
        }
    }
}
