import TextFormats

/// A parameter, a member of a body or of an answer, or an answer.
package struct APIFieldView: Sendable {
    package let fieldName, typeText: String
    /// The anchor of its type.
    package let typeAnchor: String?
    /// Such as "query, optional".
    package let remark: String?
}

/// The page with every route of the JSON API and every type of its answers.
package struct APIView: PageView, Sendable {
    package struct Group: Sendable {
        package let groupName, groupAnchor: String
        package let operations: [Operation]
    }

    package struct Operation: Sendable {
        package let operationAnchor, method, path, summary: String
        /// Any of these is enough.
        package let scopes: [String]
        package let inputs: [APIFieldView]
        package let answers: [APIFieldView]

        package var hasScopes: Bool { !scopes.isEmpty }
        package var hasInputs: Bool { !inputs.isEmpty }
    }

    package struct AnswerType: Sendable {
        package let answerName, answerAnchor: String
        package let members: [APIFieldView]
    }

    package let layout: LayoutView
    package let groups: [Group]
    package let types: [AnswerType]

    init(layout: LayoutView, groups: [Group], types: [AnswerType]) {
        (self.layout, self.groups, self.types) = (layout, groups, types)
    }

    init(layout: LayoutView, document: OpenAPIDocument) {
        self.layout = layout
        let json = document.json
        let operations = (json["paths"]?.members ?? []).flatMap { path in
            path.value.members.map { (path: path.name, method: $0.name.uppercased(), json: $0.value) }
        }
        var names: [String] = []
        for operation in operations {
            guard let name = operation.json["tags"]?.items.first?.text, !names.contains(name) else {
                continue
            }
            names.append(name)
        }
        groups = names.map { name in
            Group(
                groupName: name,
                groupAnchor: "group-" + name.lowercased().map { $0 == " " ? "-" : String($0) }.joined(),
                operations: operations.filter { $0.json["tags"]?.items.first?.text == name }.map {
                    Self.operation(
                        $0.method, $0.path, $0.json, errors: json["components"]?["responses"] ?? [:])
                })
        }
        types = (json["components"]?["schemas"]?.members ?? []).map { type in
            AnswerType(
                answerName: type.name, answerAnchor: Self.anchor(type.name),
                members: Self.members(of: type.value))
        }
    }

    private static func anchor(_ name: String) -> String { "type-" + name }

    private static func operation(_ method: String, _ path: String, _ json: JSONValue, errors: JSONValue)
        -> Operation
    {
        let parameters = (json["parameters"]?.items ?? []).compactMap { parameter -> APIFieldView? in
            guard let name = parameter["name"]?.text, let place = parameter["in"]?.text else { return nil }
            let isOptional = place == "query" && parameter["required"] == nil
            return field(name, parameter["schema"] ?? [:], remark: isOptional ? "\(place), optional" : place)
        }
        let body = json["requestBody"]?["content"]?.members.first
        let place = body?.name == "multipart/form-data" ? "form" : "body"
        let answers = (json["responses"]?.members ?? []).compactMap { answer -> APIFieldView? in
            if let name = answer.value["$ref"]?.text?.splitBytes(at: "/").last {
                let text = errors[String(name)]?["description"] ?? ""
                return answer.name == "default" ? nil : field(answer.name, ["type": text])
            }
            guard let content = answer.value["content"]?.members.first else {
                return field(answer.name, ["type": "no body"])
            }
            let schema = content.value["schema"] ?? [:]
            return field(answer.name, schema.members.isEmpty ? ["type": .text(content.name)] : schema)
        }
        let scopes = (json["security"]?.items ?? []).flatMap { $0["token"]?.items ?? [] }.compactMap(
            \.text)
        return Operation(
            operationAnchor: json["operationId"]?.text ?? "", method: method, path: path,
            summary: json["summary"]?.text ?? "", scopes: scopes,
            inputs: parameters + (body.map { members(of: $0.value["schema"] ?? [:], in: place) } ?? []),
            answers: answers)
    }

    private static func members(of schema: JSONValue, in place: String? = nil) -> [APIFieldView] {
        let required = schema["required"]?.items ?? []
        return (schema["properties"]?.members ?? []).map { member in
            let remarks = [place, required.contains(.text(member.name)) ? nil : "optional"].compactMap(\.self)
            return field(
                member.name, member.value, remark: remarks.isEmpty ? nil : remarks.joined(separator: ", "))
        }
    }

    private static func field(_ name: String, _ schema: JSONValue, remark: String? = nil) -> APIFieldView {
        let (text, type) = words(schema)
        return APIFieldView(fieldName: name, typeText: text, typeAnchor: type.map(anchor), remark: remark)
    }

    /// A schema in words, and the name of the type in it.
    private static func words(_ schema: JSONValue) -> (text: String, type: String?) {
        if let name = schema["$ref"]?.text?.splitBytes(at: "/").last { return (String(name), String(name)) }
        if let choices = schema["enum"]?.items {
            return (choices.compactMap(\.text).joined(separator: " | "), nil)
        }
        if let options = schema["anyOf"]?.items {
            let all = options.map(words)
            return (all.map(\.text).joined(separator: " or "), all.compactMap(\.type).first)
        }
        if let item = schema["properties"]?["items"]?["items"] {
            let (text, type) = words(item)
            return ("list of \(text), in pages", type)
        }
        if let item = schema["items"] {
            let (text, type) = words(item)
            return ("list of \(text)" + limits(schema, "minItems", "maxItems", " items"), type)
        }
        if let value = schema["additionalProperties"], value != false {
            return ("\(words(value).text) by name", nil)
        }
        if let members = schema["properties"]?.members {
            return (
                "{ " + members.map { "\($0.name): \(words($0.value).text)" }.joined(separator: ", ") + " }",
                nil
            )
        }
        let types = schema["type"]?.text.map { [$0] } ?? schema["type"]?.items.compactMap(\.text) ?? ["any"]
        let bounds =
            limits(schema, "minLength", "maxLength", " characters") + limits(schema, "minimum", "maximum", "")
        return (types.joined(separator: " or ") + bounds, nil)
    }

    /// Such as ", 1 to 64 characters"; "" without a maximum.
    private static func limits(
        _ schema: JSONValue, _ least: String, _ most: String, _ unit: String
    ) -> String {
        guard let most = schema[most]?.number else { return "" }
        let least = schema[least]?.number ?? 0
        return least == 0 && !unit.isEmpty ? ", at most \(most)\(unit)" : ", \(least) to \(most)\(unit)"
    }
}
