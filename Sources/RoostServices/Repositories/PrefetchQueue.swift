import Foundation

/// Whose rows are on screen, and which of their details are to be fetched next: users by turns.
struct PrefetchQueue: Sendable {
    /// No screen shows more.
    static let most = 200
    /// Of whole pages, for those who are signed in.
    static let mostBehind = 2_000
    /// A screen that nobody has moved on for so long, in seconds, is taken for one that nobody looks at.
    static let attention: TimeInterval = 600

    private struct Wanted {
        var ids: [RepositoryID]
        var at: Date
    }

    private var screens: [UserID: Wanted] = [:]
    private var behind: [UserID: Wanted] = [:]
    private var lastServed: UserID = 0

    /// In place of the user's earlier wish; the last named first.
    mutating func want(_ ids: [RepositoryID], of user: UserID, at now: Date) {
        var seen: Set<RepositoryID> = []
        let latest = ids.reversed().filter { seen.insert($0).inserted }.prefix(Self.most)
        screens[user] = latest.isEmpty ? nil : Wanted(ids: Array(latest), at: now)
    }

    /// The rows of the list that the user looks at, on screen or not.
    mutating func wantBehind(_ ids: [RepositoryID], of user: UserID, at now: Date) {
        behind[user] = ids.isEmpty ? nil : Wanted(ids: Array(ids.prefix(Self.mostBehind)), at: now)
    }

    /// One row, whose screen it is on, and since when that one looks so.
    struct Taken: Sendable {
        let id: RepositoryID
        let user: UserID
        let isOnScreen: Bool
        fileprivate let at: Date
    }

    /// Takes up to `count` out, one of each user in turn; what is on screen goes before what is not.
    ///
    /// - Parameter isMeant: whose wishes count
    mutating func take(
        _ count: Int, withBehind: Bool, at now: Date, where isMeant: (UserID) -> Bool
    ) -> [Taken] {
        let isFresh = { (wish: Wanted) in now.timeIntervalSince(wish.at) <= Self.attention }
        screens = screens.filter { isFresh($0.value) }
        behind = behind.filter { isFresh($0.value) }
        var taken = Self.take(count, from: &screens, &lastServed, areOnScreen: true, isMeant)
        if withBehind, taken.count < count {
            let left = count - taken.count
            taken += Self.take(left, from: &behind, &lastServed, areOnScreen: false, isMeant)
        }
        return taken
    }

    private static func take(
        _ count: Int, from wishes: inout [UserID: Wanted], _ last: inout UserID, areOnScreen: Bool,
        _ isMeant: (UserID) -> Bool
    ) -> [Taken] {
        var taken: [Taken] = []
        var users = wishes.keys.filter(isMeant).sorted()
        while taken.count < count, !users.isEmpty {
            let user = users.first { $0 > last } ?? users[0]
            last = user
            guard let wish = wishes[user], let id = wish.ids.first else {
                wishes[user] = nil
                users.removeAll { $0 == user }
                continue
            }
            wishes[user]?.ids.removeFirst()
            taken.append(Taken(id: id, user: user, isOnScreen: areOnScreen, at: wish.at))
        }
        return taken
    }

    /// What could not be asked for now comes first again, unless the user looks at something else by now.
    mutating func giveBack(_ taken: [Taken]) {
        for one in taken.reversed() where one.isOnScreen {
            let wish = screens[one.user] ?? Wanted(ids: [], at: one.at)
            guard wish.at == one.at, wish.ids.count < Self.most else { continue }
            screens[one.user] = Wanted(ids: [one.id] + wish.ids, at: wish.at)
        }
    }

    func users(where isMeant: (UserID) -> Bool) -> [UserID] {
        Set(screens.keys).union(behind.keys).filter(isMeant)
    }

    mutating func forget(_ user: UserID) {
        screens[user] = nil
        behind[user] = nil
    }
}
