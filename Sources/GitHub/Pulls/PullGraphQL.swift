import Foundation

/// Fetches an account's pull requests by GraphQL: all searches in one request, then further pages, then what has
/// changed or may change without a new `updatedAt`.
struct PullGraphQL {
    /// The host has no usable GraphQL. REST may work.
    struct Unavailable: Error {
        let why: String
        var failure: GitHubFailure?
    }

    let client: any GitHubClient
    let priority: GitHubSession.Priority
    let now: Date
    /// Reduced if the token or host does not support all of it.
    var options: PullQuery.Options
    /// True if GraphQL has worked before, so that other responses are failures.
    let hasWorked: Bool

    private struct Pending {
        let question: PullSearchQuery
        var cursor: String?
    }

    /// Throws `Unavailable` and `GitHubFailure`. Searches without a result keep that of `old`.
    mutating func fetch(
        _ questions: [PullSearchQuery], into result: inout PullFetchResult, old: PullFetchResult?
    ) async throws {
        try await search(questions, into: &result, old: old)
        try await addDetails(to: &result, of: questions, since: old)
        result.fetchedAt = now
        result.isFirst = old?.fetchedAt == nil
    }

    private mutating func search(
        _ questions: [PullSearchQuery], into result: inout PullFetchResult, old: PullFetchResult?
    ) async throws {
        var pending = questions.map { Pending(question: $0) }
        var retries = 3
        while !pending.isEmpty {
            let answer = try await ask(pending)
            result.cost += answer.cost
            result.budget = answer.budget ?? result.budget
            if let login = answer.login, !login.isEmpty { result.login = login }
            let isContinued = pending.contains { $0.cursor != nil }
            guard isContinued ? answer.hasData : Self.hasAny(of: pending, answer) else {
                guard retries > 0 else { throw Self.failure(answer) }
                retries -= 1
                pending = try searchesToRetry(after: answer, pending, &result)
                continue
            }
            result.warnings.formUnion(answer.problems.prefix(20).map { "\($0.type) \($0.message)" })
            pending = Self.addPages(of: answer, pending, into: &result, old: old)
        }
    }

    /// `data` without any of the searches counts as no data.
    private static func hasAny(of pending: [Pending], _ answer: GraphQLPullResponse) -> Bool {
        pending.isEmpty || pending.contains { page($0.question.search, answer) != nil }
    }

    /// Recorded responses have a single search without an alias.
    private static func page(_ search: PullSearch, _ answer: GraphQLPullResponse) -> PullPage? {
        (answer.pages[search.alias] ?? answer.pages["search"]).flatMap { $0.isPresent ? $0 : nil }
    }

    private func ask(_ pending: [Pending]) async throws -> GraphQLPullResponse {
        var variables: [String: GraphQLVariable] = [:]
        for (index, item) in pending.enumerated() {
            variables["q\(index)"] = .text(item.question.query)
            variables["a\(index)"] = item.cursor.map { .text($0) }
        }
        let query = PullQuery.inbox(
            pending.map { .init(alias: $0.question.search.alias, isContinued: $0.cursor != nil) }, options)
        return try await answer(query, variables)
    }

    func mergeable(_ ids: [String]) async throws -> [String: PullRequest.Mergeable] {
        try await answer(PullQuery.mergeable, ["ids": .list(ids)]).mergeable
    }

    private func answer(_ query: String, _ variables: [String: GraphQLVariable]) async throws
        -> GraphQLPullResponse
    {
        let body: Data
        do {
            body = try await client.graphQL(query: query, variables: variables, priority)
        } catch let failure as GitHubFailure where Self.isUnsupported(failure, hasWorked: hasWorked) {
            throw Unavailable(why: "status \(failure.status) \(failure.detail)", failure: failure)
        }
        let answer = try? GraphQLPullResponse(body, now: now)
        guard let answer, answer.isGraphQL else {
            guard hasWorked else { throw Unavailable(why: "not a GraphQL response") }
            throw GitHubFailure(
                error: .invalidResponse(statusCode: 200), status: 200, detail: "not a GraphQL response")
        }
        return answer
    }

    /// A host without GraphQL answers 404, a token without access 403. Limits and outages don't count.
    static func isUnsupported(_ failure: GitHubFailure, hasWorked: Bool) -> Bool {
        switch failure.error {
        case .forbidden: true
        case .invalidResponse(let status):
            [400, 404, 405, 406, 410, 415].contains(status) || (200..<300).contains(status) && !hasWorked
        default: [404, 501].contains(failure.status)
        }
    }

