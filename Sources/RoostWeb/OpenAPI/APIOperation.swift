/// What a route of the JSON API takes and answers, for its description. The routes' paths, parameters, audiences and areas of
/// tokens are known without it.
package struct APIOperation: Sendable {
    /// Writes a schema.
    typealias Writing = @Sendable (JSONSchemas) -> JSONValue

    enum Content: Sendable {
        case nothing
        case json(Writing)
        /// Of one of these media types.
        case file([String])
    }

    enum Body: Sendable {
        case json(Writing, isRequired: Bool)
        /// A form with a file named `file`, and these fields.
        case form([APIParameter])
    }

    /// For routes outside the API.
    package static let undescribed = APIOperation(summary: "", statuses: [], answer: .nothing)

    let summary: String
    private(set) var statuses: [Int]
    private(set) var answer: Content
    private(set) var body: Body?
    private(set) var hasLocation = false
    /// The name of a member of the answer that is a secret, which the answer to a repeated request lacks.
    private(set) var secret: String?

    private init(summary: String, statuses: [Int], answer: Content) {
        self.summary = summary
        self.statuses = statuses
        self.answer = answer
    }

    /// Answers 200.
    package static func answers<Answer: Encodable & SendableMetatype>(
        _ type: Answer.Type, _ summary: String
    ) -> APIOperation {
        APIOperation(summary: summary, statuses: [200], answer: .json { $0.answer(type) })
    }

    /// Answers 200, with members that features add.
    static func answersAtLeast<Answer: Encodable & SendableMetatype>(
        _ type: Answer.Type, _ summary: String
    ) -> APIOperation {
        APIOperation(
            summary: summary, statuses: [200],
            answer: .json { schemas in
                var schema = schemas.answer(type, with: [])
                schema["additionalProperties"] = true
                return schema
            })
    }

    /// Answers 201 and the address of what was made.
    ///
    /// - Parameter secret: a member that only this answer has
    package static func makes<Answer: Encodable & SendableMetatype>(
        _ type: Answer.Type, secret: String? = nil, _ summary: String
    ) -> APIOperation {
        var operation = APIOperation(
            summary: summary, statuses: [201],
            answer: .json { schemas in
                secret.map { schemas.answer(type, with: [$0]) } ?? schemas.answer(type)
            })
        operation.hasLocation = true
        return secret.map(operation.withSecret) ?? operation
    }

    /// Answers 204 without a body.
    package static func does(_ summary: String) -> APIOperation {
        APIOperation(summary: summary, statuses: [204], answer: .nothing)
    }

    /// Answers a file of one of these media types.
    package static func files(_ types: [String], _ summary: String) -> APIOperation {
        APIOperation(summary: summary, statuses: [200], answer: .file(types))
    }

    /// The same with a JSON body.
    ///
    /// - Parameter limits: of its members' values, from the numbers that the checks use
    package func taking<Body: Decodable & SendableMetatype>(
        _ type: Body.Type, isRequired: Bool = true, _ limits: KeyValuePairs<String, APILimit> = [:]
    ) -> APIOperation {
        let limits = limits.map { (name: $0.key, limit: $0.value) }
        var operation = self
        operation.body = .json({ $0.body(type, limits) }, isRequired: isRequired)
        return operation
    }

    /// The same with a form that has a file named `file`, and these fields.
    package func takingForm(_ fields: [APIParameter] = []) -> APIOperation {
        var operation = self
        operation.body = .form(fields)
        return operation
    }

    /// The same with a member of the answer that is a secret: it is not kept for a repeated request.
    package func withSecret(_ name: String) -> APIOperation {
        guard case .json(let write) = answer else { return self }
        var operation = self
        operation.secret = name
        operation.answer = .json { $0.withSecret(name, write($0)) }
        return operation
    }

    /// The same with other statuses of success.
    package func status(_ statuses: Int...) -> APIOperation {
        var operation = self
        operation.statuses = statuses
        return operation
    }

    /// The same with the address of what was made.
    package var located: APIOperation {
        var operation = self
        operation.hasLocation = true
        return operation
    }
}

/// A parameter of a route's query, or a field of a form. A literal is a text, or one of the common parameters.
package struct APIParameter: Sendable, ExpressibleByStringLiteral {
    package let name: String
    private(set) var schema: JSONValue = ["type": "string"]
    private(set) var isRequired = false
    private(set) var note: String?

    package init(stringLiteral name: String) { self = name == "limit" ? .limit() : APIParameter(named: name) }

    /// The size of a list's page.
    ///
    /// - Parameters:
    ///   - standard: without the parameter; nil for the whole list
    ///   - maximum: as which a larger one counts; nil for none
    package static func limit(_ standard: Int? = nil, atMost maximum: Int? = nil) -> APIParameter {
        var parameter = number("limit", from: 1)
        if let standard { parameter.schema["default"] = .number(standard) }
        parameter.note = maximum.map { "A larger one counts as \($0)." }
        return parameter
    }

    package static func number(_ name: String, from least: Int = 0) -> APIParameter {
        var parameter = APIParameter(named: name)
        parameter.schema = ["type": "integer", "minimum": .number(least)]
        return parameter
    }

    /// One of these texts.
    package static func choice(_ name: String, _ choices: [String]) -> APIParameter {
        var parameter = APIParameter(named: name)
        parameter.schema["enum"] = .list(choices.map(JSONValue.text))
        return parameter
    }

    package static func choice<Choice: CaseIterable & RawRepresentable<String>>(
        _ name: String, _ type: Choice.Type
    ) -> APIParameter { choice(name, type.allCases.map(\.rawValue)) }

    /// Texts separated by commas.
    package static func texts(_ name: String) -> APIParameter {
        var parameter = APIParameter(named: name)
        parameter.schema = ["type": "array", "items": ["type": "string"]]
        return parameter
    }

    /// A file of a form.
    package static func file(_ name: String) -> APIParameter {
        var parameter = APIParameter(named: name)
        parameter.schema["contentMediaType"] = "application/octet-stream"
        return parameter
    }

    package var required: APIParameter {
        var parameter = self
        parameter.isRequired = true
        return parameter
    }

    private init(named name: String) { self.name = name }
}
