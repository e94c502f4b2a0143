package import Foundation
package import RoostServices

/// One repository of a list.
package struct RepositoryRow: TemplateView, Equatable {
    package static let template = "repositories/row"
    package static var sample: RepositoryRow {
        RepositoryRow(RepositoryItem.samples[0], avatar: nil, isKept: true, assets: LayoutView.sample.assets)
    }
    /// Stands in a row's text where the list's query belongs: rows outlive the pages that they stand on.
    static let queryMark = "\u{E000}"
    /// A detail older than this is asked for again when its row is on a screen, in seconds.
    private static let week: TimeInterval = 604_800

    package let key: String
    package let name: RepositoryName
    package let item: RepositoryItem?
    package let avatar: String?
    package let isKept: Bool
    package let bookmark: Bookmark?
    package let isWanted: Bool
    package let assets: String

    /// - Parameters:
    ///   - avatar: Roost's own address of the owner's picture; nil: initials stand for it
    ///   - isKept: it is among the reader's bookmarks
    ///   - now: nil for a list whose details are looked after elsewhere
    ///   - assets: as in `LayoutView`
    package init(
        _ item: RepositoryItem, avatar: String?, isKept: Bool, now: Date? = nil, assets: String
    ) {
        let name = RepositoryName(item.fullName)
        self.init(
            key: item.key, name: name, item: item, avatar: avatar, isKept: isKept, bookmark: nil,
            isWanted: now.map { Self.isWanted(item, $0) } ?? false, assets: assets)
    }

    /// A bookmark's row, with what its owner wrote beside it.
    package init(_ bookmark: Bookmark, avatar: String?, assets: String) {
        self.init(
            key: bookmark.key, name: bookmark.item.flatMap { RepositoryName($0.fullName) } ?? bookmark.name,
            item: bookmark.item, avatar: avatar, isKept: true, bookmark: bookmark, isWanted: false,
            assets: assets)
    }

    private init(
        key: String, name: RepositoryName?, item: RepositoryItem?, avatar: String?, isKept: Bool,
        bookmark: Bookmark?, isWanted: Bool, assets: String
    ) {
        self.key = key
        // A repository's full name is always one: it was checked when it was made.
        self.name = name ?? RepositoryName.nameless
        self.item = item
        self.avatar = avatar
        self.isKept = isKept
        self.bookmark = bookmark
        self.isWanted = isWanted
        self.assets = assets
    }

    private static func isWanted(_ item: RepositoryItem, _ now: Date) -> Bool {
        guard item.detail != nil, let fetchedAt = item.fetchedAt else { return true }
        return now.timeIntervalSince(fetchedAt) > week
    }

    package func field(_ name: String) -> Any? {
        switch name {
        case "rowKey": key
        case "rowPath": self.name.description
        case "rowOwner": self.name.owner
        case "rowName": self.name.name
        case "rowQuery": Self.queryMark
        case "rowGitHub": item?.repository.htmlURL
        case "avatar": avatar
        case "initials": Initials(self.name.owner, limit: 1).text
        case "assets": assets
        case "wantedId": isWanted ? item?.id : nil
        case "isRowKept": isKept
        case "isRowOver": bookmark?.state == .gone
        case "rowBookmark": bookmark.map { Part(BookmarkFields($0)) }
        default: fact(name)
        }
    }

    private func fact(_ name: String) -> Any? {
        switch name {
        case "isRowFork": item?.repository.fork == true
        case "isRowArchived": item?.detail?.archived == true
        case "isRowPrivate": item?.repository.isPrivate == true
        case "rowKind": item?.repository.owner.type.word
        case "rowKindShort": item?.repository.owner.type == .organization ? "Org" : "User"
        case "rowAbout": item?.about
        case "rowStars": item?.detail.map { Figure.grouped($0.stars) }
        case "rowLanguage": item?.detail.map { $0.language ?? "" }
        default: nil
        }
    }
}

extension Owner.Kind {
    /// The word for readers.
    package var word: String { self == .user ? "User" : "Organization" }
}

extension RepositoryName {
    fileprivate static var nameless: RepositoryName {
        guard let name = RepositoryName(owner: "unknown", name: "unknown") else { preconditionFailure() }
        return name
    }
}
