import Foundation

/// All GitHub responses in a recordings folder: WireMock mappings, HAR files, and bodies without a request.
struct GitHubRecordings: Sendable {
    private(set) var exchanges: [RecordedGitHubResponse] = []

    init(directory: String) {
        let paths = FileManager.default.enumerator(atPath: directory)?.compactMap { $0 as? String } ?? []
        for path in paths.sorted() where path.hasSuffix(".json") || path.hasSuffix(".har") {
            // Bodies of WireMock are read with their mappings.
            guard !path.contains("__files/"), let bytes = Self.bytes("\(directory)/\(path)") else { continue }
            exchanges += Self.exchanges(in: bytes, at: path, below: directory)
        }
    }

    private static func bytes(_ path: String) -> [UInt8]? {
        FileManager.default.contents(atPath: path).map { Array($0) }
    }

    /// Recordings include GitHub's schema, which is large and not a response.
    private static func isSchema(_ bytes: [UInt8]) -> Bool {
        String(decoding: bytes.prefix(200), as: UTF8.self).contains("\"__schema\"")
    }

    private static func exchanges(
        in bytes: [UInt8], at path: String, below directory: String
    ) -> [RecordedGitHubResponse] {
        guard !isSchema(bytes), let json = RawJSON(bytes[...]) else { return [] }
        guard json.members != nil else { return loose(json, path).map { [$0] } ?? [] }
        if let mappings = json["mappings"]?.elements {
            return mappings.compactMap { mapping($0, path, directory) }
        }
        if json["request"]?.members != nil, json["response"]?.members != nil {
            return mapping(json, path, directory).map { [$0] } ?? []
        }
        if let entries = json["log"]?["entries"]?.elements { return entries.compactMap { entry($0, path) } }
        return loose(json, path).map { [$0] } ?? []
    }

    /// The body is in the response or in a file in `__files` (wiremock.org, "Stub mappings").
    private static func mapping(
        _ json: RawJSON, _ path: String, _ directory: String
    ) -> RecordedGitHubResponse? {
        guard let request = json["request"], let response = json["response"],
            let target = ["url", "urlPath", "urlPathPattern", "urlPattern"].lazy
                .compactMap({ request[$0]?.string }).first
        else { return nil }
        var body = response["body"]?.string.map { Array($0.utf8) }
        body = body ?? response["jsonBody"].map { Array($0.bytes) }
        body = body ?? response["base64Body"]?.string.flatMap(Base64.decode)
        if body == nil, let name = response["bodyFileName"]?.string {
            guard !name.contains("..") else { return nil }
            let folder = path.split(separator: "/").dropLast(2).joined(separator: "/")
            guard let found = bytes("\(directory)/\(folder)/__files/\(name)") else { return nil }
            body = found
        }
        return RecordedGitHubResponse(
            method: request["method"]?.string ?? "GET", target: target,
            status: response["status"]?.number.map { Int($0) } ?? 200, headers: headers(response["headers"]),
            body: body ?? [], path: path)
    }

    private static func entry(_ json: RawJSON, _ path: String) -> RecordedGitHubResponse? {
        guard let request = json["request"], let response = json["response"],
            let target = request["url"]?.string
        else { return nil }
        let text = response["content"]?["text"]?.string ?? ""
        let isBase64 = response["content"]?["encoding"]?.string == "base64"
        let headers = (response["headers"]?.elements ?? []).compactMap { item in
            item["name"]?.string.map { SimulatedResponse.Header($0, item["value"]?.string ?? "") }
        }
        return RecordedGitHubResponse(
            method: request["method"]?.string ?? "GET", target: target,
            status: response["status"]?.number.map { Int($0) } ?? 200, headers: headers,
            body: isBase64 ? Base64.decode(text) ?? [] : Array(text.utf8), path: path)
    }

    /// Reads a body without its request and derives the target from the content. `loose` marks a list, whose
    /// page is unknown.
    private static func loose(_ json: RawJSON, _ path: String) -> RecordedGitHubResponse? {
        let target: String
        if json["data"]?.members != nil {
            target = "/graphql"
        } else if json["total_count"] != nil, json["items"]?.elements?.first?["full_name"] != nil {
            target = "/search/repositories?loose"
        } else if let name = json["full_name"]?.string, json["owner"]?.members != nil {
            target = "/repos/\(name)"
        } else if let first = json.elements?.first, first["starred_at"] != nil {
            target = "/user/starred?loose"
        } else if let first = json.elements?.first, first["full_name"]?.string != nil {
            target = "/repositories?loose"
        } else if json["total_count"] != nil, json["items"]?.elements?.first?["html_url"] != nil {
            target = "/search/issues"
        } else if json["login"]?.string != nil, json["avatar_url"] != nil {
            target = "/user"
        } else if let first = json.elements?.first, first["slug"] != nil, first["organization"] != nil {
            target = "/user/teams"
        } else {
            return nil
        }
        return RecordedGitHubResponse(
            method: target == "/graphql" ? "POST" : "GET", target: target, status: 200, headers: [],
            body: Array(json.bytes), path: path)
    }

    private static func headers(_ json: RawJSON?) -> [SimulatedResponse.Header] {
        (json?.members ?? []).flatMap { name, value in
            (value.elements?.compactMap(\.string) ?? [value.string].compactMap { $0 })
                .map { SimulatedResponse.Header(name, $0) }
        }
    }
}

struct RecordedGitHubResponse: Sendable {
    let method: String
    let path: [String]
    let key: RequestKey
    /// Without headers that only applied to one transfer or day.
    let answer: SimulatedResponse
    /// The folder's name, such as "err_403_secondary".
    let name: String

    init(
        method: String, target: String, status: Int, headers: [SimulatedResponse.Header], body: [UInt8],
        path: String
    ) {
        let request = SimulatedRequest(address: target)
        let isGraphQL = request.path.last == "graphql"
        self.method = method
        self.path = isGraphQL ? ["graphql"] : request.path
        key = RequestKey(request)
        answer = SimulatedResponse(
            status: status,
            headers: headers.filter { header in
                !Self.dropped.contains(header.name.lowercased()) && !header.value.contains("{{")
            }, body: body)
        let folders = path.split(separator: "/").dropLast().filter { $0 != "mappings" }
        name = folders.last.map(String.init) ?? path
    }

    /// A user for recordings without `/user`, so that an account can be connected.
    static let placeholder = RecordedGitHubResponse(
        method: "GET", target: "/user", status: 200,
        headers: [.init("X-OAuth-Scopes", "repo, read:org")],
        body: Array(#"{"login":"reader","id":1,"node_id":"U_1","name":"A reader","avatar_url":null}"#.utf8),
        path: "")

    /// Headers about the transfer, a proxy or a past time.
    private static let dropped: Set = [
        "content-length", "content-encoding", "transfer-encoding", "connection", "date", "status", "server",
        "x-ratelimit-reset", "strict-transport-security", "access-control-expose-headers", "alt-svc",
        "keep-alive",
    ]
}
