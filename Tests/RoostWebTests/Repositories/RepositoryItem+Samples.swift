import Foundation

@testable import ArticleText
@testable import GitHub
@testable import GitHubWeb

/// Realistic repositories with long and hostile text, which together use every property.
extension RepositoryItem {
    static let samples: [RepositoryItem] = [
        sample(
            1, "apple/swift-nio", .organization, "Event-driven network application framework", stars: 8_021,
            language: "Swift"),
        sample(
            26, "wycats/merb-core", .user, "Merb Core: All you need. None you don’t.", stars: 408,
            language: "Ruby"
        ) { $0.archived = true },
        sample(27, "rubinius/rubinius", .organization, nil, fork: true, stars: 3_070, language: "C++"),
        sample(
            42, "an-organisation-with-a-long-name/a-repository-with-an-even-longer-name", .organization,
            "<b>Words</b> & \"signs\" that go on and on, past every edge that a calm page has to offer them",
            fork: true, stars: nil, language: nil),
        sample(48, "engineyard/eycap", .organization, "مستودع 日本語 🎉", stars: 12, language: nil),
    ].compactMap(\.self)

    private struct SampleOptions {
        var archived = false
    }

    private static func sample(
        _ id: RepositoryID, _ fullName: String, _ kind: Owner.Kind, _ about: String?, fork: Bool = false,
        stars: Int?, language: String?, _ fill: (inout SampleOptions) -> Void = { _ in }
    ) -> RepositoryItem? {
        let names = fullName.splitBytes(at: "/").map(String.init)
        var rest = SampleOptions()
        fill(&rest)
        guard let owner = try? Owner(login: names[0], type: kind),
            let repository = try? Repository(
                id: id, nodeId: "R_kgDO\(id)", name: names[1], fullName: fullName, owner: owner,
                description: about, fork: fork, htmlURL: "https://github.com/\(fullName)")
        else { return nil }
        let detail = stars.map {
            RepositoryDetail(
                stars: $0, forks: $0 / 9, openIssues: $0 / 70, language: language, licence: "Apache-2.0",
                topics: ["swift", "networking", "event-loop"], archived: rest.archived, defaultBranch: "main",
                pushedAt: .sample - 7_200, createdAt: .sample - 86_400 * 3_000,
                homepage: "https://example.org/docs", parent: fork ? "upstream/\(names[1])" : nil,
                now: .sample)
        }
        return RepositoryItem(
            repository: repository, detail: detail, fetchedAt: detail.map { _ in .sample - 600 })
    }
}

extension RepositoryGroupsView {
    /// `groups` throws only in a cancelled task.
    private static let grouped =
        (try? RepositoryArrangement(grouping: .language).groups(of: RepositoryItem.samples)) ?? []

    static let sample = RepositoryGroupsView(
        groups: grouped.map { group in
            Group(
                id: group.id, title: group.title, count: group.items.count, isCollapsed: false,
                rows: group.items.map {
                    RepositoryRow($0, avatar: nil, isBookmarked: $0.id == 27, now: .sample)
                })
        }, isGrouped: true)
}

extension RepositoriesBoardView {
    static let sample = RepositoriesBoardView(
        .sample, groups: .sample, query: RepositoriesQuery())
}

extension RepositoryListing {
    static let sample: RepositoryListing = {
        var listing = RepositoryListing(now: .sample)
        listing.items = RepositoryItem.samples
        listing.pages = 1
        listing.hasMorePages = true
        listing.next = 369
        listing.updatedAt = .sample - 40
        listing.loading = .loaded(.sample - 40)
        listing.refused = 2
        listing.budget = RateBudget(
            resource: "core", limit: 60, remaining: 43, resetAt: .sample + 1_800)
        return listing
    }()
}

extension RepositoryDetailView {
    static let sample = RepositoryDetailView(
        .sample, isBookmarked: true, origin: .browse(RepositoriesQuery()),
        gitHub: "https://github.com/apple/swift-nio"
    ) { $0.containsBytes("logo") ? "/pictures/0123abcd" : nil }
}

extension RepositoryView {
    static let sample: RepositoryView = {
        let item = RepositoryItem.samples[0]
        // The sample above has a valid name.
        guard let name = RepositoryName(item.fullName) else { preconditionFailure() }
        var view = RepositoryView(name: name, now: .sample)
        view.item = item
        view.loading = .loaded(.sample - 600)
        view.readme = Readme(
            parts: [
                .markup("<h3 id=\"readme-swiftnio\">SwiftNIO</h3><p>Event-driven, with "),
                .picture(.init(url: "https://example.org/logo.png", alt: "the logo", width: 120, height: 40)),
                .markup(" and "),
                .picture(.init(url: "https://example.org/badge.svg", alt: "build: <passing>")),
                .markup(".</p><pre><code>import NIOCore</code></pre>"),
            ], isCut: true)
        view.budget = RateBudget(resource: "core", limit: 60, remaining: 43, resetAt: .sample + 1_800)
        return view
    }()
}

extension RepositoriesView {
    static let sample = RepositoriesView(
        layout: .sample,
        list: .init(board: .sample, query: RepositoriesQuery(), choices: RepositoryListPreferences()),
        detail: .sample, bookmarks: 3, web: "https://github.com")
}
