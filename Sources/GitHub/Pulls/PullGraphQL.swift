import Foundation

/// Fetches an account's pull requests by GraphQL: all searches in one request, further pages in further ones; then what
/// has changed, and what changes without saying so.
struct PullGraphQL {
    /// There is no GraphQL here that could answer; REST may.
    struct NotToBeHad: Error {
        let why: String
        /// What GitHub answered; nil where that was no failure.
        var failure: GitHubFailure?
    }

    let client: any GitHubClient
    let priority: GitHubSession.Priority
    let now: Date
    /// Becomes less where the token, or GitHub, does not give so much.
    var extent: PullQuery.Extent
    /// Whether it has answered before: what it answers otherwise now is a fault, not a lack.
    let isKnown: Bool

    private struct Pending {
        let question: PullSearchQuery
        var cursor: String?
    }

    /// Throws `NotToBeHad` and `GitHubFailure`; what single searches lack is kept from `old`.
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
                pending = try without(answer, pending, &result)
                continue
            }
            result.complaints.formUnion(answer.problems.prefix(20).map { "\($0.type) \($0.message)" })
            pending = Self.take(answer, pending, into: &result, old: old)
        }
    }

    /// `data` without any of the searches is no answer to them.
    private static func hasAny(of pending: [Pending], _ answer: GraphQLPullResponse) -> Bool {
        pending.isEmpty || pending.contains { page($0.question.search, answer) != nil }
    }

    /// Nil where GitHub left it out. A recorded answer has one search, under the field's own name.
    private static func page(_ search: PullSearch, _ answer: GraphQLPullResponse) -> PullPage? {
        (answer.pages[search.alias] ?? answer.pages["search"]).flatMap { $0.isThere ? $0 : nil }
    }

    private func ask(_ pending: [Pending]) async throws -> GraphQLPullResponse {
        var variables: [String: GraphQLVariable] = [:]
        for (place, item) in pending.enumerated() {
            variables["q\(place)"] = .text(item.question.words)
            variables["a\(place)"] = item.cursor.map { .text($0) }
        }
        let query = PullQuery.inbox(
            pending.map { .init(alias: $0.question.search.alias, isContinued: $0.cursor != nil) }, extent)
        return try await answer(query, variables)
    }

    /// Whether these can be merged, by their ids.
    func mergeable(_ ids: [String]) async throws -> [String: PullRequest.Mergeable] {
        try await answer(PullQuery.mergeable, ["ids": .list(ids)]).mergeable
    }

    private func answer(_ query: String, _ variables: [String: GraphQLVariable]) async throws
        -> GraphQLPullResponse
    {
        let body: Data
        do {
            body = try await client.graphQL(query: query, variables: variables, priority)
        } catch let failure as GitHubFailure where Self.isLack(failure, isKnown: isKnown) {
            throw NotToBeHad(why: "status \(failure.status) \(failure.detail)", failure: failure)
        }
        let answer = try? GraphQLPullResponse(body, now: now)
        guard let answer, answer.isGraphQL else {
            guard isKnown else { throw NotToBeHad(why: "the answer is no GraphQL") }
            throw GitHubFailure(
                error: .invalidResponse(statusCode: 200), status: 200, detail: "the answer is no GraphQL")
        }
        return answer
    }

    /// A host without it answers 404, a token that may not use it 403; a limit or an outage is another matter.
    private static func isLack(_ failure: GitHubFailure, isKnown: Bool) -> Bool {
        switch failure.error {
        case .forbidden: true
        case .invalidResponse(let status):
            [400, 404, 405, 406, 410, 415].contains(status) || (200..<300).contains(status) && !isKnown
        default: [404, 501].contains(failure.status)
        }
    }

    /// What is left to ask when there was no data at all, after something was taken out. Throws when nothing helps.
    private mutating func without(
        _ answer: GraphQLPullResponse, _ pending: [Pending], _ result: inout PullFetchResult
    ) throws -> [Pending] {
        if try asksForLess(answer) { return pending }
        // The query of an own section that GitHub cannot make sense of must not take the others with it.
        let named = Set(answer.problems.compactMap(\.alias))
        let isOwn = { (item: Pending) in if case .own = item.question.search { true } else { false } }
        let guilty = pending.filter { isOwn($0) && named.contains($0.question.search.alias) }
        let suspects = guilty.isEmpty && !Self.isOutage(answer) ? pending.filter(isOwn) : guilty
        guard !suspects.isEmpty else { throw Self.failure(answer) }
        for suspect in suspects {
            result.found[suspect.question.search] = Self.problem(suspect.question.search, answer)
        }
        return pending.filter { result.found[$0.question.search]?.problem == nil }
    }

    /// Whether the same is to be asked again, for less: the token, or the host, does not give something. Throws
    /// `NotToBeHad` for a schema that is too old for the rest as well.
    private mutating func asksForLess(_ answer: GraphQLPullResponse) throws -> Bool {
        if extent.hasTeams, answer.problems.contains(where: \.lacksScope) {
            extent.hasTeams = false
            return true
        }
        if extent.hasMergeState,
            answer.problems.contains(where: { $0.isUnknownField && $0.names(PullQuery.mergeState) })
        {
            extent.hasMergeState = false
            return true
        }
        if answer.problems.contains(where: \.isUnknownField) {
            throw NotToBeHad(why: answer.problems.first?.message ?? "")
        }
        return false
    }

    private static func problem(_ search: PullSearch, _ answer: GraphQLPullResponse) -> PullFetchResult.Found
    {
        let said = answer.problems.first { $0.alias == search.alias } ?? answer.problems.first
        return PullFetchResult.Found(
            problem: said.map(\.message).flatMap { $0.isBlank ? nil : $0 } ?? "GitHub cannot search for this."
        )
    }

    private static func isOutage(_ answer: GraphQLPullResponse) -> Bool {
        !answer.problems.isEmpty && answer.problems.allSatisfy(\.isOutage)
    }

    private static func failure(_ answer: GraphQLPullResponse) -> GitHubFailure {
        let detail = answer.problems.first?.message ?? "no data"
        let isRefused = answer.problems.contains { $0.type == "FORBIDDEN" || $0.lacksScope }
        return GitHubFailure(
            error: isRefused
                ? .forbidden
                : answer.problems.contains(where: \.isOutage)
                    ? .serverError(statusCode: 200) : .invalidResponse(statusCode: 200),
            status: 200, detail: detail)
    }

    /// Takes the pages in, and says what is to be asked next.
    private static func take(
        _ answer: GraphQLPullResponse, _ pending: [Pending], into result: inout PullFetchResult,
        old: PullFetchResult?
    ) -> [Pending] {
        pending.compactMap { item in
            let search = item.question.search
            guard let page = page(search, answer) else {
                miss(item, answer, &result, old)
                return nil
            }
            let before = result.found[search]?.keys.count ?? 0
            result.take(page, of: search, isForbidden: answer.forbids(search))
            let count = result.found[search]?.keys.count ?? 0
            let goesOn =
                page.next != nil && page.next != item.cursor && count < PullFetchResult.maximum
                && count > before
            if !goesOn {
                result.found[search]?.isCut =
                    page.next != nil && count > 0 || page.total > PullFetchResult.maximum
            }
            return goesOn ? Pending(question: item.question, cursor: page.next) : nil
        }
    }

    /// A search that the answer does not have: what was there before is kept, or it is said that nothing is known.
    private static func miss(
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

// What the searches do not tell

extension PullGraphQL {
    /// GitHub takes so many ids of a list at once.
    private static let maximumIDs = 100

    /// Adds what only lists tell: as it was known where nothing has changed.
    private mutating func addDetails(
        to result: inout PullFetchResult, of questions: [PullSearchQuery], since old: PullFetchResult?
    ) async throws {
        let discussed = Set(
            questions.map(\.search).filter(\.includesThreads).flatMap { result.found[$0]?.keys ?? [] })
        var changes = PullChanges(of: result, since: old, discussed: discussed, now: now)
        result.addLists(of: old)
        let changed = try await askChecks(changes, &result)
        changes.add(changed)
        let unknown = try await askDetails(changes.details, discussed, &result)
        try await askWhoIsMeant(by: unknown, &result)
    }

    /// Of these only the overview is known: the search for requests by name says which are one, the others come through
    /// a team.
    private mutating func askWhoIsMeant(by unknown: Set<PullKey>, _ result: inout PullFetchResult)
        async throws
    {
        guard !unknown.isEmpty else { return }
        result.isIncomplete = true
        for key in unknown { result.facts[key]?.hasDetail = false }
        guard result.found[.asked]?.keys.contains(where: unknown.contains) == true else { return }
        // Apart, since its overviews would take the place of lists that were fetched.
        var named = PullFetchResult(host: result.host, login: result.login)
        try await search([PullSearchQuery(.askedByName)], into: &named, old: nil)
        result.cost += named.cost
        result.budget = named.budget ?? result.budget
        result.complaints.formUnion(named.complaints)
        var found = PullFetchResult.Found()
        found.keys = named.found[.askedByName]?.keys.filter(unknown.contains) ?? []
        result.found[.askedByName] = found
    }

    /// Asks what changes while `updatedAt` does not. Returns those of which a thread was resolved or opened again.
    private mutating func askChecks(_ changes: PullChanges, _ result: inout PullFetchResult) async throws
        -> [PullKey]
    {
        let (running, open) = (Self.batches(changes.checks), Self.batches(changes.threads))
        var changed: [PullKey] = []
        for place in 0..<max(running.count, open.count) {
            let (running, open) = (
                place < running.count ? running[place] : [], place < open.count ? open[place] : []
            )
            let lists = ["running": Self.ids(running, result), "open": Self.ids(open, result)]
            let answer = try await nodes({ _ in PullQuery.checks }, lists, &result)
            for key in running {
                guard let id = result.facts[key]?.nodeId, let draft = answer.running[id] else { continue }
                result.facts[key]?.takeChecks(of: draft)
            }
            for key in open {
                guard let facts = result.facts[key], let id = facts.nodeId, let draft = answer.threads[id]
                else { continue }
                if draft.unresolved != facts.pull.unresolvedThreads { changed.append(key) }
            }
        }
        return changed
    }

    /// One that GitHub does not give stays as it was known, and is asked for again with the next refresh. Returns those
    /// of which nothing was known.
    private mutating func askDetails(
        _ keys: [PullKey], _ discussed: Set<PullKey>, _ result: inout PullFetchResult
    ) async throws -> Set<PullKey> {
        var unknown: Set<PullKey> = []
        var left = keys[...]
        while !left.isEmpty {
            let batch = left.prefix(extent.detailCount)
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

    /// Asks for lists of nodes by their ids, for less where the token, or the host, does not give so much.
    private mutating func nodes(
        _ document: (PullQuery.Extent) -> String, _ lists: [String: [String]], _ result: inout PullFetchResult
    ) async throws -> GraphQLPullResponse {
        while true {
            let answer = try await self.answer(document(extent), lists.mapValues { .list($0) })
            result.cost += answer.cost
            result.budget = answer.budget ?? result.budget
            guard answer.hasNodes else {
                if try asksForLess(answer) { continue }
                throw Self.failure(answer)
            }
            result.complaints.formUnion(answer.problems.prefix(20).map { "\($0.type) \($0.message)" })
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
