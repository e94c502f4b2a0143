import Foundation

/// What is learned of repositories, wherever it comes from, is known everywhere at once.
extension RepositoryService {
    /// Keeps what an answer says, and tells of it. Answers what the asker may see: without an account of his
    /// own nothing private.
    ///
    /// - Parameter etag: of an answer that says this alone
    @discardableResult
    func learn(
        _ found: [FetchedRepository], by lane: RepositoryRequestQueue, etag: String? = nil
    ) async throws -> [RepositoryItem] {
        let viewer = lane.viewer
        let seen = found.filter { !$0.repository.isPrivate || viewer != nil }
        let hidden = Set(found.filter(\.repository.isPrivate).map(\.repository.id))
        let (items, news, topics) = try await learning.take {
            let now = clock.now()
            let olds = try await records(seen.map(\.repository.id), for: viewer)
            var kept: [RepositoryRecord] = []
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
            return (items, news, try await store.put(kept, forget: gone, at: now))
        }
        if !hidden.isEmpty { hideFromLists(hidden) }
        publisher.publish(topics + self.topics(of: news, viewer))
        return items
    }

    private func hideFromLists(_ ids: Set<RepositoryID>) {
        state.withLock { state in
            state.pages.remove(ids)
            state.searches.remove(ids)
        }
    }

    private func topics(of news: [RepositoryItem], _ viewer: UserID?) -> [String] {
        var topics: [String] = []
        if news.contains(where: { !$0.repository.isPrivate }) { topics.append(Topic.repositories) }
        if let viewer, news.contains(where: \.repository.isPrivate) {
            topics.append(Topic.repositories(viewer))
        }
        return topics
    }
}
