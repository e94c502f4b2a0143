struct RepositoryEncoder {
    let baseURL: GitHubBaseURL
    let moment: RepositoryMoment
    let caller: GitHubCaller

    /// The form of `/repositories`: no stars, language or times.
    func listItem(_ repository: RepositorySnapshot, _ json: inout JSONWriter) {
        json.object { json in common(repository, &json) }
    }

    /// The form of searches and `/user/starred`. `score` is only in searches.
    func item(_ repository: RepositorySnapshot, score: Bool = false, _ json: inout JSONWriter) {
        json.object { json in
            common(repository, &json)
            detail(repository, &json)
            guard score else { return }
            json.key("score")
            json.raw("1.0")
        }
    }

    /// The form of `/repos/OWNER/NAME`, including the fork's parent.
    func whole(_ repository: RepositorySnapshot, _ json: inout JSONWriter) {
        json.object { json in
            common(repository, &json)
            detail(repository, &json)
            if repository.owner.isOrganisation {
                json.key("organization")
                owner(repository.owner, &json)
            }
            if let parent = repository.parentNumber.flatMap({ moment.repository(number: $0) }),
                parent.isVisible(to: caller)
            {
                for name in ["parent", "source"] {
                    json.key(name)
                    item(parent, &json)
                }
            }
            for (name, count) in [
                ("network_count", repository.entry.growth.forks),
                ("subscribers_count", repository.stars / 20),
            ] {
                json.key(name)
                json.number(count)
            }
        }
    }

    private func common(_ repository: RepositorySnapshot, _ json: inout JSONWriter) {
        let address = "\(baseURL.api)/repos/\(repository.fullName)"
        json.key("id")
        json.number(repository.number)
        write(
            [
                ("node_id", repository.nodeID), ("name", repository.name),
                ("full_name", repository.fullName),
            ], &json)
        json.key("private")
        json.raw(repository.isPrivate ? "true" : "false")
        json.key("owner")
        owner(repository.owner, &json)
        write(
            [
                ("html_url", baseURL.page(repository)), ("description", repository.description),
                ("url", address),
            ], &json)
        json.key("fork")
        json.raw(repository.isFork ? "true" : "false")
        for (name, path) in Self.addresses {
            json.key(name)
            json.string(address + path)
        }
    }

    private func detail(_ repository: RepositorySnapshot, _ json: inout JSONWriter) {
        let growth = repository.entry.growth
        let page = baseURL.page(repository)
        write(
            [
                ("created_at", GitHubBaseURL.time(repository.createdAt)),
                ("updated_at", GitHubBaseURL.time(repository.pushedAt ?? repository.createdAt)),
                ("pushed_at", repository.pushedAt.map(GitHubBaseURL.time)), ("clone_url", "\(page).git"),
                ("svn_url", page), ("homepage", repository.homepage), ("mirror_url", nil),
                ("language", repository.language), ("visibility", repository.visibility),
                ("default_branch", repository.entry.defaultBranch),
            ], &json)
        let (stars, issues) = (repository.stars, growth.issues + growth.pulls)
        for (name, count) in [
            ("size", repository.isEmpty ? 0 : growth.size), ("stargazers_count", stars),
            ("watchers_count", stars), ("watchers", stars), ("forks_count", growth.forks),
            ("forks", growth.forks), ("open_issues_count", issues), ("open_issues", issues),
        ] {
            json.key(name)
            json.number(count)
        }
        for (name, flag) in [
            ("archived", repository.isArchived), ("disabled", false), ("has_issues", true),
            ("has_projects", true), ("has_downloads", true), ("has_wiki", true), ("has_pages", false),
            ("has_discussions", false), ("allow_forking", true), ("is_template", false),
        ] {
            json.key(name)
            json.raw(flag ? "true" : "false")
        }
        json.key("topics")
        json.array { json in for topic in repository.topics { json.string(topic) } }
        licence(repository, &json)
        guard caller.login != nil else { return }
        json.key("permissions")
        json.raw(#"{"admin":false,"maintain":false,"push":false,"triage":false,"pull":true}"#)
    }

    private func licence(_ repository: RepositorySnapshot, _ json: inout JSONWriter) {
        json.key("license")
        guard let spdx = repository.entry.licence else { return json.raw("null") }
        let key = spdx == "NOASSERTION" ? "other" : spdx.lowercased()
        json.object { json in
            write(
                [
                    ("key", key), ("name", repository.licenceName), ("spdx_id", spdx),
                    ("url", key == "other" ? nil : "\(baseURL.api)/licenses/\(key)"),
                    ("node_id", "L_sim\(key)"),
                ], &json)
        }
    }

    private func owner(_ owner: SimulatedOwner, _ json: inout JSONWriter) {
        let address = "\(baseURL.api)/users/\(owner.login)"
        json.object { json in
            json.key("id")
            json.number(owner.number)
            write(
                [
                    ("login", owner.login), ("node_id", owner.nodeID),
                    ("avatar_url", baseURL.avatar(owner.number)), ("gravatar_id", ""), ("url", address),
                    ("html_url", "\(baseURL.web)/\(owner.login)"),
                    ("starred_url", "\(address)/starred{/owner}{/repo}"),
                    ("organizations_url", "\(address)/orgs"), ("repos_url", "\(address)/repos"),
                    ("type", owner.type), ("user_view_type", "public"),
                ], &json)
            json.key("site_admin")
            json.raw("false")
        }
    }

    private func write(_ texts: [(String, String?)], _ json: inout JSONWriter) {
        for (name, text) in texts {
            json.key(name)
            json.string(text)
        }
    }

    /// URL templates relative to the repository's URL (recorded 2019-10).
    private static let addresses = [
        ("forks_url", "/forks"), ("keys_url", "/keys{/key_id}"),
        ("collaborators_url", "/collaborators{/collaborator}"), ("teams_url", "/teams"),
        ("hooks_url", "/hooks"), ("issue_events_url", "/issues/events{/number}"), ("events_url", "/events"),
        ("assignees_url", "/assignees{/user}"), ("branches_url", "/branches{/branch}"), ("tags_url", "/tags"),
        ("blobs_url", "/git/blobs{/sha}"), ("git_tags_url", "/git/tags{/sha}"),
        ("git_refs_url", "/git/refs{/sha}"), ("trees_url", "/git/trees{/sha}"),
        ("statuses_url", "/statuses/{sha}"), ("languages_url", "/languages"),
        ("stargazers_url", "/stargazers"), ("contributors_url", "/contributors"),
        ("subscribers_url", "/subscribers"), ("subscription_url", "/subscription"),
        ("commits_url", "/commits{/sha}"), ("git_commits_url", "/git/commits{/sha}"),
        ("comments_url", "/comments{/number}"), ("issue_comment_url", "/issues/comments{/number}"),
        ("contents_url", "/contents/{+path}"), ("compare_url", "/compare/{base}...{head}"),
        ("merges_url", "/merges"), ("archive_url", "/{archive_format}{/ref}"),
        ("downloads_url", "/downloads"),
        ("issues_url", "/issues{/number}"), ("pulls_url", "/pulls{/number}"),
        ("milestones_url", "/milestones{/number}"),
        ("notifications_url", "/notifications{?since,all,participating}"), ("labels_url", "/labels{/name}"),
        ("releases_url", "/releases{/id}"), ("deployments_url", "/deployments"),
    ]
}
