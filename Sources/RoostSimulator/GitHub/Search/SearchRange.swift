/// `>=2026-01-01`, `2026-01-01..2026-02-01`, `>10`, `5..*`.
struct SearchRange {
    private var least: String?
    private var most: String?
    private var isOpenBelow = false
    private var isOpenAbove = false

    init(_ text: String) {
        if let dots = text.firstRange(of: "..") {
            (least, most) = (String(text[..<dots.lowerBound]), String(text[dots.upperBound...]))
        } else if text.hasPrefix(">=") {
            least = String(text.dropFirst(2))
        } else if text.hasPrefix("<=") {
            most = String(text.dropFirst(2))
        } else if text.hasPrefix(">") {
            (least, isOpenBelow) = (String(text.dropFirst()), true)
        } else if text.hasPrefix("<") {
            (most, isOpenAbove) = (String(text.dropFirst()), true)
        } else {
            (least, most) = (text, text)
        }
        if least == "*" { least = nil }
        if most == "*" { most = nil }
    }

    /// A moment in milliseconds; dates are compared as text, as long as the query's.
    func contains(_ moment: Int) -> Bool {
        let text = Timestamp.text(moment)
        let isAbove = least.map { isOpenBelow ? text.prefix($0.count) > $0 : text.prefix($0.count) >= $0 }
        let isBelow = most.map { isOpenAbove ? text.prefix($0.count) < $0 : text.prefix($0.count) <= $0 }
        return (isAbove ?? true) && (isBelow ?? true)
    }

    func contains(count: Int) -> Bool {
        let isAbove = least.flatMap { Int($0) }.map { isOpenBelow ? count > $0 : count >= $0 }
        let isBelow = most.flatMap { Int($0) }.map { isOpenAbove ? count < $0 : count <= $0 }
        return (isAbove ?? true) && (isBelow ?? true)
    }
}
