/// The whole life of one pull request: a pure function of seed, slot and generation.
///
/// 200 slots, five a repository; where one pull request ends the next of its slot begins, so that there are
/// always 200 open ones. A slot has a role in ada's inbox.
struct PullScript: Sendable {
    static let slots = 200
    /// 2020-01-01: there were none before.
    static let origin = 1_577_836_800_000
    /// Everything that moves the inbox is about this person.
    static let viewer = "ada"

    /// What the slot's pull requests are to ada.
    enum Role: Sendable {
        case written, askedByName, askedThroughTeam, reviewed, mentioned
        /// Other people's business: most are.
        case elsewhere
    }

    /// As it was opened.
    let opened: SimulatedPull
    /// In order, the first with the opening.
    let events: [PullEvent.Timed]

    /// What holds of a slot for ever.
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
                case ..<30: .askedByName
                case ..<50: .askedThroughTeam
                case ..<68: .reviewed
                case ..<82: .mentioned
                default: .elsewhere
                }
            let isPersonal = SimulatedRepository.all[index % 40].isPersonal
            self.role = role == .askedThroughTeam && isPersonal ? .askedByName : role
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
            title: PullWords.title(dice, isBot: author?.isBot ?? false),
            body: PullWords.body(dice, mentioning: isMentionedInBody ? Self.viewer : nil), author: author,
            createdAt: writer.start, updatedAt: writer.start, isDraft: writer.beginsAsDraft)
        writer.write(mentionsInBody: isMentionedInBody)
        events = writer.events.sorted { $0.at < $1.at }
    }

    /// As it stands at a time, and from when until when it stands so.
    func standing(at now: Int) -> (pull: SimulatedPull, times: Range<Int>) {
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
