import Foundation
import RoostSupport

/// Rows whose details should be fetched: visible rows first, one per user in turn.
struct PrefetchQueue: Sendable {
    /// Per user; no screen shows more.
    static let maximumVisible = 200
    /// Per user. Only requested with GraphQL.
    static let maximumOffscreen = 2_000
    /// The time after which an unchanged screen counts as closed.
    static let demandTTL = Duration.seconds(600)

    private struct Request {
        var ids: [RepositoryID]
        var at: ContinuousClock.Instant
    }

    private var visible: [UserID: Request] = [:]
    private var offscreen: [UserID: Request] = [:]
    private var lastServed: UserID = 0

    /// Replaces the user's visible rows; the last one is fetched first.
    mutating func setVisible(_ ids: [RepositoryID], of user: UserID, at now: ContinuousClock.Instant) {
        var seen: Set<RepositoryID> = []
        let latest = ids.reversed().filter { seen.insert($0).inserted }.prefix(Self.maximumVisible)
        visible[user] = latest.isEmpty ? nil : Request(ids: Array(latest), at: now)
    }

    /// Replaces the rows of the user's current list, visible or not.
    mutating func setOffscreen(_ ids: [RepositoryID], of user: UserID, at now: ContinuousClock.Instant) {
        offscreen[user] = ids.isEmpty ? nil : Request(ids: Array(ids.prefix(Self.maximumOffscreen)), at: now)
    }

    struct Row: Sendable {
        let id: RepositoryID
        let user: UserID
        let isOnScreen: Bool
        fileprivate let at: ContinuousClock.Instant
    }

    /// Removes and returns up to `count` rows, one per user in turn, visible rows first.
    ///
    /// - Parameter isIncluded: selects the users
    mutating func dequeue(
        _ count: Int, withOffscreen: Bool, at now: ContinuousClock.Instant, where isIncluded: (UserID) -> Bool
    ) -> [Row] {
        let isFresh = { (entry: Request) in now - entry.at <= Self.demandTTL }
        visible = visible.filter { isFresh($0.value) }
        offscreen = offscreen.filter { isFresh($0.value) }
        var rows = Self.dequeue(count, from: &visible, &lastServed, areOnScreen: true, isIncluded)
        if withOffscreen, rows.count < count {
            let left = count - rows.count
            rows += Self.dequeue(left, from: &offscreen, &lastServed, areOnScreen: false, isIncluded)
        }
        return rows
    }

    private static func dequeue(
        _ count: Int, from requests: inout [UserID: Request], _ last: inout UserID, areOnScreen: Bool,
        _ isIncluded: (UserID) -> Bool
    ) -> [Row] {
        var rows: [Row] = []
        var users = requests.keys.filter(isIncluded).sorted()
        while rows.count < count, !users.isEmpty {
            let user = users.first { $0 > last } ?? users[0]
            last = user
            guard let entry = requests[user], let id = entry.ids.first else {
                requests[user] = nil
                users.removeAll { $0 == user }
                continue
            }
            requests[user]?.ids.removeFirst()
            rows.append(Row(id: id, user: user, isOnScreen: areOnScreen, at: entry.at))
        }
        return rows
    }

    /// Puts back rows that could not be fetched, unless the user has moved on.
    mutating func putBack(_ rows: [Row]) {
        for row in rows.reversed() where row.isOnScreen {
            let entry = visible[row.user] ?? Request(ids: [], at: row.at)
            guard entry.at == row.at, entry.ids.count < Self.maximumVisible else { continue }
            visible[row.user] = Request(ids: [row.id] + entry.ids, at: entry.at)
        }
    }

    func users(where isIncluded: (UserID) -> Bool) -> [UserID] {
        Set(visible.keys).union(offscreen.keys).filter(isIncluded)
    }

    mutating func forget(_ user: UserID) {
        visible[user] = nil
        offscreen[user] = nil
    }
}
