import Foundation
import RoostSupport

/// Rows whose details are to be fetched: those on screen first, one of each user in turn.
struct PrefetchQueue: Sendable {
    /// Rows of one user; no screen shows more.
    static let maximumVisible = 200
    /// Rows of one user's whole pages, for users who are signed in.
    static let maximumOffscreen = 2_000
    /// Seconds after which a screen that has not moved counts as closed.
    static let demandTTL: TimeInterval = 600

    private struct Wanted {
        var ids: [RepositoryID]
        var at: Date
    }

    private var visible: [UserID: Wanted] = [:]
    private var offscreen: [UserID: Wanted] = [:]
    private var lastServed: UserID = 0

    /// Replaces the user's rows on screen; the last named comes first.
    mutating func setVisible(_ ids: [RepositoryID], of user: UserID, at now: Date) {
        var seen: Set<RepositoryID> = []
        let latest = ids.reversed().filter { seen.insert($0).inserted }.prefix(Self.maximumVisible)
        visible[user] = latest.isEmpty ? nil : Wanted(ids: Array(latest), at: now)
    }

    /// Replaces the rows of the list that the user looks at, on screen or not.
    mutating func setOffscreen(_ ids: [RepositoryID], of user: UserID, at now: Date) {
        offscreen[user] = ids.isEmpty ? nil : Wanted(ids: Array(ids.prefix(Self.maximumOffscreen)), at: now)
    }

    /// A row, and the user for whom it was taken.
    struct Taken: Sendable {
        let id: RepositoryID
        let user: UserID
        let isOnScreen: Bool
        fileprivate let at: Date
    }

    /// Takes up to `count` out, one of each user in turn; what is on screen goes before what is not.
    ///
    /// - Parameter isMeant: whose rows are taken
    mutating func take(
        _ count: Int, withOffscreen: Bool, at now: Date, where isMeant: (UserID) -> Bool
    ) -> [Taken] {
        let isFresh = { (entry: Wanted) in now.timeIntervalSince(entry.at) <= Self.demandTTL }
        visible = visible.filter { isFresh($0.value) }
        offscreen = offscreen.filter { isFresh($0.value) }
        var taken = Self.take(count, from: &visible, &lastServed, areOnScreen: true, isMeant)
        if withOffscreen, taken.count < count {
            let left = count - taken.count
            taken += Self.take(left, from: &offscreen, &lastServed, areOnScreen: false, isMeant)
        }
        return taken
    }

    private static func take(
        _ count: Int, from rows: inout [UserID: Wanted], _ last: inout UserID, areOnScreen: Bool,
        _ isMeant: (UserID) -> Bool
    ) -> [Taken] {
        var taken: [Taken] = []
        var users = rows.keys.filter(isMeant).sorted()
        while taken.count < count, !users.isEmpty {
            let user = users.first { $0 > last } ?? users[0]
            last = user
            guard let entry = rows[user], let id = entry.ids.first else {
                rows[user] = nil
                users.removeAll { $0 == user }
                continue
            }
            rows[user]?.ids.removeFirst()
            taken.append(Taken(id: id, user: user, isOnScreen: areOnScreen, at: entry.at))
        }
        return taken
    }

    /// Puts rows back that could not be fetched now, unless the user looks at something else by now.
    mutating func putBack(_ taken: [Taken]) {
        for one in taken.reversed() where one.isOnScreen {
            let entry = visible[one.user] ?? Wanted(ids: [], at: one.at)
            guard entry.at == one.at, entry.ids.count < Self.maximumVisible else { continue }
            visible[one.user] = Wanted(ids: [one.id] + entry.ids, at: entry.at)
        }
    }

    func users(where isMeant: (UserID) -> Bool) -> [UserID] {
        Set(visible.keys).union(offscreen.keys).filter(isMeant)
    }

    mutating func forget(_ user: UserID) {
        visible[user] = nil
        offscreen[user] = nil
    }
}
