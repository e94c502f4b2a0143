package import Foundation

/// Decides whose turn a pull request is, from GitHub's data alone. The article "Whose turn it is" has the rules as a
/// table.
package struct TurnRules: Sendable {
    package struct DatedReason: Equatable, Sendable {
        package let reason: TurnReason
        package let since: Date
        /// False if it only says how the pull request concerns the user.
        let isTurn: Bool

        package init(_ reason: TurnReason, since: Date, isTurn: Bool = true) {
            self.reason = reason
            self.since = since
            self.isTurn = isTurn
        }
    }

    /// The user's login on this host.
    package let login: String
    /// The user's teams as "org/team", or nil if the token may not see them.
    package let teams: Set<String>?
    /// Further bots, in lower case.
    package var bots: Set<String> = []

    package typealias MatchedSearches = Set<PullSearch>

    /// Returns all reasons, the most urgent kind first. Merged and closed pull requests, which own searches may find,
    /// wait for no one.
    package func waits(_ facts: FetchedPull, found: MatchedSearches) -> [DatedReason] {
        guard facts.pull.state ?? .open == .open else { return [] }
        if isMe(facts.pull.authorLogin) {
            return checks(facts) + conflicts(facts) + changes(facts) + approval(facts) + comments(facts)
        }
        return request(facts, found: found) + assignment(facts, found: found) + dismissal(facts)
            + answer(facts, found: found) + change(facts)
    }

    /// Returns true if the user's review is requested by name; false for their own pull requests.
    func isRequestedByName(_ facts: FetchedPull, found: MatchedSearches) -> Bool {
        if found.contains(.reviewRequestedByName) { return true }
        guard let reviewers = facts.reviewers else {
            // The reviewers are unknown: without any team, the request must be by name.
            return found.contains(.reviewRequested) && facts.hasDetail && teams?.isEmpty == true
        }
        return reviewers.contains { if case .user(let name) = $0 { isMe(name) } else { false } }
    }

    func requestingTeams(_ facts: FetchedPull, found: MatchedSearches) -> [String] {
        let asking = (facts.reviewers ?? []).compactMap { reviewer -> String? in
            guard case .team(let name?) = reviewer else { return nil }
            return isMember(of: name) ? name : nil
        }
        if asking.isEmpty, found.contains(.reviewRequested), !isRequestedByName(facts, found: found) {
            // The request is for a parent of the user's team, and only the user's own team is in `teams`.
            let listed = (facts.reviewers ?? []).compactMap { reviewer -> String? in
                if case .team(let name) = reviewer { name } else { nil }
            }
            if !listed.isEmpty { return listed }
        }
        let searched = found.compactMap { if case .team(let name) = $0 { name } else { nil } }.sorted()
        return asking + searched.filter { name in !asking.contains { $0.isSameLogin(as: name) } }
    }

    /// When a review was last requested from the user or one of their teams.
    func lastRequest(_ facts: FetchedPull, found: MatchedSearches) -> Date? {
        let teams = requestingTeams(facts, found: found)
        return facts.requests.filter { request in
            switch request.reviewer {
            case .user(let name): isMe(name)
            case .team(let name?): teams.contains { $0.isSameLogin(as: name) }
            case .team(nil): false
            }
        }.map(\.at).max()
    }

    /// Returns true if only running checks keep the user's own pull request from being ready to merge.
    func awaitsChecks(_ facts: FetchedPull) -> Bool {
        isMe(facts.pull.authorLogin) && facts.hasRunningChecks && isApproved(facts)
    }

    func isBot(_ login: String) -> Bool {
        BotLogins.contains(login) || !bots.isEmpty && bots.contains(login.lowercased())
    }

    func isByOtherPerson(_ comment: FetchedPull.Comment) -> Bool {
        !isMe(comment.login) && !comment.isBot && !isBot(comment.login)
    }

    func isMe(_ other: String) -> Bool { !login.isEmpty && login.isSameLogin(as: other) }

    /// If the user's teams are unknown, each team may be theirs.
    private func isMember(of team: String) -> Bool {
        guard let teams else { return true }
        return teams.contains { $0.isSameLogin(as: team) }
    }
}

package enum TurnReason: Equatable, Hashable, Sendable {
    case askedByName
    /// "org/team", or nil if the token may not see the team.
    case askedThroughTeam(String?)
    case assigned
    /// True if a push dismissed it under the branch's rules, false if a person did.
    case approvalDismissed(byPush: Bool)
    case commentAnswered
    case commentUnanswered
    case checksFail
    case conflicts
    case approvedUnmerged
    /// Someone requested changes to the current head.
    case changesRequested
    case changedSinceReview

    package var isReviewRequest: Bool {
        switch self {
        case .askedByName, .askedThroughTeam: true
        default: false
        }
    }

    package var label: String {
        switch self {
        case .askedByName: "review requested"
        case .askedThroughTeam(let team): "review requested from \(team?.sanitized ?? "a team")"
        case .assigned: "assigned to you"
        case .approvalDismissed(byPush: true): "a push dismissed your approval"
        case .approvalDismissed(byPush: false): "your approval was dismissed"
        case .commentAnswered: "your comment was answered"
        case .commentUnanswered: "a comment awaits your answer"
        case .checksFail: "your PR’s checks fail"
        case .conflicts: "merge conflicts"
        case .approvedUnmerged: "ready to merge"
        case .changesRequested: "changes requested"
        case .changedSinceReview: "changed since your review"
        }
    }
}

