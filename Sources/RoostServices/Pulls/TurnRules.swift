package import Foundation

/// Whose turn a pull request is: pure rules over what GitHub says.
package struct TurnRules: Sendable {
    /// A reason with the time since when it holds.
    package struct Wait: Equatable, Sendable {
        package let reason: TurnReason
        package let since: Date
        /// False for what only says how the pull request concerns the reader.
        package let isTurn: Bool

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

    package init(login: String, teams: Set<String>?) {
        self.login = login
        self.teams = teams
    }

    /// How a pull request came into the inbox: the searches that found it.
    package typealias Finds = Set<PullSearch>

    /// All reasons, the most pressing kind first. What was merged or closed waits for nobody: own searches find it.
    package func waits(_ facts: FetchedPull, found: Finds) -> [Wait] {
        guard facts.pull.state ?? .open == .open else { return [] }
        if isMe(facts.pull.authorLogin) {
            return checks(facts) + changes(facts) + approval(facts) + answer(facts)
        }
        return request(facts, found: found) + answer(facts) + change(facts, found: found)
    }

    /// Whether a review is asked for by name; false for one's own.
    package func isAskedByName(_ facts: FetchedPull, found: Finds) -> Bool {
        if found.contains(.askedByName) { return true }
        guard let reviewers = facts.reviewers else {
            // Nobody says who is asked: without any team it can only be by name.
            return found.contains(.asked) && facts.hasDetail && teams?.isEmpty == true
        }
        return reviewers.contains { if case .user(let name) = $0 { isMe(name) } else { false } }
    }

    /// The reader's teams through which a review is asked for.
    package func askingTeams(_ facts: FetchedPull, found: Finds) -> [String] {
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

    func isMe(_ other: String) -> Bool { !login.isEmpty && login.isSameLogin(as: other) }

    /// Where nobody says whose teams they are, each may be the reader's.
    private func isMine(_ team: String) -> Bool {
        guard let teams else { return true }
        return teams.contains { $0.isSameLogin(as: team) }
    }
}

extension TurnRules {
    /// A draft asks whom its author named, and no team: that one has time until it is ready.
    private func request(_ facts: FetchedPull, found: Finds) -> [Wait] {
        if isAskedByName(facts, found: found) {
            return [
                Wait(
                    .askedByName,
                    since: asked(facts) { if case .user(let name) = $0 { isMe(name) } else { false } })
            ]
        }
        let teams = askingTeams(facts, found: found)
        guard found.contains(.asked) || !teams.isEmpty && self.teams != nil else { return [] }
        let since = asked(facts) {
            if case .team(let name) = $0 {
                name.map { name in teams.contains { $0.isSameLogin(as: name) } } ?? true
            } else {
                false
            }
        }
        let isOpen =
            facts.pull.isDraft != true
            && !(facts.reviews + facts.opinions).contains {
                [.approved, .changesRequested].contains($0.state) && $0.word.at >= since
                    && isOther($0.word, than: facts.pull.authorLogin)
            }
        let names: [String?] = teams.isEmpty ? [nil] : teams
        return names.map { Wait(.askedThroughTeam($0), since: since, isTurn: isOpen) }
    }

    private func asked(_ facts: FetchedPull, by fits: (FetchedPull.Reviewer) -> Bool) -> Date {
        let asked = facts.requests.filter { fits($0.reviewer) }.map(\.at).max()
        return asked ?? facts.pull.createdAt ?? facts.pull.updatedAt
    }

    private func checks(_ facts: FetchedPull) -> [Wait] {
        guard facts.pull.checks?.state == .failed else { return [] }
        return [Wait(.checksFail, since: facts.committedAt ?? facts.pull.updatedAt)]
    }

    private func changes(_ facts: FetchedPull) -> [Wait] {
        // Who is asked again has had his answer.
        let asking = facts.opinions.filter { opinion in
            opinion.state == .changesRequested && !isMe(opinion.word.login)
                && !(facts.reviewers ?? []).contains {
                    if case .user(let name) = $0 { name.isSameLogin(as: opinion.word.login) } else { false }
                }
        }
        // A review of an older head is answered by the push after it, until somebody looks again.
        let present = asking.filter { review in
            guard let head = facts.head, let seen = review.head else {
                return facts.committedAt.map { review.word.at >= $0 } ?? true
            }
            return head == seen
        }
        guard let since = present.map(\.word.at).min() else { return [] }
        return [Wait(.changesRequested, since: since)]
    }

    private func approval(_ facts: FetchedPull) -> [Wait] {
        let pull = facts.pull
        let isApproved =
            pull.reviewDecision == .approved
            // Where no review is required GitHub decides nothing, whatever reviewers say.
            || pull.reviewDecision == nil && facts.opinions.contains { $0.state == .approved }
                && !facts.opinions.contains { $0.state == .changesRequested }
        guard isApproved, pull.isDraft != true, pull.mergeable != .conflicting else { return [] }
        let approved = facts.opinions.filter { $0.state == .approved }.map(\.word.at).max()
        return [Wait(.approvedUnmerged, since: approved ?? pull.updatedAt)]
    }

    /// Somebody spoke after the reader: anybody in a thread on the code, or under the reader's own pull request;
    /// under another's only the author, since what others say there to one another is no answer. Nor is a bot's word.
    private func answer(_ facts: FetchedPull) -> [Wait] {
        let reviewed = ([facts.ownReview].compactMap(\.self) + facts.reviews.filter { isMe($0.word.login) })
            .map(\.word.at).max()
        let author = facts.pull.authorLogin
        let words = facts.words.filter {
            isMe(author) || isMe($0.login) || $0.login.isSameLogin(as: author)
        }
        let discussions =
            facts.threads.map { Self.answered($0, me: isMe, after: nil) }
            + [Self.answered(words, me: isMe, after: reviewed)]
        guard let since = discussions.compactMap(\.self).min() else { return [] }
        return [Wait(.commentAnswered, since: since)]
    }

    /// When the reader's last word here was answered first; nil when it was not. `after`: what he said elsewhere
    /// since counts as his reply.
    private static func answered(_ words: [FetchedPull.Comment], me: (String) -> Bool, after: Date?) -> Date?
    {
        guard let mine = words.filter({ me($0.login) }).map(\.at).max() else { return nil }
        let last = max(mine, after ?? mine)
        return words.filter { !$0.isBot && !me($0.login) && $0.at > last }.map(\.at).min()
    }

    /// The head, or the author's words, are newer than the reader's review.
    private func change(_ facts: FetchedPull, found: Finds) -> [Wait] {
        let reviews = [facts.ownReview].compactMap(\.self) + facts.reviews.filter { isMe($0.word.login) }
        guard let review = reviews.max(by: { $0.word.at < $1.word.at }) else { return [] }
        var since: [Date] = []
        if let head = facts.head, let seen = facts.ownReview?.head {
            // A commit may be older than the review that it was pushed after.
            if head != seen { since.append(max(facts.committedAt ?? facts.pull.updatedAt, review.word.at)) }
        } else if let committed = facts.committedAt, committed > review.word.at {
            since.append(committed)
        }
        let mine = facts.words.filter { isMe($0.login) }.map(\.at).max() ?? review.word.at
        let spoken = (facts.words + facts.threads.flatMap(\.self)).filter {
            $0.login.isSameLogin(as: facts.pull.authorLogin) && $0.at > max(mine, review.word.at)
        }
        if let first = spoken.map(\.at).min() { since.append(first) }
        guard let first = since.min() else { return [] }
        return [Wait(.changedSinceReview, since: first, isTurn: false)]
    }

    private func isOther(_ word: FetchedPull.Comment, than author: String) -> Bool {
        !word.isBot && !word.login.isSameLogin(as: author)
    }
}
