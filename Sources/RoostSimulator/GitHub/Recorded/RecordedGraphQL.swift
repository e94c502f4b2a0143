/// Recorded pull requests in answer to a query that nobody recorded.
///
/// Each search of the query finds all of them; each has the fields that it was recorded with, and null for
/// the others that it is asked for. Values keep their bytes.
struct RecordedGraphQL {
    let table: RecordedPulls
    let repositories: RecordedRepositories
    let user: RecordedGitHubAnswer

    func answer(_ request: GitHubRequest) -> SimulatedAnswer {
        guard !table.nodes.isEmpty || !repositories.isEmpty else { return GitHubAnswer.notFound }
        guard let body = RawJSON(request.body[...]), let text = body["query"]?.string else {
            return GitHubAnswer.failure(400, "Problems parsing JSON")
        }
        do {
            let document = try GraphQLParser.parse(text)
            var variables: [String: GraphQLInput] = [:]
            if case .object(let members) = body["variables"].map({ GraphQLInput($0) }) { variables = members }
            return written(document, variables)
        } catch let error as GraphQLError {
            return GitHubGraphQL.failure([error])
        } catch {
            return GitHubGraphQL.failure([])
        }
    }

    private func written(
        _ document: GraphQLDocument, _ variables: [String: GraphQLInput]
    ) -> SimulatedAnswer {
        var json = JSONWriter(capacity: 262_144)
        json.object { json in
            json.key("data")
            json.object { json in
                for field in fields(document.operations.first?.selections ?? [], document) {
                    json.key(field.key)
                    write(field, document, variables, &json)
                }
            }
        }
        return GitHubAnswer.graphQL(json.bytes)
    }

    private func write(
        _ field: GraphQLDocument.Field, _ document: GraphQLDocument, _ variables: [String: GraphQLInput],
        _ json: inout JSONWriter
    ) {
        let inner = fields(field.selections, document)
        switch field.name {
        case "search": search(field, inner, document, variables, &json)
        case "nodes":
            let wanted = argument("ids", of: field, variables).items.compactMap(\.text)
            json.array { json in
                for id in wanted {
                    let node = table.nodes.first { $0["id"]?.string == id }
                    if let node {
                        write(node, inner, &json)
                    } else if let repository = repositories.node(id) {
                        repository.write(inner, &json)
                    } else {
                        json.raw("null")
                    }
                }
            }
        case "viewer":
            let names = ["login": "login", "name": "name", "avatarUrl": "avatar_url", "id": "node_id"]
            let body = RawJSON(user.answer.body[...])
            json.object { json in
                for part in inner {
                    json.key(part.key)
                    json.string(names[part.name].flatMap { body?[$0]?.string })
                }
            }
        default: json.raw("null")
        }
    }

    private func search(
        _ field: GraphQLDocument.Field, _ inner: [GraphQLDocument.Field], _ document: GraphQLDocument,
        _ variables: [String: GraphQLInput], _ json: inout JSONWriter
    ) {
        // The one page holds everything: behind it there is nothing.
        let isFirst = argument("after", of: field, variables).text == nil
        let nodes = isFirst ? table.nodes : []
        json.object { json in
            for part in inner {
                json.key(part.key)
                let parts = fields(part.selections, document)
                switch part.name {
                case "issueCount": json.number(table.nodes.count)
                case "pageInfo":
                    json.raw(
                        #"{"hasNextPage":false,"endCursor":null,"hasPreviousPage":false,"startCursor":null}"#)
                case "nodes":
                    json.array { json in for node in nodes { write(node, parts, &json) } }
                case "edges": edges(nodes, fields(part.selections, document), document, &json)
                default: json.raw("null")
                }
            }
        }
    }

    private func edges(
        _ nodes: [RawJSON], _ parts: [GraphQLDocument.Field], _ document: GraphQLDocument,
        _ json: inout JSONWriter
    ) {
        let wanted = parts.first { $0.name == "node" }.map { fields($0.selections, document) } ?? []
        json.array { json in
            for node in nodes {
                json.object { json in
                    json.key("node")
                    write(node, wanted, &json)
                }
            }
        }
    }

    /// What was recorded, whole, and null for what is asked for beside it.
    private func write(_ node: RawJSON, _ fields: [GraphQLDocument.Field], _ json: inout JSONWriter) {
        let members = node.members ?? []
        json.object { json in
            for (key, value) in members {
                json.key(key)
                json.raw(value.bytes)
            }
            for field in fields where !members.contains(where: { $0.key == field.key }) {
                json.key(field.key)
                if let found = node[field.name] {
                    json.raw(found.bytes)
                } else if field.name == "__typename" {
                    json.string("PullRequest")
                } else {
                    json.raw("null")
                }
            }
        }
    }

    /// Fields with those of all fragments among them, each name once.
    private func fields(
        _ selections: [GraphQLDocument.Selection], _ document: GraphQLDocument, _ depth: Int = 0
    ) -> [GraphQLDocument.Field] {
        guard depth < 20 else { return [] }
        var all: [GraphQLDocument.Field] = []
        for selection in selections {
            switch selection {
            case .field(let field, _): all.append(field)
            case .inline(_, let inner, _, _): all += fields(inner, document, depth + 1)
            case .spread(let name, _, _):
                all += fields(document.fragments[name]?.selections ?? [], document, depth + 1)
            }
        }
        var seen: Set<String> = []
        return all.filter { seen.insert($0.key).inserted }
    }

    private func argument(
        _ name: String, of field: GraphQLDocument.Field, _ variables: [String: GraphQLInput]
    ) -> GraphQLInput {
        let value = field.arguments.first { $0.name == name }?.value ?? .null
        if case .variable(let name) = value { return variables[name] ?? .null }
        return value
    }
}
