package import Foundation

/// Whose turn a pull request is: pure rules over what GitHub says. The article "Whose turn it is" has them as a table.
package struct TurnRules: Sendable {
    /// A reason with the time since when it holds.
    package struct DatedReason: Equatable, Sendable {
        package let reason: TurnReason
        package let since: Date
        /// False for what only says how the pull request concerns the reader.
        let isTurn: Bool

        package init(_ reason: TurnReason, since: Date, isTurn: Bool = true) {
            self.reason = reason
            self.since = since
            self.isTurn = isTurn
        }
    }

    /// The reader at this host.
    package let login: String
    /// "org/team" of the reader; nil where the token may not see them.
    package let teams: Set<String>?
    /// Further accounts that are bots, in lower case.
    package let bots: Set<String>

    package init(login: String, teams: Set<String>?, bots: Set<String> = []) {
        self.login = login
        self.teams = teams
        self.bots = bots
    }

    /// How a pull request came into the inbox: the searches that found it.
    package typealias MatchedSearches = Set<PullSearch>

    /// All reasons, the most pressing kind first. What was merged or closed waits for nobody: own searches find it.
    package func waits(_ facts: FetchedPull, found: MatchedSearches) -> [DatedReason] {
        guard facts.pull.state ?? .open == .open else { return [] }
        if isMe(facts.pull.authorLogin) {
            return checks(facts) + conflicts(facts) + changes(facts) + approval(facts) + comments(facts)
        }
        return request(facts, found: found) + assignment(facts, found: found) + dismissal(facts)
            + answer(facts, found: found) + change(facts)
    }

    /// Whether a review is asked for by name; false for one's own.
    func isAskedByName(_ facts: FetchedPull, found: MatchedSearches) -> Bool {
        if found.contains(.askedByName) { return true }
        guard let reviewers = facts.reviewers else {
            // Nobody says who is asked: without any team it can only be by name.
            return found.contains(.asked) && facts.hasDetail && teams?.isEmpty == true
        }
        return reviewers.contains { if case .user(let name) = $0 { isMe(name) } else { false } }
    }

    /// The reader's teams through which a review is asked for.
    func askingTeams(_ facts: FetchedPull, found: MatchedSearches) -> [String] {
        let asking = (facts.reviewers ?? []).compactMap { reviewer -> String? in
            guard case .team(let name?) = reviewer else { return nil }
            return isMine(name) ? name : nil
        }
        if asking.isEmpty, found.contains(.asked), !isAskedByName(facts, found: found) {
            // Asked through a team above the reader's own, which alone is listed as his.
            let listed = (facts.reviewers ?? []).compactMap { reviewer -> String? in
                if case .team(let name) = reviewer { name } else { nil }
            }
            if !listed.isEmpty { return listed }
        }
        let searched = found.compactMap { if case .team(let name) = $0 { name } else { nil } }.sorted()
        return asking + searched.filter { name in !asking.contains { $0.isSameLogin(as: name) } }
    }

    /// When the review of the reader, or of a team of his, was last asked for.
    func lastRequest(_ facts: FetchedPull, found: MatchedSearches) -> Date? {
        let teams = askingTeams(facts, found: found)
        return facts.requests.filter { request in
            switch request.reviewer {
            case .user(let name): isMe(name)
            case .team(let name?): teams.contains { $0.isSameLogin(as: name) }
            case .team(nil): false
            }
        }.map(\.at).max()
    }

    /// Whether nothing but its running checks keeps the reader's own pull request from being ready to merge.
    func awaitsChecks(_ facts: FetchedPull) -> Bool {
        isMe(facts.pull.authorLogin) && facts.hasRunningChecks && isApproved(facts)
    }

    func isBot(_ login: String) -> Bool {
        BotLogins.contains(login) || !bots.isEmpty && bots.contains(login.lowercased())
    }

    /// Whether a person other than the reader said it.
    func isOthers(_ word: FetchedPull.Comment) -> Bool {
        !isMe(word.login) && !word.isBot && !isBot(word.login)
    }

    func isMe(_ other: String) -> Bool { !login.isEmpty && login.isSameLogin(as: other) }

    /// Where nobody says whose teams they are, each may be the reader's.
    private func isMine(_ team: String) -> Bool {
        guard let teams else { return true }
        return teams.contains { $0.isSameLogin(as: team) }
    }
}

// Other people's pull requests

