extension GraphQLSchema {
    /// The name of an owner that is an organisation.
    struct Organisation: Sendable {
        let login: String
    }

    mutating func addPeople() {
        for type in ["User", "Bot"] {
            add(type, of: SimulatedPerson.self, "id") { person, _ in .string(person.nodeID) }
            add(type, of: SimulatedPerson.self, "databaseId") { person, _ in .int(person.number) }
            add(type, of: SimulatedPerson.self, "login") { person, _ in .string(person.login) }
            add(type, of: SimulatedPerson.self, "url") { person, call in
                .string(call.world.place.page(person))
            }
            add(type, of: SimulatedPerson.self, "resourcePath") { person, _ in .string("/\(person.login)") }
            add(type, of: SimulatedPerson.self, "avatarUrl", arguments: ["size"]) { person, call in
                .string(call.world.place.avatar(person.number, size: call["size"]?.int))
            }
        }
        add("User", of: SimulatedPerson.self, "name") { person, _ in .string(person.name) }
        add("User", of: SimulatedPerson.self, "email") { _, _ in .string("") }
        add("User", of: SimulatedPerson.self, "isViewer") { person, call in
            .bool(person.login == call.world.caller.login)
        }
        addTeams()
        addOrganisations()
    }

    private mutating func addTeams() {
        typealias Team = SimulatedTeam
        add("Team", of: Team.self, "id") { team, _ in .string(team.nodeID) }
        add("Team", of: Team.self, "databaseId") { team, _ in .int(team.number) }
        add("Team", of: Team.self, "name") { team, _ in .string(team.name) }
        add("Team", of: Team.self, "slug") { team, _ in .string(team.slug) }
        add("Team", of: Team.self, "combinedSlug") { team, _ in .string(team.combinedSlug) }
        add("Team", of: Team.self, "avatarUrl", arguments: ["size"]) { team, call in
            .string(call.world.place.avatar(team.number, size: call["size"]?.int))
        }
        add("Team", of: Team.self, "url") { team, call in
            .string("\(call.world.place.web)/orgs/\(team.organisation)/teams/\(team.slug)")
        }
        add("Team", of: Team.self, "organization", "Organization") { team, _ in
            .object("Organization", Organisation(login: team.organisation))
        }
    }

    private mutating func addOrganisations() {
        let type = "Organization"
        let number = { @Sendable (one: Organisation) in SimulatedRepository.organisationNumber(one.login) }
        add(type, of: Organisation.self, "id") { one, _ in .string("O_sim\(number(one))") }
        add(type, of: Organisation.self, "databaseId") { one, _ in .int(number(one)) }
        for name in ["login", "name"] {
            add(type, of: Organisation.self, name) { one, _ in .string(one.login) }
        }
        add(type, of: Organisation.self, "url") { one, call in .string("\(call.world.place.web)/\(one.login)")
        }
        add(type, of: Organisation.self, "resourcePath") { one, _ in .string("/\(one.login)") }
        add(type, of: Organisation.self, "avatarUrl", arguments: ["size"]) { one, call in
            .string(call.world.place.avatar(number(one), size: call["size"]?.int))
        }
    }

    mutating func addRepository() {
        typealias Repository = SimulatedRepository
        let type = "Repository"
        add(type, of: Repository.self, "id") { one, _ in .string(one.nodeID) }
        add(type, of: Repository.self, "databaseId") { one, _ in .int(one.number) }
        add(type, of: Repository.self, "name") { one, _ in .string(one.name) }
        add(type, of: Repository.self, "nameWithOwner") { one, _ in .string(one.fullName) }
        add(type, of: Repository.self, "url") { one, call in .string(call.world.place.page(one)) }
        add(type, of: Repository.self, "isPrivate") { one, _ in .bool(one.isPrivate) }
        for name in ["isArchived", "isFork", "isDisabled", "isLocked"] {
            add(type, of: Repository.self, name) { _, _ in .bool(false) }
        }
        add(type, of: Repository.self, "visibility") { one, _ in .string(one.isPrivate ? "PRIVATE" : "PUBLIC")
        }
        add(type, of: Repository.self, "owner", "RepositoryOwner") { one, _ in
            one.isPersonal
                ? .actor(SimulatedCast.person(one.owner))
                : .object("Organization", Organisation(login: one.owner))
        }
        add(type, of: Repository.self, "pullRequest", "PullRequest", arguments: ["number"]) { one, call in
            let number = call["number"]?.int ?? 0
            guard let pull = call.world.moment.pull(key: "\(one.fullName)#\(number)") else {
                throw GraphQLError(
                    message: "Could not resolve to a PullRequest with the number of \(number).",
                    type: "NOT_FOUND", isPartial: true)
            }
            return .object("PullRequest", pull)
        }
        addLabel()
    }

    private mutating func addLabel() {
        add("Label", of: SimulatedLabel.self, "id") { label, _ in .string("LA_sim\(label.color)") }
        add("Label", of: SimulatedLabel.self, "name") { label, _ in .string(label.name) }
        add("Label", of: SimulatedLabel.self, "color") { label, _ in .string(label.color) }
        add("Label", of: SimulatedLabel.self, "description") { _, _ in .null }
    }

    /// An interface has the fields that its types share.
    mutating func addInterfaces() {
        for (interface, fields) in [
            "Actor": ["login", "avatarUrl", "url", "resourcePath"],
            "RepositoryOwner": ["id", "login", "avatarUrl", "url", "resourcePath"],
        ] {
            for name in fields { types[interface, default: [:]][name] = types["User"]?[name] }
        }
        types["Node", default: [:]]["id"] = types["User"]?["id"]
        types["Comment", default: [:]]["body"] = types["IssueComment"]?["body"]
    }
}
