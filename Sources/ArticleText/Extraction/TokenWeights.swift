/// How much a word speaks for text (positive) or for what stands around it (negative).
struct TokenWeights {
    private let weights: [UInt64: Float]

    /// - Parameter table: "share:-21 said:14 ...", in tenths
    init(table: String) {
        var weights: [UInt64: Float] = [:]
        for entry in table.split(whereSeparator: \.isWhitespace) {
            let parts = entry.split(separator: ":")
            guard parts.count == 2, let weight = Float(parts[1]) else { continue }
            weights[PageHash.of(parts[0].utf8)] = weight / 10
        }
        self.weights = weights
    }

    subscript(_ hash: UInt64) -> Float { weights[hash] ?? 0 }
}
