import Foundation
import TestSupport

/// The part of GitHub's introspected schema that checking a query needs.
struct GraphQLSchema {
    struct Field {
        let type: String
        /// Whether the type has fields of its own.
        let isComposite: Bool
        /// Each argument's name, whether it is required, and its type's name.
        let arguments: [String: (isRequired: Bool, type: String)]
    }

    struct Named {
        let kind: String
        let fields: [String: Field]
        let values: Set<String>
        /// Of an input object.
        let inputs: [String: (isRequired: Bool, type: String)]
    }

    let types: [String: Named]

    private struct Response: Decodable {
        struct Data: Decodable { let __schema: Schema }
        struct Schema: Decodable { let types: [Kind] }
        struct Kind: Decodable {
            let kind: String
            let name: String
            let fields: [Member]?
            let enumValues: [Value]?
            let inputFields: [Argument]?
        }
        struct Value: Decodable { let name: String }
        struct Member: Decodable {
            let name: String
            let type: Reference
            let args: [Argument]
        }
        struct Argument: Decodable {
            let name: String
            let type: Reference
            let defaultValue: String?
        }
        final class Reference: Decodable {
            let kind: String
            let name: String?
            let ofType: Reference?

            var leaf: Reference { ofType?.leaf ?? self }
        }
        let data: Data
    }

    init(_ data: Data) throws {
        let kinds = try JSONDecoder().decode(Response.self, from: data).data.__schema.types
        types = Dictionary(
            uniqueKeysWithValues: kinds.map { kind in
                let fields = (kind.fields ?? []).map { member in
                    let leaf = member.type.leaf
                    return (
                        member.name,
                        Field(
                            type: leaf.name ?? "",
                            isComposite: ["OBJECT", "INTERFACE", "UNION"].contains(leaf.kind),
                            arguments: Self.arguments(member.args))
                    )
                }
                return (
                    kind.name,
                    Named(
                        kind: kind.kind, fields: Dictionary(uniqueKeysWithValues: fields),
                        values: Set((kind.enumValues ?? []).map(\.name)),
                        inputs: Self.arguments(kind.inputFields ?? []))
                )
            })
    }

    private static func arguments(
        _ list: [Response.Argument]
    ) -> [String: (isRequired: Bool, type: String)] {
        let pairs = list.map { argument in
            let isRequired = argument.type.kind == "NON_NULL" && argument.defaultValue == nil
            return (argument.name, (isRequired: isRequired, type: argument.type.leaf.name ?? ""))
        }
        return Dictionary(uniqueKeysWithValues: pairs)
    }
}

/// Walks a query through a schema; supports what Roost's queries use: variables, aliases and fragments.
struct GraphQLCheck {
    struct Unreadable: Error { let place: String }

    private let schema: GraphQLSchema
    private var tokens: ArraySlice<String>
    private var faults: [String] = []
    private var declared: Set<String> = []
    private var used: Set<String> = []
    private var spread: Set<String> = []
    private var fragments: Set<String> = []

    static func faults(of query: String, in schema: GraphQLSchema) throws -> [String] {
        var check = GraphQLCheck(schema: schema, tokens: tokens(of: query)[...])
        while !check.tokens.isEmpty { try check.definition() }
        check.faults += check.spread.subtracting(check.fragments).map { "fragment \($0) is not there" }
        check.faults += check.fragments.subtracting(check.spread).map { "fragment \($0) is not used" }
        check.faults += check.declared.subtracting(check.used).map { "\($0) is not used" }
        check.faults += check.used.subtracting(check.declared).map { "\($0) is not declared" }
        return check.faults
    }