    /// Returns the searches to retry if there was no data at all. Throws if nothing can be left out.
    private mutating func searchesToRetry(
        after answer: GraphQLPullResponse, _ pending: [Pending], _ result: inout PullFetchResult
    ) throws -> [Pending] {
        if try reduceOptions(after: answer) { return pending }
        // An invalid query of an own section must not fail the others.
        let named = Set(answer.problems.compactMap(\.alias))
        let isOwn = { (item: Pending) in if case .own = item.question.search { true } else { false } }
        let failing = pending.filter { isOwn($0) && named.contains($0.question.search.alias) }
        let candidates = failing.isEmpty && !Self.isOutage(answer) ? pending.filter(isOwn) : failing
        guard !candidates.isEmpty else { throw Self.failure(answer) }
        for candidate in candidates {
            result.found[candidate.question.search] = Self.problem(candidate.question.search, answer)
        }
        return pending.filter { result.found[$0.question.search]?.problem == nil }
    }

    /// Reduces the options and returns true if the token or host does not support all of them. Throws `Unavailable` if
    /// the schema lacks other fields too.
    private mutating func reduceOptions(after answer: GraphQLPullResponse) throws -> Bool {
        if options.hasTeams, answer.problems.contains(where: \.isMissingScope) {
            options.hasTeams = false
            return true
        }
        if options.hasMergeState,
            answer.problems.contains(where: { $0.isUnknownField && $0.mentions(PullQuery.mergeState) })
        {
            options.hasMergeState = false
            return true
        }
        if answer.problems.contains(where: \.isUnknownField) {
            throw Unavailable(why: answer.problems.first?.message ?? "")
        }
        return false
    }

    private static func problem(_ search: PullSearch, _ answer: GraphQLPullResponse) -> PullFetchResult.Found
    {
        let cause = answer.problems.first { $0.alias == search.alias } ?? answer.problems.first
        return PullFetchResult.Found(
            problem: cause.map(\.message).flatMap { $0.isBlank ? nil : $0 }
                ?? "GitHub cannot search for this."
        )
    }

    private static func isOutage(_ answer: GraphQLPullResponse) -> Bool {
        !answer.problems.isEmpty && answer.problems.allSatisfy(\.isOutage)
    }

    private static func failure(_ answer: GraphQLPullResponse) -> GitHubFailure {
        let detail = answer.problems.first?.message ?? "no data"
        let isRefused = answer.problems.contains { $0.type == "FORBIDDEN" || $0.isMissingScope }
        return GitHubFailure(
            error: isRefused
                ? .forbidden
                : answer.problems.contains(where: \.isOutage)
                    ? .serverError(statusCode: 200) : .invalidResponse(statusCode: 200),
            status: 200, detail: detail)
    }

    private static func addPages(
        of answer: GraphQLPullResponse, _ pending: [Pending], into result: inout PullFetchResult,
        old: PullFetchResult?
    ) -> [Pending] {
        pending.compactMap { item in
            let search = item.question.search
            guard let page = page(search, answer) else {
                handleMissing(item, answer, &result, old)
                return nil
            }
            let before = result.found[search]?.keys.count ?? 0
            result.add(page, of: search, isForbidden: answer.forbids(search))
            let count = result.found[search]?.keys.count ?? 0
            let hasMore =
                page.next != nil && page.next != item.cursor && count < PullFetchResult.maximum
                && count > before
            if !hasMore {
                result.found[search]?.isCut =
                    page.next != nil && count > 0 || page.total > PullFetchResult.maximum
            }
            return hasMore ? Pending(question: item.question, cursor: page.next) : nil
        }
    }

    /// Keeps the previous result of a search without a response, or else reports the problem.
    private static func handleMissing(
        _ item: Pending, _ answer: GraphQLPullResponse, _ result: inout PullFetchResult,
        _ old: PullFetchResult?
    ) {
        let search = item.question.search
        if case .own = search, item.cursor == nil {
            result.found[search] = problem(search, answer)
            return
        }
        result.isIncomplete = true
        result.keep(search, of: old)
        if result.found[search] == nil { result.found[search] = .init(problem: PullFetchResult.unanswered) }
    }
}

extension PullGraphQL {
    /// GitHub's limit of ids per list.
    private static let maximumIDs = 100

    /// Fetches the lists of changed pull requests, and keeps those of unchanged ones.
    private mutating func addDetails(
        to result: inout PullFetchResult, of questions: [PullSearchQuery], since old: PullFetchResult?
    ) async throws {
        let discussed = Set(
            questions.map(\.search).filter(\.includesThreads).flatMap { result.found[$0]?.keys ?? [] })
        var changes = PullChanges(of: result, since: old, discussed: discussed, now: now)
        result.addLists(of: old)
        let changed = try await fetchChecks(changes, &result)
        changes.add(changed)
        let unknown = try await fetchDetails(changes.details, discussed, &result)
        try await fetchRequestedByName(among: unknown, &result)
    }

