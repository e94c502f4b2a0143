import Foundation

/// What has to be asked beyond the overview: everything of what changed, and of what stayed the little that changes
/// without a later `updatedAt`.
struct PullChanges {
    /// Of these everything is asked.
    private(set) var details: [PullKey] = []
    /// Of these only the checks.
    private(set) var checks: [PullKey] = []
    /// Of these only whether their threads are resolved.
    private(set) var threads: [PullKey] = []

    /// Within this many seconds everything is fetched again, a share with each refresh: what GitHub gives no later `updatedAt`
    /// for (a label's colour, a thread that is opened again) is not wrong for ever.
    static let renewal: TimeInterval = 1_800
    /// `updatedAt` counts whole seconds: what was fetched so few of them after it may lack something of the same second.
    private static let settling: TimeInterval = 10

    /// - Parameters:
    ///   - result: what the searches found
    ///   - old: what was fetched before, with all its details
    ///   - discussed: those of which the words on the code are needed
    init(of result: PullFetchResult, since old: PullFetchResult?, discussed: Set<PullKey>, now: Date) {
        var unchanged: [(key: PullKey, id: String, at: Date)] = []
        for (key, facts) in result.facts {
            guard let id = facts.nodeId else { continue }
            guard let known = old?.facts[key], known.nodeId == id, let at = known.detailedAt,
                known.hasThreads || !discussed.contains(key),
                !Self.isChanged(facts, since: known, fetchedAt: at)
            else {
                details.append(key)
                continue
            }
            unchanged.append((key, id, at))
        }
        let elapsed = max(0, min(Self.renewal, old?.fetchedAt.map(now.timeIntervalSince) ?? 0))
        let share = Int((Double(unchanged.count) * elapsed / Self.renewal).rounded(.up))
        unchanged.sort { ($0.at, $0.id) < ($1.at, $1.id) }
        let oldest = unchanged.prefix(share).prefix { now.timeIntervalSince($0.at) >= Self.renewal / 2 }
        details += oldest.map(\.key)
        for (key, _, _) in unchanged.dropFirst(oldest.count) {
            guard let facts = result.facts[key], let known = old?.facts[key] else { continue }
            if known.hasRunningChecks || facts.pull.checks?.state != known.pull.checks?.state {
                checks.append(key)
            }
            if known.pull.unresolvedThreads ?? 0 > 0 { threads.append(key) }
        }
    }

    /// These turned out to have changed.
    mutating func add(_ changed: [PullKey]) { details += changed }

    private static func isChanged(_ facts: FetchedPull, since known: FetchedPull, fetchedAt: Date) -> Bool {
        let (pull, before) = (facts.pull, known.pull)
        return pull.updatedAt != before.updatedAt || before.updatedAt > fetchedAt - settling
            || facts.head != known.head || pull.state != before.state || pull.isDraft != before.isDraft
            || pull.reviewDecision != before.reviewDecision || pull.comments != before.comments
    }
}
