enum SimulatedStars {
    struct Star: Sendable {
        let repository: RepositorySnapshot
        let at: Int
    }

    /// Returns stars, newest first. Ada has about 230, others fewer, blaise none.
    static func of(_ login: String, _ moment: RepositoryMoment) -> [Star] {
        guard let person = SimulatedCast.person(login), !person.isBot else { return [] }
        let dice = SeededRandom(seed: UInt64(person.number) &* 2_654_435_761)
        let count = login == PullScript.viewer ? 240 : login == "blaise" ? 0 : dice.index(1, below: 60)
        var indices: Set<Int> = []
        for turn in 0..<UInt64(count) {
            let choice = (0..<6).map { dice.index(10 + $0, turn, below: moment.count) }
                .max { moment.catalogue.entries[$0].growth.stars < moment.catalogue.entries[$1].growth.stars }
            if let choice { indices.insert(choice) }
        }
        let stars = indices.map { index -> Star in
            let repository = moment[index]
            // Within 200 days of the repository's creation, or 2,200 of the origin. Stars in the future are
            // filtered out below.
            let after = dice.index(
                3, UInt64(index), below: repository.createdAt > PullScript.origin ? 200 : 2_200)
            let hours = after * 24 + dice.index(4, UInt64(index), below: 24)
            let begin = max(repository.createdAt, PullScript.origin)
            return Star(repository: repository, at: begin + hours * Timestamp.hour)
        }
        return stars.filter { $0.at <= moment.now }
            .sorted { ($0.at, $0.repository.number) > ($1.at, $1.repository.number) }
    }
}