extension TurnRules {
    /// A draft asks whom its author named, and no team: that one has time until it is ready. GitHub takes a team off the
    /// list once one of it has reviewed: as long as it is there it waits, and each team for itself.
    private func request(_ facts: FetchedPull, found: MatchedSearches) -> [DatedReason] {
        if isAskedByName(facts, found: found) {
            let since = asked(facts) { if case .user(let name) = $0 { isMe(name) } else { false } }
            return [DatedReason(.askedByName, since: since)]
        }
        let teams = askingTeams(facts, found: found)
        guard found.contains(.asked) || !teams.isEmpty && self.teams != nil else { return [] }
        let names: [String?] = teams.isEmpty ? [nil] : teams
        return names.map { name in
            let since = asked(facts) { reviewer in
                guard case .team(let other) = reviewer else { return false }
                guard let name, let other else { return true }
                return name.isSameLogin(as: other)
            }
            return DatedReason(
                .askedThroughTeam(name), since: max(since, facts.readyAt ?? since),
                isTurn: facts.pull.isDraft != true)
        }
    }

    private func asked(_ facts: FetchedPull, by fits: (FetchedPull.Reviewer) -> Bool) -> Date {
        let asked = facts.requests.filter { fits($0.reviewer) }.map(\.at).max()
        return asked ?? facts.pull.createdAt ?? facts.pull.updatedAt
    }

    /// Who has reviewed has handed it back to its author, until that one goes on.
    private func assignment(_ facts: FetchedPull, found: MatchedSearches) -> [DatedReason] {
        guard found.contains(.assigned) else { return [] }
        let assigned = facts.assignments.filter { isMe($0.login) }.map(\.at).max()
        let since = assigned ?? facts.pull.createdAt ?? facts.pull.updatedAt
        guard ownReviews(facts).contains(where: { $0.word.at > since }) else {
            return [DatedReason(.assigned, since: since)]
        }
        return change(facts).map { DatedReason(.assigned, since: $0.since) }
    }

    /// Until the reader reviews again.
    private func dismissal(_ facts: FetchedPull) -> [DatedReason] {
        let own = facts.dismissals.filter { isMe($0.login) && $0.state == .approved }
        guard let last = own.max(by: { $0.at < $1.at }),
            !ownReviews(facts).contains(where: { $0.word.at > last.at })
        else { return [] }
        return [
            DatedReason(
                .approvalDismissed(byPush: last.isByPush), since: last.at,
                isTurn: facts.pull.isDraft != true)
        ]
    }

    /// Somebody spoke after the reader: anybody in a thread on the code, in the conversation only the author, since what
    /// others say there to one another is no answer. Nor is a bot's word.
    private func answer(_ facts: FetchedPull, found: MatchedSearches) -> [DatedReason] {
        let reviewed = ownReviews(facts).map(\.word.at).max()
        let author = facts.pull.authorLogin
        let words = facts.words.filter { isMe($0.login) || $0.login.isSameLogin(as: author) }
        // What he said before the comments that were asked for is known from the search only.
        let hasSpokenBefore = facts.hasEarlierWords && found.contains(.commented)
        let answers =
            facts.threads.compactMap { open($0, after: nil) }.filter(\.isAnswer)
            + [open(words, after: reviewed)].compactMap(\.self).filter { $0.isAnswer || hasSpokenBefore }
        guard let since = answers.map(\.since).min() else { return [] }
        return [DatedReason(.commentAnswered, since: since)]
    }

    /// The head, or the author's words, are newer than the reader's review.
    private func change(_ facts: FetchedPull) -> [DatedReason] {
        guard let review = ownReviews(facts).max(by: { $0.word.at < $1.word.at }) else { return [] }
        var since: [Date] = []
        if let head = facts.head, let seen = facts.ownReview?.head {
            // A commit may be older than the review that it was pushed after.
            if head != seen { since.append(max(facts.committedAt ?? facts.pull.updatedAt, review.word.at)) }
        } else if let committed = facts.committedAt, committed > review.word.at {
            since.append(committed)
        }
        let mine = facts.words.filter { isMe($0.login) }.map(\.at).max() ?? review.word.at
        let spoken = (facts.words + facts.threads.flatMap(\.self)).filter {
            $0.login.isSameLogin(as: facts.pull.authorLogin) && isOthers($0)
                && $0.at > max(mine, review.word.at)
        }
        if let first = spoken.map(\.at).min() { since.append(first) }
        guard let first = since.min() else { return [] }
        return [DatedReason(.changedSinceReview, since: first, isTurn: false)]
    }

    private func ownReviews(_ facts: FetchedPull) -> [FetchedPull.Review] {
        [facts.ownReview].compactMap(\.self) + facts.reviews.filter { isMe($0.word.login) }
    }
}

// The reader's own pull requests

extension TurnRules {
    private func checks(_ facts: FetchedPull) -> [DatedReason] {
        guard facts.pull.checks?.state == .failed else { return [] }
        return [
            DatedReason(.checksFail, since: facts.checksFailedAt ?? facts.committedAt ?? facts.pull.updatedAt)
        ]
    }

