/// The fixed properties of a simulated repository, unless a command changes them.
struct CatalogueEntry: Sendable {
    let number: Int
    let owner: SimulatedOwner
    let name: String
    let description: String?
    let language: String?
    let topics: [String]
    /// SPDX identifier, or "NOASSERTION" for an unknown licence.
    let licence: String?
    let homepage: String?
    let defaultBranch: String
    let parent: Int?
    let isPrivate: Bool
    let isArchived: Bool
    /// Whether nothing was ever pushed.
    let isEmpty: Bool
    /// Whether it is listed but returns 404.
    let isUnavailable: Bool
    let formerName: String?
    let growth: Growth
    /// The related repository with pull requests, if any.
    let pulls: SimulatedRepository?

    struct Growth: Sendable {
        let stars: Int
        /// New stars per day for each existing one.
        let rate: Double
        let forks: Int
        let issues: Int
        let pulls: Int
        /// KiB.
        let size: Int
        let created: Schedule
        let pushed: Schedule
    }

    /// A time in the past, in milliseconds since 1970.
    enum Schedule: Sendable {
        case once(Int)
        /// Repeats, so that some repositories always have a recent time.
        case every(Int, phase: Int)

        func latest(at now: Int) -> Int {
            switch self {
            case .once(let moment): return moment
            case .every(let period, let phase):
                let since = ((now - phase) % period + period) % period
                return (now - since) / 1_000 * 1_000
            }
        }
    }

    var fullName: String { "\(owner.login)/\(name)" }

    /// The GraphQL id, in the old form for older repositories and the new form for others, like GitHub.
    var nodeID: String {
        if let pulls { return pulls.nodeID }
        if number < 60_000 { return Base64.encode(Array("010:Repository\(number)".utf8)) }
        let parts = [24, 16, 8, 0].map { UInt8(truncatingIfNeeded: number >> $0) }
        // MessagePack of [0, number].
        return "R_" + Base64.encodeForAddress([0x92, 0x00, 0xCE] + parts)
    }
}
