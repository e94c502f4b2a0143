/// The whole life of one pull request: a pure function of seed, slot and generation.
///
/// There are 200 slots, five per repository. When a slot's pull request ends, the next one starts, so 200 are
/// always open. Each slot has a role in ada's inbox.
struct PullScript: Sendable {
    static let slots = 200
    /// 2020-01-01; no pull requests before.
    static let origin = 1_577_836_800_000
    /// The owner of the inbox that roles refer to.
    static let viewer = "ada"

    /// How the slot's pull requests concern ada.
    enum Role: Sendable {
        case written, requestedByName, requestedThroughTeam, reviewed, mentioned
        /// Unrelated to ada; most are.
        case unrelated
    }

    let opened: SimulatedPull
    /// In order of time, starting with the opening.
    let events: [PullEvent.Timed]

    struct Slot: Sendable {
        let index: Int
        let period: Int
        let phase: Int
        let role: Role

        init(seed: UInt64, index: Int) {
            self.index = index
            let dice = SeededRandom(seed: seed ^ 0x6769_7468)
            let spread = dice.unit(UInt64(index), 1)
            period = Int((0.4 + 11.6 * spread * spread) * Double(Timestamp.day)) / 1000 * 1000
            phase = Int(dice.unit(UInt64(index), 2) * Double(period)) / 1000 * 1000
            let rank = index * 77 % PullScript.slots
            let role: Role =
                switch rank {
                case ..<14: .written
                case ..<30: .requestedByName
                case ..<50: .requestedThroughTeam
                case ..<68: .reviewed
                case ..<82: .mentioned
                default: .unrelated
                }
            let isPersonal = SimulatedRepository.all[index % 40].isPersonal
            self.role = role == .requestedThroughTeam && isPersonal ? .requestedByName : role
        }

        var repository: SimulatedRepository { SimulatedRepository.all[index % 40] }

        func generation(at now: Int) -> Int {
            max(0, now - PullScript.origin + phase) / period
        }

        func start(of generation: Int) -> Int { PullScript.origin - phase + generation * period }
    }

    init(seed: UInt64, slot: Slot, generation: Int) {
        let dice = SeededRandom(seed: seed &+ UInt64(slot.index) &* 1_000_003 &+ UInt64(generation) &* 7_919)
        var writer = ScriptWriter(dice: dice, slot: slot, start: slot.start(of: generation))
        let author = writer.author
        let isMentionedInBody = slot.role == .mentioned && dice.unit(20) < 0.5
        opened = SimulatedPull(
            id: 1_000_000_000 + slot.index * 100_000 + generation, repository: slot.repository,
            number: generation * 5 + slot.index / 40 + 1,
            title: PullTexts.title(dice, isBot: author?.isBot ?? false),
            body: PullTexts.body(dice, mentioning: isMentionedInBody ? Self.viewer : nil), author: author,
            createdAt: writer.start, updatedAt: writer.start, isDraft: writer.beginsAsDraft)
        writer.write(mentionsInBody: isMentionedInBody)
        events = writer.events.sorted { $0.at < $1.at }
    }

    /// Returns the pull request at a time, and the range of times for which it is the same.
    func snapshot(at now: Int) -> (pull: SimulatedPull, times: Range<Int>) {
        var pull = opened
        var start = Int.min
        for timed in events {
            guard timed.at <= now else { return (pull, start..<timed.at) }
            pull.apply(timed)
            start = timed.at
        }
        return (pull, start..<Int.max)
    }
}