    /// GitHub does not say since when: the last activity is the nearest that is known.
    private func conflicts(_ facts: FetchedPull) -> [DatedReason] {
        facts.pull.mergeable == .conflicting ? [DatedReason(.conflicts, since: facts.pull.updatedAt)] : []
    }

    private func changes(_ facts: FetchedPull) -> [DatedReason] {
        // Who is asked again has had his answer.
        let asking = facts.opinions.filter { opinion in
            opinion.state == .changesRequested && !isMe(opinion.word.login)
                && !(facts.reviewers ?? []).contains {
                    if case .user(let name) = $0 { name.isSameLogin(as: opinion.word.login) } else { false }
                }
        }
        guard let since = asking.filter({ facts.isOfHead($0) }).map(\.word.at).min() else { return [] }
        return [DatedReason(.changesRequested, since: since)]
    }

    /// What is merged without the reader, or by others, or not yet, is not his to merge.
    private func approval(_ facts: FetchedPull) -> [DatedReason] {
        guard isApproved(facts), !facts.hasRunningChecks else { return [] }
        let approved = facts.opinions.filter { $0.state == .approved }.map(\.word.at).max()
        let since = [approved ?? facts.pull.updatedAt, facts.checksEndedAt, facts.readyAt]
        return [DatedReason(.approvedUnmerged, since: since.compactMap(\.self).max() ?? facts.pull.updatedAt)]
    }

    /// Approved, and nothing but its checks can keep the reader from merging it.
    private func isApproved(_ facts: FetchedPull) -> Bool {
        let pull = facts.pull
        let isApproved =
            pull.reviewDecision == .approved
            // Where no review is required GitHub decides nothing, whatever reviewers say.
            || pull.reviewDecision == nil && facts.opinions.contains { $0.state == .approved }
                && !facts.opinions.contains { $0.state == .changesRequested }
        return isApproved && pull.isDraft != true && pull.mergeable != .conflicting && !facts.isInMergeQueue
            && !facts.hasAutoMerge && facts.permission?.allowsMerging != false
    }

    /// What others said and the reader has not answered: in the conversation, in each thread on the code, in a review.
    private func comments(_ facts: FetchedPull) -> [DatedReason] {
        let reviewed = ownReviews(facts).map(\.word.at).max()
        let discussions =
            (facts.threads.map { open($0, after: nil) } + [open(facts.words, after: reviewed)])
            .compactMap(\.self)
        let first =
            discussions.filter { !$0.isAnswer }.map(\.since) + commentingReviews(facts).map(\.word.at)
        return [
            discussions.filter(\.isAnswer).map(\.since).min().map {
                DatedReason(.commentAnswered, since: $0)
            },
            first.min().map { DatedReason(.commentUnanswered, since: $0) },
        ].compactMap(\.self)
    }

    /// The reviews that only comment, each the last of its reviewer. One with words on the code waits in its threads;
    /// one without waits until the reader says something, or pushes.
    private func commentingReviews(_ facts: FetchedPull) -> [FetchedPull.Review] {
        let spoken =
            (facts.words + facts.threads.flatMap(\.self)).filter { isMe($0.login) }.map(\.at)
            + ownReviews(facts).map(\.word.at)
        let mine = spoken.max() ?? .distantPast
        return facts.reviews.filter { review in
            review.state == .commented && isOthers(review.word) && review.word.at > mine
                && facts.isOfHead(review) && review.id.map { !facts.reviewsInThreads.contains($0) } ?? true
                && !facts.reviews.contains {
                    $0.word.login.isSameLogin(as: review.word.login) && $0.word.at > review.word.at
                }
        }
    }
}

extension TurnRules {
    /// What others said in a discussion after the reader's last word: since when it waits for him, and whether it
    /// answers a word of his. Nil where there is nothing.
    ///
    /// - Parameter after: what he said elsewhere, which counts as his reply
    private func open(_ words: [FetchedPull.Comment], after: Date?) -> (since: Date, isAnswer: Bool)? {
        let mine = words.filter { isMe($0.login) }.map(\.at).max()
        let last = [mine, after].compactMap(\.self).max() ?? .distantPast
        return words.filter { isOthers($0) && $0.at > last }.map(\.at).min().map { ($0, mine != nil) }
    }
}

extension FetchedPull {
    /// Whether a review is of the head as it is: a push answers it, until somebody looks again.
    fileprivate func isOfHead(_ review: Review) -> Bool {
        guard let head, let seen = review.head else {
            return committedAt.map { review.word.at >= $0 } ?? true
        }
        return head == seen
    }
}
