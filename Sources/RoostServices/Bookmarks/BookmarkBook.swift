import Foundation
import Logging
import Synchronization

/// Everybody's bookmarks: on disk, and in memory as far as somebody asks for them.
final class BookmarkBook: Sendable {
    /// What is always known of a user's bookmarks.
    struct Marks: Sendable {
        var ids: Set<RepositoryID> = []
        /// Those that GitHub has not confirmed.
        var names: Set<RepositoryName> = []
        var count = 0
        var changed = 0
    }

    private struct State {
        var marks: [UserID: Marks] = [:]
        var shelves: [UserID: BookmarkShelf] = [:]
        /// Who asked last comes last.
        var order: [UserID] = []
        /// Counts a user's changes: what was read before one is not kept after it.
        var changes: [UserID: Int] = [:]

        func isFull(_ mostShelves: Int, _ mostEntries: Int) -> Bool {
            order.count > mostShelves || order.reduce(0) { $0 + (marks[$1]?.count ?? 0) } > mostEntries
        }
    }

    /// Users whose bookmarks are in memory at the same time, and how many these may be together: about 150
    /// MB.
    private static let mostShelves = 50
    private static let mostEntries = 200_000

    let store: BookmarkStore
    private let log: Logger
    private let turns = KeyedTurns()
    private let state = Mutex(State())

    init(store: BookmarkStore, log: Logger) {
        self.store = store
        self.log = log
    }

    func load() async throws {
        var all: [UserID: Marks] = [:]
        for mark in try await store.marks() {
            all[mark.user, default: Marks()].count += 1
            if mark.isChanged { all[mark.user]?.changed += 1 }
            if let id = mark.repositoryID {
                all[mark.user]?.ids.insert(id)
            } else if let name = RepositoryName(mark.fullName) {
                all[mark.user]?.names.insert(name)
            }
        }
        state.withLock { [all] in $0.marks = all }
    }

    func forget(_ user: UserID) {
        state.withLock { state in
            state.marks[user] = nil
            state.shelves[user] = nil
            state.order.removeAll { $0 == user }
            state.changes[user, default: 0] += 1
        }
    }

    func marks(of user: UserID) -> Marks { state.withLock { $0.marks[user] ?? Marks() } }

    /// Of everybody.
    var ids: Set<RepositoryID> {
        state.withLock { $0.marks.values.reduce(into: []) { $0.formUnion($1.ids) } }
    }

    /// Who has bookmarked this repository, or names it.
    func users(of item: RepositoryItem) -> [UserID] {
        let name = RepositoryName(item.fullName)
        return state.withLock { state in
            state.marks.filter { _, marks in
                marks.ids.contains(item.id) || name.map(marks.names.contains) == true
            }.map(\.key).sorted()
        }
    }

    func users(of id: RepositoryID) -> [UserID] {
        state.withLock { $0.marks.filter { $1.ids.contains(id) }.map(\.key).sorted() }
    }

    /// The user's bookmarks in memory, read from the disk at need.
    func shelf(of user: UserID) async throws -> BookmarkShelf {
        if let shelf = knownShelf(of: user) { return shelf }
        return try await turns.take("\(user)") {
            for _ in 0..<3 {
                if let shelf = knownShelf(of: user) { return shelf }
                if let shelf = try await readShelf(of: user, keeps: true) { return shelf }
            }
            // Somebody changes them all the time: right at this moment, and read again the next time.
            return try await readShelf(of: user, keeps: false) ?? (try BookmarkShelf([]))
        }
    }

    /// As far as it is in memory.
    func knownShelf(of user: UserID) -> BookmarkShelf? {
        state.withLock { state in
            guard let shelf = state.shelves[user] else { return nil }
            if state.order.last != user {
                state.order.removeAll { $0 == user }
                state.order.append(user)
            }
            return shelf
        }
    }

    /// Nil when they changed meanwhile, unless it is not to be kept.
    private func readShelf(of user: UserID, keeps: Bool) async throws -> BookmarkShelf? {
        let before = state.withLock { $0.changes[user] ?? 0 }
        let shelf = try BookmarkShelf(await store.all(of: user))
        guard keeps else { return shelf }
        return state.withLock { state in
            guard (state.changes[user] ?? 0) == before else { return nil }
            state.shelves[user] = shelf
            state.order.append(user)
            while state.order.count > 1, state.isFull(Self.mostShelves, Self.mostEntries) {
                state.shelves[state.order.removeFirst()] = nil
            }
            return shelf
        }
    }

    /// Answers after the commit, with what moved. Errors come in words.
    func change<Value: Sendable>(
        of user: UserID, _ change: @escaping @Sendable (BookmarkRows) throws -> Value
    ) async throws -> (value: Value, moves: [BookmarkMove]) {
        do {
            return try await store.change(of: user, kept: { [self] in apply($0, of: user) }, change)
        } catch let error as RoostError {
            throw error
        } catch let error as CancellationError {
            throw error
        } catch {
            log.error("Bookmarks could not be saved", metadata: ["error": "\(error)"])
            throw RoostError.unavailable("The database did not take it. Please try again.")
        }
    }

    /// On the writer's queue, after the commit.
    private func apply(_ moves: [BookmarkMove], of user: UserID) {
        let shelf = state.withLock { state -> BookmarkShelf? in
            state.changes[user, default: 0] += 1
            for move in moves {
                state.marks[user, default: Marks()].take(move.before, by: -1)
                state.marks[user, default: Marks()].take(move.after, by: 1)
            }
            return state.shelves[user]
        }
        shelf?.apply(moves)
    }
}

extension BookmarkBook.Marks {
    fileprivate mutating func take(_ record: BookmarkRecord?, by step: Int) {
        guard let record else { return }
        count += step
        if record.isChanged { changed += step }
        if let id = record.repositoryID {
            if step > 0 { ids.insert(id) } else { ids.remove(id) }
        } else if let name = record.name {
            if step > 0 { names.insert(name) } else { names.remove(name) }
        }
    }
}
