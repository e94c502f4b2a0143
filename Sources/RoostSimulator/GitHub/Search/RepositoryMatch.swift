import Foundation

struct RepositoryMatch {
    let query: SearchQuery
    let viewer: String?
    let moment: RepositoryMoment
    private let fields: Set<String>
    private let forks: String

    init(query: SearchQuery, viewer: String?, moment: RepositoryMoment) {
        self.query = query
        self.viewer = viewer
        self.moment = moment
        let named = query.values("in").flatMap { $0.lowercased().split(separator: ",").map(String.init) }
        fields = named.isEmpty ? ["name", "description", "topics"] : Set(named)
        forks = query.values("fork").last?.lowercased() ?? "false"
    }

    func matches(_ one: RepositorySnapshot) -> Bool {
        guard forks == "true" || one.isFork == (forks == "only") else { return false }
        for name in ["user", "org", "repo", "language", "license"] {
            let accepted = query.qualifiers.filter { $0.name == name && !$0.isNegated }
            guard accepted.isEmpty || accepted.contains(where: { matches($0, one) }) else { return false }
        }
        let alternatives: Set = ["user", "org", "repo", "language", "license"]
        let matchesQualifiers = query.qualifiers.allSatisfy { qualifier in
            if alternatives.contains(qualifier.name), !qualifier.isNegated { return true }
            return matches(qualifier, one) != qualifier.isNegated
        }
        guard matchesQualifiers else { return false }
        guard !query.words.isEmpty || !query.excludedWords.isEmpty else { return true }
        let text = Data(searched(one).lowercased().utf8)
        return query.words.allSatisfy { text.range(of: Data($0.utf8)) != nil }
            && !query.excludedWords.contains { text.range(of: Data($0.utf8)) != nil }
    }

    func hasName(_ one: RepositorySnapshot) -> Bool {
        let name = one.name.lowercased()
        return !query.words.isEmpty && query.words.allSatisfy { name.contains($0) }
    }

    private func searched(_ one: RepositorySnapshot) -> String {
        var parts: [String] = []
        if fields.contains("name") { parts.append(one.name) }
        if fields.contains("description"), let text = one.description { parts.append(text) }
        if fields.contains("topics") { parts += one.topics }
        if fields.contains("readme") {
            let readme = SimulatedReadme(repository: one, baseURL: GitHubBaseURL(web: ""))
            if readme.exists { parts.append(readme.markdown) }
        }
        return parts.joined(separator: "\n")
    }

    private func matches(_ qualifier: SearchQuery.Qualifier, _ one: RepositorySnapshot) -> Bool {
        let value = qualifier.value.lowercased()
        switch qualifier.name {
        case "language": return one.language?.lowercased() == (Self.languages[value] ?? value)
        case "stars": return SearchRange(value).contains(count: one.stars)
        case "forks": return SearchRange(value).contains(count: one.entry.growth.forks)
        case "size": return SearchRange(value).contains(count: one.entry.growth.size)
        case "topics": return SearchRange(value).contains(count: one.topics.count)
        case "topic": return one.topics.contains(value)
        case "user", "org":
            return one.owner.login.lowercased() == (value == "@me" ? viewer ?? value : value)
        case "repo": return one.fullName.lowercased() == value
        case "created": return SearchRange(value).contains(one.createdAt)
        case "pushed": return SearchRange(value).contains(one.pushedAt ?? one.createdAt)
        case "archived": return one.isArchived == (value == "true")
        case "license": return one.entry.licence?.lowercased() == value
        case "mirror", "template": return value == "false"
        case "is": return hasProperty(value, one)
        default: return true
        }
    }

    private func hasProperty(_ value: String, _ one: RepositorySnapshot) -> Bool {
        switch value {
        case "public": !one.isPrivate
        case "private": one.isPrivate
        case "archived": one.isArchived
        case "fork": one.isFork
        default: false
        }
    }

    private static let languages = [
        "js": "javascript", "ts": "typescript", "py": "python", "cpp": "c++", "csharp": "c#", "golang": "go",
        "rb": "ruby", "bash": "shell", "jupyter-notebook": "jupyter notebook",
        "vim-script": "vim script", "emacs-lisp": "emacs lisp", "common-lisp": "common lisp",
        "objective-c": "objective-c", "objc": "objective-c",
    ]
}
