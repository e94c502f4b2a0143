extension GraphQLSchema {
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
            .object("Organization", SimulatedOwner.organisation(team.organisation))
        }
    }

    private mutating func addOrganisations() {
        let type = "Organization"
        typealias Organisation = SimulatedOwner
        add(type, of: Organisation.self, "id") { one, _ in .string(one.nodeID) }
        add(type, of: Organisation.self, "databaseId") { one, _ in .int(one.number) }
        for name in ["login", "name"] {
            add(type, of: Organisation.self, name) { one, _ in .string(one.login) }
        }
        add(type, of: Organisation.self, "url") { one, call in .string("\(call.world.place.web)/\(one.login)")
        }
        add(type, of: Organisation.self, "resourcePath") { one, _ in .string("/\(one.login)") }
        add(type, of: Organisation.self, "avatarUrl", arguments: ["size"]) { one, call in
            .string(call.world.place.avatar(one.number, size: call["size"]?.int))
        }
    }

    mutating func addLabel() {
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
