import Foundation

/// The pull requests whose mergeability GitHub was still finding out: asked again after 3, 6 and 12
/// seconds, as long as it is unknown.
struct MergeabilityPoller {
    private static let most = 100
    private static let tries = 3
    /// By id: how often it was asked.
    private var asked: [String: Int] = [:]
    private var unsettled: [String] = []
    private(set) var nextAt: Date?

    mutating func ask(_ haul: PullFetchResult, at now: Date) {
        let unknown = haul.facts.values.filter { $0.pull.mergeable == .unknown }.compactMap(\.nodeId).sorted()
        asked = asked.filter { unknown.contains($0.key) }
        unsettled = Array(unknown.filter { asked[$0, default: 0] < Self.tries }.prefix(Self.most))
        nextAt = unsettled.isEmpty ? nil : now + 3
    }

    /// The ids to ask about now; counts the try.
    mutating func take(at now: Date) -> [String] {
        defer { nextAt = nil }
        for id in unsettled { asked[id, default: 0] += 1 }
        return unsettled
    }

    mutating func settle(_ answers: [String: PullRequest.Mergeable], at now: Date) {
        for (id, answer) in answers where answer != .unknown { asked[id] = nil }
        unsettled = unsettled.filter { (asked[$0] ?? Self.tries) < Self.tries }
        guard let tries = unsettled.compactMap({ asked[$0] }).max() else { return }
        nextAt = now + 3 * Double(1 << min(tries, 4))
    }
}
