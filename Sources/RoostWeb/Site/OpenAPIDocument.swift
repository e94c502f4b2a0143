import HTTPServer
import RoostSupport
import TextFormats

/// The description of the JSON API as OpenAPI 3.1, made from its routes.
package struct OpenAPIDocument: Sendable {
    package static let prefix = "/api/v1/"

    package let json: JSONValue
    /// The types that could not be described.
    package let undescribed: [String]

    package init(_ routes: [SiteRoute]) {
        let routes = routes.filter { $0.pattern.hasPrefix(Self.prefix) }
        let schemas = JSONSchemas()
        let versioned = EditConditions.versioned(routes)
        var paths: JSONValue = [:]
        for route in routes {
            let operation = OperationWriter(route: route, isVersioned: versioned.contains(route.pattern))
                .operation(schemas)
            paths[route.pattern] = paths[route.pattern] ?? [:]
            paths[route.pattern]?[route.method.rawValue.lowercased()] = operation
        }
        var components = Self.components
        components["schemas"] = .object(schemas.components.members + Self.errors.members)
        json = [
            "openapi": "3.1.0",
            "info": [
                "title": "Roost", "version": "1",
                "description":
                    "The JSON API of Roost. Decimals and ids are strings. A list continues with `cursor`.",
            ],
            "servers": [["url": "/"]], "paths": paths, "components": components,
        ]
        undescribed = schemas.undescribed
    }

    // MARK: Parts that all routes share

    private static let errors: JSONValue = [
        "Error": [
            "type": "object",
            "properties": [
                "error": [
                    "type": "object",
                    "properties": [
                        "code": ["type": "string"], "message": ["type": "string"],
                        "field": [
                            "type": "string",
                            "description":
                                "What is wrong in the body or the query, such as `participants[0]`.",
                        ],
                    ],
                    "required": ["code", "message"],
                ]
            ],
            "required": ["error"],
        ]
    ]

    static let errorContent: JSONValue = [
        "application/json": ["schema": JSONSchemas.reference(to: "Error")]
    ]

    private static func error(_ text: String, _ headers: JSONValue? = nil) -> JSONValue {
        var response: JSONValue = ["description": .text(text), "content": errorContent]
        response["headers"] = headers
        return response
    }

    private static func header(_ text: String, _ schema: JSONValue = ["type": "string"]) -> JSONValue {
        ["description": .text(text), "schema": schema]
    }

    private static let components: JSONValue = [
        "securitySchemes": [
            "token": [
                "type": "http", "scheme": "bearer",
                "description":
                    "A token of the page Tokens or of `roost token create`, with one of the scopes.",
            ],
            "session": ["type": "apiKey", "in": "cookie", "name": "roost_session"],
            "formToken": [
                "type": "apiKey", "in": "header", "name": .text(FormToken.header),
                "description": "With a session: the `token` of the answer to the sign-in.",
            ],
        ],
        "parameters": [
            "IfMatch": [
                "name": "If-Match", "in": "header", "schema": ["type": "string"],
                "description": "The `ETag` of what was read: another version is not changed.",
            ],
            "IdempotencyKey": [
                "name": .text(RepeatedRequests.header), "in": "header",
                "schema": ["type": "string", "pattern": #"^[!-~]{1,255}$"#],
                "description": "A text of your choice: a repeated request gets the first answer for a day.",
            ],
        ],
        "headers": [
            "ETag": header("The version, for `If-Match`."),
            "Location": header("The address of what was made."),
            "RetryAfter": header("How many seconds to wait.", ["type": "integer", "minimum": 0]),
            "Challenge": header("How to sign in (RFC 6750)."),
            "Replayed": header("`true` if this is the first answer to a repeated request."),
        ],
        "responses": [
            "Malformed": error("The request cannot be read, or its body is not a JSON object."),
            "Unknown": error(
                "No token or session, or one that is not valid.",
                ["WWW-Authenticate": ["$ref": "#/components/headers/Challenge"]]),
            "Forbidden": error("The token lacks the scope, or may not do this."),
            "Missing": error("It does not exist, or you may not see it."),
            "Conflict": error("It exists already, or was changed since you read it."),
            "Changed": error("It was changed since the version in `If-Match`."),
            "TooLarge": error("The body is too large."),
            "WrongType": error("The body has another content type."),
            "Invalid": error("A value does not fit, or a field or parameter is unknown."),
            "TooMany": error(
                "Too many attempts.", ["Retry-After": ["$ref": "#/components/headers/RetryAfter"]]),
            "Unavailable": error(
                "Try again later.", ["Retry-After": ["$ref": "#/components/headers/RetryAfter"]]),
            "Full": error("The disk is full; nothing was saved."),
            "Failed": error("Any other error."),
        ],
    ]
}

/// Writes the operation of one route.
private struct OperationWriter {
    let route: SiteRoute
    /// Whether its answer has a version that edits may name.
    let isVersioned: Bool

    private var api: APIOperation { route.api }
    private var isEdit: Bool { [.patch, .put, .delete].contains(route.method) }
    private var isRepeatable: Bool {
        route.method == .post && [.member, .ownerOrToken].contains(route.audience)
    }
    private var area: TokenArea? { route.tokenArea }

    func operation(_ schemas: JSONSchemas) -> JSONValue {
        var operation: JSONValue = [
            "operationId": .text(name), "summary": .text(api.summary),
            "tags": [.text(area?.name ?? "General")], "security": security,
        ]
        let parameters = pathParameters + route.query.map(Self.parameter) + headerParameters
        if !parameters.isEmpty { operation["parameters"] = .list(parameters) }
        let body = requestBody(schemas)
        operation["requestBody"] = body
        operation["responses"] = responses(schemas, body)
        return operation
    }

    /// Such as "getWatchlistByCoinId".
    private var name: String {
        let parts = route.pattern.dropFirst(OpenAPIDocument.prefix.count).splitBytes(at: "/").map(String.init)
        let words = parts.enumerated().flatMap { index, part -> [String] in
            guard part.hasPrefix("{") else {
                return part.splitBytes(at: "-").flatMap { $0.splitBytes(at: ".") }.map(String.init)
            }
            return index == parts.count - 1 ? ["by", Self.parameterName(part)] : []
        }
        return words.reduce(route.method.rawValue.lowercased()) {
            $0 + $1.prefix(1).uppercased() + $1.dropFirst()
        }
    }

    private static func parameterName(_ part: String) -> String { String(part.dropFirst().dropLast()) }

    private var security: JSONValue {
        let session: JSONValue =
            route.method.isSafe ? ["session": []] : ["session": [], "formToken": []]
        let access = route.tokenAccess
        func token(_ scope: String) -> JSONValue { ["token": [.text(scope)]] }
        switch route.audience {
        case .everyone, .link: return []
        case .person, .owner: return [session]
        case .member, .ownerOrToken, .monitor:
            let own = area.map { [token("\($0.key):\(access.rawValue)")] } ?? []
            return .list(own + (access == .act ? [] : [token(access.rawValue)]) + [session])
        }
    }

    // MARK: Parameters

    private var pathParameters: [JSONValue] {
        route.pattern.splitBytes(at: "/").map(String.init).filter { $0.hasPrefix("{") }.map { part in
            let name = Self.parameterName(part)
            let isNumber = name == "seq" || name == "number"
            return [
                "name": .text(name), "in": "path", "required": true,
                "schema": isNumber ? ["type": "integer", "minimum": 1] : ["type": "string"],
            ]
        }
    }

    private static func parameter(_ parameter: APIParameter) -> JSONValue {
        var json: JSONValue = ["name": .text(parameter.name), "in": "query", "schema": parameter.schema]
        if parameter.isRequired { json["required"] = true }
        if parameter.schema["type"] == "array" {
            json["style"] = "form"
            json["explode"] = false
        }
        json["description"] = parameter.note.map(JSONValue.text)
        return json
    }

    private var headerParameters: [JSONValue] {
        var parameters: [JSONValue] = []
        if isVersioned, isEdit { parameters.append(["$ref": "#/components/parameters/IfMatch"]) }
        if isRepeatable { parameters.append(["$ref": "#/components/parameters/IdempotencyKey"]) }
        return parameters
    }

    // MARK: Bodies

    private func requestBody(_ schemas: JSONSchemas) -> JSONValue? {
        switch api.body {
        case nil: return nil
        case .json(let write, let isRequired)?:
            return [
                "description": sizeLimit, "required": .flag(isRequired),
                "content": ["application/json": ["schema": write(schemas)]],
            ]
        case .form(let fields)?:
            var schema: JSONValue = [
                "type": "object", "properties": ["file": APIParameter.file("file").schema],
                "required": ["file"],
            ]
            for field in fields { schema["properties"]?[field.name] = field.schema }
            return [
                "description": sizeLimit, "required": true,
                "content": ["multipart/form-data": ["schema": schema]],
            ]
        }
    }

    private var sizeLimit: JSONValue { "At most \(route.route.bodyLimit) bytes." }

    private func responses(_ schemas: JSONSchemas, _ body: JSONValue?) -> JSONValue {
        var responses: JSONValue = [:]
        let content = content(schemas)
        for status in api.statuses {
            var response: JSONValue = ["description": .text(api.summary)]
            response["content"] = content
            let headers = headers(status)
            if !headers.members.isEmpty { response["headers"] = headers }
            responses["\(status)"] = response
        }
        for (status, name) in errors(hasBody: body != nil) {
            responses["\(status)"] = ["$ref": "#/components/responses/\(name)"]
        }
        if isVersioned, isEdit {
            if route.checksVersion {
                responses["409"] = [
                    "description": "It was changed: both versions.", "content": conflict(content, body),
                ]
            } else {
                responses["412"] = ["$ref": "#/components/responses/Changed"]
            }
        }
        responses["default"] = ["$ref": "#/components/responses/Failed"]
        return responses
    }

    private func content(_ schemas: JSONSchemas) -> JSONValue? {
        switch api.answer {
        case .nothing: return nil
        case .json(let write): return ["application/json": ["schema": write(schemas)]]
        case .file(let types):
            return types.reduce(into: [:]) { content, type in content[type] = ["schema": [:]] }
        }
    }

    private func headers(_ status: Int) -> JSONValue {
        var headers: JSONValue = [:]
        func add(_ name: String, _ component: String) {
            headers[name] = ["$ref": "#/components/headers/\(component)"]
        }
        if isVersioned, status == 200 { add("ETag", "ETag") }
        if api.hasLocation { add("Location", "Location") }
        if isRepeatable { add(RepeatedRequests.replayHeader, "Replayed") }
        return headers
    }

    private func errors(hasBody: Bool) -> [(Int, String)] {
        var errors: [(Int, String)] = []
        if hasBody { errors += [(400, "Malformed")] }
        if route.audience != .everyone { errors += [(401, "Unknown"), (403, "Forbidden")] }
        if route.pattern.containsBytes("{") { errors += [(404, "Missing")] }
        if isRepeatable || !route.method.isSafe && hasBody { errors += [(409, "Conflict")] }
        if hasBody { errors += [(413, "TooLarge"), (415, "WrongType")] }
        errors += [(422, "Invalid"), (429, "TooMany"), (503, "Unavailable")]
        if !route.method.isSafe { errors += [(507, "Full")] }
        return errors
    }

    /// The answer to an edit of another version, with the submitted and the stored one.
    private func conflict(_ answer: JSONValue?, _ body: JSONValue?) -> JSONValue {
        let submitted = body?["content"]?["application/json"]?["schema"] ?? [:]
        let stored = answer?["application/json"]?["schema"] ?? [:]
        let both: JSONValue = [
            "type": "object",
            "properties": [
                "error": ["type": "object"], "yours": submitted, "current": stored,
            ],
            "required": ["error", "yours", "current"],
        ]
        return ["application/json": ["schema": ["anyOf": [both, JSONSchemas.reference(to: "Error")]]]]
    }
}
