import Foundation
import Synchronization
import Testing

@testable import HTTPClient
@testable import RoostWeb
@testable import TextFormats

/// Compares answers of the JSON API with its description. `TestServer` calls it for each answer.
enum APIAnswers {
    /// The same for every server.
    private static let document = Mutex<OpenAPIDocument?>(nil)

    static func document(of routes: [SiteRoute]) -> OpenAPIDocument {
        document.withLock { known in
            let document = known ?? OpenAPIDocument(routes)
            known = document
            return document
        }
    }

    /// Records an issue if the answer is not as described.
    static func check(
        _ answer: ClientResponse, to method: String, _ target: String, in routes: [SiteRoute]
    ) {
        let path = String(target.prefix { $0 != "?" })
        guard path.hasPrefix(OpenAPIDocument.prefix), answer.status != 304, method != "HEAD" else { return }
        if let problem = problem(answer, method, path, document(of: routes)) {
            Issue.record(
                "\(method) \(path) answered \(answer.status): \(problem): \(answer.text.prefix(400))")
        }
    }

    private static func problem(
        _ answer: ClientResponse, _ method: String, _ path: String, _ document: OpenAPIDocument
    ) -> String? {
        let schemas = document.json["components"]?["schemas"] ?? [:]
        let error = JSONSchemas.reference(to: "Error")
        guard let operation = document.operation(method, path) else {
            return answer.status < 400
                ? "not described" : AnswerJSON.of(answer)?.problem(error, schemas, at: "") ?? nil
        }
        let named = operation["responses"]?["\(answer.status)"]
        guard var response = named ?? (answer.status < 400 ? nil : operation["responses"]?["default"]) else {
            return "this status is not described"
        }
        if let name = response["$ref"]?.text?.splitBytes(at: "/").last {
            response = document.json["components"]?["responses"]?[String(name)] ?? [:]
        }
        guard let content = response["content"] else { return answer.body.isEmpty ? nil : "a body" }
        let type = (answer.headers["Content-Type"] ?? "").prefix { $0 != ";" }
        guard let schema = content[String(type)]?["schema"] else { return "the media type \(type)" }
        guard type == "application/json", !schema.members.isEmpty else { return nil }
        guard let json = AnswerJSON.of(answer) else { return "no JSON" }
        return json.problem(schema, schemas, at: "")
    }
}

extension OpenAPIDocument {
    /// The operation of a request's method and path, without its query. A path with fewer parameters comes first.
    func operation(_ method: String, _ path: String) -> JSONValue? {
        let parts = path.split(separator: "/", omittingEmptySubsequences: false)
        let found = (json["paths"]?.members ?? []).filter { entry in
            let names = entry.name.split(separator: "/", omittingEmptySubsequences: false)
            return entry.value[method.lowercased()] != nil && names.count == parts.count
                && zip(names, parts).allSatisfy { $0.hasPrefix("{") || $0 == $1 }
        }
        func parameters(_ entry: JSONValue.Member) -> Int { entry.name.filter { $0 == "{" }.count }
        return found.min { parameters($0) < parameters($1) }?.value[method.lowercased()]
    }
}

/// JSON that knows a number from true and false.
enum AnswerJSON: Decodable {
    case null
    case flag(Bool)
    case number(Double)
    case text(String)
    case list([AnswerJSON])
    case object([String: AnswerJSON])

    init(from decoder: any Decoder) throws {
        let value = try decoder.singleValueContainer()
        if value.decodeNil() {
            self = .null
        } else if let flag = try? value.decode(Bool.self) {
            self = .flag(flag)
        } else if let number = try? value.decode(Double.self) {
            self = .number(number)
        } else if let text = try? value.decode(String.self) {
            self = .text(text)
        } else if let list = try? value.decode([AnswerJSON].self) {
            self = .list(list)
        } else {
            self = .object(try value.decode([String: AnswerJSON].self))
        }
    }

    /// Returns nil if the body is not JSON.
    static func of(_ answer: ClientResponse) -> AnswerJSON? {
        try? JSONDecoder().decode(AnswerJSON.self, from: Data(answer.body))
    }

    /// Why the value does not match a schema, or nil. A member that the schema lacks is refused.
    ///
    /// - Parameter schemas: the components
    func problem(_ schema: JSONValue, _ schemas: JSONValue, at path: String) -> String? {
        if let name = schema["$ref"]?.text?.split(separator: "/").last {
            guard let named = schemas[String(name)] else { return "there is no schema \(name)" }
            return problem(named, schemas, at: path)
        }
        if let options = schema["anyOf"]?.items {
            let problems = options.map { problem($0, schemas, at: path) }
            return problems.contains(nil) ? nil : problems.compactMap(\.self).joined(separator: " or ")
        }
        let types = schema["type"]?.text.map { [$0] } ?? schema["type"]?.items.compactMap(\.text) ?? []
        guard types.isEmpty || types.contains(where: isOf) else { return "\(path) is no \(types)" }
        switch self {
        case .text(let text):
            if let choices = schema["enum"]?.items, !choices.contains(.text(text)) {
                return "\(path) is “\(text)”, none of \(choices.compactMap(\.text))"
            }
            if schema["format"] == "date-time", ISO8601.parse(text) == nil { return "\(path) is no time" }
            return nil
        case .list(let list):
            let item = schema["items"] ?? [:]
            return list.enumerated().lazy.compactMap { $1.problem(item, schemas, at: "\(path)[\($0)]") }.first
        case .object(let members): return problem(of: members, schema, schemas, at: path)
        case .null, .flag, .number: return nil
        }
    }

    private func problem(
        of members: [String: AnswerJSON], _ schema: JSONValue, _ schemas: JSONValue, at path: String
    ) -> String? {
        for name in (schema["required"]?.items ?? []).compactMap(\.text) where members[name] == nil {
            return "\(path).\(name) is missing"
        }
        let properties = schema["properties"] ?? [:]
        let others = schema["additionalProperties"] ?? false
        for (name, value) in members {
            if let known = properties[name] {
                if let problem = value.problem(known, schemas, at: "\(path).\(name)") { return problem }
            } else if others == false {
                if schema.members.isEmpty || schema == ["type": "object"] { continue }
                return "\(path).\(name) is not described"
            } else if let problem = value.problem(others, schemas, at: "\(path).\(name)") {
                return problem
            }
        }
        return nil
    }

    private func isOf(_ type: String) -> Bool {
        switch self {
        case .null: type == "null"
        case .flag: type == "boolean"
        case .number(let number): type == "number" || type == "integer" && number == number.rounded()
        case .text: type == "string"
        case .list: type == "array"
        case .object: type == "object"
        }
    }
}
