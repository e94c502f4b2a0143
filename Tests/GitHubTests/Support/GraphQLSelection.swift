import Foundation
import TestSupport

/// The fields that a document requests, to compare with an answer; for documents that `GraphQLCheck` finds valid.
struct GraphQLSelection {
    private indirect enum Part {
        case field(key: String, [Part])
        case inline(type: String, [Part])
        case fragment(String)
    }

    private var tokens: ArraySlice<String>
    private var operation: [Part] = []
    private var fragments: [String: (type: String, parts: [Part])] = [:]

    init(_ document: String) {
        tokens = GraphQLCheck.tokens(of: document)[...]
        while let word = tokens.popFirst() {
            let name = tokens.popFirst() ?? ""
            if word == "fragment" {
                let type = tokens.dropFirst().first ?? ""
                fragments[name] = (type, parts())
            } else {
                operation = parts()
            }
        }
    }

    /// Skips to the next selection and reads it.
    private mutating func parts() -> [Part] {
        while let token = tokens.popFirst(), token != "{" {}
        var parts: [Part] = []
        while let token = tokens.popFirst(), token != "}" {
            guard token == "..." else {
                parts.append(field(token))
                continue
            }
            let name = tokens.popFirst() ?? ""
            if name == "on" {
                parts.append(.inline(type: tokens.first ?? "", self.parts()))
            } else {
                parts.append(.fragment(name))
            }
        }
        return parts
    }

    private mutating func field(_ key: String) -> Part {
        if tokens.first == ":" { tokens = tokens.dropFirst(2) }
        if tokens.first == "(" {
            while let token = tokens.popFirst(), token != ")" {}
        }
        return .field(key: key, tokens.first == "{" ? parts() : [])
    }

    /// Where the data does not have exactly the members that the document requests.
    func faults(in data: Any) -> [String] { faults(in: data, operation, at: "data") }

    private func faults(in value: Any, _ parts: [Part], at path: String) -> [String] {
        switch value {
        case is NSNull: return []
        case let items as [Any]: return items.flatMap { faults(in: $0, parts, at: path) }
        case let members as [String: Any]:
            let asked = fields(parts, of: members["__typename"] as? String)
            let difference = Set(members.keys).symmetricDifference(asked.map(\.key)).sorted()
            return difference.map { "\(path).\($0)" }
                + asked.flatMap { key, parts in
                    members[key].map { faults(in: $0, parts, at: "\(path).\(key)") } ?? []
                }
        default: return parts.isEmpty ? [] : ["\(path) is no object"]
        }
    }

    /// The fields requested of an object of the type; with nil each fragment's own type applies.
    private func fields(_ parts: [Part], of type: String?) -> [(key: String, parts: [Part])] {
        parts.flatMap { part in
            switch part {
            case .field(let key, let parts): return [(key, parts)]
            case .inline(let condition, let parts):
                return type == nil || type == condition ? fields(parts, of: type) : []
            case .fragment(let name):
                guard let (condition, parts) = fragments[name] else { return [] }
                return type == nil || type == condition ? fields(parts, of: type) : []
            }
        }
    }
}
