package import Foundation
import Synchronization

/// What the rows of one import share: who the people in the file are here, and which new ids the old ones have.
package final class TransferContext: Sendable {
    package let now: Date
    /// Whether an operator imports a whole server, whose file may speak for all of its users. A user's own file may
    /// only change what belongs to this user alone.
    package let isServer: Bool
    private let people: @Sendable (String) -> UserID?
    private let state = Mutex(State())

    private struct State {
        var ids: [String: Int64] = [:]
        var names: [String: String] = [:]
        var counts: [Int: Int] = [:]
    }

    /// - Parameter people: the user here who has a user name of the file
    package init(now: Date, isServer: Bool, people: @escaping @Sendable (String) -> UserID?) {
        self.now = now
        self.isServer = isServer
        self.people = people
    }

    package func person(_ username: String?) -> UserID? { username.flatMap(people) }

    /// No later than now.
    package func time(_ date: Date) -> Date { min(date, now) }

    /// The new id of something that had this key in the file, such as "list/7".
    package func id(_ key: String) -> Int64? { state.withLock { $0.ids[key] } }

    package func setID(_ id: Int64, of key: String) { state.withLock { $0.ids[key] = id } }

    package func name(_ key: String) -> String? { state.withLock { $0.names[key] } }

    package func setName(_ name: String, of key: String) { state.withLock { $0.names[key] = name } }

    /// Returns how many equal rows the file had before, for rows that may occur several times.
    package func count(_ row: some Hashable) -> Int {
        state.withLock { state in
            let count = state.counts[row.hashValue, default: 0]
            state.counts[row.hashValue] = count + 1
            return count
        }
    }
}

extension RoostError {
    /// For a row that another row of the database excludes.
    package static let unsavableRow = RoostError.file("This row contains something that can’t be saved.")
}
