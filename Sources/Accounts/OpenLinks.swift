import Foundation
import RoostSupport

struct OpenLinks: Sendable {
    let database: Database
    let ends: SteadyExpirations<[UInt8]>
    let clock: WallClock

    /// The join link of a code, open or closed, or nil.
    func join(_ reads: Reads, _ code: LinkCode) throws -> JoinLink? {
        try reads.joinLink(hash: code.hash)?.extended(
            until: ends.expiration(of: code.hash))
    }

    func reset(_ reads: Reads, _ code: LinkCode) throws -> UserID? {
        let date = ends.comparisonDate(for: code.hash)
        return try reads.resetLinkUser(hash: code.hash, at: date)
    }

    func isOpen(_ code: LinkCode, to user: UserID?) async throws -> Bool {
        try await database.read { reads in
            if let owner = try reset(reads, code) { return owner == user }
            return try join(reads, code)?.state(at: clock.now()) == .open
        }
    }
}
