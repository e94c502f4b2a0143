struct ScriptWriter {
    let dice: SeededRandom
    let slot: PullScript.Slot
    let start: Int
    private(set) var events: [PullEvent.Timed] = []
    private let viewer = SimulatedCast.people[0]

    /// Nil if the account was deleted.
    var author: SimulatedPerson? {
        if slot.role == .written { return viewer }
        let roll = dice.unit(30)
        if roll < 0.02 { return nil }
        if roll < 0.14 { return SimulatedCast.bots[dice.index(31, below: SimulatedCast.bots.count)] }
        return colleague(32)
    }

    var beginsAsDraft: Bool { author?.isBot != true && dice.unit(33) < 0.18 }

    mutating func write(mentionsInBody: Bool) {
        add(0, push(40, isFirst: true))
        addLabels()
        addRequests()
        if beginsAsDraft, dice.unit(34) < 0.6 { add(0.05 + 0.25 * dice.unit(35), .ready) }
        switch slot.role {
        case .reviewed: add(0.02 + 0.1 * dice.unit(36), .review(by: viewer, verdict(37)))
        case .mentioned where !mentionsInBody:
            let text = "@\(viewer.login) \(PullTexts.comment(dice, 38))"
            add(0.01 + 0.05 * dice.unit(39), .comment(by: colleague(40), text: text))
        default: break
        }
        if slot.role == .mentioned || slot.role == .written, dice.unit(41) < 0.5 {
            add(0.08, .comment(by: viewer, text: PullTexts.comment(dice, 42)))
        }
        addActivity()
        addEnd()
    }

    private mutating func addActivity() {
        var at = Timestamp.hour / 3
        var turn: UInt64 = 100
        while true {
            at += Timestamp.hour / 6 + dice.index(turn, 1, below: 5 * Timestamp.hour)
            guard at < slot.period * 9 / 10 else { return }
            addEvent(at, turn)
            turn += 1
        }
    }

    private mutating func addEvent(_ at: Int, _ turn: UInt64) {
        let person = colleague(turn, 3)
        let text = PullTexts.comment(dice, turn)
        let event: PullEvent
        switch dice.unit(turn, 2) {
        case ..<0.34: event = push(turn, isFirst: false)
        case ..<0.60: event = .comment(by: person, text: text)
        case ..<0.74: event = .review(by: person, verdict(turn))
        case ..<0.84: event = .thread(by: person, text: text)
        case ..<0.88: event = .reply(by: author ?? person, text: text)
        case ..<0.95: event = .resolve
        default: event = .request(.person(person))
        }
        // People do not review or ask themselves. ada is never picked for random events.
        if person == author, dice.unit(turn, 2) >= 0.60 { return }
        events.append(.init(at: start + at / 1000 * 1000, event: event))
    }

    private mutating func addEnd() {
        let merger = colleague(50)
        let end: PullEvent = dice.unit(51) < 0.85 ? .merge(by: merger) : .close
        events.append(.init(at: start + slot.period, event: end))
    }

    private mutating func addRequests() {
        let teams = SimulatedCast.teams.filter { $0.organisation == slot.repository.owner }
        switch slot.role {
        case .requestedByName: add(0.004, .request(.person(viewer)))
        case .requestedThroughTeam:
            let viewerTeams = teams.filter { $0.members.contains(viewer.login) }
            guard !viewerTeams.isEmpty else { break }
            let team = viewerTeams[dice.index(61, below: viewerTeams.count)]
            add(0.004, .request(.team(team)))
        default:
            let otherTeams = teams.filter { !$0.members.contains(viewer.login) }
            if !otherTeams.isEmpty, dice.unit(63) < 0.3 {
                let team = otherTeams[dice.index(64, below: otherTeams.count)]
                add(0.004, .request(.team(team)))
            }
        }
        let other = colleague(65)
        if other != author, dice.unit(66) < 0.5 { add(0.004, .request(.person(other))) }
    }

    private mutating func addLabels() {
        for index in 0..<dice.index(70, below: 4) {
            let label = SimulatedLabel.all[dice.index(71, UInt64(index), below: SimulatedLabel.all.count)]
            add(0, .label(label))
        }
        if author?.isBot == true { add(0, .label(SimulatedLabel.all[3])) }
    }

    private func push(_ turn: UInt64, isFirst: Bool) -> PullEvent {
        let size = dice.unit(turn, 4)
        let lines = Int(size * size * size * size * (isFirst ? 1_800 : 300)) + 1
        return .push(
            commits: 1 + dice.index(turn, 5, below: isFirst ? 4 : 2), additions: lines,
            deletions: Int(Double(lines) * dice.unit(turn, 6)),
            files: isFirst ? 1 + lines / 40 : dice.index(turn, 7, below: 3))
    }

    private func verdict(_ turn: UInt64) -> SimulatedReview.State {
        switch dice.unit(turn, 8) {
        case ..<0.45: .approved
        case ..<0.65: .changesRequested
        default: .commented
        }
    }

    private func colleague(_ turn: UInt64, _ part: UInt64 = 9) -> SimulatedPerson {
        SimulatedCast.people[1 + dice.index(turn, part, below: SimulatedCast.people.count - 1)]
    }

    /// - Parameter share: fraction of the pull request's life, 0 to 1
    private mutating func add(_ share: Double, _ event: PullEvent) {
        let at = start + Int(share * Double(slot.period)) / 1000 * 1000
        events.append(.init(at: at, event: event))
    }
}
