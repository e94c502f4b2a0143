import RoostSupport

/// Names, notes and labels that users give to what is theirs.
enum OwnText {
    /// One line without control characters, trimmed; "" where it is empty. Throws `RoostError.invalid`.
    static func line(_ text: String, field: String, limit: Int) throws -> String {
        let line = text.sanitized.trimmed
        guard line.unicodeScalars.count <= limit else {
            throw RoostError.invalid(field: field, why: "At most \(limit) characters, please.")
        }
        return line
    }

    /// The same with its line ends. Throws `RoostError.invalid`.
    static func lines(_ text: String, field: String, limit: Int) throws -> String {
        let lines = text.replacingBytes(of: "\r\n", with: "\n").replacingBytes(of: "\r", with: "\n")
            .splitBytes(at: "\n").map { String($0).sanitized }
        let whole = lines.joined(separator: "\n").trimmed
        guard whole.unicodeScalars.count <= limit else {
            throw RoostError.invalid(field: field, why: "At most \(limit) characters, please.")
        }
        return whole
    }
}
