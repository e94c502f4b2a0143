import Foundation
import GitHub

/// One repository of a list.
struct RepositoryRow: Pictured, Hashable, Sendable {
    /// A detail older than this is asked for again when its row is on a screen, in seconds.
    private static let week: TimeInterval = 604_800

    let key: String
    let name: RepositoryName
    let item: RepositoryItem?
    let avatar: String?
    let isBookmarked: Bool
    let isGone: Bool
    let isWanted: Bool
    let rowQuery, rowPath: String
    let rowSelectBox, rowExtras: RenderedView?

    /// - Parameters:
    ///   - avatar: Roost's own address of the owner's picture; nil: initials stand for it
    ///   - isBookmarked: it is among the reader's bookmarks
    ///   - now: nil for a list whose details are looked after elsewhere
    ///   - query: of the list, with its "?"; goes into the link
    init(
        _ item: RepositoryItem, avatar: String?, isBookmarked: Bool, now: Date? = nil, query: String = ""
    ) {
        let name = RepositoryName(item.fullName)
        self.init(
            key: item.key, name: name, item: item, avatar: avatar, isBookmarked: isBookmarked,
            isWanted: now.map { Self.isWanted(item, $0) } ?? false, query: query)
    }

    /// - Parameters:
    ///   - item: nil where nothing is known of it
    ///   - isGone: GitHub has it no longer
    ///   - selectBox: the box before the picture that selects the row, of a list whose rows are selected
    ///   - extras: what another feature shows under the facts
    init(
        key: String, name: RepositoryName?, item: RepositoryItem?, avatar: String?, isBookmarked: Bool,
        isGone: Bool = false, isWanted: Bool = false, query: String, selectBox: RenderedView? = nil,
        extras: RenderedView? = nil
    ) {
        self.key = key
        // A repository's full name is always one: it was checked when it was made.
        self.name = name ?? RepositoryName.nameless
        self.item = item
        self.avatar = avatar
        self.isBookmarked = isBookmarked
        self.isGone = isGone
        self.isWanted = isWanted
        rowQuery = query
        rowPath = self.name.description
        (rowSelectBox, rowExtras) = (selectBox, extras)
    }

    private static func isWanted(_ item: RepositoryItem, _ now: Date) -> Bool {
        guard item.detail != nil, let fetchedAt = item.fetchedAt else { return true }
        return now.timeIntervalSince(fetchedAt) > week
    }

    var rowKey: String { key }
    var rowOwner: String { self.name.owner }
    var rowName: String { self.name.name }
    var initials: String { Initials(self.name.owner, limit: 1).text }
    var tone: Int { Tone.of(self.name.owner) }
    var wantedId: RepositoryID? { isWanted ? item?.id : nil }
    var isRowBookmarked: Bool { isBookmarked }

    var isRowFork: Bool { item?.repository.fork == true }
    var isRowArchived: Bool { item?.detail?.archived == true }
    var isRowPrivate: Bool { item?.repository.isPrivate == true }
    var rowKind: String? { (item?.repository.owner.type).map { $0 == .organization ? "Org" : "User" } }
    var rowAbout: String? { item?.about }
    var rowStars: String? { item?.detail.map { NumberText.grouped($0.stars) } }
    var rowLanguage: String? { item?.detail.map { $0.language ?? "" } }
}

extension Owner.Kind {
    /// The word for readers.
    var word: String { self == .user ? "User" : "Organization" }
}

extension RepositoryName {
    fileprivate static var nameless: RepositoryName {
        guard let name = RepositoryName(owner: "unknown", name: "unknown") else { preconditionFailure() }
        return name
    }
}
