import Foundation
import GitHub
import RoostWeb

struct RepositoryRow: Pictured, Hashable, Sendable {
    /// In seconds. Older details are fetched again when the row is visible.
    private static let week: TimeInterval = 604_800

    let key: String
    let name: RepositoryName
    let item: RepositoryItem?
    let avatar: String?
    let isBookmarked: Bool
    let isMissing: Bool
    let needsDetail: Bool
    let rowQuery, rowPath: String
    let rowSelectBox, rowExtras: RenderedView?

    /// - Parameters:
    ///   - avatar: Roost's own address of the owner's picture; nil shows initials
    ///   - now: nil if the list refreshes details by other means
    ///   - query: of the list, with its "?"; goes into the link
    init(
        _ item: RepositoryItem, avatar: String?, isBookmarked: Bool, now: Date? = nil, query: String = ""
    ) {
        let name = RepositoryName(item.fullName)
        self.init(
            key: item.key, name: name, item: item, avatar: avatar, isBookmarked: isBookmarked,
            needsDetail: now.map { Self.needsDetail(item, $0) } ?? false, query: query)
    }

    /// - Parameters:
    ///   - item: nil if not fetched yet
    ///   - selectBox: the checkbox in front of the picture, for lists with selection
    ///   - extras: content of another feature below the facts
    init(
        key: String, name: RepositoryName?, item: RepositoryItem?, avatar: String?, isBookmarked: Bool,
        isMissing: Bool = false, needsDetail: Bool = false, query: String, selectBox: RenderedView? = nil,
        extras: RenderedView? = nil
    ) {
        self.key = key
        // Full names are validated on creation, so a repository always has one.
        self.name = name ?? RepositoryName.nameless
        self.item = item
        self.avatar = avatar
        self.isBookmarked = isBookmarked
        self.isMissing = isMissing
        self.needsDetail = needsDetail
        rowQuery = query
        rowPath = self.name.description
        (rowSelectBox, rowExtras) = (selectBox, extras)
    }

    private static func needsDetail(_ item: RepositoryItem, _ now: Date) -> Bool {
        guard item.detail != nil, let fetchedAt = item.fetchedAt else { return true }
        return now.timeIntervalSince(fetchedAt) > week
    }

    var initials: String { Initials(self.name.owner, limit: 1).text }
    var tone: Int { Tone.of(self.name.owner) }
    var prefetchId: RepositoryID? { needsDetail ? item?.id : nil }

    var isRowFork: Bool { item?.repository.fork == true }
    var isRowArchived: Bool { item?.detail?.archived == true }
    var isRowPrivate: Bool { item?.repository.isPrivate == true }
    var rowKind: String? { (item?.repository.owner.type).map { $0 == .organization ? "Org" : "User" } }
    var rowAbout: String? { item?.about }
    var rowStars: String? { item?.detail.map { NumberText.grouped($0.stars) } }
    var rowLanguage: String? { item?.detail.map { $0.language ?? "" } }
}

extension Owner.Kind {
    var word: String { self == .user ? "User" : "Organization" }
}

extension RepositoryName {
    fileprivate static var nameless: RepositoryName {
        guard let name = RepositoryName(owner: "unknown", name: "unknown") else { preconditionFailure() }
        return name
    }
}
