struct CheckSchedule: Sendable, Hashable {
    struct Check: Sendable, Hashable {
        let name: String
        let startsAt: Int
        let endsAt: Int
        /// The GraphQL value: SUCCESS, FAILURE, SKIPPED, NEUTRAL, CANCELLED, TIMED_OUT.
        let conclusion: String
        /// Whether it is a commit status, which predates check runs.
        let isContext: Bool

        /// QUEUED, IN_PROGRESS or COMPLETED.
        func status(at now: Int) -> String {
            now < startsAt ? "QUEUED" : now < endsAt ? "IN_PROGRESS" : "COMPLETED"
        }

        func changedAt(_ now: Int) -> Int { status(at: now) == "COMPLETED" ? endsAt : min(startsAt, now) }

        /// The value in `checkRunCountsByState` or `StatusState`.
        func state(at now: Int) -> String {
            let status = status(at: now)
            guard status == "COMPLETED" else { return isContext ? "PENDING" : status }
            return conclusion
        }
    }

    enum Verdict: Sendable, Hashable {
        case fail(Int)
        case pass(Int)
    }

    private var planned: [Check] = []
    /// A result set by a command for this head; overrides the random one.
    var verdict: Verdict?

    init() {}

    init(dice: SeededRandom, at: Int, hasContext: Bool) {
        let count = 2 + dice.index(1, below: 6)
        let failing = dice.unit(2) < 0.2 ? dice.index(3, below: count) : -1
        planned = (0..<count).map { index in
            let roll = UInt64(index)
            let start = at + 4_000 + dice.index(4, roll, below: 50_000)
            let isOptional = index > 1 && dice.unit(5, roll) < 0.12
            return Check(
                name: Self.names[index], startsAt: start,
                endsAt: start + 15_000 + dice.index(6, roll, below: 420_000),
                conclusion: index == failing
                    ? Self.failures[dice.index(7, below: 3)] : isOptional ? "SKIPPED" : "SUCCESS",
                isContext: false)
        }
        guard hasContext else { return }
        planned.append(
            Check(
                name: "ci/legacy", startsAt: at, endsAt: at + 90_000 + dice.index(8, below: 200_000),
                conclusion: dice.unit(9) < 0.05 ? "ERROR" : "SUCCESS", isContext: true))
    }

    var checks: [Check] {
        switch verdict {
        case nil: planned
        case .fail(let at): ended(at, first: "FAILURE")
        case .pass(let at): ended(at, first: "SUCCESS")
        }
    }

    /// Returns GitHub's combined state: SUCCESS, FAILURE or PENDING, or nil without checks.
    func state(at now: Int) -> String? {
        let states = checks.map { $0.state(at: now) }
        guard !states.isEmpty else { return nil }
        if states.contains(where: { Self.failureStates.contains($0) }) { return "FAILURE" }
        return states.contains { ["QUEUED", "IN_PROGRESS", "PENDING"].contains($0) } ? "PENDING" : "SUCCESS"
    }

    private func ended(_ at: Int, first: String) -> [Check] {
        let kinds = planned.isEmpty ? [(Self.names[0], false)] : planned.map { ($0.name, $0.isContext) }
        return kinds.enumerated().map { index, kind in
            Check(
                name: kind.0, startsAt: at - 60_000, endsAt: at, conclusion: index == 0 ? first : "SUCCESS",
                isContext: kind.1)
        }
    }

    private static let failureStates: Set = ["FAILURE", "ERROR", "CANCELLED", "TIMED_OUT", "STARTUP_FAILURE"]
    private static let failures = ["FAILURE", "FAILURE", "TIMED_OUT"]
    private static let names = [
        "build (linux)", "test", "lint", "build (macos)", "docs", "integration / postgres", "coverage",
        "benchmark",
    ]
}
