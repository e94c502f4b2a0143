import Foundation

/// Details of rows on screen: one by one without an account, fifty at a time with one.
extension RepositoryService {
    /// There is no GraphQL here that could answer.
    private struct NoGraphQL: Error { let why: String }

    func fetchRows(_ lane: RepositoryRequestQueue) async throws {
        while true {
            try Task.checkCancellation()
            let isMany = lane.hasGraphQL
            let taken = take(isMany ? RepositoryQuery.most : 1, lane)
            guard !taken.isEmpty else { return }
            do {
                let wanted = try await unknown(taken.map(\.id), lane)
                guard !wanted.isEmpty else { continue }
                if isMany { try await fetchNodes(wanted, lane) } else { try await fetchRow(wanted[0], lane) }
            } catch let lack as NoGraphQL {
                // REST asks for them one by one, as far as they are on screen.
                log.info("Repositories’ details are asked for by REST", metadata: ["why": "\(lack.why)"])
                lane.noteNoGraphQL()
                state.withLock { $0.wishes.giveBack(taken) }
            } catch {
                state.withLock { $0.wishes.giveBack(taken) }
                throw error
            }
        }
    }

    /// The next ones, of those whom this lane stands for.
    private func take(_ count: Int, _ lane: RepositoryRequestQueue) -> [PrefetchQueue.Taken] {
        let now = clock.steady()
        let users = state.withLock { $0.wishes.users { _ in true } }
        let own = Set(users.filter { self.lane(for: $0).viewer == lane.viewer })
        return state.withLock { state in
            state.wishes.take(count, withBehind: lane.hasGraphQL, at: now) { own.contains($0) }
        }
    }

    /// Those of which too little is known, and that can be asked for.
    private func unknown(_ ids: [RepositoryID], _ lane: RepositoryRequestQueue) async throws -> [Repository] {
        let (now, steady) = (clock.now(), clock.steady())
        var seen: Set<RepositoryID> = []
        let kept = try await records(ids, for: lane.viewer)
        return ids.filter { seen.insert($0).inserted }.compactMap { id in
            let fetchedAt = kept[id]?.item.fetchedAt ?? .distantPast
            guard ModelTime.isOver(fetchedAt, lifetime: Rules.freshRow, now: now) else { return nil }
            let key = RepositoryKey(id: id, viewer: lane.viewer)
            guard state.withLock({ $0.goneRows[key] ?? .distantPast }) <= steady else { return nil }
            return kept[id]?.item.repository ?? listed(id, lane)
        }
    }

    private func fetchRow(_ repository: Repository, _ lane: RepositoryRequestQueue) async throws {
        guard let name = RepositoryName(repository.fullName) else { return }
        do {
            // Another's answer tells nothing of this one.
            if try await fetchDetail(name, .rows, lane)?.item.id == repository.id { return }
        } catch let failure as GitHubFailure where Self.isOwnFault(failure) {
            log.info("A row’s detail could not be read", metadata: ["why": "\(failure.detail)"])
        }
        noteGone([repository.id], lane)
    }

    /// Of this one repository: the next may go well.
    private static func isOwnFault(_ failure: GitHubFailure) -> Bool {
        switch failure.error {
        case .invalidResponse, .forbidden: true
        default: false
        }
    }

    private func fetchNodes(_ repositories: [Repository], _ lane: RepositoryRequestQueue) async throws {
        let askable = repositories.filter { RepositoryQuery.isNodeId($0.nodeId) }
        noteGone(repositories.filter { !RepositoryQuery.isNodeId($0.nodeId) }.map(\.id), lane)
        guard !askable.isEmpty else { return }
        let body: Data
        do {
            body = try await lane.graphQL(RepositoryQuery.nodes, ["ids": .list(askable.map(\.nodeId))], .rows)
        } catch let failure as GitHubFailure where Self.isLack(failure) {
            throw NoGraphQL(why: failure.detail)
        }
        guard let answer = try? GraphQLRepositoryParser(body, now: clock.now()) else {
            throw NoGraphQL(why: "the answer is no GraphQL")
        }
        if answer.isLack { throw NoGraphQL(why: answer.problem ?? "") }
        guard answer.hasNodes else {
            throw GitHubFailure(
                error: .serverError(statusCode: 200), status: 200, detail: answer.problem ?? "no nodes")
        }
        let asked = Set(askable.map(\.id))
        // Only what was asked for: an answer cannot speak of others.
        let found = answer.found.filter { asked.contains($0.repository.id) }
        try await learn(found, by: lane)
        noteGone(Array(asked.subtracting(found.map(\.repository.id))), lane)
    }

    /// Of these nothing is asked for a day.
    private func noteGone(_ ids: [RepositoryID], _ lane: RepositoryRequestQueue) {
        guard !ids.isEmpty else { return }
        let until = clock.steady() + Rules.goneRow
        state.withLock { state in
            if state.goneRows.count > 50_000 { state.goneRows.removeAll() }
            for id in ids { state.goneRows[RepositoryKey(id: id, viewer: lane.viewer)] = until }
        }
    }

    /// A host without GraphQL answers 404, a token that may not use it 403.
    private static func isLack(_ failure: GitHubFailure) -> Bool {
        failure.error == .forbidden || [400, 404, 405, 406, 410, 415, 501].contains(failure.status)
    }
}
