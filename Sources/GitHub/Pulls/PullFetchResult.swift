import Foundation
import TextFormats

/// What one refresh of an account brought home.
struct PullFetchResult: Sendable {
    /// What one search found.
    package struct Found: Equatable, Sendable {
        package var keys: [PullKey] = []
        /// As GitHub counts them.
        package var total = 0
        /// There are more than were fetched.
        package var isCut = false
        /// Why there is nothing, or not all, in words.
        package var problem: String?

        package init(problem: String? = nil) { self.problem = problem }
    }

    /// GitHub hands out no more than this of any search.
    package static let maximum = 1_000

    /// A search that GitHub left out of its answer, when nothing is known of it from before.
    static let unanswered = "GitHub did not answer this search. It is asked again with the next refresh."

    package let host: String
    package var facts: [PullKey: FetchedPull] = [:]
    package var found: [PullSearch: Found] = [:]
    /// The malformed items, each once however many searches found it.
    package var refusals: [Int: String] = [:]
    /// How many GitHub found and refused to show; one that two searches found counts twice, for nothing tells them
    /// apart.
    package var hidden = 0
    /// What GitHub said of the parts that it could not answer, for the log.
    var complaints: Set<String> = []
    package var isIncomplete = false
    package var hasLessDetail = false
    /// Whom GitHub takes the reader for.
    package var login: String
    /// Points or requests that it took.
    package var cost = 0
    package var budget: RateBudget?
    /// When it was fetched by GraphQL; nil where it was not.
    package var fetchedAt: Date?
    /// Whether everything was asked for, since nothing was known.
    package var isFirst = false

    /// What the next refresh may cost, as far as this one tells.
    var nextCost: Int { isFirst ? min(cost, PullSchedule.usualCost) : cost }

    package init(host: String, login: String) {
        self.host = host
        self.login = login
    }

    /// Takes a page of a search in; the same pull request may have come before.
    ///
    /// - Parameter isForbidden: GitHub said that it refuses some: those are the empty places
    mutating func take(_ page: PullPage, of search: PullSearch, isForbidden: Bool = false) {
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
        // Nothing tells one null from another: those of another search may be the same.
        else {
            for place in 0..<nulls { refusals[-1 - place] = "node: is null" }
        }
        isIncomplete = isIncomplete || page.isIncomplete
        self.found[search] = found
    }

    /// With the known mergeability of heads for which GitHub works it out again, as it does after every push to their
    /// base: otherwise conflicts would come and go.
    func keepingMergeability(of old: PullFetchResult?) -> PullFetchResult {
        var result = self
        for (key, facts) in facts where facts.pull.mergeable == .unknown {
            guard let known = old?.facts[key], known.head == facts.head, let mergeable = known.pull.mergeable
            else { continue }
            result.facts[key]?.pull.mergeable = mergeable
        }
        return result
    }

    /// Adds to the overviews the lists that were fetched earlier.
    mutating func addLists(of old: PullFetchResult?) {
        guard let old else { return }
        for (key, overview) in facts {
            guard let known = old.facts[key], known.detailedAt != nil, known.nodeId == overview.nodeId else {
                continue
            }
            facts[key] = overview.withLists(of: known)
        }
    }

    /// Keeps of an earlier result what this one could not get.
    mutating func keep(_ search: PullSearch, of old: PullFetchResult?) {
        guard let old, let found = old.found[search] else { return }
        // The later pages of one whose first ones came.
        let fresh = self.found[search]?.keys ?? []
        let known = Set(fresh)
        var merged = found
        merged.keys = fresh + found.keys.filter { !known.contains($0) }
        self.found[search] = merged
        for key in merged.keys where facts[key] == nil { facts[key] = old.facts[key] }
    }
}

/// A page of one search.
struct PullPage: Sendable {
    package var facts: [FetchedPull] = []
    /// By what tells one from another: why it was refused.
    package var refusals: [Int: String] = [:]
    /// Places where a pull request should be and none is.
    package var nulls = 0
    package var total = 0
    package var isIncomplete = false
    /// The cursor, or the path, of the next page.
    package var next: String?
    package var isThere = true

    package init() {}

    /// Reads one item, or passes it over and counts it.
    mutating func add(
        _ reader: inout JSONReader, _ read: (inout JSONReader) throws -> FetchedPull?
    ) throws {
        // An answer of nothing but crumbs would be thousands of times as large in memory.
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

extension PullPage {
    /// Reads REST's answer to a search for issues. Throws for what has no list of items.
    package init(rest body: Data, now: Date) throws { self = try PullREST.read(body, now: now) }
}
