import Foundation

/// What is learned of repositories, wherever it comes from, is known everywhere at once.
extension RepositoryService {
    /// Keeps what an answer says, and tells of it. Answers what the asker may see: without an account of his
    /// own nothing private.
    ///
    /// - Parameter etag: of an answer that says this alone
    @discardableResult
    func learn(
        _ found: [RepositoryFound], by lane: RepositoryLane, etag: String? = nil
    ) async throws -> [RepositoryItem] {
        let viewer = lane.viewer
        let seen = found.filter { !$0.repository.isPrivate || viewer != nil }
        let hidden = Set(found.filter(\.repository.isPrivate).map(\.repository.id))
        let (items, news) = try await learning.take {
            let now = clock.now()
            let olds = try await shelf.items(seen.map(\.repository.id), for: viewer, at: now)
            var kept: [RepositoryStore.Kept] = []
            var gone = Set(hidden.map { RepositoryKey(id: $0, viewer: nil) })
            var items: [RepositoryItem] = []
            var news: [RepositoryItem] = []
            for one in seen {
                let old = olds[one.repository.id]
                let item = one.item(after: old?.item, at: now)
                items.append(item)
                guard one.detail != nil else { continue }
                let isPrivate = item.repository.isPrivate
                let isSame = old?.item.repository == item.repository && old?.item.detail == item.detail
                kept.append(
                    .init(
                        item: item, etag: etag ?? (isSame ? old?.etag : nil),
                        viewer: isPrivate ? viewer : nil, usedAt: now))
                // Public by now: what the viewer's account alone saw of it is no more than that.
                if !isPrivate, let viewer { gone.insert(RepositoryKey(id: item.id, viewer: viewer)) }
                if !isSame { news.append(item) }
            }
            try await shelf.put(kept, forget: gone)
            return (items, news)
        }
        if !hidden.isEmpty { hideFromLists(hidden) }
        tell(items.filter { $0.detail != nil }, news: news, viewer)
        return items
    }

    private func hideFromLists(_ ids: Set<RepositoryID>) {
        state.withLock { state in
            state.pages.remove(ids)
            state.searches.remove(ids)
        }
    }

    private func tell(_ items: [RepositoryItem], news: [RepositoryItem], _ viewer: UserID?) {
        let listener = state.withLock { $0.listener }
        let shared = items.filter { !$0.repository.isPrivate }
        let own = items.filter(\.repository.isPrivate)
        if !shared.isEmpty { listener?(News(items: shared, owner: nil)) }
        if let viewer, !own.isEmpty { listener?(News(items: own, owner: viewer)) }
        var topics: [String] = []
        if news.contains(where: { !$0.repository.isPrivate }) { topics.append(Topic.repositories) }
        if let viewer, news.contains(where: \.repository.isPrivate) {
            topics.append(Topic.repositories(viewer))
        }
        teller.tell(topics)
    }
}
