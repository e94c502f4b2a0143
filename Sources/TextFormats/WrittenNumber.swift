/// A number as people and spreadsheets write it: digits with marks between them.
package struct WrittenNumber {
    package enum DecimalMark: Unicode.Scalar, Sendable {
        case point = ".", comma = ","
    }

    private static let maximumLength = 60
    /// Apostrophes and spaces only group digits; all count as the same mark.
    private static let groupMarks: Set<Unicode.Scalar> = [
        "'", "\u{2019}", " ", "\u{A0}", "\u{2009}", "\u{202F}",
    ]
    private static let groupMark: Unicode.Scalar = "'"

    private var sign = ""
    /// The digits between marks: one run more than there are marks.
    private var runs = [""]
    /// In order. Every apostrophe and space counts as "'".
    package private(set) var marks: [Unicode.Scalar] = []

    /// Nil if the text contains anything else, such as an exponent.
    package init?(_ text: String) {
        guard text.utf8.count <= Self.maximumLength else { return nil }
        var scalars = text.unicodeScalars[...]
        if let first = scalars.first, ["+", "-", "\u{2212}"].contains(first) {
            sign = first == "+" ? "" : "-"
            scalars.removeFirst()
        }
        for scalar in scalars {
            switch scalar {
            case "0"..."9": runs[runs.count - 1].unicodeScalars.append(scalar)
            case ".", ",": add(scalar)
            case _ where Self.groupMarks.contains(scalar): add(Self.groupMark)
            default: return nil
            }
        }
        // ".5" is a number; "5." and "1,,5" are not.
        guard runs.dropFirst().allSatisfy({ !$0.isEmpty }), marks.count == 1 || !runs[0].isEmpty else {
            return nil
        }
    }

    private mutating func add(_ mark: Unicode.Scalar) {
        marks.append(mark)
        runs.append("")
    }

    /// All digits, without marks.
    package var whole: String { sign + runs.joined() }

    /// The only decimal mark that makes this a number; nil if both or neither do.
    package var onlyMark: DecimalMark? {
        switch (reading(.point), reading(.comma)) {
        case (_?, nil): .point
        case (nil, _?): .comma
        default: nil
        }
    }

    /// "1234.5"; nil if the digits are not grouped correctly.
    package func reading(_ mark: DecimalMark) -> String? {
        let isFraction = marks.last == mark.rawValue
        let groups = marks.dropLast(isFraction ? 1 : 0)
        let whole = Array(runs.dropLast(isFraction ? 1 : 0))
        guard !groups.contains(mark.rawValue), Set(groups).count <= 1,
            groups.isEmpty || Self.areGroups(whole)
        else { return nil }
        guard isFraction || !whole[0].isEmpty else { return nil }
        let digits = whole[0].isEmpty ? "0" : whole.joined()
        return sign + digits + (isFraction ? "." + (runs.last ?? "") : "")
    }

    /// "1,234,567", or "12,34,567" as in India.
    private static func areGroups(_ runs: [String]) -> Bool {
        let (first, middle) = (runs[0], runs[1..<(runs.count - 1)])
        guard (1...3).contains(first.utf8.count), !first.hasPrefix("0"), runs.last?.utf8.count == 3 else {
            return false
        }
        return middle.allSatisfy { $0.utf8.count == 3 }
            || first.utf8.count <= 2 && middle.allSatisfy { $0.utf8.count == 2 }
    }
}
