/// What tests and people can make happen at once.
extension GitHubSimulation {
    /// A new pull request beside the 200.
    struct Opening: Sendable, Decodable {
        var repository: String?
        var title: String?
        var body: String?
        /// A login of the cast.
        var author: String?
        var draft: Bool?
        var labels: [String]?
    }

    /// Nobody and nothing of that name: in words.
    struct UnknownName: Error, Equatable, CustomStringConvertible {
        let description: String
    }

    @discardableResult
    func open(_ opening: Opening = Opening()) throws -> SimulatedPull {
        try open(opening, events: [])
    }

    /// Asks for a review now: on the pull request of this key, or on a new one.
    ///
    /// - Parameters:
    ///   - reviewer: "ada", or "lovelace-labs/platform"
    ///   - pull: "owner/name#number"
    /// - Throws: `UnknownName`
    @discardableResult
    func requestReview(
        of reviewer: String = "ada", on pull: String? = nil, _ opening: Opening = Opening()
    ) throws -> SimulatedPull {
        let whom: SimulatedReviewer
        if let team = SimulatedCast.team(reviewer) {
            whom = .team(team)
        } else {
            whom = .person(try person(reviewer))
        }
        let event = PullEvent.request(whom)
        return try pull.map { try order([event], on: $0) } ?? open(opening, events: [event])
    }

    @discardableResult
    func comment(on pull: String, by author: String = "grace", _ text: String = "What about this?")
        throws
        -> SimulatedPull
    {
        try order([.comment(by: person(author), text: text)], on: pull)
    }

    /// A thread on the code, open until `resolve`.
    @discardableResult
    func thread(on pull: String, by author: String = "grace", _ text: String = "Why so?") throws
        -> SimulatedPull
    {
        try order([.thread(by: person(author), text: text)], on: pull)
    }

    @discardableResult
    func resolve(on pull: String) throws -> SimulatedPull { try order([.resolve], on: pull) }

    @discardableResult
    func review(
        _ pull: String, by author: String = "grace", _ state: SimulatedReview.State = .approved
    ) throws -> SimulatedPull {
        try order([.review(by: person(author), state)], on: pull)
    }

    @discardableResult
    func assign(_ login: String = "ada", to pull: String) throws -> SimulatedPull {
        try order([.assign(person(login))], on: pull)
    }

    /// Pushes, with which the branch's rules dismiss the approval of this author.
    @discardableResult
    func dismissApproval(of author: String = "ada", on pull: String) throws -> SimulatedPull {
        try order(
            [.push(commits: 1, additions: 21, deletions: 8, files: 1), .dismiss(person(author))], on: pull)
    }

    @discardableResult
    func queue(_ pull: String) throws -> SimulatedPull { try order([.queue], on: pull) }

    @discardableResult
    func enableAutoMerge(of pull: String) throws -> SimulatedPull {
        try order([.autoMerge], on: pull)
    }

    /// Until the next push.
    @discardableResult
    func setConflict(_ isConflict: Bool = true, of pull: String) throws -> SimulatedPull {
        try order([.conflict(isConflict)], on: pull)
    }

    @discardableResult
    func push(to pull: String) throws -> SimulatedPull {
        try order([.push(commits: 1, additions: 21, deletions: 8, files: 1)], on: pull)
    }

    @discardableResult
    func merge(_ pull: String, by author: String = "grace") throws -> SimulatedPull {
        try order([.merge(by: person(author))], on: pull)
    }

    @discardableResult
    func close(_ pull: String) throws -> SimulatedPull { try order([.close], on: pull) }

    @discardableResult
    func failChecks(of pull: String) throws -> SimulatedPull { try order([.fail], on: pull) }

    @discardableResult
    func passChecks(of pull: String) throws -> SimulatedPull { try order([.pass], on: pull) }

    @discardableResult
    func makeReady(_ pull: String) throws -> SimulatedPull { try order([.ready], on: pull) }

    private func person(_ login: String) throws -> SimulatedPerson {
        guard let person = SimulatedCast.person(login) else {
            throw UnknownName(description: "nobody is called \(login)")
        }
        return person
    }

    private func order(_ events: [PullEvent], on key: String) throws -> SimulatedPull {
        guard let pull = world.order(events, on: key) else {
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

/// Sign-ins, as a person would decide them on GitHub's pages.
extension GitHubSimulation {
    /// The waiting device, or all of them; as ada unless said.
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

    /// Seconds between two polls: 5 at GitHub, fewer make tests faster.
    func setDeviceInterval(_ seconds: Int) {
        signIns.withLock { $0.interval = max(0, seconds) }
    }

    /// From now on only this app is known; nil: any, with any secret.
    func setApp(clientID: String?, clientSecret: String?) {
        signIns.withLock { state in
            (state.clientID, state.clientSecret) = (clientID, clientSecret)
        }
    }
}
