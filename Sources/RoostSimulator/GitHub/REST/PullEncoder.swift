struct PullEncoder {
    let baseURL: GitHubBaseURL
    let now: Int
    /// Whether descriptions are rendered.
    var hasHTML = false

    /// The form of `/search/issues`: an issue with `pull_request`, without size, checks and reviews.
    func searchItem(_ pull: SimulatedPull, _ json: inout JSONWriter) {
        json.object { json in
            common(pull, "issues", &json)
            json.key("repository_url")
            json.string("\(baseURL.api)/repos/\(pull.repository.fullName)")
            json.key("pull_request")
            json.object { json in
                json.key("url")
                json.string(address(pull, "pulls"))
                json.key("html_url")
                json.string(baseURL.page(pull))
                json.key("merged_at")
                json.string(pull.state == .merged ? pull.endedAt.map(GitHubBaseURL.time) : nil)
            }
            json.key("score")
            json.raw("1.0")
        }
    }

    /// The form of `/repos/OWNER/NAME/pulls/NUMBER`.
    func whole(_ pull: SimulatedPull, _ json: inout JSONWriter) {
        json.object { json in
            common(pull, "pulls", &json)
            for (name, value) in [
                ("additions", pull.additions), ("deletions", pull.deletions),
                ("changed_files", pull.changedFiles), ("commits", pull.commits.count),
                ("review_comments", pull.threads.reduce(0) { $0 + $1.comments.count }),
            ] {
                json.key(name)
                json.number(value)
            }
            json.key("merged")
            json.raw(pull.state == .merged ? "true" : "false")
            json.key("mergeable")
            json.raw(pull.hasConflict ? "false" : "true")
            json.key("mergeable_state")
            json.string(pull.hasConflict ? "dirty" : "clean")
            people(pull, &json)
            end(pull, &json)
            let story = PullStory(pull: pull, baseURL: baseURL)
            if hasHTML {
                json.key("body_html")
                json.string(story.descriptionHTML)
            }
            branch("head", story.headBranch, pull.head.oid, pull.repository, &json)
            branch("base", "main", story.baseCommit, pull.repository, &json)
        }
    }

    private func branch(
        _ member: String, _ name: String, _ commit: String, _ repository: SimulatedRepository,
        _ json: inout JSONWriter
    ) {
        json.key(member)
        json.object { json in
            json.key("ref")
            json.string(name)
            json.key("sha")
            json.string(commit)
            json.key("repo")
            self.repository(repository, &json)
        }
    }

    private func end(_ pull: SimulatedPull, _ json: inout JSONWriter) {
        let isMerged = pull.state == .merged
        json.key("merged_at")
        json.string(isMerged ? pull.endedAt.map(GitHubBaseURL.time) : nil)
        json.key("merge_commit_sha")
        json.string(isMerged ? pull.head.oid : nil)
        json.key("merged_by")
        if let merger = pull.mergedBy {
            PersonJSON(baseURL: baseURL).short(merger, &json)
        } else {
            json.raw("null")
        }
        json.key("auto_merge")
        json.raw(pull.autoMergeAt == nil ? "null" : "{}")
    }

    private func people(_ pull: SimulatedPull, _ json: inout JSONWriter) {
        let people = PersonJSON(baseURL: baseURL)
        json.key("requested_reviewers")
        json.array { json in
            for request in pull.requests {
                if case .person(let person) = request.reviewer { people.short(person, &json) }
            }
        }
        json.key("requested_teams")
        json.array { json in
            for request in pull.requests {
                if case .team(let team) = request.reviewer { people.team(team, &json) }
            }
        }
    }

    private func repository(_ repository: SimulatedRepository, _ json: inout JSONWriter) {
        json.object { json in
            json.key("id")
            json.number(repository.number)
            json.key("name")
            json.string(repository.name)
            json.key("full_name")
            json.string(repository.fullName)
            json.key("private")
            json.raw(repository.isPrivate ? "true" : "false")
            json.key("html_url")
            json.string(baseURL.page(repository))
        }
    }

    private func address(_ pull: SimulatedPull, _ kind: String) -> String {
        "\(baseURL.api)/repos/\(pull.repository.fullName)/\(kind)/\(pull.number)"
    }

    private func common(_ pull: SimulatedPull, _ kind: String, _ json: inout JSONWriter) {
        let texts: [(String, String?)] = [
            ("url", address(pull, kind)), ("html_url", baseURL.page(pull)), ("node_id", pull.nodeID),
            ("title", pull.title), ("body", pull.body), ("state", pull.state == .open ? "open" : "closed"),
            ("created_at", GitHubBaseURL.time(pull.createdAt)),
            ("updated_at", GitHubBaseURL.time(pull.updatedAt)),
            ("closed_at", pull.endedAt.map(GitHubBaseURL.time)), ("author_association", "CONTRIBUTOR"),
        ]
        for (name, value) in texts {
            json.key(name)
            json.string(value)
        }
        for (name, value) in [("id", pull.id), ("number", pull.number), ("comments", pull.comments.count)] {
            json.key(name)
            json.number(value)
        }
        json.key("draft")
        json.raw(pull.isDraft ? "true" : "false")
        json.key("locked")
        json.raw("false")
        json.key("user")
        PersonJSON(baseURL: baseURL).short(pull.author, &json)
        json.key("assignees")
        json.array { json in
            for assignee in pull.assignees { PersonJSON(baseURL: baseURL).short(assignee, &json) }
        }
        json.key("milestone")
        json.raw("null")
        labels(pull, &json)
    }

    private func labels(_ pull: SimulatedPull, _ json: inout JSONWriter) {
        json.key("labels")
        json.array { json in
            for label in pull.labels {
                json.object { json in
                    json.key("name")
                    json.string(label.name)
                    json.key("color")
                    json.string(label.color)
                    json.key("description")
                    json.raw("null")
                }
            }
        }
    }
}
