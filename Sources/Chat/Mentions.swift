import RoostSupport

/// Finds the people whom a text names with `@`.
enum Mentions {
    struct Name: Sendable {
        let userId: UserID
        let username: String
    }

    /// Those whose user name follows an `@`, whatever its case, in the order of their numbers; of two names that fit in
    /// one place the longer one counts. An `@` within a word, as in an e-mail address, names nobody.
    ///
    /// A place is looked at once for each length of a name, not for each name: 16 KB of `@` among 2,000 people take a
    /// moment.
    static func find(in text: String, among people: [Name]) -> [UserID] {
        guard text.utf8.contains(UInt8(ascii: "@")) else { return [] }
        let scalars = Array(text.lowercased().unicodeScalars)
        let isWord = scalars.map(isOfWord)
        let users = Dictionary(
            people.map { (Array($0.username.lowercased().unicodeScalars), $0.userId) },
            uniquingKeysWith: { first, _ in first })
        var lengths: [Unicode.Scalar: Set<Int>] = [:]
        for name in users.keys {
            if let first = name.first { lengths[first, default: []].insert(name.count) }
        }
        let longestFirst = lengths.mapValues { $0.sorted(by: >) }
        var found: Set<UserID> = []
        for (place, scalar) in scalars.enumerated() where scalar == "@" {
            guard place == 0 || !isWord[place - 1], place + 1 < scalars.count else { continue }
            for length in longestFirst[scalars[place + 1]] ?? [] {
                let end = place + 1 + length
                guard end <= scalars.count, end == scalars.count || !isWord[end],
                    let user = users[Array(scalars[(place + 1)..<end])]
                else { continue }
                found.insert(user)
                break
            }
        }
        return found.sorted()
    }

    private static func isOfWord(_ scalar: Unicode.Scalar) -> Bool {
        scalar.properties.isAlphabetic || scalar.properties.numericType != nil || scalar == "_"
    }
}
