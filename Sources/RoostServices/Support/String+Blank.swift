extension String {
    /// True for a text of white space or of nothing.
    var isBlank: Bool { allSatisfy(\.isWhitespace) }

    /// Without white space at both ends.
    var trimmed: String {
        var rest = self[...]
        while rest.first?.isWhitespace == true { rest.removeFirst() }
        while rest.last?.isWhitespace == true { rest.removeLast() }
        return String(rest)
    }
}
