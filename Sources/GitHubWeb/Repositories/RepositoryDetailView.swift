import Foundation
import GitHub
import RoostSupport
import RoostWeb
import TextFormats

/// `/repositories/OWNER/NAME/detail`: the live part of a repository's page.
struct RepositoryDetailView: Pictured, Sendable {
    /// The empty pane before a repository is chosen.
    static let none = RepositoryDetailView(view: nil)

    private let view: RepositoryView?
    /// The current name on GitHub if available, else the requested one.
    private let shownName: RepositoryName?
    let isBookmarked: Bool
    let origin: RepositoryReferrer
    let gitHub: String
    let avatar: String?
    let freshness: FreshnessView?
    let repositoryErrorPanel: RepositoryErrorPanel?
    let facts: RepositoryFactsView?
    let readme: ReadmeView

    /// - Parameters:
    ///   - gitHub: the repository's page on GitHub, set even if GitHub does not have it
    ///   - picture: returns Roost's own address of a picture, or nil until it has been fetched
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
        repositoryErrorPanel = view.error.map {
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
        (avatar, freshness, repositoryErrorPanel, facts) = (nil, nil, nil, nil)
        readme = ReadmeView()
    }

    /// "owner/name" in GitHub's spelling; nil if none is chosen.
    var name: String? { view.map { $0.item?.fullName ?? $0.name.description } }

    var address: String {
        view.map { "/repositories/\($0.name)/detail\(origin.suffix)" } ?? "/repositories/detail"
    }

    var back: String { view.map { Self.back($0, origin) } ?? "/repositories" }

    private static func back(_ view: RepositoryView, _ origin: RepositoryReferrer) -> String {
        "/repositories/\(view.name)\(origin.suffix)"
    }

    /// While true, browsers without scripts reload the page.
    var isLoading: Bool {
        guard let view else { return false }
        return view.loading.isLoading || view.readmeLoading.isLoading
    }

    /// Equal for equal content, ignoring ages.
    var fingerprint: Int {
        var hasher = Hasher()
        hasher.combine(view?.name)
        hasher.combine(view?.item)
        hasher.combine(view?.isMissing)
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
    var budget: String? { view?.budget.map { RepositoryErrorPanel.budgetText($0) } }
    var budgetReset: String? { view?.budget.map { ISO8601.seconds($0.resetAt) } }
    var budgetResetClock: String? { view?.budget.map { RelativeTime.clock($0.resetAt) } }
    var isFromBookmarks: Bool { if case .bookmarks = origin { true } else { false } }
    var shareAddress: String { ShareAddress.of(gitHub) }
    var initials: String { Initials(view?.name.owner ?? "", limit: 1).text }
    var tone: Int { Tone.of(view?.name.owner ?? "") }
    var isRepositoryMissing: Bool { view?.isMissing == true }

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
    /// In seconds. Older details are fetched again.
    private static let hour: TimeInterval = 3_600

    /// Returns nil if the repository is gone and was never fetched.
    fileprivate init?(_ view: RepositoryView) {
        let updatedAt = view.item?.fetchedAt
        guard !view.isMissing || updatedAt != nil else { return nil }
        let isOld = updatedAt.map { ClockSkew.isExpired($0, lifetime: Self.hour, now: view.now) } ?? false
        let state: State =
            if view.error != nil || isOld || view.isMissing {
                .stale
            } else if updatedAt != nil { .live } else { .loading }
        self.init(
            state: state, updatedAt: updatedAt, nextAt: view.error == nil ? nil : view.nextTryAt,
            staleAt: state == .live ? updatedAt.map { $0 + Self.hour } : nil,
            reason: view.error == nil && view.loading.isLoading ? "Refreshing." : nil,
            source: "GitHub", now: view.now)
    }
}
