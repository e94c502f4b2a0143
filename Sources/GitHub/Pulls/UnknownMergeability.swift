import Foundation

/// The pull requests whose mergeability GitHub was still finding out: asked for again after 3, 6 and 12 seconds, as
/// long as it is unknown.
struct UnknownMergeability {
    private static let maximumCount = 100
    private static let maximumTries = 3
    /// By id: how often it was asked for.
    private var tries: [String: Int] = [:]
    private var ids: [String] = []

    /// Takes the ids from what was just fetched. Returns seconds until they are asked for; nil for none.
    mutating func update(from result: PullFetchResult) -> TimeInterval? {
        let unknown = result.facts.values.filter { $0.pull.mergeable == .unknown }.compactMap(\.nodeId)
            .sorted()
        tries = tries.filter { unknown.contains($0.key) }
        ids = Array(unknown.filter { tries[$0, default: 0] < Self.maximumTries }.prefix(Self.maximumCount))
        return ids.isEmpty ? nil : 3
    }

    /// Returns the ids to ask for now, and counts the try.
    mutating func next() -> [String] {
        for id in ids { tries[id, default: 0] += 1 }
        return ids
    }

    /// Takes GitHub's answers. Returns seconds until the rest is asked for; nil for none.
    mutating func record(_ answers: [String: PullRequest.Mergeable]) -> TimeInterval? {
        for (id, answer) in answers where answer != .unknown { tries[id] = nil }
        ids = ids.filter { (tries[$0] ?? Self.maximumTries) < Self.maximumTries }
        return ids.compactMap { tries[$0] }.max().map { 3 * Double(1 << min($0, 4)) }
    }
}
