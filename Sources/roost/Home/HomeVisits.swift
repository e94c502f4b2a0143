import Accounts
import Foundation
import RoostSupport
import RoostWeb
import Synchronization

/// When a user last looked at the home page, so that it can say what is new.
struct HomeVisit: Preferences, Equatable {
    static let name = "home visit"
    /// A longer pause begins a new visit.
    private static let pause: TimeInterval = 1_800

    private(set) var lastSeen: Date?
    private var previous: Date?

    init() {}

    /// The end of the visit before the one at this time, or nil if it is the first.
    func previousVisit(at now: Date) -> Date? {
        guard let lastSeen, now.timeIntervalSince(lastSeen) > Self.pause else { return previous }
        return lastSeen
    }

    mutating func note(_ now: Date) {
        previous = previousVisit(at: now)
        lastSeen = now
    }
}

/// Notes visits in the background, since a page must not wait for a write.
final class HomeVisits: Sendable {
    /// Less than the pause between two visits, so that one is not taken for two.
    private static let interval: TimeInterval = 300

    private let noted = Mutex<[UserID: Date]>([:])

    func note(_ user: UserID, in site: WebContext) {
        let now = site.clock.now()
        let isDue = noted.withLock { noted in
            if let last = noted[user], abs(now.timeIntervalSince(last)) < Self.interval { return false }
            noted[user] = now
            return true
        }
        guard isDue else { return }
        Task {
            do {
                try await site.database.write { writes in
                    var visit = try writes.preferences(HomeVisit.self, of: user)
                    visit.note(now)
                    try writes.setPreferences(visit, of: user)
                }
            } catch {
                // The next view notes the visit again.
                noted.withLock { $0[user] = nil }
            }
        }
    }
}
