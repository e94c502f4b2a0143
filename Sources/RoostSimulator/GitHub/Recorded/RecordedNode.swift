/// A repository as GraphQL would tell it, from what REST was recorded to say.
struct RecordedNode: Sendable {
    let json: RawJSON

    /// Each field under the name that it is asked for; what REST does not know is null.
    func write(_ fields: [GraphQLDocument.Field], _ json: inout JSONWriter) {
        json.object { json in
            for field in fields {
                json.key(field.key)
                json.raw(text(field.name))
            }
        }
    }

    /// As JSON.
    private func text(_ field: String) -> String {
        switch field {
        case "__typename": return "\"Repository\""
        case "visibility": return self.json["private"]?.text == "true" ? "\"PRIVATE\"" : "\"PUBLIC\""
        case "owner": return owner
        case "issues": return #"{"totalCount":\#(json["open_issues_count"]?.text ?? "0")}"#
        // REST counts them among the issues.
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
            ("__typename", "type"), ("login", "login"), ("avatarUrl", "avatar_url"), ("id", "node_id"),
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
        "pushedAt": "pushed_at", "createdAt": "created_at", "updatedAt": "updated_at",
        "homepageUrl": "homepage", "isDisabled": "disabled",
    ]
}
