/// The part of a connection that `first`, `last`, `after` and `before` cut out.
struct GraphQLPage: Sendable {
    struct Edge: Sendable {
        let cursor: String
        let node: GraphQLValue
    }

    /// Before the cut.
    let all: [GraphQLValue]
    let range: Range<Int>
    /// What it answers as, where GitHub stops counting: 1,000 of a search.
    let reach: Int

    /// Of those that are only counted.
    private let counted: Int?

    var total: Int { counted ?? all.count }
    var items: [GraphQLValue] { Array(all[range]) }

    func edges(_ type: String) -> [GraphQLValue] {
        range.map { .object(type, Edge(cursor: Self.cursor($0), node: all[$0])) }
    }

    var hasNext: Bool { range.upperBound < reach }
    var hasPrevious: Bool { range.lowerBound > 0 }
    var startCursor: String? { range.isEmpty ? nil : Self.cursor(range.lowerBound) }
    var endCursor: String? { range.isEmpty ? nil : Self.cursor(range.upperBound - 1) }

    /// A count without the things that were counted.
    init(total: Int) {
        (all, range, reach, counted) = ([], 0..<0, 0, total)
    }

    /// - Parameter field: for the words of errors
    /// - Throws: `GraphQLError` for a page that GitHub would not cut
    init(_ all: [GraphQLValue], _ call: GraphQLCall, field: String, reach: Int = .max) throws {
        self.all = all
        counted = nil
        self.reach = min(reach, all.count)
        let (first, last) = (call["first"]?.int, call["last"]?.int)
        guard let count = first ?? last else {
            throw GraphQLError(
                message:
                    "You must provide a `first` or `last` value to properly paginate the `\(field)` "
                    + "connection.",
                type: "MISSING_PAGINATION_BOUNDARIES", isPartial: true)
        }
        let word = first == nil ? "last" : "first"
        guard (0...100).contains(count) else {
            throw GraphQLError(
                message:
                    "Requesting \(count) records on the `\(field)` connection exceeds the `\(word)` "
                    + "limit of 100 records.",
                type: "EXCESSIVE_PAGINATION", isPartial: true)
        }
        var (low, high) = (0, self.reach)
        if let after = try Self.index(call["after"], "after") { low = min(after + 1, high) }
        if let before = try Self.index(call["before"], "before") { high = max(low, min(before, high)) }
        if first != nil { high = min(high, low + count) } else { low = max(low, high - count) }
        range = low..<high
    }

    /// "cursor:12" in base 64, as GitHub's searches have it.
    private static func cursor(_ index: Int) -> String { Base64.encode(Array("cursor:\(index + 1)".utf8)) }

    private static func index(_ value: GraphQLInput?, _ argument: String) throws -> Int? {
        guard let text = value?.text else { return nil }
        guard let bytes = Base64.decode(text),
            let number = Int(String(decoding: bytes, as: UTF8.self).dropFirst(7)), number > 0
        else {
            throw GraphQLError(
                message: "`\(text)` does not appear to be a valid cursor.", type: "INVALID_CURSOR_ARGUMENTS",
                isPartial: true)
        }
        return number - 1
    }
}
