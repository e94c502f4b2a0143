import Foundation

@testable import GitHub
@testable import GitHubWeb

/// Realistic bookmarks with long and hostile text, which together use every property.
extension Bookmark {
    static let samples: [Bookmark] = [
        sample(
            1, "apple/swift-nio", stars: 8_310, "Swift", tags: ["server", "swift"], changes: [.stars(1_204)]),
        sample(
            2, "groue/GRDB.swift", stars: 8_201, "Swift", tags: ["database"],
            note: "WAL mode works here.\nSee <the> issue on snapshots & pools.",
            changes: [.renamed(from: "groue/GRDB"), .stars(-3)]),
        sample(3, "an-owner/left-alone", stars: 41, nil, state: .gone, changes: [.gone]),
        sample(
            4, "an-organisation-with-a-long-name/a-repository-with-an-even-longer-name", stars: 120_004,
            "Jupyter Notebook",
            tags: ["später", "<b>bold</b>", "a-tag-that-is-forty-characters-long-indeed"],
            changes: [.archived, .stars(1)]),
        named(5, "somebody/not-looked-up-yet"),
    ].compactMap(\.self)

    private static func sample(
        _ id: Int64, _ fullName: String, stars: Int, _ language: String?, state: State = .present,
        tags: [String] = [], note: String = "", changes: [BookmarkChange] = []
    ) -> Bookmark? {
        guard let name = RepositoryName(fullName),
            let owner = try? Owner(login: name.owner, type: .organization),
            let repository = try? Repository(
                id: id * 1_000, nodeId: "R_\(id)", name: name.name, fullName: fullName, owner: owner,
                description: "What “\(name.name)” is <good> for", fork: id == 3,
                htmlURL: "https://github.com/\(fullName)")
        else { return nil }
        let detail = RepositoryDetail(
            stars: stars, forks: stars / 9, openIssues: 12, language: language, licence: "MIT",
            topics: ["networking"], archived: changes.contains(.archived), defaultBranch: "main",
            pushedAt: .sample - 86_400, createdAt: .sample - 86_400 * 900, now: .sample)
        return Bookmark(
            id: id, name: name,
            item: RepositoryItem(repository: repository, detail: detail, fetchedAt: .sample - 7_200),
            state: state, tags: tags, note: note, addedAt: .sample - Double(id) * 86_400,
            checkedAt: .sample - 7_200, changes: changes)
    }

    private static func named(_ id: Int64, _ fullName: String) -> Bookmark? {
        RepositoryName(fullName).map {
            Bookmark(id: id, name: $0, item: nil, state: .unresolved, addedAt: .sample - Double(id) * 86_400)
        }
    }
}

extension BookmarkListing {
    static let sample: BookmarkListing = {
        var listing = BookmarkListing(now: .sample)
        listing.groups = [RepositoryGroup(id: "all", title: "", items: Bookmark.samples)]
        listing.index = [(id: "all", title: "", count: Bookmark.samples.count)]
        (listing.total, listing.matching, listing.changed) = (231, 231, 4)
        listing.hasMorePages = true
        listing.tags = [("swift", 12), ("später", 3), ("<b>bold</b>", 1)]
        listing.stars = .running(1_230)
        return listing
    }()
}

extension BookmarkSelectBox {
    static let sample = BookmarkSelectBox(Bookmark.samples[0], rowPath: Bookmark.samples[0].fullName)
}

extension BookmarkFields {
    static let sample = BookmarkFields(Bookmark.samples[0], rowPath: Bookmark.samples[0].fullName)
}

extension RepositoryGroupsView {
    static let bookmarkSample = RepositoryGroupsView(
        groups: [
            Group(
                id: "all", title: "", count: Bookmark.samples.count,
                rows: Bookmark.samples.map { RepositoryRow($0, avatar: nil, query: "?in=bookmarks") })
        ], isGrouped: false)
}

extension BookmarkBoardView {
    static let sample = BookmarkBoardView(.sample, query: BookmarksQuery(), groups: .bookmarkSample)
}

extension BookmarksView {
    static let sample = BookmarksView(
        layout: .sample, board: .sample, query: BookmarksQuery(), choices: RepositoryListPreferences(),
        total: 231,
        web: "https://github.com")
}
