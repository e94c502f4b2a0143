/// A repository's GraphQL node, built from a REST recording.
struct RecordedNode: Sendable {
    let json: RawJSON

    /// JSON in the form of the operation `Repositories`, with null for fields that REST does not have.
    var text: String { "{\(Self.fields.map { "\"\($0)\":\(text(of: $0))" }.joined(separator: ","))}" }

    private func text(of field: String) -> String {
        switch field {
        case "visibility": return json["private"]?.text == "true" ? "\"PRIVATE\"" : "\"PUBLIC\""
        case "owner": return owner
        case "issues": return #"{"totalCount":\#(json["open_issues_count"]?.text ?? "0")}"#
        // REST includes them in `open_issues_count`.
        case "pullRequests": return #"{"totalCount":0}"#
        case "primaryLanguage": return wrapped("name", json["language"])
        case "defaultBranchRef": return wrapped("name", json["default_branch"])
        case "parent": return wrapped("nameWithOwner", json["parent"]?["full_name"])
        case "licenseInfo":
            guard let licence = json["license"], licence.members != nil else { return "null" }
            let (spdx, name) = (licence["spdx_id"]?.text ?? "null", licence["name"]?.text ?? "null")
            return #"{"spdxId":\#(spdx),"name":\#(name)}"#
        case "repositoryTopics":
            let topics = json["topics"]?.elements ?? []
            return
                #"{"nodes":[\#(topics.map { #"{"topic":{"name":\#($0.text)}}"# }.joined(separator: ","))]}"#
        default: return Self.names[field].flatMap { json[$0]?.text } ?? "null"
        }
    }

    private var owner: String {
        guard let owner = json["owner"] else { return "null" }
        let members = [
            ("__typename", "type"), ("login", "login"), ("avatarUrl", "avatar_url"),
        ].map { "\"\($0)\":\(owner[$1]?.text ?? "null")" }
        return "{\(members.joined(separator: ","))}"
    }

    private func wrapped(_ name: String, _ value: RawJSON?) -> String {
        guard let value, !value.isNull else { return "null" }
        return "{\"\(name)\":\(value.text)}"
    }

    private static let names = [
        "databaseId": "id", "id": "node_id", "name": "name", "nameWithOwner": "full_name",
        "description": "description", "isFork": "fork", "isPrivate": "private", "url": "html_url",
        "stargazerCount": "stargazers_count", "forkCount": "forks_count", "isArchived": "archived",
        "pushedAt": "pushed_at", "createdAt": "created_at", "homepageUrl": "homepage",
    ]

    private static let fields =
        names.keys.sorted() + [
            "visibility", "owner", "issues", "pullRequests", "primaryLanguage", "defaultBranchRef", "parent",
            "licenseInfo", "repositoryTopics",
        ]
}
