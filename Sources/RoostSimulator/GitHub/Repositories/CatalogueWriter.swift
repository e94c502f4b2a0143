/// Makes the simulated repositories out of a seed.
struct CatalogueWriter {
    private let dice: SeededRandom
    private(set) var entries: [CatalogueEntry] = []
    private var taken: Set<String> = []
    private var former: Set<String> = []

    /// So many are public.
    static let count = 20_000
    /// As many of the youngest were created in the last months, whatever the day is.
    private static let young = 1_600
    /// February 2008 and June 2025.
    private static let begin = 1_201_824_000_000
    private static let end = 1_751_241_600_000

    init(seed: UInt64) {
        dice = SeededRandom(seed: seed ^ 0x7265_706F)
        entries.reserveCapacity(Self.count + SimulatedRepository.all.count)
    }

    mutating func write() -> [CatalogueEntry] {
        var known = SimulatedRepository.all.sorted { $0.number < $1.number }[...]
        taken = Set(known.map { $0.fullName.lowercased() })
        var number = 0
        var publics = known.count { !$0.isPrivate }
        while publics < Self.count {
            // Gaps are of what is private and of what was deleted.
            number += 1 + dice.index(1, UInt64(number), below: 9)
            while let next = known.first, next.number <= number {
                if next.number == number { number += 1 }
                entries.append(entry(next))
                known.removeFirst()
            }
            entries.append(entry(number))
            publics += 1
        }
        return entries
    }

    private mutating func entry(_ number: Int) -> CatalogueEntry {
        let seat = UInt64(number)
        let square = dice.unit(40, seat) * dice.unit(40, seat)
        let owner = SimulatedOwner.generated(Int(square * Double(SimulatedOwner.count)), dice)
        let isFork = entries.count > 30 && dice.index(41, seat, below: 100) < 18
        let parent = isFork ? parent(seat) : nil
        let language =
            parent.map { entries[$0].language } ?? RepositoryWords.language(dice, seat)
        let name = free(
            parent.map { entries[$0].name } ?? RepositoryWords.name(dice, seat, language: language), owner)
        return CatalogueEntry(
            number: number, owner: owner, name: name,
            description: parent.map { entries[$0].description }
                ?? RepositoryWords.description(dice, seat, language: language),
            language: isEmpty(seat) ? nil : language,
            topics: isFork ? [] : RepositoryWords.topics(dice, seat, language: language),
            licence: isEmpty(seat) ? nil : parent.map { entries[$0].licence } ?? licence(seat),
            homepage: homepage(seat, owner, name),
            defaultBranch: RepositoryWords.pick(["main", "master", "main", "develop"], dice, 42, seat),
            parent: parent, isPrivate: false, isArchived: dice.index(43, seat, below: 100) < 6,
            isEmpty: isEmpty(seat), isGone: dice.index(44, seat, below: 400) == 7,
            formerName: formerName(seat, owner, name), growth: growth(seat, isFork: isFork, chance: 1),
            pulls: nil)
    }

    private func entry(_ known: SimulatedRepository) -> CatalogueEntry {
        let seat = UInt64(known.number)
        let language = RepositoryWords.language(dice, seat)
        return CatalogueEntry(
            number: known.number, owner: .known(known), name: known.name,
            description: RepositoryWords.description(dice, seat, language: language), language: language,
            topics: RepositoryWords.topics(dice, seat, language: language), licence: licence(seat),
            homepage: nil, defaultBranch: "main", parent: nil, isPrivate: known.isPrivate,
            isArchived: false, isEmpty: false, isGone: false, formerName: nil,
            growth: growth(seat, isFork: false, chance: 0.02), pulls: known)
    }

    /// Something known, and no fork itself.
    private func parent(_ seat: UInt64) -> Int? {
        (0..<4).map { dice.index(50 + $0, seat, below: entries.count) }
            .filter { entries[$0].parent == nil && !entries[$0].isPrivate && !entries[$0].isGone }
            .max { entries[$0].growth.stars < entries[$1].growth.stars }
    }

