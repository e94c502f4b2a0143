import Foundation

/// Whether a repository is found by a query.
struct RepositoryMatch {
    let query: SearchQuery
    /// Who "@me" is.
    let viewer: String?
    let moment: RepositoryMoment
    private let places: Set<String>
    private let forks: String

    init(query: SearchQuery, viewer: String?, moment: RepositoryMoment) {
        self.query = query
        self.viewer = viewer
        self.moment = moment
        let named = query.values("in").flatMap { $0.lowercased().split(separator: ",").map(String.init) }
        places = named.isEmpty ? ["name", "description", "topics"] : Set(named)
        forks = query.values("fork").last?.lowercased() ?? "false"
    }

    func finds(_ one: RepositorySnapshot) -> Bool {
        // Forks are left out unless they are asked for.
        guard forks == "true" || one.isFork == (forks == "only") else { return false }
        for name in ["user", "org", "repo", "language", "license"] {
            let wanted = query.qualifiers.filter { $0.name == name && !$0.isNegated }
            guard wanted.isEmpty || wanted.contains(where: { holds($0, one) }) else { return false }
        }
        let alternatives: Set = ["user", "org", "repo", "language", "license"]
        let holdsAll = query.qualifiers.allSatisfy { qualifier in
            if alternatives.contains(qualifier.name), !qualifier.isNegated { return true }
            return holds(qualifier, one) != qualifier.isNegated
        }
        guard holdsAll else { return false }
        guard !query.words.isEmpty || !query.unwanted.isEmpty else { return true }
        let text = Data(searched(one).lowercased().utf8)
        return query.words.allSatisfy { text.range(of: Data($0.utf8)) != nil }
            && !query.unwanted.contains { text.range(of: Data($0.utf8)) != nil }
    }

    func hasName(_ one: RepositorySnapshot) -> Bool {
        let name = one.name.lowercased()
        return !query.words.isEmpty && query.words.allSatisfy { name.contains($0) }
    }

    private func searched(_ one: RepositorySnapshot) -> String {
        var parts: [String] = []
        if places.contains("name") { parts.append(one.name) }
        if places.contains("description"), let text = one.description { parts.append(text) }
        if places.contains("topics") { parts += one.topics }
        if places.contains("readme") {
            let readme = SimulatedReadme(repository: one, place: GitHubBaseURL(web: ""))
            if readme.exists { parts.append(readme.markdown) }
        }
        return parts.joined(separator: "\n")
    }

    private func holds(_ qualifier: SearchQuery.Qualifier, _ one: RepositorySnapshot) -> Bool {
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
        case "is": return isIt(value, one)
        default: return true
        }
    }

    private func isIt(_ value: String, _ one: RepositorySnapshot) -> Bool {
        switch value {
        case "public": !one.isPrivate
        case "private": one.isPrivate
        case "archived": one.isArchived
        case "fork": one.isFork
        default: false
        }
    }

    /// Words that stand for a language.
    private static let languages = [
        "js": "javascript", "ts": "typescript", "py": "python", "cpp": "c++", "csharp": "c#", "golang": "go",
        "rb": "ruby", "bash": "shell", "jupyter-notebook": "jupyter notebook",
        "vim-script": "vim script", "emacs-lisp": "emacs lisp", "common-lisp": "common lisp",
        "objective-c": "objective-c", "objc": "objective-c",
    ]
}
