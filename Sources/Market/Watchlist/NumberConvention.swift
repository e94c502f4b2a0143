import RoostSupport

/// How a file writes its numbers: with a decimal point or a decimal comma, the same in all rows.
///
/// "1.234" is 1234 in one convention and 1.234 in the other. The whole file is examined before any number is read:
/// numbers such as "0,5", "1.234,56" or "1'234.50" are unambiguous and reveal the convention of the others.
struct NumberConvention: Sendable {
    enum DecimalMark: Unicode.Scalar, Sendable {
        case point = ".", comma = ","

        var name: String { self == .point ? "a decimal point" : "a decimal comma" }
        fileprivate var other: DecimalMark { self == .point ? .comma : .point }
    }

    /// The first unambiguous number in the file.
    private typealias Proof = (line: Int, text: String)

    /// Nil if no number is unambiguous, or if equally many are for each.
    private let mark: DecimalMark?
    private let proofs: [DecimalMark: Proof]

    /// - Parameters:
    ///   - cells: all numbers of the file
    ///   - isCommaSeparated: whether fields are separated by commas. Such files use decimal points unless a number
    ///     shows otherwise, since decimal commas need quotation marks there. Exports of Roost and of most programs are
    ///     such files.
    package init(_ cells: [(line: Int, text: String)], isCommaSeparated: Bool) {
        var counts: [DecimalMark: Int] = [:]
        var proofs: [DecimalMark: Proof] = [:]
        var hasComma = false
        for (line, text) in cells {
            guard let number = WrittenNumber(text) else { continue }
            hasComma = hasComma || number.marks.contains(DecimalMark.comma.rawValue)
            guard let mark = number.onlyMark else { continue }
            counts[mark, default: 0] += 1
            if proofs[mark] == nil { proofs[mark] = (line, text) }
        }
        let (points, commas) = (counts[.point] ?? 0, counts[.comma] ?? 0)
        if points != commas {
            mark = points > commas ? .point : .comma
        } else {
            mark = points == 0 && isCommaSeparated && !hasComma ? .point : nil
        }
        self.proofs = proofs
    }

    /// The number as Roost writes it, "1234.5". Text that is not a number is returned unchanged.
    ///
    /// Throws `RoostError.invalid` for an ambiguous number, naming both readings, and for one that contradicts the
    /// file.
    package func plain(_ text: String, field: String) throws -> String {
        guard let number = WrittenNumber(text) else { return text }
        let readings = (point: number.reading(.point), comma: number.reading(.comma))
        if readings.point == readings.comma { return readings.point ?? text }
        if let own = number.onlyMark {
            guard own != mark else { return number.reading(own) ?? text }
            guard let proof = proofs[own.other] else { return number.reading(own) ?? text }
            throw RoostError.invalid(
                field: field,
                why: """
                    “\(text)” has \(own.name), but “\(proof.text)” in line \(proof.line) has \(own.other.name): \
                    write all numbers of a file in one way.
                    """)
        }
        let isMixed = proofs.count > 1
        if let mark, !isMixed { return number.reading(mark) ?? text }
        let values = [readings.point, readings.comma].compactMap(\.self).sorted { $0.count < $1.count }
        throw RoostError.invalid(
            field: field,
            why: """
                “\(text)” can mean \(values[0]) or \(values[1]): \
                write \(number.whole) for the first, \(text)0 for the second.
                """)
    }
}

/// A number as people and spreadsheets write it: digits with marks between them.
struct WrittenNumber {
    private static let maximumLength = 60
    /// Apostrophes and spaces only group digits; all count as the same mark.
    private static let groupMarks: Set<Unicode.Scalar> = [
        "'", "\u{2019}", " ", "\u{A0}", "\u{2009}", "\u{202F}",
    ]
    private static let groupMark: Unicode.Scalar = "'"

    private var sign = ""
    /// The digits between marks: one run more than there are marks.
    private var runs = [""]
    private(set) var marks: [Unicode.Scalar] = []

    /// Nil if the text contains anything else, such as an exponent.
    init?(_ text: String) {
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

    var whole: String { sign + runs.joined() }

    /// The only decimal mark that makes this a number; nil if both or neither do.
    var onlyMark: NumberConvention.DecimalMark? {
        switch (reading(.point), reading(.comma)) {
        case (_?, nil): .point
        case (nil, _?): .comma
        default: nil
        }
    }

    /// "1234.5"; nil if the digits are not grouped correctly.
    func reading(_ mark: NumberConvention.DecimalMark) -> String? {
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