// Other people's pull requests

extension TurnRules {
    /// In a draft, only requests by name count; teams wait until it is ready. GitHub removes a team from the reviewers
    /// once one of its members has reviewed. Each listed team gives a reason of its own.
    private func request(_ facts: FetchedPull, found: MatchedSearches) -> [DatedReason] {
        if isRequestedByName(facts, found: found) {
            let since = requestedAt(facts) { if case .user(let name) = $0 { isMe(name) } else { false } }
            return [DatedReason(.askedByName, since: since)]
        }
        let teams = requestingTeams(facts, found: found)
        guard found.contains(.reviewRequested) || !teams.isEmpty && self.teams != nil else { return [] }
        let names: [String?] = teams.isEmpty ? [nil] : teams
        return names.map { name in
            let since = requestedAt(facts) { reviewer in
                guard case .team(let other) = reviewer else { return false }
                guard let name, let other else { return true }
                return name.isSameLogin(as: other)
            }
            return DatedReason(
                .askedThroughTeam(name), since: max(since, facts.readyAt ?? since),
                isTurn: facts.pull.isDraft != true)
        }
    }

    private func requestedAt(_ facts: FetchedPull, of matches: (FetchedPull.Reviewer) -> Bool) -> Date {
        let requested = facts.requests.filter { matches($0.reviewer) }.map(\.at).max()
        return requested ?? facts.pull.createdAt ?? facts.pull.updatedAt
    }

    /// After the user's review, it is the author's turn until something changes.
    private func assignment(_ facts: FetchedPull, found: MatchedSearches) -> [DatedReason] {
        guard found.contains(.assigned) else { return [] }
        let assigned = facts.assignments.filter { isMe($0.login) }.map(\.at).max()
        let since = assigned ?? facts.pull.createdAt ?? facts.pull.updatedAt
        guard ownReviews(facts).contains(where: { $0.comment.at > since }) else {
            return [DatedReason(.assigned, since: since)]
        }
        return change(facts).map { DatedReason(.assigned, since: $0.since) }
    }

    /// Applies until the user reviews again.
    private func dismissal(_ facts: FetchedPull) -> [DatedReason] {
        let own = facts.dismissals.filter { isMe($0.login) && $0.state == .approved }
        guard let last = own.max(by: { $0.at < $1.at }),
            !ownReviews(facts).contains(where: { $0.comment.at > last.at })
        else { return [] }
        return [
            DatedReason(
                .approvalDismissed(byPush: last.isByPush), since: last.at,
                isTurn: facts.pull.isDraft != true)
        ]
    }

    /// Someone commented after the user: anyone in a code thread, but only the author in the conversation, where others
    /// may be talking to each other. Bots don't count.
    private func answer(_ facts: FetchedPull, found: MatchedSearches) -> [DatedReason] {
        let reviewed = ownReviews(facts).map(\.comment.at).max()
        let author = facts.pull.authorLogin
        let comments = facts.comments.filter { isMe($0.login) || $0.login.isSameLogin(as: author) }
        // The search shows that the user commented before the oldest fetched comment.
        let hasCommentedBefore = facts.hasEarlierComments && found.contains(.commented)
        let answers =
            facts.threads.compactMap { open($0, after: nil) }.filter(\.isAnswer)
            + [open(comments, after: reviewed)].compactMap(\.self).filter {
                $0.isAnswer || hasCommentedBefore
            }
        guard let since = answers.map(\.since).min() else { return [] }
        return [DatedReason(.commentAnswered, since: since)]
    }

    /// The head or the author's comments are newer than the user's review.
    private func change(_ facts: FetchedPull) -> [DatedReason] {
        guard let review = ownReviews(facts).max(by: { $0.comment.at < $1.comment.at }) else { return [] }
        var since: [Date] = []
        if let head = facts.head, let seen = facts.ownReview?.head {
            // A commit may be older than the review even if it was pushed later.
            if head != seen {
                since.append(max(facts.committedAt ?? facts.pull.updatedAt, review.comment.at))
            }
        } else if let committed = facts.committedAt, committed > review.comment.at {
            since.append(committed)
        }
        let lastOwn = facts.comments.filter { isMe($0.login) }.map(\.at).max() ?? review.comment.at
        let comments = (facts.comments + facts.threads.flatMap(\.self)).filter {
            $0.login.isSameLogin(as: facts.pull.authorLogin) && isByOtherPerson($0)
                && $0.at > max(lastOwn, review.comment.at)
        }
        if let first = comments.map(\.at).min() { since.append(first) }
        guard let first = since.min() else { return [] }
        return [DatedReason(.changedSinceReview, since: first, isTurn: false)]
    }

    private func ownReviews(_ facts: FetchedPull) -> [FetchedPull.Review] {
        [facts.ownReview].compactMap(\.self) + facts.reviews.filter { isMe($0.comment.login) }
    }
}

