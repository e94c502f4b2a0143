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
        let dice = SeededRandom(seed: UInt64(person.number) &* 2_654_435_761)
        let wanted = login == PullScript.viewer ? 240 : login == "blaise" ? 0 : dice.index(1, below: 60)
        var places: Set<Int> = []
        for turn in 0..<UInt64(wanted) {
            // Of six that come to mind the most popular.
            let choice = (0..<6).map { dice.index(10 + $0, turn, below: moment.count) }
                .max { moment.catalogue.entries[$0].growth.stars < moment.catalogue.entries[$1].growth.stars }
            if let choice { places.insert(choice) }
        }
        let stars = places.map { place -> Star in
            let repository = moment[place]
            // Within 200 days of the repository's making, or of the origin; some are stars to come.
            let after = dice.index(
                3, UInt64(place), below: repository.createdAt > PullScript.origin ? 200 : 2_200)
            let hours = after * 24 + dice.index(4, UInt64(place), below: 24)
            let begin = max(repository.createdAt, PullScript.origin)
            return Star(repository: repository, at: begin + hours * Timestamp.hour)
        }
        return stars.filter { $0.at <= moment.now }
            .sorted { ($0.at, $0.repository.number) > ($1.at, $1.repository.number) }
    }
}
