/// What holds of a simulated repository for ever, unless an order changes it.
struct CatalogueEntry: Sendable {
    /// The `id` of REST.
    let number: Int
    let owner: SimulatedOwner
    let name: String
    let description: String?
    let language: String?
    let topics: [String]
    /// SPDX; "NOASSERTION" for a text that nobody knows.
    let licence: String?
    let homepage: String?
    let defaultBranch: String
    /// Place in the catalogue of what it is a fork of.
    let parent: Int?
    let isPrivate: Bool
    let isArchived: Bool
    /// Nothing was ever pushed.
    let isEmpty: Bool
    /// Still in the list, but gone when it is looked at.
    let isGone: Bool
    /// "owner/name" that it had before.
    let formerName: String?
    let growth: Growth
    /// The one that has pull requests.
    let pulls: SimulatedRepository?

    /// Counts and times.
    struct Growth: Sendable {
        let stars: Int
        /// A day's new stars for each that there is.
        let rate: Double
        let forks: Int
        let issues: Int
        let pulls: Int
        /// KiB.
        let size: Int
        let created: Schedule
        let pushed: Schedule
    }

    /// A moment of the past, milliseconds since 1970.
    enum Schedule: Sendable {
        case once(Int)
        /// Again and again, so that at any time some of it was lately.
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

    /// GraphQL's name: the old form for the older ones, the new for the others, as GitHub writes them.
    var nodeID: String {
        if let pulls { return pulls.nodeID }
        if number < 60_000 { return Base64.encode(Array("010:Repository\(number)".utf8)) }
        let parts = [24, 16, 8, 0].map { UInt8(truncatingIfNeeded: number >> $0) }
        // MessagePack of [0, number].
        return "R_" + Base64.encodeForAddress([0x92, 0x00, 0xCE] + parts)
    }
}
