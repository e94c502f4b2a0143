import TextFormats

/// Malformed repositories in GitHub's responses: their number, and reasons for the first few.
package struct RefusedRepositories: Codable, Equatable, Sendable {
    package struct Row: Codable, Equatable, Sendable {
        package let name: String?
        package let why: String

        package init(name: String?, why: String) {
            // By scalars: a single character may hold megabytes of accents.
            self.name = name.map { String($0.unicodeScalars.prefix(201)).sanitized }.flatMap {
                $0.isBlank ? nil : $0
            }
            self.why = why
        }
    }

    static let maximumNamed = 10

    package private(set) var count = 0
    /// At most `maximumNamed`.
    package private(set) var first: [Row] = []

    package init() {}

    /// - Parameter count: the total, including the named ones
    init(count: Int, first: [Row]) {
        self.count = max(count, first.count)
        self.first = Array(first.prefix(Self.maximumNamed))
    }

    package mutating func add(_ row: Row) {
        count += 1
        if first.count < Self.maximumNamed { first.append(row) }
    }

    package mutating func add(_ refused: RefusedRepositories) {
        self = RefusedRepositories(count: count &+ refused.count, first: first + refused.first)
    }
}

extension RefusedRepositories.Row {
    init(name: String?, _ refusal: ValidationError) {
        let why =
            switch refusal.field {
            case "item": "This is not a repository."
            case "starred_at": "The date of the star is missing."
            case "id": "Its number is missing or invalid."
            case "name", "fullName": "Its name is missing or invalid."
            case "owner", "login": "Its owner is missing or invalid."
            case "owner.type": "Its owner is neither a user nor an organisation."
            case "htmlURL": "Its address is missing or is not a web page."
            case "fork": "It does not say whether it is a fork."
            default: "GitHub sent invalid data."
            }
        self.init(name: name, why: why)
    }
}
