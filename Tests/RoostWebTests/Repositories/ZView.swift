import Foundation
import RoostServices
import RoostWeb
import Testing

@Suite struct ZView {
    @Test func `write a preview`() throws {
        let templates = try Templates(directory: SiteFiles.templates)
        let url = URL(filePath: "/work/shared/recordings/github/list.json")
        _ = url
        let langs: [String?] = ["Swift", "Ruby", "C++", "Python", nil, "JavaScript", "Go", "Jupyter Notebook"]
        var items: [RepositoryItem] = []
        let base = RepositoryItem.samples
        for i in 0..<100 {
            var item = base[i % base.count]
            let r = item.repository
            let repo = try Repository(
                id: RepositoryID(i + 1), nodeId: "R_\(i)", name: "\(r.name)\(i)", fullName: "\(r.owner.login)/\(r.name)\(i)",
                owner: r.owner, description: r.description, fork: r.fork, htmlURL: r.htmlURL)
            item.repository = repo
            if var _ = item.detail {
                item.detail = RepositoryDetail(
                    stars: (i * 7919) % 43_000, forks: 3, openIssues: 4, language: langs[i % langs.count], archived: i % 17 == 0,
                    defaultBranch: "main", pushedAt: .distantPast, createdAt: .distantPast)
            }
            items.append(item)
        }
        var listing = RepositoryListing.sample
        listing.items = items
        let layout = LayoutView(
            assets: "/static", version: "v", cursor: "b.1", now: Date(), path: "/repositories", person: .sample,
            navigation: NavigationItem.all(current: "/repositories", counts: [:]))
        func rows(_ list: [RepositoryItem]) -> String {
            let cache = RepositoryRowCache()
            return cache.text(of: list.map { RepositoryRow($0, avatar: nil, isKept: $0.id % 9 == 0, now: listing.now, assets: "/static") }, query: "?pages=1") { templates.render($0) }
        }
        for grouped in [false, true] {
            var groups: [RepositoryGroupsView.Group] = []
            if grouped {
                let by = Dictionary(grouping: items) { $0.detail.map { $0.language ?? "No language" } ?? "Not known yet" }
                for (name, list) in by.sorted(by: { $0.value.count > $1.value.count }) {
                    groups.append(.init(id: "language-\(name.lowercased())", title: name, count: list.count, rendered: rows(list)))
                }
            } else {
                groups = [.init(id: "all", title: "", count: 100, rendered: rows(items))]
            }
            let text = templates.render(RepositoryGroupsView(groups: groups, isGrouped: grouped))
            let query = RepositoriesQuery()
            let board = RepositoriesBoardView(listing, rendered: text, shown: 100, query: query)
            let name = grouped ? "grouped" : "plain"
            try templates.render(RepositoriesView(layout: layout, list: .init(board: board, query: query, choices: .init()), bookmarks: 12))
                .write(toFile: "/tmp/roost/dview/\(name).html", atomically: true, encoding: .utf8)
            try templates.render(board).write(toFile: "/tmp/roost/dview/\(name)-rows.html", atomically: true, encoding: .utf8)
            if grouped {
                try templates.render(RepositoriesView(layout: layout, list: .init(board: board, query: query, choices: .init()), detail: .sample, bookmarks: 12))
                    .write(toFile: "/tmp/roost/dview/detail.html", atomically: true, encoding: .utf8)
            }
        }
        var loading = RepositoryListing(now: listing.now)
        loading.loading = .loading
        let q = RepositoriesQuery(carried: "trending=week")
        try templates.render(RepositoriesView(layout: layout, list: .init(board: .init(loading, rendered: "", shown: 0, query: q), query: q, choices: .init()), bookmarks: 0))
            .write(toFile: "/tmp/roost/dview/loading.html", atomically: true, encoding: .utf8)
        var failed = listing
        failed.error = .rateLimited(resetDate: Date() + 1_800)
        let groups = [RepositoryGroupsView.Group(id: "all", title: "", count: 3, rendered: rows(Array(items.prefix(3))))]
        let text = templates.render(RepositoryGroupsView(groups: groups, isGrouped: false))
        let q2 = RepositoriesQuery(carried: "q=tetris")
        failed.total = 88_000
        try templates.render(RepositoriesView(layout: layout, list: .init(board: .init(failed, rendered: text, shown: 3, query: q2), query: q2, choices: .init()), bookmarks: 0))
            .write(toFile: "/tmp/roost/dview/failed.html", atomically: true, encoding: .utf8)
        try templates.render(RepositoryDetailView.sample).write(toFile: "/tmp/roost/dview/detail-part.html", atomically: true, encoding: .utf8)
        try templates.render(RepositoryDetailView.none).write(toFile: "/tmp/roost/dview/detail-none.html", atomically: true, encoding: .utf8)
    }
}
