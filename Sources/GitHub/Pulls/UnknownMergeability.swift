/// Requests mergeability that GitHub had not determined again, after 3, 6 and 12 seconds.
struct UnknownMergeability {
    private static let maximumCount = 100
    private static let maximumTries = 3
    private var tries: [String: Int] = [:]
    private var ids: [String] = []

    /// Takes the ids from a new result. Returns the time until the request, or nil.
    mutating func update(from result: PullFetchResult) -> Duration? {
        let unknown = result.facts.values.filter { $0.pull.mergeable == .unknown }.compactMap(\.nodeId)
            .sorted()
        tries = tries.filter { unknown.contains($0.key) }
        ids = Array(unknown.filter { tries[$0, default: 0] < Self.maximumTries }.prefix(Self.maximumCount))
        return ids.isEmpty ? nil : .seconds(3)
    }

    mutating func next() -> [String] {
        for id in ids { tries[id, default: 0] += 1 }
        return ids
    }

    /// Records GitHub's answers. Returns the time until the rest is requested, or nil.
    mutating func record(_ answers: [String: PullRequest.Mergeable]) -> Duration? {
        for (id, answer) in answers where answer != .unknown { tries[id] = nil }
        ids = ids.filter { (tries[$0] ?? Self.maximumTries) < Self.maximumTries }
        return ids.compactMap { tries[$0] }.max().map { .seconds(3 << min($0, 4)) }
    }
}
