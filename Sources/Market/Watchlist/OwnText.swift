import RoostSupport

enum OwnText {
    /// One trimmed line without control characters. Throws `RoostError.invalid` if it is too long.
    static func line(_ text: String, field: String, limit: Int) throws -> String {
        let line = text.sanitized.trimmed
        guard line.unicodeScalars.count <= limit else {
            throw RoostError.invalid(field: field, why: "Use at most \(limit) characters.")
        }
        return line
    }

    /// The same with line ends kept. Throws `RoostError.invalid` if it is too long.
    static func lines(_ text: String, field: String, limit: Int) throws -> String {
        let lines = text.replacingBytes(of: "\r\n", with: "\n").replacingBytes(of: "\r", with: "\n")
            .splitBytes(at: "\n").map { String($0).sanitized }
        let whole = lines.joined(separator: "\n").trimmed
        guard whole.unicodeScalars.count <= limit else {
            throw RoostError.invalid(field: field, why: "Use at most \(limit) characters.")
        }
        return whole
    }
}
