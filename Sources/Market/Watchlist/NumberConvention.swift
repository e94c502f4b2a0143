import RoostSupport
import TextFormats

/// How a file writes its numbers: with a decimal point or a decimal comma, the same in all rows.
///
/// "1.234" is 1234 in one convention and 1.234 in the other. The whole file is examined before any number is read:
/// numbers such as "0,5", "1.234,56" or "1'234.50" are unambiguous and reveal the convention of the others.
struct NumberConvention: Sendable {
    private typealias DecimalMark = WrittenNumber.DecimalMark
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

extension WrittenNumber.DecimalMark {
    fileprivate var name: String { self == .point ? "a decimal point" : "a decimal comma" }
    fileprivate var other: Self { self == .point ? .comma : .point }
}
