/// Cuts a GraphQL document into tokens (spec.graphql.org, October 2021, section 2.1).
struct GraphQLLexer {
    enum Token: Equatable {
        case name(String)
        case number(String)
        case string(String)
        /// `{ } ( ) [ ] : = ! @ $ |` and `...`
        case sign(String)
        case end
    }

    struct Place: Equatable {
        let line: Int
        let column: Int
    }

    private let scalars: [Unicode.Scalar]
    private var index = 0
    private var line = 1
    private var lineStart = 0

    init(_ text: String) {
        scalars = Array(text.unicodeScalars)
    }

    mutating func next() throws -> (Token, Place) {
        skip()
        let place = Place(line: line, column: index - lineStart + 1)
        guard index < scalars.count else { return (.end, place) }
        let scalar = scalars[index]
        if Self.isLetter(scalar) { return (.name(take { Self.isLetter($0) || Self.isDigit($0) }), place) }
        if Self.isDigit(scalar) || scalar == "-" {
            return (.number(take { Self.isDigit($0) || "+-.eE".unicodeScalars.contains($0) }), place)
        }
        if scalar == "\"" { return (.string(try string(place)), place) }
        if scalar == ".", index + 2 < scalars.count, scalars[index + 1] == ".", scalars[index + 2] == "." {
            index += 3
            return (.sign("..."), place)
        }
        guard "{}()[]:=!@$|&".unicodeScalars.contains(scalar) else {
            throw GraphQLError.syntax("Unexpected character \"\(scalar)\"", place)
        }
        index += 1
        return (.sign(String(scalar)), place)
    }

    private mutating func skip() {
        while index < scalars.count {
            switch scalars[index] {
            case "\n":
                line += 1
                lineStart = index + 1
            case " ", "\t", "\r", ",", "\u{FEFF}": break
            case "#":
                while index < scalars.count, scalars[index] != "\n" { index += 1 }
                continue
            default: return
            }
            index += 1
        }
    }

    private mutating func take(_ isPart: (Unicode.Scalar) -> Bool) -> String {
        let start = index
        repeat { index += 1 } while index < scalars.count && isPart(scalars[index])
        var text = String.UnicodeScalarView()
        text.append(contentsOf: scalars[start..<index])
        return String(text)
    }

    /// Escapes are JSON's; of a block string only its quotes are escaped (section 2.9.4).
    private mutating func string(_ place: Place) throws -> String {
        if stands("\"\"\"") { return try block(place) }
        index += 1
        var text = String.UnicodeScalarView()
        while index < scalars.count, scalars[index] != "\n" {
            if scalars[index] == "\"" {
                index += 1
                return JSONString.decode(Array(String(text).utf8)[...])
            }
            if scalars[index] == "\\", index + 1 < scalars.count {
                text.append(scalars[index])
                index += 1
            }
            text.append(scalars[index])
            index += 1
        }
        throw GraphQLError.syntax("Unterminated string", place)
    }

    private mutating func block(_ place: Place) throws -> String {
        index += 3
        var text = String.UnicodeScalarView()
        while index < scalars.count {
            if stands("\"\"\"") {
                index += 3
                return GraphQLBlockString.value(String(text))
            }
            if stands("\\\"\"\"") { index += 1 }
            // What was escaped is three quotes at once, of which the second pair must not end the string.
            let count = stands("\"\"\"") ? 3 : 1
            for scalar in scalars[index..<index + count] {
                text.append(scalar)
                index += 1
                guard scalar == "\n" else { continue }
                line += 1
                lineStart = index
            }
        }
        throw GraphQLError.syntax("Unterminated string", place)
    }

    private func stands(_ text: String) -> Bool { scalars[index...].starts(with: text.unicodeScalars) }

    private static func isLetter(_ scalar: Unicode.Scalar) -> Bool {
        ("a"..."z").contains(scalar) || ("A"..."Z").contains(scalar) || scalar == "_"
    }

    private static func isDigit(_ scalar: Unicode.Scalar) -> Bool { ("0"..."9").contains(scalar) }
}
