import Foundation
package import RoostSupport

extension ReadingService {
    /// Undoes a change to articles, highlights or gists. Throws `RoostError.notFound`.
    package func undo(_ id: UndoID, by user: UserID) async throws {
        try await database.write { [now = clock.nowInMilliseconds] writes in
            guard let steps: [ReadingUndoStep] = try writes.takeUndo(id, by: user) else {
                throw RoostError.undoExpired
            }
            for article in try writes.articles(deletedIn: id, of: user) {
                try Self.restore(article, of: user, at: now, in: writes)
            }
            for step in steps { try Self.revert(step, of: user, at: now, in: writes) }
            writes.publish(Topic.reading(user))
        }
        queue.wake()
    }

    private static func restore(
        _ deleted: DeletedArticle, of user: UserID, at now: Date, in writes: Writes
    ) throws {
        let addresses =
            [deleted.normalizedURL]
            + [deleted.url, deleted.finalURL].compactMap { address in
                address.flatMap { try? ArticleAddress($0).normalized }
            }
        // If the page was saved again in the meantime, both are merged.
        let other = try addresses.lazy.compactMap { try writes.articleID(at: $0, of: user) }.first
        let isDuplicate = try other.map { try writes.article($0, of: user) != nil } ?? false
        try writes.restoreArticle(deleted.id, isDuplicate: isDuplicate)
        if let other { return try writes.mergeArticle(deleted.id, into: other, of: user, at: now) }
        for address in addresses { try writes.registerAddress(address, as: deleted.id, of: user) }
        if deleted.isWaiting { try writes.enqueueArticle(deleted.id, by: user, url: deleted.url, at: now) }
    }

    private static func revert(
        _ step: ReadingUndoStep, of user: UserID, at now: Date, in writes: Writes
    ) throws {
        if let edited = step.article, let item = try writes.article(edited.id, of: user) {
            try writes.restoreArticle(item, from: edited, at: now)
        }
        // The article may have been merged in the meantime.
        if let highlight = step.highlight,
            let article = try writes.article(highlight.articleId, of: user)?.id
        {
            try writes.insertHighlight(highlight.placed(in: article), by: user)
            if article != highlight.articleId { try writes.relocateHighlights(of: article) }
        }
        if let gist = step.gist {
            let article = try gist.articleId.flatMap { try writes.article($0, of: gist.owner)?.id }
            let hasOtherGist = try article.map { try writes.gist(of: $0) != nil } ?? false
            try writes.restoreGist(gist, of: hasOtherGist ? nil : article, at: now)
        }
        if let choice = step.newText { try revert(choice, of: user, at: now, in: writes) }
    }

    private static func revert(
        _ choice: ReadingUndoStep.NewTextChoice, of user: UserID, at now: Date, in writes: Writes
    ) throws {
        guard let id = try writes.article(choice.article, of: user)?.id,
            let current = try writes.articleVersion(of: id)
        else { return }
        if choice.isUsed {
            try writes.replaceText(of: id, with: choice.version, of: user, at: now)
            try writes.setNewText(current, choice.reason, of: id)
        } else {
            try writes.setNewText(choice.version, choice.reason, of: id)
            try writes.touchArticle(id, at: now)
        }
    }
}
