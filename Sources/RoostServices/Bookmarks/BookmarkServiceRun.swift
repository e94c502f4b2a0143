import Foundation

/// What goes on in the background.
extension BookmarkService {
    /// Seconds between two questions to GitHub.
    private static let pace: TimeInterval = 1
    /// The longest sleep, in seconds.
    private static let nap: TimeInterval = 30
    /// Seconds until a repository is asked for again of which GitHub gave no proper answer.
    private static let dueAfterRefusal: TimeInterval = 6 * 3_600

    /// Seconds in which a click does not ask anew, and how many it asks about.
    private static let freshEnough: TimeInterval = 5
    private static let mostHurried = 100

    /// Asks daily about every bookmark, and imports stars, until cancelled.
    package func run() async {
        await withDiscardingTaskGroup { group in
            group.addTask { await self.refresh() }
            while !Task.isCancelled {
                for user in await takeWaitingStars() { group.addTask { await self.readStars(of: user) } }
                await removeOldUndos()
                await signal.wait(atMost: .seconds(Self.nap))
            }
            group.cancelAll()
        }
    }

    /// A click on "Refresh": the user's bookmarks are asked about now, the stalest hundred at most, a second apart and
    /// within the limits as ever.
    package func retry(for user: UserID) async throws -> RepositoryService.Retry {
        let now = clock.now()
        if let until = rests.end(of: user, after: clock.steady()) {
            return .mustWait(until: clock.date(of: until))
        }
        try await store.hurry(
            of: user, checkedBefore: now - Self.freshEnough, most: Self.mostHurried, now: now)
        dueSignal.fire()
        return .started
    }

    private func removeOldUndos() async {
        do { try await store.removeOldUndos(except: undoEnds.good, at: clock.now()) } catch {
            log.error("Old undos could not be removed", metadata: ["error": "\(error)"])
        }
    }

    private func refresh() async {
        while !Task.isCancelled {
            let isDone = await refreshDue()
            if isDone {
                try? await Task.sleep(for: .seconds(Self.pace))
            } else {
                await dueSignal.wait(atMost: .seconds(Self.nap))
            }
        }
    }

    /// Asks GitHub about the bookmark that has waited longest of those that are due; false when none is.
    @discardableResult
    package func refreshDue() async -> Bool {
        let now = clock.now()
        do {
            guard let due = try await nextDue(at: now) else { return false }
            await refresh(due)
            return true
        } catch {
            log.error("Bookmarks could not be read", metadata: ["error": "\(error)"])
            return false
        }
    }

    private func nextDue(at now: Date) async throws -> BookmarkRecord? {
        let (resting, served) = (rests.resting(at: clock.steady()), rests.alreadyServed)
        var due = try await store.stalest(at: now, without: resting + served)
        if due == nil, !served.isEmpty {
            rests.beginRound()
            due = try await store.stalest(at: now, without: resting)
        }
        if let due { rests.serve(due.user) }
        return due
    }

    private func refresh(_ due: BookmarkRecord) async {
        let user = due.user
        guard let name = due.name else { return await postpone(due) }
        do {
            let answer = try await source.refresh(name, for: user)
            rests.succeed(user)
            switch answer {
            case .gone: try await settle(due, with: nil)
            case .changed(let item): try await settle(due, with: item)
            case .unchanged: try await settle(due, with: source.item(named: name, for: user))
            }
        } catch let failure as GitHubFailure {
            switch failure.error {
            case .forbidden, .invalidResponse, .unknown: await postpone(due)
            case .networkUnavailable, .unauthorized, .rateLimited, .serverError, .untrusted:
                rests.fail(user, failure.moved(by: -clock.shift), at: clock.steady())
            }
        } catch RoostError.notFound {
            try? await settle(due, with: nil)
        } catch {
            rests.fail(user, GitHubFailure(error: .unknown("\(error)")), at: clock.steady())
        }
    }

    /// - Parameter item: nil: GitHub has none by this name
    private func settle(_ due: BookmarkRecord, with item: RepositoryItem?) async throws {
        let (now, user) = (clock.now(), due.user)
        // Without an account GitHub denies that what is private exists.
        if item == nil, due.item?.repository.isPrivate == true, !surroundings.hasAccount(user) {
            return await postpone(due)
        }
        _ = try await change(of: user) { rows in
            // Removed or renamed while GitHub was asked: then it is not of this answer any more.
            guard let record = try rows.find(due.id), record.fullName == due.fullName else {
                return
            }
            // The name of a repository that is gone may be a stranger's by now: a bookmark never becomes his.
            guard let item, record.repositoryID == nil || record.repositoryID == item.id else {
                var lost = record
                lost.lose(now: now)
                return try rows.update(record, to: lost)
            }
            guard let learned = try rows.learn(item, by: record, isAsked: true, now: now).item else { return }
            // Saves the others who bookmarked it a request; what is private stays this user's.
            try rows.tellOthers(of: learned, before: record.item, now: now)
        }
    }

    private func postpone(_ due: BookmarkRecord) async {
        let later = clock.now() + Self.dueAfterRefusal
        _ = try? await change(of: due.user) { rows in
            guard let record = try rows.find(due.id) else { return }
            var postponed = record
            postponed.dueAt = later
            try rows.update(record, to: postponed)
        }
    }
}
