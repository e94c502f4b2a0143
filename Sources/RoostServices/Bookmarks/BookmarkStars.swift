import Foundation
import Synchronization

/// How everybody's import of GitHub's stars stands.
final class BookmarkStars: Sendable {
    private struct Kept {
        var state = BookmarkService.StarImport.idle
        var undo: BookmarkService.UndoID?
        /// Tells an import from one that began after the user was forgotten.
        var run = 0
        var isWaiting = false
    }

    private struct State {
        var kept: [UserID: Kept] = [:]
        var runs = 0
    }

    private let state = Mutex(State())

    func state(of user: UserID) -> BookmarkService.StarImport {
        state.withLock { $0.kept[user]?.state ?? .idle }
    }

    func undo(of user: UserID) -> BookmarkService.UndoID? { state.withLock { $0.kept[user]?.undo } }

    /// False when one runs already.
    func begin(_ user: UserID) -> Bool {
        state.withLock { state in
            if case .running? = state.kept[user]?.state { return false }
            state.runs += 1
            state.kept[user] = Kept(state: .running(0), run: state.runs, isWaiting: true)
            return true
        }
    }

    /// The imports that nobody works on yet.
    func takeWaiting() -> [(user: UserID, run: Int)] {
        state.withLock { state in
            let waiting = state.kept.filter(\.value.isWaiting).map { ($0.key, $0.value.run) }
            for (user, _) in waiting { state.kept[user]?.isWaiting = false }
            return waiting.sorted { $0.1 < $1.1 }
        }
    }

    /// False when it is no longer wanted.
    @discardableResult
    func set(
        _ new: BookmarkService.StarImport, _ run: Int, of user: UserID, undo: BookmarkService.UndoID? = nil
    )
        -> Bool
    {
        state.withLock { state in
            guard state.kept[user]?.run == run else { return false }
            state.kept[user]?.state = new
            state.kept[user]?.undo = undo
            return true
        }
    }

    func forget(_ user: UserID) { state.withLock { $0.kept[user] = nil } }
}
