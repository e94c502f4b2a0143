/// Reads the language of queries (spec.graphql.org, October 2021, section 2), without type definitions.
struct GraphQLParser {
    private var lexer: GraphQLLexer
    private var token: GraphQLLexer.Token
    private var place: GraphQLLexer.Place
    private var depth = 0
    /// GitHub's own parser is bounded as well; a hostile document must not exhaust the stack.
    private static let deepest = 60

    static func parse(_ text: String) throws -> GraphQLDocument {
        var parser = try GraphQLParser(text)
        return try parser.document()
    }

    private init(_ text: String) throws {
        lexer = GraphQLLexer(text)
        (token, place) = try lexer.next()
    }

    private mutating func document() throws -> GraphQLDocument {
        var document = GraphQLDocument()
        while token != .end {
            switch token {
            case .sign("{"):
                document.operations.append(
                    .init(name: nil, kind: "query", variables: [], selections: try selections()))
            case .name("fragment"):
                try advance()
                let name = try name()
                let condition = try self.name()
                guard name != "on", condition == "on" else { throw unexpected() }
                let type = try self.name()
                _ = try directives()
                document.fragments[name] = .init(type: type, selections: try selections())
            case .name(let kind) where ["query", "mutation", "subscription"].contains(kind):
                document.operations.append(try operation(kind))
            default: throw unexpected()
            }
        }
        return document
    }

    private mutating func operation(_ kind: String) throws -> GraphQLDocument.Operation {
        try advance()
        var name: String?
        if case .name(let text) = token {
            name = text
            try advance()
        }
        var variables: [GraphQLDocument.Variable] = []
        if try take("(") {
            while try !take(")") { variables.append(try variable()) }
        }
        _ = try directives()
        return .init(name: name, kind: kind, variables: variables, selections: try selections())
    }

    private mutating func variable() throws -> GraphQLDocument.Variable {
        try expect("$")
        let name = try name()
        try expect(":")
        let type = try type()
        return .init(name: name, type: type, standard: try take("=") ? try value() : nil)
    }

    private mutating func type() throws -> GraphQLType {
        try descend()
        defer { depth -= 1 }
        let type: GraphQLType
        if try take("[") {
            type = .list(try self.type())
            try expect("]")
        } else {
            type = .named(try name())
        }
        return try take("!") ? .required(type) : type
    }

    private mutating func descend() throws {
        depth += 1
        guard depth < Self.deepest else { throw GraphQLError.syntax("Query is too deep", place) }
    }

    private mutating func selections() throws -> [GraphQLDocument.Selection] {
        try descend()
        defer { depth -= 1 }
        try expect("{")
        var all: [GraphQLDocument.Selection] = []
        repeat { all.append(try selection()) } while try !take("}")
        return all
    }

    private mutating func selection() throws -> GraphQLDocument.Selection {
        let start = place
        guard try take("...") else { return try parseField(start) }
        if case .name(let text) = token, text != "on" {
            try advance()
            return .spread(text, try directives(), start)
        }
        var type: String?
        if case .name("on") = token {
            try advance()
            type = try name()
        }
        let directives = try directives()
        return .inline(type: type, try selections(), directives, start)
    }

    private mutating func parseField(_ start: GraphQLLexer.Place) throws -> GraphQLDocument.Selection {
        var name = try name()
        var alias: String?
        if try take(":") { (alias, name) = (name, try self.name()) }
        let arguments = try arguments()
        let directives = try directives()
        let selections = token == .sign("{") ? try selections() : []
        let field = GraphQLDocument.Field(
            name: name, alias: alias, arguments: arguments, selections: selections, place: start)
        return .field(field, directives)
    }

    private mutating func arguments() throws -> [(name: String, value: GraphQLInput)] {
        guard try take("(") else { return [] }
        var all: [(name: String, value: GraphQLInput)] = []
        while try !take(")") {
            let name = try name()
            try expect(":")
            all.append((name, try value()))
        }
        return all
    }

    private mutating func directives() throws -> [GraphQLDocument.Directive] {
        var all: [GraphQLDocument.Directive] = []
        while try take("@") { all.append(.init(name: try name(), arguments: try arguments())) }
        return all
    }

    private mutating func value() throws -> GraphQLInput {
        try descend()
        defer { depth -= 1 }
        let start = token
        try advance()
        switch start {
        case .number(let text): return .number(text)
        case .string(let text): return .string(text)
        case .name("true"): return .bool(true)
        case .name("false"): return .bool(false)
        case .name("null"): return .null
        case .name(let text): return .word(text)
        case .sign("$"): return .variable(try name())
        case .sign("["):
            var items: [GraphQLInput] = []
            while try !take("]") { items.append(try value()) }
            return .list(items)
        case .sign("{"):
            var members: [String: GraphQLInput] = [:]
            while try !take("}") {
                let name = try name()
                try expect(":")
                members[name] = try value()
            }
            return .object(members)
        default: throw unexpected()
        }
    }
}

extension GraphQLParser {
    private mutating func advance() throws { (token, place) = try lexer.next() }

    private mutating func name() throws -> String {
        guard case .name(let text) = token else { throw unexpected() }
        try advance()
        return text
    }

    private mutating func take(_ sign: String) throws -> Bool {
        guard token == .sign(sign) else { return false }
        try advance()
        return true
    }

    private mutating func expect(_ sign: String) throws {
        guard try take(sign) else { throw unexpected() }
    }

    private func unexpected() -> GraphQLError {
        let words =
            switch token {
            case .name(let text), .number(let text), .string(let text), .sign(let text): "\"\(text)\""
            case .end: "end of file"
            }
        return .syntax("Unexpected \(words)", place)
    }
}
