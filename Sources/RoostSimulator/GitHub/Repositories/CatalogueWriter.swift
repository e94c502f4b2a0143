struct CatalogueWriter {
    private let dice: SeededRandom
    private(set) var entries: [CatalogueEntry] = []
    private var usedNames: Set<String> = []

    static let count = 20_000
    /// The number of repositories created in the last months, relative to today.
    private static let young = 1_600
    /// February 2008 and June 2025, in milliseconds since 1970.
    private static let begin = 1_201_824_000_000
    private static let end = 1_751_241_600_000

    init(seed: UInt64) {
        dice = SeededRandom(seed: seed ^ 0x7265_706F)
        entries.reserveCapacity(Self.count + SimulatedRepository.all.count)
    }

    mutating func write() -> [CatalogueEntry] {
        var fixed = SimulatedRepository.all.sorted { $0.number < $1.number }[...]
        usedNames = Set(fixed.map { $0.fullName.lowercased() })
        var number = 0
        var publics = fixed.count { !$0.isPrivate }
        while publics < Self.count {
            // Gaps stand for private and deleted repositories.
            number += 1 + dice.index(1, UInt64(number), below: 9)
            while let next = fixed.first, next.number <= number {
                if next.number == number { number += 1 }
                entries.append(entry(next))
                fixed.removeFirst()
            }
            entries.append(entry(number))
            publics += 1
        }
        return entries
    }

    private mutating func entry(_ number: Int) -> CatalogueEntry {
        let salt = UInt64(number)
        let square = dice.unit(40, salt) * dice.unit(40, salt)
        let owner = SimulatedOwner.generated(Int(square * Double(SimulatedOwner.count)), dice)
        let isFork = entries.count > 30 && dice.index(41, salt, below: 100) < 18
        let parent = isFork ? parent(salt) : nil
        let language =
            parent.map { entries[$0].language } ?? RepositoryTexts.language(dice, salt)
        let name = unusedName(
            parent.map { entries[$0].name } ?? RepositoryTexts.name(dice, salt, language: language), owner)
        return CatalogueEntry(
            number: number, owner: owner, name: name,
            description: parent.map { entries[$0].description }
                ?? RepositoryTexts.description(dice, salt, language: language),
            language: isEmpty(salt) ? nil : language,
            topics: isFork ? [] : RepositoryTexts.topics(dice, salt, language: language),
            licence: isEmpty(salt) ? nil : parent.map { entries[$0].licence } ?? licence(salt),
            homepage: homepage(salt, owner, name),
            defaultBranch: RepositoryTexts.pick(["main", "master", "main", "develop"], dice, 42, salt),
            parent: parent, isPrivate: false, isArchived: dice.index(43, salt, below: 100) < 6,
            isEmpty: isEmpty(salt), isUnavailable: dice.index(44, salt, below: 400) == 7,
            formerName: formerName(salt, owner, name), growth: growth(salt, isFork: isFork, chance: 1),
            pulls: nil)
    }

    private func entry(_ repository: SimulatedRepository) -> CatalogueEntry {
        let salt = UInt64(repository.number)
        let language = RepositoryTexts.language(dice, salt)
        return CatalogueEntry(
            number: repository.number, owner: .owner(of: repository), name: repository.name,
            description: RepositoryTexts.description(dice, salt, language: language), language: language,
            topics: RepositoryTexts.topics(dice, salt, language: language), licence: licence(salt),
            homepage: nil, defaultBranch: "main", parent: nil, isPrivate: repository.isPrivate,
            isArchived: false, isEmpty: false, isUnavailable: false, formerName: nil,
            growth: growth(salt, isFork: false, chance: 0.02), pulls: repository)
    }

    /// Returns a popular repository that isn't a fork, or nil.
    private func parent(_ salt: UInt64) -> Int? {
        (0..<4).map { dice.index(50 + $0, salt, below: entries.count) }
            .filter { entries[$0].parent == nil && !entries[$0].isPrivate && !entries[$0].isUnavailable }
            .max { entries[$0].growth.stars < entries[$1].growth.stars }
    }

    private mutating func unusedName(_ name: String, _ owner: SimulatedOwner) -> String {
        var (result, turn) = (name, 1)
        while !usedNames.insert("\(owner.login)/\(result)".lowercased()).inserted {
            turn += 1
            result = "\(name)-\(turn)"
        }
        return result
    }

    private mutating func formerName(_ salt: UInt64, _ owner: SimulatedOwner, _ name: String) -> String? {
        guard dice.index(45, salt, below: 50) == 0 else { return nil }
        let old = "\(owner.login)/old-\(name)"
        return usedNames.insert(old.lowercased()).inserted ? old : nil
    }
}

extension CatalogueWriter {
    private func isEmpty(_ salt: UInt64) -> Bool { dice.index(60, salt, below: 100) == 11 }

    private func licence(_ salt: UInt64) -> String? {
        switch dice.index(61, salt, below: 100) {
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

    /// Includes some URLs that must not become links.
    private func homepage(_ salt: UInt64, _ owner: SimulatedOwner, _ name: String) -> String? {
        switch dice.index(62, salt, below: 100) {
        case ..<20: "https://\(owner.login.lowercased()).example/\(name)"
        case ..<28: ""
        case 28: "\(owner.login.lowercased()).example"
        case 29: "javascript:alert('homepage')"
        case 30: "http://192.168.1.1/admin?\(name)"
        default: nil
        }
    }

    /// Stars follow a power law (index 1.18); forks, issues and size are related to them.
    ///
    /// - Parameter chance: smaller values make it more popular
    private func growth(_ salt: UInt64, isFork: Bool, chance: Double) -> CatalogueEntry.Growth {
        let share = 1 / (1 - dice.unit(70, salt) * (1 - 0.000_01)) / chance
        let eighth = share.squareRoot().squareRoot().squareRoot()
        let stars = Int((share * eighth * eighth.squareRoot() - 1) * (isFork ? 0.05 : 1))
        let popularity = Double(stars).squareRoot()
        let isYoung = entries.count >= Self.count - Self.young
        return CatalogueEntry.Growth(
            stars: stars, rate: 0.000_1 + 0.000_6 * dice.unit(71, salt),
            forks: Int(Double(stars) * 0.3 * dice.unit(72, salt)),
            issues: Int(popularity * 3 * dice.unit(73, salt)), pulls: Int(popularity * dice.unit(74, salt)),
            size: 12 + dice.index(75, salt, below: 90_000), created: created(salt, isYoung),
            pushed: pushed(salt))
    }

    private func created(_ salt: UInt64, _ isYoung: Bool) -> CatalogueEntry.Schedule {
        let unit = dice.unit(76, salt)
        guard isYoung else {
            let share = Double(entries.count) / Double(Self.count - Self.young)
            let moment = Self.begin + Int(share * Double(Self.end - Self.begin))
            return .once(moment / 1_000 * 1_000 + dice.index(77, salt, below: 20_000) * 1_000)
        }
        let period = Int((4 + 500 * unit * unit * unit) * Double(Timestamp.day))
        return .every(period, phase: dice.index(77, salt, below: period))
    }

    /// A third are never pushed to again.
    private func pushed(_ salt: UInt64) -> CatalogueEntry.Schedule {
        let unit = dice.unit(78, salt)
        guard dice.index(79, salt, below: 3) > 0 else { return .once(0) }
        let period = Int((0.1 + 900 * unit * unit) * Double(Timestamp.day))
        return .every(period, phase: dice.index(80, salt, below: period))
    }
}