    private mutating func free(_ name: String, _ owner: SimulatedOwner) -> String {
        var (result, turn) = (name, 1)
        while !taken.insert("\(owner.login)/\(result)".lowercased()).inserted {
            turn += 1
            result = "\(name)-\(turn)"
        }
        return result
    }

    private mutating func formerName(_ seat: UInt64, _ owner: SimulatedOwner, _ name: String) -> String? {
        guard dice.index(45, seat, below: 50) == 0 else { return nil }
        let old = "\(owner.login)/old-\(name)"
        return taken.insert(old.lowercased()).inserted ? old : nil
    }
}

extension CatalogueWriter {
    private func isEmpty(_ seat: UInt64) -> Bool { dice.index(60, seat, below: 100) == 11 }

    private func licence(_ seat: UInt64) -> String? {
        switch dice.index(61, seat, below: 100) {
        case ..<38: "MIT"
        case ..<52: "Apache-2.0"
        case ..<59: "GPL-3.0"
        case ..<63: "BSD-3-Clause"
        case ..<65: "MPL-2.0"
        case ..<67: "Unlicense"
        case ..<73: "NOASSERTION"
        default: nil
        }
    }

    /// Some of them nothing that a link should lead to.
    private func homepage(_ seat: UInt64, _ owner: SimulatedOwner, _ name: String) -> String? {
        switch dice.index(62, seat, below: 100) {
        case ..<20: "https://\(owner.login.lowercased()).example/\(name)"
        case ..<28: ""
        case 28: "\(owner.login.lowercased()).example"
        case 29: "javascript:alert('homepage')"
        case 30: "http://192.168.1.1/admin?\(name)"
        default: nil
        }
    }

    /// Stars by a power law (index 1.18); forks, issues and size go with them.
    ///
    /// - Parameter chance: of being more popular the smaller
    private func growth(_ seat: UInt64, isFork: Bool, chance: Double) -> CatalogueEntry.Growth {
        let share = 1 / (1 - dice.unit(70, seat) * (1 - 0.000_01)) / chance
        let eighth = share.squareRoot().squareRoot().squareRoot()
        let stars = Int((share * eighth * eighth.squareRoot() - 1) * (isFork ? 0.05 : 1))
        let popularity = Double(stars).squareRoot()
        let isYoung = entries.count >= Self.count - Self.young
        return CatalogueEntry.Growth(
            stars: stars, rate: 0.000_1 + 0.000_6 * dice.unit(71, seat),
            forks: Int(Double(stars) * 0.3 * dice.unit(72, seat)),
            issues: Int(popularity * 3 * dice.unit(73, seat)), pulls: Int(popularity * dice.unit(74, seat)),
            size: 12 + dice.index(75, seat, below: 90_000), created: created(seat, isYoung),
            pushed: pushed(seat))
    }

    private func created(_ seat: UInt64, _ isYoung: Bool) -> CatalogueEntry.Schedule {
        let unit = dice.unit(76, seat)
        guard isYoung else {
            let share = Double(entries.count) / Double(Self.count - Self.young)
            let moment = Self.begin + Int(share * Double(Self.end - Self.begin))
            return .once(moment / 1_000 * 1_000 + dice.index(77, seat, below: 20_000) * 1_000)
        }
        let period = Int((4 + 500 * unit * unit * unit) * Double(Timestamp.day))
        return .every(period, phase: dice.index(77, seat, below: period))
    }

    /// A third were never touched again.
    private func pushed(_ seat: UInt64) -> CatalogueEntry.Schedule {
        let unit = dice.unit(78, seat)
        guard dice.index(79, seat, below: 3) > 0 else { return .once(0) }
        let period = Int((0.1 + 900 * unit * unit) * Double(Timestamp.day))
        return .every(period, phase: dice.index(80, seat, below: period))
    }
}
