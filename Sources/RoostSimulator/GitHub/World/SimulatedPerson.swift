struct SimulatedPerson: Sendable, Hashable {
    /// The GraphQL login; REST appends "[bot]" for a bot.
    let login: String
    let name: String
    let number: Int
    let isBot: Bool

    var nodeID: String { "\(isBot ? "BOT" : "U")_sim\(number)" }

    var restLogin: String { isBot ? "\(login)[bot]" : login }
}

struct SimulatedTeam: Sendable, Hashable {
    let organisation: String
    let slug: String
    let number: Int
    let members: Set<String>

    var name: String { slug.prefix(1).uppercased() + slug.dropFirst() }

    var combinedSlug: String { "\(organisation)/\(slug)" }

    var nodeID: String { "T_sim\(number)" }
}

enum SimulatedReviewer: Sendable, Hashable {
    case person(SimulatedPerson)
    case team(SimulatedTeam)

    /// Returns whether a review by this login fulfils the request.
    func isAnswered(by login: String) -> Bool {
        switch self {
        case .person(let person): person.login == login
        case .team(let team): team.members.contains(login)
        }
    }

    func includes(_ login: String) -> Bool { isAnswered(by: login) }
}

/// The simulated people, bots and teams; the same for all seeds.
enum SimulatedCast {
    private static let names = [
        ("ada", "Ada Lovelace"), ("grace", "Grace Hopper"), ("alan", "Alan Turing"),
        ("katherine", "Katherine Johnson"), ("edsger", "Edsger Dijkstra"), ("emmy", "Emmy Noether"),
        ("sofia", "Sofia Kovalevskaya"), ("hedy", "Hedy Lamarr"), ("mary-s", "Mary Somerville"),
        ("blaise", "Blaise Pascal"), ("cfgauss", "Carl Friedrich Gauß"), ("euler", "Leonhard Euler"),
        ("boole", "George Boole"), ("kurt-goedel", "Kurt Gödel"), ("shannon", "Claude Shannon"),
        ("dmr", "Dennis Ritchie"), ("rosalind", "Rosalind Franklin"), ("mgm", "Maria Goeppert Mayer"),
        ("ramanujan", "சீனிவாச இராமானுசன்"), ("hypatia", "Ὑπατία"), ("al-khwarizmi", "الخوارزمي"),
        ("seki", "関 孝和"),
    ]

    static let people: [SimulatedPerson] = names.enumerated().map { index, pair in
        SimulatedPerson(login: pair.0, name: pair.1, number: 4_001 + index * 37, isBot: false)
    }

    static let bots = ["dependabot", "renovate", "almanac-release"].enumerated().map { index, login in
        SimulatedPerson(login: login, name: login, number: 9_001 + index, isBot: true)
    }

    static let all = people + bots

    /// Automation accounts that GitHub treats as users; they never act on their own.
    static let machines = [
        SimulatedPerson(login: "k8s-ci-robot", name: "k8s-ci-robot", number: 9_101, isBot: false),
        SimulatedPerson(login: "lovelace-bot", name: "Lovelace Bot", number: 9_102, isBot: false),
        SimulatedPerson(login: "labs-automation", name: "Labs", number: 9_103, isBot: false),
    ]

    private static let byLogin = Dictionary(
        ((all + machines).map { ($0.login, $0) } + bots.map { ($0.restLogin, $0) }),
        uniquingKeysWith: { first, _ in first })

    /// Finds a person ignoring case, and a bot with or without "[bot]".
    static func person(_ login: String) -> SimulatedPerson? { byLogin[login.lowercased()] }

    private static let rosters: [(String, String, [String])] = [
        ("lovelace-labs", "compilers", ["ada", "grace", "edsger", "dmr"]),
        ("lovelace-labs", "platform", ["ada", "alan", "shannon", "hedy", "boole"]),
        ("lovelace-labs", "security", ["alan", "kurt-goedel", "sofia"]),
        ("kestrel-systems", "backend", ["ada", "katherine", "euler", "cfgauss"]),
        ("kestrel-systems", "mobile", ["rosalind", "mgm", "seki"]),
        ("open-almanac", "data", ["ada", "emmy", "ramanujan", "al-khwarizmi"]),
        ("open-almanac", "docs", ["mary-s", "hypatia", "blaise"]),
        ("harbour-maps", "tiles", ["ada", "seki", "mgm", "dmr"]),
        ("harbour-maps", "web", ["hedy", "boole", "emmy"]),
    ]

    static let teams: [SimulatedTeam] = rosters.enumerated().map { index, roster in
        SimulatedTeam(
            organisation: roster.0, slug: roster.1, number: 7_101 + index, members: Set(roster.2))
    }

    static func teams(of login: String) -> [SimulatedTeam] {
        teams.filter { $0.members.contains(login) }
    }

    static func team(_ combinedSlug: String) -> SimulatedTeam? {
        teams.first { $0.combinedSlug == combinedSlug.lowercased() }
    }
}
