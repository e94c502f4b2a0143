/// A pattern taken apart at its slashes.
struct RoutePattern {
    enum Segment {
        case literal(String)
        case parameter(String)
        case rest(String)
    }

    let segments: [Segment]

    init(_ pattern: String) throws {
        guard pattern.hasPrefix("/") else { throw RouterError.badPattern(pattern) }
        let parts = pattern.dropFirst().split(separator: "/", omittingEmptySubsequences: false)
        segments = try parts.enumerated().map { index, part in
            guard part.contains(where: { $0 == "{" || $0 == "}" }) else { return .literal(String(part)) }
            let name = part.dropFirst().dropLast()
            guard part.hasPrefix("{"), part.hasSuffix("}"), !name.isEmpty,
                !name.contains(where: { $0 == "{" || $0 == "}" })
            else { throw RouterError.badPattern(pattern) }
            guard name.hasPrefix("...") else { return .parameter(String(name)) }
            guard index == parts.count - 1, name.count > 3 else { throw RouterError.badPattern(pattern) }
            return .rest(String(name.dropFirst(3)))
        }
    }

    var parameterNames: [String] {
        segments.compactMap { segment in
            switch segment {
            case .literal: nil
            case .parameter(let name), .rest(let name): name
            }
        }
    }
}
