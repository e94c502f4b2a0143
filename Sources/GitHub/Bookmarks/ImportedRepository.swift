import Foundation
import TextFormats

/// A repository as an uploaded file claims it to be: in the form of our own export.
struct ImportedRepository {
    private var id, stars, forks, openIssues: Int?
    private var texts: [String: String] = [:]
    private var flags: [String: Bool] = [:]
    private var topics: [String] = []
    private var hasDetail = false

    init(_ reader: inout JSONReader) throws {
        try reader.object { reader, name in
            switch name {
            case "id": id = try reader.int()
            case "nodeId", "name", "fullName", "description", "fetchedAt":
                texts[name] = try reader.string(atMost: 8_192)
            case "fork", "isPrivate": flags[name] = try reader.bool()
            case "owner": try owner(&reader)
            case "detail": hasDetail = try detail(&reader)
            default: break
            }
        }
    }

    private mutating func owner(_ reader: inout JSONReader) throws {
        try reader.object { reader, name in
            if ["login", "type", "avatarURL"].contains(name) { texts["owner." + name] = try reader.string() }
        }
    }

    private mutating func detail(_ reader: inout JSONReader) throws -> Bool {
        try reader.object { reader, name in
            switch name {
            case "stars": stars = try reader.count()
            case "forks": forks = try reader.count()
            case "openIssues": openIssues = try reader.count()
            case "language", "licence", "defaultBranch", "pushedAt", "createdAt", "homepage", "parent":
                texts[name] = try reader.string()
            case "archived": flags[name] = try reader.bool()
            case "topics":
                try reader.list { reader in
                    if let topic = try reader.string(), topics.count < 50 { topics.append(topic) }
                }
            default: break
            }
        }
    }

    /// Nil when anything is missing or wrong. Where it links to is not the file's to say.
    func item(_ name: RepositoryName, _ addresses: RepositoryURLParser, now: Date) -> RepositoryItem? {
        guard let id, let fullName = texts["fullName"], RepositoryName(fullName) == name,
            let type = texts["owner.type"].flatMap(Owner.Kind.init), let login = texts["owner.login"],
            login.lowercased() == name.owner.lowercased(),
            let owner = try? Owner(login: login, type: type, avatarURL: texts["owner.avatarURL"]),
            let repository = try? Repository(
                id: RepositoryID(id), nodeId: texts["nodeId"], name: texts["name"] ?? "",
                fullName: fullName, owner: owner, description: texts["description"],
                fork: flags["fork"] ?? false, htmlURL: addresses.webURL + "/" + fullName,
                isPrivate: flags["isPrivate"] ?? false)
        else { return nil }
        let fetchedAt = texts["fetchedAt"].flatMap(ISO8601.parse).map { min($0, now) }
        let detail = detail(now: now)
        return RepositoryItem(
            repository: repository, detail: detail, fetchedAt: detail == nil ? nil : fetchedAt)
    }

    private func detail(now: Date) -> RepositoryDetail? {
        guard hasDetail, let stars, let pushedAt = texts["pushedAt"].flatMap(ISO8601.parse),
            let createdAt = texts["createdAt"].flatMap(ISO8601.parse)
        else { return nil }
        return RepositoryDetail(
            stars: stars, forks: forks ?? 0, openIssues: openIssues ?? 0, language: texts["language"],
            licence: texts["licence"], topics: topics, archived: flags["archived"] ?? false,
            defaultBranch: texts["defaultBranch"] ?? "main", pushedAt: pushedAt, createdAt: createdAt,
            homepage: texts["homepage"], parent: texts["parent"], now: now)
    }
}
