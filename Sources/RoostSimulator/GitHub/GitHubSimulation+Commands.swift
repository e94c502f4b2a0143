extension GitHubSimulation {
    struct Opening: Sendable, Decodable {
        var repository: String?
        var title: String?
        var body: String?
        var author: String?
        var draft: Bool?
        var labels: [String]?
    }

    struct UnknownName: Error, Equatable, CustomStringConvertible {
        let description: String
    }

    @discardableResult
    func open(_ opening: Opening = Opening()) throws -> SimulatedPull {
        try open(opening, events: [])
    }

    /// Requests a review on the pull request, or on a new one if `pull` is nil.
    ///
    /// - Parameters:
    ///   - reviewer: "ada", or "lovelace-labs/platform"
    ///   - pull: "owner/name#number"
    /// - Throws: `UnknownName`
    @discardableResult
    func requestReview(
        of reviewer: String = "ada", on pull: String? = nil, _ opening: Opening = Opening()
    ) throws -> SimulatedPull {
        let requestedReviewer: SimulatedReviewer
        if let team = SimulatedCast.team(reviewer) {
            requestedReviewer = .team(team)
        } else {
            requestedReviewer = .person(try person(reviewer))
        }
        let event = PullEvent.request(requestedReviewer)
        return try pull.map { try add([event], to: $0) } ?? open(opening, events: [event])
    }

    @discardableResult
    func comment(on pull: String, by author: String = "grace", _ text: String = "What about this?")
        throws
        -> SimulatedPull
    {
        try add([.comment(by: person(author), text: text)], to: pull)
    }

    /// Starts a review thread, open until `resolve`.
    @discardableResult
    func thread(on pull: String, by author: String = "grace", _ text: String = "Why so?") throws
        -> SimulatedPull
    {
        try add([.thread(by: person(author), text: text)], to: pull)
    }

    @discardableResult
    func resolve(on pull: String) throws -> SimulatedPull { try add([.resolve], to: pull) }

    @discardableResult
    func review(
        _ pull: String, by author: String = "grace", _ state: SimulatedReview.State = .approved
    ) throws -> SimulatedPull {
        try add([.review(by: person(author), state)], to: pull)
    }

    @discardableResult
    func assign(_ login: String = "ada", to pull: String) throws -> SimulatedPull {
        try add([.assign(person(login))], to: pull)
    }

    /// Pushes a commit, which dismisses the author's approval by branch rule.
    @discardableResult
    func dismissApproval(of author: String = "ada", on pull: String) throws -> SimulatedPull {
        try add(
            [.push(commits: 1, additions: 21, deletions: 8, files: 1), .dismiss(person(author))], to: pull)
    }

    @discardableResult
    func queue(_ pull: String) throws -> SimulatedPull { try add([.queue], to: pull) }

    @discardableResult
    func enableAutoMerge(of pull: String) throws -> SimulatedPull {
        try add([.autoMerge], to: pull)
    }

    /// Lasts until the next push.
    @discardableResult
    func setConflict(_ isConflict: Bool = true, of pull: String) throws -> SimulatedPull {
        try add([.conflict(isConflict)], to: pull)
    }

    /// - Parameter largeLines: of one more file, whose patch is not left out
    @discardableResult
    func push(to pull: String, files: Int = 1, largeLines: Int = 0) throws -> SimulatedPull {
        let pushed = PullEvent.push(commits: 1, additions: 21 * files, deletions: 8 * files, files: files)
        return try add(largeLines > 0 ? [pushed, .pushLarge(lines: largeLines)] : [pushed], to: pull)
    }

    @discardableResult
    func merge(_ pull: String, by author: String = "grace") throws -> SimulatedPull {
        try add([.merge(by: person(author))], to: pull)
    }

    @discardableResult
    func close(_ pull: String) throws -> SimulatedPull { try add([.close], to: pull) }

    @discardableResult
    func failChecks(of pull: String) throws -> SimulatedPull { try add([.fail], to: pull) }

    @discardableResult
    func passChecks(of pull: String) throws -> SimulatedPull { try add([.pass], to: pull) }

    @discardableResult
    func makeReady(_ pull: String) throws -> SimulatedPull { try add([.ready], to: pull) }

    private func person(_ login: String) throws -> SimulatedPerson {
        guard let person = SimulatedCast.person(login) else {
            throw UnknownName(description: "no one is called \(login)")
        }
        return person
    }

    private func add(_ events: [PullEvent], to key: String) throws -> SimulatedPull {
        guard let pull = world.add(events, to: key) else {
            throw UnknownName(description: "there is no open pull request \(key)")
        }
        return pull
    }

    private func open(_ opening: Opening, events: [PullEvent]) throws -> SimulatedPull {
        let name = opening.repository ?? "lovelace-labs/analytical-engine"
        guard let repository = SimulatedRepository.named(name) else {
            throw UnknownName(description: "there is no repository \(name)")
        }
        let author = try person(opening.author ?? "grace")
        let labels = (opening.labels ?? []).map {
            PullEvent.label(SimulatedLabel(name: $0, color: "d73a4a"))
        }
        let pull = world.open(
            in: repository, title: opening.title ?? "Teach the engine to carry", body: opening.body ?? "",
            author: author, isDraft: opening.draft ?? false, labels + events)
        guard let pull else { throw UnknownName(description: "nothing was opened") }
        return pull
    }
}

extension GitHubSimulation {
    /// Approves one device or all waiting ones, as ada by default.
    @discardableResult
    func approveDevice(code: String? = nil, login: String? = nil) -> Bool {
        signIns.decide(code, .approved, login: login)
    }

    @discardableResult
    func denyDevice(code: String? = nil) -> Bool { signIns.decide(code, .denied) }

    @discardableResult
    func expireDevice(code: String? = nil) -> Bool { signIns.decide(code, .expired) }

    func setDeviceFlow(isDisabled: Bool) {
        signIns.withLock { $0.isDeviceFlowDisabled = isDisabled }
    }

    /// Seconds between two polls. GitHub uses 5; less makes tests faster.
    func setDeviceInterval(_ seconds: Int) {
        signIns.withLock { $0.interval = max(0, seconds) }
    }

    /// Accepts only this app; nil accepts any app and secret.
    func setApp(clientID: String?, clientSecret: String?) {
        signIns.withLock { state in
            (state.clientID, state.clientSecret) = (clientID, clientSecret)
        }
    }
}
