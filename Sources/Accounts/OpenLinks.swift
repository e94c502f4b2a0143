import Foundation
import RoostSupport

/// Which join and reset links are open: not expired, revoked or used up.
struct OpenLinks: Sendable {
    let joins: JoinLinkStore
    let resets: ResetLinkStore
    let ends: SteadyEnds<[UInt8]>
    let clock: WallClock

    /// The join link of a code with its state now; nil for none.
    func join(_ code: LinkCode) async throws -> JoinLink? {
        try await joins.link(hash: code.hash)?.lasting(until: ends.end(of: code.hash))
    }

    /// Whose password the reset link of a code sets; nil for none that is open.
    func reset(_ code: LinkCode) async throws -> UserID? {
        try await resets.user(hash: code.hash, at: ends.dateToJudge(code.hash))
    }

    /// True for an open join link, and for an open reset link of this user.
    func isOpen(_ code: LinkCode, to user: UserID?) async throws -> Bool {
        if let owner = try await reset(code) { return owner == user }
        return try await join(code)?.state(at: clock.now()) == .open
    }
}
