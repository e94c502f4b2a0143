extension Sequence<Int64> {
    /// As SQLite's `json_each` reads it. `description` says the same, through reflection, in ten times the time.
    package var jsonArray: String { "[\(map { String($0) }.joined(separator: ","))]" }
}
