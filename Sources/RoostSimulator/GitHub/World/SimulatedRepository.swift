/// A simulated repository that has pull requests.
struct SimulatedRepository: Sendable, Hashable {
    let owner: String
    let name: String
    let number: Int
    let isPrivate: Bool
    /// Owned by a person, so without teams or a protected branch.
    let isPersonal: Bool
    /// Without checks, `statusCheckRollup` is null.
    let hasChecks: Bool
    /// Whether it also has commit statuses, which predate check runs.
    let hasStatusContext: Bool

    var fullName: String { "\(owner)/\(name)" }

    var nodeID: String { "R_sim\(number)" }

    /// All 40, the same for all seeds.
    static let all: [SimulatedRepository] = {
        var all: [SimulatedRepository] = []
        for (owner, isPersonal, names) in owners {
            for name in names {
                let index = all.count
                all.append(
                    SimulatedRepository(
                        owner: owner, name: name, number: 61_001 + index * 13, isPrivate: index % 7 == 3,
                        isPersonal: isPersonal, hasChecks: index % 11 != 10, hasStatusContext: index % 3 == 1)
                )
            }
        }
        return all
    }()

    static func named(_ fullName: String) -> SimulatedRepository? {
        all.first { $0.fullName.lowercased() == fullName.lowercased() }
    }

    static let ownerNames = owners.map(\.0)

    static func organisationNumber(_ name: String) -> Int {
        8_001 + (ownerNames.firstIndex(of: name) ?? 99)
    }

    private static let owners: [(String, Bool, [String])] = [
        (
            "lovelace-labs", false,
            [
                "analytical-engine", "bernoulli", "loom", "punchcards", "difference", "notes-g",
                "barrel-vm", "carriage", "ledger-cli", "store", "mill", "operator-console",
            ]
        ),
        (
            "kestrel-systems", false,
            [
                "gateway", "scheduler", "windhover", "talon", "roost-feeder", "hover-sdk", "telemetry",
                "nest-operator", "ios-app", "android-app",
            ]
        ),
        (
            "open-almanac", false,
            [
                "ephemeris", "tides", "sunrise.js", "moon-phases", "eclipse-tables", "calendar-of-calendars",
                "handbook", "almanac.org",
            ]
        ),
        ("harbour-maps", false, ["tileserver", "soundings", "charts-web", "ais-decoder", "buoys", "styles"]),
        ("grace", true, ["nanoseconds", "dotfiles"]),
        ("alan", true, ["bombe", "morphogenesis"]),
    ]
}
