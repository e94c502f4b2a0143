struct PersonJSON {
    let baseURL: GitHubBaseURL

    /// The form in lists. Nil is `ghost`, GitHub's account for deleted users.
    func short(_ person: SimulatedPerson?, _ json: inout JSONWriter) {
        json.object { json in members(person ?? Self.ghost, &json) }
    }

    func whole(_ person: SimulatedPerson, _ json: inout JSONWriter) {
        json.object { json in
            members(person, &json)
            json.key("name")
            json.string(person.name)
            for name in ["company", "email", "hireable", "bio", "twitter_username"] {
                json.key(name)
                json.raw("null")
            }
            json.key("public_repos")
            json.number(person.number % 60)
            json.key("created_at")
            json.string("2015-12-10T08:00:00Z")
            json.key("updated_at")
            json.string("2026-01-02T03:04:05Z")
        }
    }

    func team(_ team: SimulatedTeam, _ json: inout JSONWriter) {
        json.object { json in
            json.key("name")
            json.string(team.name)
            json.key("id")
            json.number(team.number)
            json.key("node_id")
            json.string(team.nodeID)
            json.key("slug")
            json.string(team.slug)
            json.key("description")
            json.string("")
            json.key("privacy")
            json.string("closed")
            json.key("html_url")
            json.string("\(baseURL.web)/orgs/\(team.organisation)/teams/\(team.slug)")
            json.key("members_count")
            json.number(team.members.count)
            json.key("organization")
            json.object { json in
                json.key("login")
                json.string(team.organisation)
                json.key("id")
                json.number(SimulatedRepository.organisationNumber(team.organisation))
                json.key("avatar_url")
                json.string(baseURL.avatar(SimulatedRepository.organisationNumber(team.organisation)))
            }
        }
    }

    private func members(_ person: SimulatedPerson, _ json: inout JSONWriter) {
        let login = person.restLogin
        let path = login.replacing("[", with: "%5B").replacing("]", with: "%5D")
        let texts = [
            ("login", login), ("node_id", person.nodeID), ("avatar_url", baseURL.avatar(person.number)),
            ("gravatar_id", ""), ("url", "\(baseURL.api)/users/\(path)"), ("html_url", baseURL.page(person)),
            ("repos_url", "\(baseURL.api)/users/\(path)/repos"), ("type", person.isBot ? "Bot" : "User"),
        ]
        for (name, value) in texts {
            json.key(name)
            json.string(value)
        }
        json.key("id")
        json.number(person.number)
        json.key("site_admin")
        json.raw("false")
    }

    private static let ghost = SimulatedPerson(
        login: "ghost", name: "Deleted user", number: 10_137, isBot: false)
}
