extension GraphQLSchema {
    /// A licence as GraphQL has it: SPDX, and its name.
    private struct Licence: Sendable {
        let spdx: String
        let name: String

        init?(_ repository: RepositorySnapshot) {
            guard let spdx = repository.entry.licence, let name = repository.licenceName else { return nil }
            (self.spdx, self.name) = (spdx, name)
        }

        var key: String { spdx == "NOASSERTION" ? "other" : spdx.lowercased() }
    }

    /// A word that is an object at GitHub: a language, a topic, a branch.
    private struct Word: Sendable {
        let text: String
    }

    mutating func addRepository() {
        typealias Repository = RepositorySnapshot
        let type = "Repository"
        add(type, of: Repository.self, "id") { one, _ in .string(one.nodeID) }
        add(type, of: Repository.self, "databaseId") { one, _ in .int(one.number) }
        add(type, of: Repository.self, "name") { one, _ in .string(one.name) }
        add(type, of: Repository.self, "nameWithOwner") { one, _ in .string(one.fullName) }
        add(type, of: Repository.self, "description") { one, _ in .string(one.description) }
        add(type, of: Repository.self, "url") { one, call in .string(call.world.place.page(one)) }
        add(type, of: Repository.self, "homepageUrl") { one, _ in .string(one.homepage) }
        add(type, of: Repository.self, "isPrivate") { one, _ in .bool(one.isPrivate) }
        add(type, of: Repository.self, "isArchived") { one, _ in .bool(one.isArchived) }
        add(type, of: Repository.self, "isFork") { one, _ in .bool(one.isFork) }
        add(type, of: Repository.self, "isEmpty") { one, _ in .bool(one.isEmpty) }
        for name in ["isDisabled", "isLocked"] {
            add(type, of: Repository.self, name) { _, _ in .bool(false) }
        }
        add(type, of: Repository.self, "visibility") { one, _ in .string(one.visibility.uppercased()) }
        add(type, of: Repository.self, "stargazerCount") { one, _ in .int(one.stars) }
        add(type, of: Repository.self, "forkCount") { one, _ in .int(one.entry.growth.forks) }
        add(type, of: Repository.self, "createdAt") { one, _ in .time(one.createdAt) }
        add(type, of: Repository.self, "pushedAt") { one, _ in .time(one.pushedAt) }
        add(type, of: Repository.self, "updatedAt") { one, _ in .time(one.pushedAt ?? one.createdAt) }
        addRepositoryOwner()
        addRepositoryWords()
        addRepositoryCounts()
        addRepositoryPull()
        addLabel()
    }

    private mutating func addRepositoryOwner() {
        add("Repository", of: RepositorySnapshot.self, "owner", "RepositoryOwner") { one, _ in
            .owner(one.owner)
        }
        // The caller may not see what this is a fork of.
        add("Repository", of: RepositorySnapshot.self, "parent", "Repository") { one, call in
            let parent = one.parentNumber.flatMap { call.world.repositories.repository(number: $0) }
            return .object("Repository", parent.flatMap { $0.isSeen(by: call.world.caller) ? $0 : nil })
        }
    }

    private mutating func addRepositoryWords() {
        let type = "Repository"
        add(type, of: RepositorySnapshot.self, "primaryLanguage", "Language") { one, _ in
            .object("Language", one.language.map { Word(text: $0) })
        }
        add(type, of: RepositorySnapshot.self, "defaultBranchRef", "Ref") { one, _ in
            .object("Ref", one.isEmpty ? nil : Word(text: one.entry.defaultBranch))
        }
        connect(type, of: RepositorySnapshot.self, "repositoryTopics", "RepositoryTopic") { one, _ in
            one.topics.map { .object("RepositoryTopic", Word(text: $0)) }
        }
        add("RepositoryTopic", of: Word.self, "topic", "Topic") { word, _ in .object("Topic", word) }
        add("RepositoryTopic", of: Word.self, "url") { word, call in
            .string("\(call.world.place.web)/topics/\(word.text)")
        }
        for type in ["Language", "Topic", "Ref"] {
            add(type, of: Word.self, "name") { word, _ in .string(word.text) }
        }
        add(type, of: RepositorySnapshot.self, "licenseInfo", "License") { one, _ in
            .object("License", Licence(one))
        }
        add("License", of: Licence.self, "key") { licence, _ in .string(licence.key) }
        add("License", of: Licence.self, "name") { licence, _ in .string(licence.name) }
        add("License", of: Licence.self, "spdxId") { licence, _ in .string(licence.spdx) }
    }

    /// Counted only: their nodes are not told. REST's `open_issues_count` is both together.
    private mutating func addRepositoryCounts() {
        for (name, node) in [("issues", "Issue"), ("pullRequests", "PullRequest")] {
            addConnection("\(node)Connection", to: node)
            types["Repository", default: [:]][name] = GraphQLField(
                type: "\(node)Connection", arguments: ["states", "first", "last", "after", "before"],
                isConnection: true
            ) { object, call in
                guard let one = object as? RepositorySnapshot else { return .null }
                let growth = one.entry.growth
                // Without `states` those that were closed are counted too.
                let isOpen = call["states"]?.words.allSatisfy { $0 == "OPEN" } ?? false
                let open = name == "issues" ? growth.issues : growth.pulls
                return .object("\(node)Connection", GraphQLPage(total: isOpen ? open : open * 4))
            }
        }
        add("Issue", of: Word.self, "id") { word, _ in .string(word.text) }
    }

    private mutating func addRepositoryPull() {
        add("Repository", of: RepositorySnapshot.self, "pullRequest", "PullRequest", arguments: ["number"]) {
            one, call in
            let number = call["number"]?.int ?? 0
            guard let pull = call.world.moment.pull(key: "\(one.entry.fullName)#\(number)") else {
                throw GraphQLError(
                    message: "Could not resolve to a PullRequest with the number of \(number).",
                    type: "NOT_FOUND", isPartial: true)
            }
            return .object("PullRequest", pull)
        }
    }
}

extension GraphQLValue {
    /// A person of the cast, somebody else, or an organisation.
    static func owner(_ owner: SimulatedOwner) -> GraphQLValue {
        if owner.isOrganisation { return .object("Organization", owner) }
        if let person = SimulatedCast.person(owner.login) { return .actor(person) }
        return .object(
            "User",
            SimulatedPerson(login: owner.login, name: owner.login, number: owner.number, isBot: false))
    }
}

extension GraphQLInput {
    /// Of an enumeration, one or several.
    fileprivate var words: [String] {
        switch self {
        case .list(let items): items.flatMap(\.words)
        default: text.map { [$0] } ?? []
        }
    }
}
