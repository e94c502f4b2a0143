/// Which repositories the simulated people have starred, and when.
enum SimulatedStars {
    struct Star: Sendable {
        let repository: RepositorySnapshot
        /// Milliseconds since 1970.
        let at: Int
    }

    /// Newest first. Ada has some 230, the others fewer, blaise none.
    static func of(_ login: String, _ moment: RepositoryMoment) -> [Star] {
        guard let person = SimulatedCast.person(login), !person.isBot else { return [] }
        let dice = Dice(seed: UInt64(person.number) &* 2_654_435_761)
        let wanted = login == PullScript.viewer ? 240 : login == "blaise" ? 0 : dice.index(1, below: 60)
        var places: Set<Int> = []
        for turn in 0..<UInt64(wanted) {
            // Of six that come to mind the most popular.
            let choice = (0..<6).map { dice.index(10 + $0, turn, below: moment.count) }
                .max { moment.catalogue.entries[$0].growth.stars < moment.catalogue.entries[$1].growth.stars }
            if let choice { places.insert(choice) }
        }
        return places.map { place -> Star in
            let repository = moment[place]
            let span = max(1, moment.now - max(repository.createdAt, PullScript.origin)) / 1_000
            // What is young was starred lately; the moment stays where it is for what is old.
            let isYoung = repository.createdAt > PullScript.origin
            let after = dice.index(3, UInt64(place), below: isYoung ? span : 150_000_000)
            let begin = isYoung ? repository.createdAt : PullScript.origin
            return Star(repository: repository, at: min(moment.now, begin + after * 1_000))
        }.sorted { ($0.at, $0.repository.number) > ($1.at, $1.repository.number) }
    }
}
