struct PullMatch {
    let query: SearchQuery
    let viewer: String?
    let now: Int

    func matches(_ pull: SimulatedPull) -> Bool {
        // Several labels must all match; several repositories, owners or authors are alternatives.
        let alternatives: Set = ["repo", "org", "user", "author"]
        for name in alternatives {
            let accepted = query.qualifiers.filter { $0.name == name && !$0.isNegated }
            guard accepted.isEmpty || accepted.contains(where: { matches($0, pull) }) else { return false }
        }
        let matchesQualifiers = query.qualifiers.allSatisfy { qualifier in
            if alternatives.contains(qualifier.name), !qualifier.isNegated { return true }
            return matches(qualifier, pull) != qualifier.isNegated
        }
        // Most searches have no words, so the text is only assembled for those that do.
        guard matchesQualifiers, !(query.words.isEmpty && query.excludedWords.isEmpty) else {
            return matchesQualifiers
        }
        let text = searched(pull).joined(separator: "\n").lowercased()
        return query.words.allSatisfy { text.contains($0) }
            && !query.excludedWords.contains(where: text.contains)
    }

    /// Returns title, text and comments, or those given by `in:`.
    private func searched(_ pull: SimulatedPull) -> [String] {
        let named = query.values("in").flatMap { $0.lowercased().split(separator: ",") }
        let fields = named.isEmpty ? ["title", "body", "comments"] : named
        return fields.flatMap { field -> [String] in
            switch field {
            case "title": return [pull.title]
            case "body": return [pull.body]
            case "comments": return comments(pull).map(\.text)
            default: return []
            }
        }
    }

    private func matches(_ qualifier: SearchQuery.Qualifier, _ pull: SimulatedPull) -> Bool {
        let value = qualifier.value.lowercased()
        switch qualifier.name {
        case "is", "type", "state": return hasProperty(value, pull)
        case "archived": return value == "false"
        case "draft": return pull.isDraft == (value == "true")
        case "label":
            return pull.labels.contains { value.split(separator: ",").contains($0.name.lowercased()[...]) }
        case "repo": return pull.repository.fullName.lowercased() == value
        case "org", "user": return pull.repository.owner == login(value)
        case "review": return review(value, pull)
        case "status": return pull.checks.state(at: now)?.lowercased() == value
        case "created", "updated", "closed", "merged":
            return moment(qualifier.name, of: pull).map { SearchRange(value).contains($0) } ?? false
        case "comments": return SearchRange(value).contains(count: pull.commentCount)
        case "sha": return value.count > 6 && pull.commits.contains { $0.oid.hasPrefix(value) }
        case "head": return "topic-\(pull.number)".hasPrefix(value)
        case "base": return value == "main"
        case "no":
            return value == "label" ? pull.labels.isEmpty : value != "assignee" || pull.assignees.isEmpty
        case "sort", "in": return true
        default: return matchesPerson(qualifier.name, value, pull)
        }
    }

    /// Returns nil if it is still open, or closed without a merge.
    private func moment(_ name: String, of pull: SimulatedPull) -> Int? {
        switch name {
        case "created": pull.createdAt
        case "updated": pull.updatedAt
        case "merged": pull.state == .merged ? pull.endedAt : nil
        default: pull.endedAt
        }
    }

    private func hasProperty(_ value: String, _ pull: SimulatedPull) -> Bool {
        switch value {
        case "pr": true
        case "issue": false
        case "open": pull.state == .open
        case "closed": pull.state != .open
        case "merged": pull.state == .merged
        case "unmerged": pull.state != .merged
        case "draft": pull.isDraft
        case "private": pull.repository.isPrivate
        case "public": !pull.repository.isPrivate
        default: false
        }
    }

    private func review(_ value: String, _ pull: SimulatedPull) -> Bool {
        switch value {
        case "none": pull.reviews.isEmpty
        case "required": pull.reviewDecision == "REVIEW_REQUIRED"
        case "approved": pull.reviewDecision == "APPROVED"
        case "changes_requested", "changes-requested": pull.reviewDecision == "CHANGES_REQUESTED"
        default: false
        }
    }

    private func matchesPerson(_ name: String, _ value: String, _ pull: SimulatedPull) -> Bool {
        let login = login(value)
        switch name {
        case "author": return pull.author?.login == login
        case "assignee": return isAssigned(login, pull)
        case "review-requested": return pull.requests.contains { $0.reviewer.includes(login) }
        case "user-review-requested":
            return pull.requests.contains {
                if case .person(let one) = $0.reviewer { one.login == login } else { false }
            }
        case "team-review-requested":
            return pull.requests.contains {
                if case .team(let team) = $0.reviewer { team.combinedSlug == value } else { false }
            }
        case "reviewed-by": return pull.reviews.contains { $0.author.login == login }
        case "commenter": return comments(pull).contains { $0.author.login == login }
        case "mentions": return mentions(login, pull)
        case "involves":
            return pull.author?.login == login || isAssigned(login, pull) || mentions(login, pull)
                || comments(pull).contains { $0.author.login == login }
        default: return false
        }
    }

    private func isAssigned(_ login: String, _ pull: SimulatedPull) -> Bool {
        pull.assignees.contains { $0.login == login }
    }

    private func mentions(_ login: String, _ pull: SimulatedPull) -> Bool {
        SimulatedComment.mentions(login, in: pull.body) || comments(pull).contains { $0.mentions(login) }
    }

    private func comments(_ pull: SimulatedPull) -> [SimulatedComment] {
        pull.comments + pull.threads.flatMap(\.comments)
    }

    private func login(_ value: String) -> String {
        if value == "@me" { return viewer ?? "@me" }
        let name = value.hasPrefix("app/") ? String(value.dropFirst(4)) : value
        return SimulatedCast.person(name)?.login ?? name
    }
}
