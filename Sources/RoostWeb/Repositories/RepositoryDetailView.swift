import Foundation
package import RoostServices

/// `/repositories/OWNER/NAME/detail`: all of one repository that keeps itself up to date.
package struct RepositoryDetailView: TemplateView {
    package static let template = "repositories/detail"
    /// The place for it while none is chosen.
    package static let none = RepositoryDetailView(view: nil)

    private let view: RepositoryView?
    private let isKept: Bool
    private let origin: RepositoryOrigin
    private let gitHub, assets: String
    private let avatar: String?
    private let freshness, trouble: Part?
    private let facts: RepositoryFactsView?
    private let readme: ReadmeView

    /// - Parameters:
    ///   - gitHub: its page there, also where GitHub knows none
    ///   - picture: Roost's own address of a picture; nil until it is here
    package init(
        _ view: RepositoryView, isKept: Bool, origin: RepositoryOrigin, gitHub: String, assets: String,
        picture: (String) -> String?
    ) {
        self.view = view
        self.isKept = isKept
        self.origin = origin
        self.gitHub = gitHub
        self.assets = assets
        avatar = view.item?.repository.owner.avatarURL.flatMap(picture)
        freshness = FreshnessView(view).map(Part.init)
        trouble = view.error.map {
            Part(
                RepositoryTrouble(
                    $0, retry: "/repositories/\(view.name)/refresh", keepsRest: view.item != nil,
                    isTrying: view.loading.isLoading))
        }
        facts = view.item?.detail.map { RepositoryFactsView($0, now: view.now) }
        readme = ReadmeView(view, gitHub: gitHub, picture: picture)
    }

    private init(view: RepositoryView?) {
        self.view = view
        isKept = false
        origin = .browse(RepositoriesQuery())
        (gitHub, assets) = ("", "")
        (avatar, freshness, trouble, facts) = (nil, nil, nil, nil)
        readme = ReadmeView()
    }

    /// "owner/name", as GitHub writes it; nil where none is chosen.
    package var name: String? { view.map { $0.item?.fullName ?? $0.name.description } }

    /// Where this part of a page is fetched from.
    package var address: String {
        view.map { "/repositories/\($0.name)/detail\(origin.suffix)" } ?? "/repositories/detail"
    }

    /// Path and query of the page, for acts to come back to.
    package var back: String { view.map { "/repositories/\($0.name)\(origin.suffix)" } ?? "/repositories" }

    /// While it is on its way, a reader without scripts has the page loaded again.
    package var isLoading: Bool {
        guard let view else { return false }
        return view.loading.isLoading || view.readmeLoading.isLoading
    }

    /// The same number, the same facts and words, but for ages.
    package var fingerprint: Int {
        var hasher = Hasher()
        hasher.combine(view?.name)
        hasher.combine(view?.item)
        hasher.combine(view?.isGone)
        hasher.combine(view?.loading.isLoading)
        hasher.combine(view?.error.map { "\($0)" })
        hasher.combine(view?.nextTryAt)
        hasher.combine(view?.budget)
        hasher.combine(isKept)
        hasher.combine(origin)
        hasher.combine(avatar)
        hasher.combine(readme.fingerprint)
        return hasher.finalize()
    }

    package func field(_ name: String) -> Any? {
        guard let view else { return nil }
        return switch name {
        case "hasRepository": true
        case "freshness": freshness
        case "repositoryTrouble": trouble
        case "budget": view.budget.map { RepositoryTrouble.words($0) }
        case "budgetReset": view.budget.map { AgeText.iso($0.resetAt) }
        case "budgetResetClock": view.budget.map { AgeText.clock($0.resetAt) }
        case "back": back
        case "listAddress": origin.listAddress
        case "isFromBookmarks": if case .bookmarks = origin { true } else { false }
        case "gitHubAddress": gitHub
        case "assets": assets
        case "avatar": avatar
        case "initials": Initials(view.name.owner, limit: 1).text
        case "isRepositoryGone": view.isGone
        case "isRowKept": isKept
        default: named(name, view) ?? readme.field(name) ?? facts?.field(name)
        }
    }

    private func named(_ name: String, _ view: RepositoryView) -> Any? {
        let repository = view.item?.repository
        let known = repository.flatMap { RepositoryName($0.fullName) } ?? view.name
        switch name {
        case "rowPath": return known.description
        case "rowOwner": return known.owner
        case "rowName": return known.name
        case "rowKind": return repository?.owner.type.word
        case "rowAbout": return repository?.description
        case "isRowFork": return repository?.fork == true
        case "isRowPrivate": return repository?.isPrivate == true
        case "hasFacts": return facts != nil
        default: return nil
        }
    }
}

extension FreshnessView {
    /// Older than this a newer detail is asked for, in seconds.
    private static let hour: TimeInterval = 3_600

    /// Nil where GitHub has nothing that could be fresh.
    fileprivate init?(_ view: RepositoryView) {
        let updatedAt = view.item?.fetchedAt
        guard !view.isGone || updatedAt != nil else { return nil }
        let isOld = updatedAt.map { ModelTime.isOver($0, lifetime: Self.hour, now: view.now) } ?? false
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
