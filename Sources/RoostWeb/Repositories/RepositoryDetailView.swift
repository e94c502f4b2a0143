import Foundation
import GitHub
import RoostSupport
import TextFormats

/// `/repositories/OWNER/NAME/detail`: all of one repository that keeps itself up to date.
struct RepositoryDetailView: Pictured, Sendable {
    /// The place for it while none is chosen.
    static let none = RepositoryDetailView(view: nil)

    private let view: RepositoryView?
    /// Of what is known of it, or else of what was asked for.
    private let shownName: RepositoryName?
    private let isBookmarked: Bool
    private let origin: RepositoryReferrer
    private let gitHub: String
    let avatar: String?
    let freshness: FreshnessView?
    let repositoryTrouble: RepositoryErrorPanel?
    let facts: RepositoryFactsView?
    let readme: ReadmeView

    /// - Parameters:
    ///   - gitHub: its page there, also where GitHub knows none
    ///   - picture: Roost's own address of a picture; nil until it is here
    init(
        _ view: RepositoryView, isBookmarked: Bool, origin: RepositoryReferrer, gitHub: String,
        picture: (String) -> String?
    ) {
        self.view = view
        shownName = view.item.flatMap { RepositoryName($0.repository.fullName) } ?? view.name
        self.isBookmarked = isBookmarked
        self.origin = origin
        self.gitHub = gitHub
        avatar = view.item?.repository.owner.avatarURL.flatMap(picture)
        freshness = FreshnessView(view)
        repositoryTrouble = view.error.map {
            RepositoryErrorPanel(
                $0, retry: "/repositories/\(view.name)/refresh", keepsContent: view.item != nil,
                isTrying: view.loading.isLoading, back: Self.back(view, origin))
        }
        facts = view.item?.detail.map { RepositoryFactsView($0, now: view.now) }
        readme = ReadmeView(view, back: Self.back(view, origin), picture: picture)
    }

    private init(view: RepositoryView?) {
        self.view = view
        shownName = nil
        isBookmarked = false
        origin = .elsewhere
        gitHub = ""
        (avatar, freshness, repositoryTrouble, facts) = (nil, nil, nil, nil)
        readme = ReadmeView()
    }

    /// "owner/name", as GitHub writes it; nil where none is chosen.
    var name: String? { view.map { $0.item?.fullName ?? $0.name.description } }

    /// Where this part of a page is fetched from.
    var address: String {
        view.map { "/repositories/\($0.name)/detail\(origin.suffix)" } ?? "/repositories/detail"
    }

    /// Path and query of the page, for acts to come back to.
    var back: String { view.map { Self.back($0, origin) } ?? "/repositories" }

    private static func back(_ view: RepositoryView, _ origin: RepositoryReferrer) -> String {
        "/repositories/\(view.name)\(origin.suffix)"
    }

    /// While it is on its way, a reader without scripts has the page loaded again.
    var isLoading: Bool {
        guard let view else { return false }
        return view.loading.isLoading || view.readmeLoading.isLoading
    }

    /// The same number, the same facts and words, but for ages.
    var fingerprint: Int {
        var hasher = Hasher()
        hasher.combine(view?.name)
        hasher.combine(view?.item)
        hasher.combine(view?.isGone)
        hasher.combine(view?.loading.isLoading)
        hasher.combine(view?.error.map { "\($0)" })
        hasher.combine(view?.nextTryAt)
        hasher.combine(view?.budget)
        hasher.combine(isBookmarked)
        hasher.combine(origin)
        hasher.combine(avatar)
        hasher.combine(readme.fingerprint)
        return hasher.finalize()
    }

    var hasRepository: Bool { view != nil }
    var budget: String? { view?.budget.map { RepositoryErrorPanel.words($0) } }
    var budgetReset: String? { view?.budget.map { ISO8601.seconds($0.resetAt) } }
    var budgetResetClock: String? { view?.budget.map { RelativeTime.clock($0.resetAt) } }
    var listAddress: String { origin.listAddress }
    var isFromBookmarks: Bool { if case .bookmarks = origin { true } else { false } }
    var gitHubAddress: String { gitHub }
    var shareAddress: String { ShareAddress.of(gitHub) }
    var initials: String { Initials(view?.name.owner ?? "", limit: 1).text }
    var tone: Int { Tone.of(view?.name.owner ?? "") }
    var isRepositoryGone: Bool { view?.isGone == true }
    var isRowBookmarked: Bool { isBookmarked }

    var rowPath: String? { shownName?.description }
    var rowOwner: String? { shownName?.owner }
    var rowName: String? { shownName?.name }
    var rowKind: String? { repository?.owner.type.word }
    var rowAbout: String? { repository?.description }
    var isRowFork: Bool { repository?.fork == true }
    var isRowArchived: Bool { view?.item?.detail?.archived == true }
    var isRowPrivate: Bool { repository?.isPrivate == true }
    var parentPath: String? { view?.item?.detail?.parent }

    private var repository: Repository? { view?.item?.repository }
}

extension FreshnessView {
    /// Older than this a newer detail is asked for, in seconds.
    private static let hour: TimeInterval = 3_600

    /// Nil where GitHub has nothing that could be fresh.
    fileprivate init?(_ view: RepositoryView) {
        let updatedAt = view.item?.fetchedAt
        guard !view.isGone || updatedAt != nil else { return nil }
        let isOld = updatedAt.map { ClockSkew.isOver($0, lifetime: Self.hour, now: view.now) } ?? false
        let state: State =
            if view.error != nil || isOld || view.isGone { .stale } else if updatedAt != nil { .live } else {
                .loading
            }
        self.init(
            state: state, updatedAt: updatedAt, nextAt: view.error == nil ? nil : view.nextTryAt,
            staleAt: state == .live ? updatedAt.map { $0 + Self.hour } : nil,
            reason: view.error == nil && view.loading.isLoading ? "A newer one is on its way." : nil,
            source: "GitHub", now: view.now)
    }
}
