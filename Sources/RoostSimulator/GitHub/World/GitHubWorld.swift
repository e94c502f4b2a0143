import Synchronization

struct GitHubMoment: Sendable {
    /// Milliseconds since 1970, whole seconds.
    let now: Int
    /// The open ones, and the last ended one of each slot.
    let pulls: [SimulatedPull]
    private let byNode: [String: Int]
    private let byKey: [String: Int]

    init(now: Int, pulls: [SimulatedPull]) {
        self.now = now
        self.pulls = pulls
        byNode = Dictionary(
            pulls.indices.map { (pulls[$0].nodeID, $0) }, uniquingKeysWith: { first, _ in first })
        byKey = Dictionary(
            pulls.indices.map { (pulls[$0].key.lowercased(), $0) }, uniquingKeysWith: { first, _ in first })
    }

    var open: [SimulatedPull] { pulls.filter { $0.state == .open } }

    func pull(node: String) -> SimulatedPull? { byNode[node].map { pulls[$0] } }

    func pull(key: String) -> SimulatedPull? { byKey[key.lowercased()].map { pulls[$0] } }
}

/// The simulated GitHub's pull requests, determined by seed, time and commands.
///
/// 200 are open in 40 repositories, with an event about every minute.
final class GitHubWorld: Sendable {
    private let seed: UInt64
    private let clock: SimulatorClock
    private let state: Mutex<State>

    private struct State {
        let slots: [PullScript.Slot]
        var scripts: [Key: Script] = [:]
        var addedEvents: [String: [PullEvent.Timed]] = [:]
        /// Opened by commands, in addition to the 200.
        var extra: [SimulatedPull] = []
        var latest: GitHubMoment?
    }

    /// A script with its cached pull request, because most requests follow each other closely.
    private struct Script {
        let source: PullScript
        private(set) var pull: SimulatedPull
        private var times: Range<Int>

        init(_ source: PullScript, at now: Int) {
            self.source = source
            (pull, times) = source.snapshot(at: now)
        }

        mutating func advance(to now: Int) {
            if !times.contains(now) { (pull, times) = source.snapshot(at: now) }
        }
    }

    private struct Key: Hashable {
        let slot: Int
        let generation: Int
    }

    init(seed: UInt64, clock: SimulatorClock = .system) {
        self.seed = seed
        self.clock = clock
        state = Mutex(State(slots: (0..<PullScript.slots).map { PullScript.Slot(seed: seed, index: $0) }))
    }

    /// The clock's time in whole seconds; may go backwards.
    var now: Int { clock.now() / 1000 * 1000 }

    func moment() -> GitHubMoment {
        let now = now
        return state.withLock { state in
            if let latest = state.latest, latest.now == now { return latest }
            let moment = GitHubMoment(now: now, pulls: pulls(at: now, &state))
            state.latest = moment
            return moment
        }
    }

    /// Adds events now and returns the changed pull request.
    ///
    /// - Returns: nil when there is no such pull request to which this can happen
    @discardableResult
    func add(_ events: [PullEvent], to key: String) -> SimulatedPull? {
        guard let pull = moment().pull(key: key), events.allSatisfy(pull.accepts) else { return nil }
        let now = now
        state.withLock { state in
            state.addedEvents[pull.key, default: []] += events.map { PullEvent.Timed(at: now, event: $0) }
            state.latest = nil
        }
        return moment().pull(key: key)
    }

    func open(
        in repository: SimulatedRepository, title: String, body: String, author: SimulatedPerson?,
        isDraft: Bool, _ events: [PullEvent]
    ) -> SimulatedPull? {
        let now = now
        let key = state.withLock { state in
            let pull = SimulatedPull(
                id: 2_000_000_000 + state.extra.count, repository: repository,
                number: 100_001 + state.extra.count, title: title, body: body, author: author,
                createdAt: now, updatedAt: now, isDraft: isDraft)
            state.extra.append(pull)
            let first = PullEvent.push(commits: 1, additions: 12, deletions: 3, files: 2)
            state.addedEvents[pull.key] = ([first] + events).map { PullEvent.Timed(at: now, event: $0) }
            state.latest = nil
            return pull.key
        }
        return moment().pull(key: key)
    }

    func restore() {
        state.withLock { state in
            (state.addedEvents, state.extra, state.latest) = ([:], [], nil)
        }
    }

    private func pulls(at now: Int, _ state: inout State) -> [SimulatedPull] {
        guard now >= PullScript.origin else { return [] }
        var pulls: [SimulatedPull] = []
        var scripts: [Key: Script] = [:]
        for slot in state.slots {
            let generation = slot.generation(at: now)
            for generation in [generation, generation - 1] where generation >= 0 {
                let key = Key(slot: slot.index, generation: generation)
                var script =
                    state.scripts[key]
                    ?? Script(PullScript(seed: seed, slot: slot, generation: generation), at: now)
                script.advance(to: now)
                scripts[key] = script
                pulls.append(applyingEvents(script, at: now, state.addedEvents))
            }
        }
        // Unused scripts are dropped, so that memory does not grow over weeks.
        state.scripts = scripts
        for pull in state.extra {
            var pull = pull
            for timed in state.addedEvents[pull.key] ?? [] where pull.accepts(timed.event) {
                pull.apply(timed)
            }
            pulls.append(pull)
        }
        return pulls
    }

    private func applyingEvents(
        _ script: Script, at now: Int, _ addedEvents: [String: [PullEvent.Timed]]
    ) -> SimulatedPull {
        guard !addedEvents.isEmpty, let extra = addedEvents[script.pull.key] else { return script.pull }
        var pull = script.source.opened
        let all = script.source.events.map { (0, $0) } + extra.map { (1, $0) }
        for (_, timed) in all.sorted(by: { ($0.1.at, $0.0) < ($1.1.at, $1.0) }) where timed.at <= now {
            if pull.accepts(timed.event) { pull.apply(timed) }
        }
        return pull
    }
}
