/// What a block string means (spec.graphql.org, October 2021, section 2.9.4, "BlockStringValue").
enum GraphQLBlockString {
    /// Without the indentation that its lines share after the first, and without blank lines at either end.
    static func value(_ raw: String) -> String {
        let plain = raw.replacing("\r\n", with: "\n").replacing("\r", with: "\n")
        var lines = plain.split(separator: "\n", omittingEmptySubsequences: false)
        let shared = lines.dropFirst().filter { !isBlank($0) }.map(indentation).min() ?? 0
        for index in lines.indices.dropFirst() { lines[index] = lines[index].dropFirst(shared) }
        let kept = lines.drop(while: isBlank)
        let end = kept.lastIndex { !isBlank($0) }
        return end.map { kept[...$0].joined(separator: "\n") } ?? ""
    }

    private static func isBlank(_ line: Substring) -> Bool { indentation(line) == line.count }

    private static func indentation(_ line: Substring) -> Int {
        line.prefix { $0 == " " || $0 == "\t" }.count
    }
}