    /// For pull requests without lists, searches for requests by name. Other requests come through a team.
    private mutating func fetchRequestedByName(among unknown: Set<PullKey>, _ result: inout PullFetchResult)
        async throws
    {
        guard !unknown.isEmpty else { return }
        result.isIncomplete = true
        for key in unknown { result.facts[key]?.hasDetail = false }
        guard result.found[.reviewRequested]?.keys.contains(where: unknown.contains) == true else { return }
        // A separate result, so that its overviews don't replace fetched lists.
        var named = PullFetchResult(host: result.host, login: result.login)
        try await search([PullSearchQuery(.reviewRequestedByName)], into: &named, old: nil)
        result.cost += named.cost
        result.budget = named.budget ?? result.budget
        result.warnings.formUnion(named.warnings)
        var found = PullFetchResult.Found()
        found.keys = named.found[.reviewRequestedByName]?.keys.filter(unknown.contains) ?? []
        result.found[.reviewRequestedByName] = found
    }

    /// Fetches what changes without a new `updatedAt`. Returns the pull requests with resolved or reopened threads.
    private mutating func fetchChecks(_ changes: PullChanges, _ result: inout PullFetchResult) async throws
        -> [PullKey]
    {
        let (running, open) = (Self.batches(changes.checks), Self.batches(changes.threads))
        var changed: [PullKey] = []
        for index in 0..<max(running.count, open.count) {
            let (running, open) = (
                index < running.count ? running[index] : [], index < open.count ? open[index] : []
            )
            let lists = ["running": Self.ids(running, result), "open": Self.ids(open, result)]
            let answer = try await nodes({ _ in PullQuery.checks }, lists, &result)
            for key in running {
                guard let id = result.facts[key]?.nodeId, let draft = answer.running[id] else { continue }
                result.facts[key]?.updateChecks(from: draft)
            }
            for key in open {
                guard let facts = result.facts[key], let id = facts.nodeId, let draft = answer.threads[id]
                else { continue }
                if draft.unresolved != facts.pull.unresolvedThreads { changed.append(key) }
            }
        }
        return changed
    }

    /// Fetches lists. A pull request that GitHub leaves out keeps its lists until the next refresh. Returns those
    /// without earlier lists.
    private mutating func fetchDetails(
        _ keys: [PullKey], _ discussed: Set<PullKey>, _ result: inout PullFetchResult
    ) async throws -> Set<PullKey> {
        var unknown: Set<PullKey> = []
        var left = keys[...]
        while !left.isEmpty {
            let batch = left.prefix(options.detailCount)
            left = left.dropFirst(batch.count)
            let lists = [
                "discussed": Self.ids(batch.filter { discussed.contains($0) }, result),
                "others": Self.ids(batch.filter { !discussed.contains($0) }, result),
            ]
            let answer = try await nodes({ PullQuery.details($0) }, lists, &result)
            for key in batch {
                guard let id = result.facts[key]?.nodeId else { continue }
                guard let facts = answer.details[id], facts.key(host: result.host) == key else {
                    if result.facts[key]?.detailedAt == nil {
                        unknown.insert(key)
                    } else {
                        result.facts[key]?.detailedAt = .distantPast
                    }
                    continue
                }
                result.facts[key] = facts
            }
        }
        return unknown
    }

    private mutating func nodes(
        _ document: (PullQuery.Options) -> String, _ lists: [String: [String]],
        _ result: inout PullFetchResult
    ) async throws -> GraphQLPullResponse {
        while true {
            let answer = try await self.answer(document(options), lists.mapValues { .list($0) })
            result.cost += answer.cost
            result.budget = answer.budget ?? result.budget
            guard answer.hasNodes else {
                if try reduceOptions(after: answer) { continue }
                throw Self.failure(answer)
            }
            result.warnings.formUnion(answer.problems.prefix(20).map { "\($0.type) \($0.message)" })
            return answer
        }
    }

    private static func batches(_ keys: [PullKey]) -> [[PullKey]] {
        stride(from: 0, to: keys.count, by: maximumIDs).map { Array(keys[$0...].prefix(maximumIDs)) }
    }

    private static func ids(_ keys: some Sequence<PullKey>, _ result: PullFetchResult) -> [String] {
        keys.compactMap { result.facts[$0]?.nodeId }
    }
}
