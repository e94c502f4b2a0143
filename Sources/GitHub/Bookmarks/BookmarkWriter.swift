import Foundation
import Logging
import RoostSupport

/// Changes users' bookmarks in transactions, and tells who shows or refreshes them.
struct BookmarkWriter: Sendable {
    let store: BookmarkStore
    /// When changes that were made since the program started can no longer be taken back.
    let undoEnds: SteadyEnds<BookmarkService.UndoID>
    let schedule: BookmarkRefreshSchedule
    let feed: ChangeFeed
    let log: Logger

    /// Works on a user's bookmarks, and publishes what pages now show differently. Returns after the commit; errors come
    /// in words.
    func change<Value: Sendable>(
        of user: UserID, _ change: @escaping @Sendable (BookmarkTransaction) throws -> Value
    ) async throws -> (value: Value, diffs: [BookmarkDiff], undo: BookmarkService.UndoID?) {
        do {
            let done = try await store.change(of: user, change)
            if let undo = done.undo { undoEnds.note(undo, lasting: BookmarkUndo.lifetime) }
            if done.changes.contains(where: \.isDueSooner) { schedule.request(user) }
            for user in done.changedUsers.sorted() { publish(user) }
            return (done.value, done.changes, done.undo)
        } catch let error as RoostError {
            throw error
        } catch let error as CancellationError {
            throw error
        } catch {
            log.error("Bookmarks could not be saved", metadata: ["error": "\(error)"])
            throw RoostError(storage: error)
                ?? .unavailable("Couldn’t save. Please try again.")
        }
    }

    func publish(_ user: UserID) { feed.publish(Topic.bookmarks(user)) }
}
