struct SimulatedPull: Sendable, Identifiable {
    enum State: String, Sendable {
        case open = "OPEN"
        case closed = "CLOSED"
        case merged = "MERGED"
    }

    struct Commit: Sendable, Hashable {
        let oid: String
        let at: Int
    }

    struct Thread: Sendable, Hashable {
        var isResolved = false
        var comments: [SimulatedComment]
    }

    struct Request: Sendable, Hashable {
        let reviewer: SimulatedReviewer
        let at: Int
    }

    struct Assignment: Sendable, Hashable {
        let person: SimulatedPerson
        let at: Int
    }

    /// A review dismissed by a push.
    struct Dismissal: Sendable, Hashable {
        let author: SimulatedPerson
        let state: SimulatedReview.State
        let at: Int
        let oid: String
    }

    let id: Int
    let repository: SimulatedRepository
    let number: Int
    let title: String
    let body: String
    /// Nil for a deleted account: null in GraphQL, "ghost" in REST.
    let author: SimulatedPerson?
    let createdAt: Int
    var updatedAt: Int
    var state = State.open
    var isDraft: Bool
    var labels: [SimulatedLabel] = []
    var additions = 0
    var deletions = 0
    var changedFiles = 0
    /// Of a file whose patch is never left out; 0 without one.
    var largeLines = 0
    var endedAt: Int?
    var mergedBy: SimulatedPerson?
    var commits: [Commit] = []
    var requests: [Request] = []
    /// All requests, including fulfilled ones.
    var requestEvents: [Request] = []
    var reviews: [SimulatedReview] = []
    var dismissals: [Dismissal] = []
    /// Assignments by commands; see `assignees`.
    var assignments: [Assignment] = []
    var readyAt: Int?
    var isInMergeQueue = false
    var autoMergeAt: Int?
    /// Set by a command for this head.
    var conflictOverride: Bool?
    var comments: [SimulatedComment] = []
    var threads: [Thread] = []
    var checks = CheckSchedule()

    var key: String { "\(repository.fullName)#\(number)" }

    var nodeID: String { "PR_sim\(id)" }

    var head: Commit { commits.last ?? Commit(oid: String(repeating: "0", count: 40), at: createdAt) }

    /// Includes the author for every fourth pull request.
    var assignees: [SimulatedPerson] {
        [author].compactMap { id % 4 == 0 ? $0 : nil } + assignments.map(\.person)
    }

    /// Random for each head, unless a command set it.
    var hasConflict: Bool {
        conflictOverride ?? (SeededRandom(seed: UInt64(id)).unit(UInt64(commits.count), 41) < 0.12)
    }

    var reviewDecision: String? {
        let latest = opinions
        if latest.contains(where: { $0.state == .changesRequested }) { return "CHANGES_REQUESTED" }
        if latest.contains(where: { $0.state == .approved }) { return "APPROVED" }
        return repository.isPersonal ? nil : "REVIEW_REQUIRED"
    }

    /// Each reviewer's last approval or request for changes.
    var opinions: [SimulatedReview] {
        let decisive = reviews.filter { $0.state != .commented }
        return decisive.indices.filter { index in
            !decisive[(index + 1)...].contains { $0.author == decisive[index].author }
        }.map { decisive[$0] }
    }

    var commentCount: Int { comments.count + threads.reduce(0) { $0 + $1.comments.count } }
}

extension SimulatedPull {
    mutating func apply(_ timed: PullEvent.Timed) {
        let at = timed.at
        if timed.event.isUpdate { updatedAt = max(updatedAt, at) }
        switch timed.event {
        case .push(let commits, let additions, let deletions, let files):
            push(commits, at: at)
            self.additions += additions
            self.deletions += deletions
            changedFiles = min(changedFiles + files, 900)
        case .pushLarge(let lines):
            push(1, at: at)
            changedFiles += largeLines == 0 ? 1 : 0
            largeLines += lines
            additions += lines
        case .comment(let person, let text): comments.append(comment(person, text, at))
        case .review(let person, let state): review(person, state, at)
        case .thread(let person, let text): threads.append(Thread(comments: [comment(person, text, at)]))
        case .reply(let person, let text):
            guard let open = threads.firstIndex(where: { !$0.isResolved }) else { return }
            threads[open].comments.append(comment(person, text, at))
        case .resolve:
            if let open = threads.firstIndex(where: { !$0.isResolved }) { threads[open].isResolved = true }
        case .request(let reviewer): request(reviewer, at)
        case .label(let label): if !labels.contains(label) { labels.append(label) }
        case .assign(let person):
            if !assignees.contains(person) { assignments.append(Assignment(person: person, at: at)) }
        case .dismiss(let person): dismiss(person, at)
        case .queue: isInMergeQueue = true
        case .autoMerge: autoMergeAt = at
        case .stopAutoMerge: autoMergeAt = nil
        case .conflict(let isConflict): conflictOverride = isConflict
        case .ready: (isDraft, readyAt) = (false, at)
        case .fail: checks.verdict = .fail(at)
        case .pass: checks.verdict = .pass(at)
        case .merge(let person): (state, endedAt, mergedBy) = (.merged, at, person)
        case .close: (state, endedAt) = (.closed, at)
        case .reopen: (state, endedAt) = (.open, nil)
        case .writtenReview(let person, let state, let text): review(person, state, at, text)
        case .answer(let thread, let person, let text):
            if threads.indices.contains(thread) {
                threads[thread].comments.append(comment(person, text, at))
            }
        case .setResolved(let thread, let isResolved):
            if threads.indices.contains(thread) { threads[thread].isResolved = isResolved }
        }
    }

    /// Nothing happens to a merged pull request.
    func accepts(_ event: PullEvent) -> Bool {
        state == .open || state == .closed && event.mayFollowClosing
    }

    private mutating func push(_ count: Int, at: Int) {
        for _ in 0..<count {
            let digits = Fingerprint.text(Array("\(id)/\(commits.count)".utf8))
            commits.append(Commit(oid: digits + digits.prefix(8), at: at))
        }
        conflictOverride = nil
        let dice = SeededRandom(seed: UInt64(id) &* 31 &+ UInt64(commits.count))
        checks =
            repository.hasChecks
            ? CheckSchedule(dice: dice, at: at, hasContext: repository.hasStatusContext) : CheckSchedule()
    }

    private mutating func review(
        _ person: SimulatedPerson, _ state: SimulatedReview.State, _ at: Int, _ text: String? = nil
    ) {
        reviews.append(SimulatedReview(author: person, state: state, at: at, oid: head.oid, text: text))
        requests.removeAll { $0.reviewer.isAnswered(by: person.login) }
    }

    private mutating func dismiss(_ person: SimulatedPerson, _ at: Int) {
        guard let last = reviews.lastIndex(where: { $0.author == person && $0.state == .approved }) else {
            return
        }
        reviews[last].state = .dismissed
        dismissals.append(Dismissal(author: person, state: .approved, at: at, oid: head.oid))
    }

    private mutating func request(_ reviewer: SimulatedReviewer, _ at: Int) {
        let request = Request(reviewer: reviewer, at: at)
        requestEvents.append(request)
        if !requests.contains(where: { $0.reviewer == reviewer }) { requests.append(request) }
    }

    private func comment(_ person: SimulatedPerson, _ text: String, _ at: Int) -> SimulatedComment {
        SimulatedComment(author: person, text: text, at: at)
    }
}
