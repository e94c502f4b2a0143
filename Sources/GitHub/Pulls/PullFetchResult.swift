import Foundation
import TextFormats

struct PullFetchResult: Sendable {
    package struct Found: Equatable, Sendable {
        package var keys: [PullKey] = []
        /// GitHub's count.
        package var total = 0
        package var isCut = false
        /// Why the results are missing or incomplete, as a message.
        package var problem: String?
    }

    /// GitHub returns no more results of any search.
    package static let maximum = 1_000

    /// The problem of a search that GitHub left out, if no earlier result exists.
    static let unanswered = "GitHub did not answer this search. Roost tries again with the next refresh."

    package let host: String
    package var facts: [PullKey: FetchedPull] = [:]
    package var found: [PullSearch: Found] = [:]
    /// Malformed items by hash, so that each counts once.
    package var refusals: [Int: String] = [:]
    /// The number of results that GitHub does not show. One that two searches found counts twice, because nothing
    /// identifies it.
    package var hidden = 0
    /// GitHub's errors about parts of the query, for the log.
    var warnings: Set<String> = []
    package var isIncomplete = false
    package var hasLessDetail = false
    package var login: String
    /// The points or requests used.
    package var cost = 0
    package var budget: RateBudget?
    /// When it was fetched by GraphQL, or nil for REST.
    package var fetchedAt: Date?
    /// True if nothing was known before, so that everything was fetched.
    package var isFirst = false

    var nextCost: Int { isFirst ? min(cost, PullSchedule.typicalCost) : cost }

    /// Adds a page of a search, which may contain known pull requests.
    ///
    /// - Parameter isForbidden: true if GitHub refuses access to some results, which are null
    mutating func add(_ page: PullPage, of search: PullSearch, isForbidden: Bool = false) {
        var found = found[search] ?? Found()
        var seen = Set(found.keys)
        for facts in page.facts {
            let key = facts.key(host: host)
            if !seen.contains(key) {
                guard found.keys.count < Self.maximum else { continue }
                seen.insert(key)
                found.keys.append(key)
            }
            self.facts[key] = facts
        }
        found.total = max(page.total, found.keys.count)
        for (hash, why) in page.refusals where refusals.count < Self.maximum { refusals[hash] = why }
        let nulls = min(page.nulls, Self.maximum)
        if isForbidden {
            hidden += nulls
        }
        // Nulls have no identity, so those of different searches may be the same.
        else {
            for index in 0..<nulls { refusals[-1 - index] = "node: is null" }
        }
        isIncomplete = isIncomplete || page.isIncomplete
        self.found[search] = found
    }

    /// Keeps the known mergeability of unchanged heads that GitHub is checking again, as it does after every push to
    /// the base. Otherwise conflicts would disappear and return.
    func keepingMergeability(of old: PullFetchResult?) -> PullFetchResult {
        var result = self
        for (key, facts) in facts where facts.pull.mergeable == .unknown {
            guard let previous = old?.facts[key], previous.head == facts.head,
                let mergeable = previous.pull.mergeable
            else { continue }
            result.facts[key]?.pull.mergeable = mergeable
        }
        return result
    }

    mutating func addLists(of old: PullFetchResult?) {
        guard let old else { return }
        for (key, overview) in facts {
            guard let previous = old.facts[key], previous.detailedAt != nil,
                previous.nodeId == overview.nodeId
            else {
                continue
            }
            facts[key] = overview.withLists(of: previous)
        }
    }

    mutating func keep(_ search: PullSearch, of old: PullFetchResult?) {
        guard let old, let found = old.found[search] else { return }
        // Only later pages may have failed: merge.
        let fresh = self.found[search]?.keys ?? []
        let freshKeys = Set(fresh)
        var merged = found
        merged.keys = fresh + found.keys.filter { !freshKeys.contains($0) }
        self.found[search] = merged
        for key in merged.keys where facts[key] == nil { facts[key] = old.facts[key] }
    }
}

struct PullPage: Sendable {
    package var facts: [FetchedPull] = []
    package var refusals: [Int: String] = [:]
    /// The number of nulls in place of pull requests.
    package var nulls = 0
    package var total = 0
    package var isIncomplete = false
    /// The next page's cursor (GraphQL) or path (REST).
    package var next: String?
    package var isPresent = true

    package init() {}

    mutating func add(
        _ reader: inout JSONReader, _ read: (inout JSONReader) throws -> FetchedPull?
    ) throws {
        // Limits memory: tiny items of a hostile response would take thousands of times their size.
        guard facts.count < PullFetchResult.maximum, refusals.count < PullFetchResult.maximum else { return }
        if try reader.isNull() {
            nulls += 1
            return
        }
        switch try reader.attempt(read) {
        case .success(let item): if let item { facts.append(item) }
        case .failure(let refused): refusals[refused.hash] = refused.refusal.description
        }
    }
}

/// Selects what to fetch after the overview: everything about changed pull requests, and of unchanged ones the parts
/// that change without a new `updatedAt`.
struct PullChanges {
    /// Fetch everything.
    private(set) var details: [PullKey] = []
    /// Fetch only the checks.
    private(set) var checks: [PullKey] = []
    /// Fetch only whether threads are resolved.
    private(set) var threads: [PullKey] = []

    /// Seconds within which everything is fetched again, a share with each refresh. This corrects data that changes
    /// without a new `updatedAt`, such as a label's colour or a reopened thread.
    static let renewal: TimeInterval = 1_800
    /// `updatedAt` has whole seconds: data fetched this soon after it, in seconds, may lack a change of the same
    /// second.
    private static let settling: TimeInterval = 10

    /// - Parameters:
    ///   - result: the results of the searches
    ///   - old: the previous result, with its details
    ///   - discussed: the pull requests whose code threads are needed
    init(of result: PullFetchResult, since old: PullFetchResult?, discussed: Set<PullKey>, now: Date) {
        var unchanged: [(key: PullKey, id: String, at: Date)] = []
        for (key, facts) in result.facts {
            guard let id = facts.nodeId else { continue }
            guard let previous = old?.facts[key], previous.nodeId == id, let at = previous.detailedAt,
                previous.hasThreads || !discussed.contains(key),
                !Self.isChanged(facts, since: previous, fetchedAt: at)
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
            guard let facts = result.facts[key], let previous = old?.facts[key] else { continue }
            if previous.hasRunningChecks || facts.pull.checks?.state != previous.pull.checks?.state {
                checks.append(key)
            }
            if previous.pull.unresolvedThreads ?? 0 > 0 { threads.append(key) }
        }
    }

    mutating func add(_ changed: [PullKey]) { details += changed }

    private static func isChanged(_ facts: FetchedPull, since previous: FetchedPull, fetchedAt: Date) -> Bool
    {
        let (pull, before) = (facts.pull, previous.pull)
        return pull.updatedAt != before.updatedAt || before.updatedAt > fetchedAt - settling
            || facts.head != previous.head || pull.state != before.state || pull.isDraft != before.isDraft
            || pull.reviewDecision != before.reviewDecision || pull.comments != before.comments
    }
}
