import Foundation

/// Decision trees whose answers are added up (gradient boosting), read from a table.
struct TreeModel {
    /// Of all trees: the number measured, the limit, and where to go at most (left) and above it (right); what is below
    /// zero is a leaf.
    private var features: [Int16] = []
    private var limits: [Float] = []
    private var left: [Int32] = []
    private var right: [Int32] = []
    private var leaves: [Float] = []
    private var roots: [Int32] = []
    private let base: Float

    /// - Parameter table: a tree a line: its nodes as "feature limit left right", then "|" and its leaves in thousandths.
    ///   The first line is what any block has, in thousandths.
    init(table: String) {
        let lines = table.split(separator: "\n")
        base = lines.first.flatMap { Float($0) }.map { $0 / 1000 } ?? 0
        for line in lines.dropFirst() {
            let parts = line.split(separator: "|", omittingEmptySubsequences: false)
            let numbers = parts[0].split(separator: " ")
            let firstNode = Int32(features.count)
            let firstLeaf = Int32(leaves.count)
            roots.append(numbers.isEmpty ? -1 - firstLeaf : firstNode)
            for place in stride(from: 0, to: numbers.count - 3, by: 4) {
                features.append(Int16(numbers[place]) ?? 0)
                limits.append(Float(numbers[place + 1]) ?? 0)
                for (side, text) in [numbers[place + 2], numbers[place + 3]].enumerated() {
                    let number = Int32(text) ?? -1
                    let target = number >= 0 ? number + firstNode : number - firstLeaf
                    if side == 0 { left.append(target) } else { right.append(target) }
                }
            }
            if parts.count > 1 {
                leaves += parts[1].split(separator: " ").map { (Float($0) ?? 0) / 1000 }
            }
        }
    }

    /// How likely it is, for each row.
    func probabilities(_ rows: [Float], width: Int) -> [Float] {
        guard width > 0 else { return [] }
        var answers = [Float](repeating: base, count: rows.count / width)
        rows.withUnsafeBufferPointer { rows in
            for root in roots {
                for place in answers.indices {
                    var node = root
                    while node >= 0 {
                        let here = Int(node)
                        node =
                            rows[place * width + Int(features[here])] <= limits[here]
                            ? left[here] : right[here]
                    }
                    answers[place] += leaves[Int(-1 - node)]
                }
            }
        }
        return answers.map { 1 / (1 + exp(-$0)) }
    }
}