    static func tokens(of document: String) -> [String] {
        document.matches(of: #/"(?:[^"\\]|\\.)*"|\.\.\.|[\w$@]+|[^\s,\w]/#).map { String($0.0) }
    }

    private init(schema: GraphQLSchema, tokens: ArraySlice<String>) {
        self.schema = schema
        self.tokens = tokens
    }

    private mutating func take(_ wanted: String? = nil) throws -> String {
        guard let token = tokens.popFirst(), wanted == nil || token == wanted else {
            throw Unreadable(place: tokens.prefix(5).joined(separator: " "))
        }
        return token
    }

    private mutating func definition() throws {
        switch try take() {
        case "query":
            _ = try take()
            if tokens.first == "(" { try variables() }
            try selection(on: "Query")
        case "mutation":
            _ = try take()
            if tokens.first == "(" { try variables() }
            try selection(on: "Mutation")
        case "fragment":
            fragments.insert(try take())
            _ = try take("on")
            try selection(on: try take())
        default: throw Unreadable(place: tokens.prefix(5).joined(separator: " "))
        }
    }

    private mutating func variables() throws {
        _ = try take("(")
        while tokens.first != ")" {
            declared.insert(try take())
            _ = try take(":")
            let isList = tokens.first == "["
            if isList { _ = try take() }
            try variableType()
            guard isList else { continue }
            _ = try take("]")
            if tokens.first == "!" { _ = try take() }
        }
        _ = try take(")")
    }

    private mutating func variableType() throws {
        let type = try take()
        if schema.types[type] == nil { faults.append("type \(type) is not there") }
        if tokens.first == "!" { _ = try take() }
    }

    private mutating func selection(on type: String) throws {
        if schema.types[type] == nil { faults.append("type \(type) is not there") }
        _ = try take("{")
        while tokens.first != "}" {
            if tokens.first == "..." {
                _ = try take()
                let word = try take()
                if word == "on" { try selection(on: try take()) } else { spread.insert(word) }
            } else {
                try field(of: type)
            }
        }
        _ = try take("}")
    }

    private mutating func field(of type: String) throws {
        var name = try take()
        if tokens.first == ":" {
            _ = try take()
            name = try take()
        }
        let field = schema.types[type]?.fields[name]
        if field == nil, name != "__typename" { faults.append("\(type).\(name) is not there") }
        var given: Set<String> = []
        if tokens.first == "(" {
            _ = try take("(")
            while tokens.first != ")" {
                let argument = try take()
                _ = try take(":")
                given.insert(argument)
                let known = field?.arguments[argument]
                if known == nil { faults.append("\(type).\(name)(\(argument)) is not there") }
                try value(of: known?.type ?? "")
            }
            _ = try take(")")
        }
        for (argument, known) in field?.arguments ?? [:] where known.isRequired && !given.contains(argument) {
            faults.append("\(type).\(name) lacks \(argument)")
        }
        let isComposite = field?.isComposite == true
        if tokens.first == "{" {
            if !isComposite { faults.append("\(type).\(name) has a selection") }
            try selection(on: field?.type ?? "Query")
        } else if isComposite {
            faults.append("\(type).\(name) has no selection")
        }
    }

    private mutating func value(of type: String) throws {
        let word = try take()
        if word == "[" {
            while tokens.first != "]" { try value(of: type) }
            _ = try take("]")
        } else if word == "{" {
            try inputObject(of: type)
        } else if word.hasPrefix("$") {
            used.insert(word)
        } else if let named = schema.types[type], named.kind == "ENUM", !named.values.contains(word) {
            faults.append("\(type) has no \(word)")
        }
    }

    private mutating func inputObject(of type: String) throws {
        let fields = schema.types[type]?.inputs ?? [:]
        var given: Set<String> = []
        while tokens.first != "}" {
            let name = try take()
            _ = try take(":")
            given.insert(name)
            if fields[name] == nil { faults.append("\(type).\(name) is not there") }
            try value(of: fields[name]?.type ?? "")
        }
        _ = try take("}")
        for (name, known) in fields where known.isRequired && !given.contains(name) {
            faults.append("\(type) lacks \(name)")
        }
    }
}