// The user's own pull requests

extension TurnRules {
    private func checks(_ facts: FetchedPull) -> [DatedReason] {
        guard facts.pull.checks?.state == .failed else { return [] }
        return [
            DatedReason(.checksFail, since: facts.checksFailedAt ?? facts.committedAt ?? facts.pull.updatedAt)
        ]
    }

    /// GitHub does not return the start of a conflict, so the last update is used.
    private func conflicts(_ facts: FetchedPull) -> [DatedReason] {
        facts.pull.mergeable == .conflicting ? [DatedReason(.conflicts, since: facts.pull.updatedAt)] : []
    }

    private func changes(_ facts: FetchedPull) -> [DatedReason] {
        // A reviewer who was requested again has had their answer.
        let asking = facts.opinions.filter { opinion in
            opinion.state == .changesRequested && !isMe(opinion.comment.login)
                && !(facts.reviewers ?? []).contains {
                    if case .user(let name) = $0 {
                        name.isSameLogin(as: opinion.comment.login)
                    } else {
                        false
                    }
                }
        }
        guard let since = asking.filter({ facts.isOfHead($0) }).map(\.comment.at).min() else { return [] }
        return [DatedReason(.changesRequested, since: since)]
    }

    /// Leaves out pull requests that the user cannot merge, or that GitHub merges automatically.
    private func approval(_ facts: FetchedPull) -> [DatedReason] {
        guard isApproved(facts), !facts.hasRunningChecks else { return [] }
        let approved = facts.opinions.filter { $0.state == .approved }.map(\.comment.at).max()
        let since = [approved ?? facts.pull.updatedAt, facts.checksEndedAt, facts.readyAt]
        return [DatedReason(.approvedUnmerged, since: since.compactMap(\.self).max() ?? facts.pull.updatedAt)]
    }

    /// Approved, with nothing but checks that could keep the user from merging.
    private func isApproved(_ facts: FetchedPull) -> Bool {
        let pull = facts.pull
        let isApproved =
            pull.reviewDecision == .approved
            // Without required reviews, GitHub's decision is empty, whatever reviewers say.
            || pull.reviewDecision == nil && facts.opinions.contains { $0.state == .approved }
                && !facts.opinions.contains { $0.state == .changesRequested }
        return isApproved && pull.isDraft != true && pull.mergeable != .conflicting && !facts.isInMergeQueue
            && !facts.hasAutoMerge && facts.permission?.allowsMerging != false
    }

    /// Others' comments without a reply from the user: in the conversation, in code threads, and in reviews.
    private func comments(_ facts: FetchedPull) -> [DatedReason] {
        let reviewed = ownReviews(facts).map(\.comment.at).max()
        let discussions =
            (facts.threads.map { open($0, after: nil) } + [open(facts.comments, after: reviewed)])
            .compactMap(\.self)
        let first =
            discussions.filter { !$0.isAnswer }.map(\.since) + commentingReviews(facts).map(\.comment.at)
        return [
            discussions.filter(\.isAnswer).map(\.since).min().map {
                DatedReason(.commentAnswered, since: $0)
            },
            first.min().map { DatedReason(.commentUnanswered, since: $0) },
        ].compactMap(\.self)
    }

    /// Reviews that only comment, the latest of each reviewer. Those with code comments wait in their threads; others
    /// wait until the user comments or pushes.
    private func commentingReviews(_ facts: FetchedPull) -> [FetchedPull.Review] {
        let own =
            (facts.comments + facts.threads.flatMap(\.self)).filter { isMe($0.login) }.map(\.at)
            + ownReviews(facts).map(\.comment.at)
        let lastOwn = own.max() ?? .distantPast
        return facts.reviews.filter { review in
            review.state == .commented && isByOtherPerson(review.comment) && review.comment.at > lastOwn
                && facts.isOfHead(review) && review.id.map { !facts.reviewsInThreads.contains($0) } ?? true
                && !facts.reviews.contains {
                    $0.comment.login.isSameLogin(as: review.comment.login)
                        && $0.comment.at > review.comment.at
                }
        }
    }
}

extension TurnRules {
    /// Comments of others after the user's last one: when the wait started, and whether they answer the user. Nil if
    /// there is no such comment.
    ///
    /// - Parameter after: the user's latest review, which also counts as a reply
    private func open(_ comments: [FetchedPull.Comment], after: Date?) -> (since: Date, isAnswer: Bool)? {
        let lastOwn = comments.filter { isMe($0.login) }.map(\.at).max()
        let last = [lastOwn, after].compactMap(\.self).max() ?? .distantPast
        return comments.filter { isByOtherPerson($0) && $0.at > last }.map(\.at).min().map {
            ($0, lastOwn != nil)
        }
    }
}

extension FetchedPull {
    /// Returns true if the review is of the current head: a push answers earlier reviews.
    fileprivate func isOfHead(_ review: Review) -> Bool {
        guard let head = activity.head, let seen = review.head else {
            return activity.committedAt.map { review.comment.at >= $0 } ?? true
        }
        return head == seen
    }
}
