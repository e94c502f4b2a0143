import Foundation

/// An ensemble of decision trees (gradient boosting), read from a table.
struct TreeModel {
    /// The nodes of all trees: the feature, the limit, and the next node if the value is at most the limit (left) or
    /// above (right). A negative number is a leaf.
    private var features: [Int16] = []
    private var limits: [Float] = []
    private var left: [Int32] = []
    private var right: [Int32] = []
    private var leaves: [Float] = []
    private var roots: [Int32] = []
    private let base: Float

    /// - Parameter table: each line is a tree: its nodes as "feature limit left right", then "|" and its leaves in
    ///   thousandths. The first line is the base score in thousandths.
    init(table: String) {
        let lines = table.split(separator: "\n")
        base = lines.first.flatMap { Float($0) }.map { $0 / 1000 } ?? 0
        for line in lines.dropFirst() {
            let parts = line.split(separator: "|", omittingEmptySubsequences: false)
            let numbers = parts[0].split(separator: " ")
            let firstNode = Int32(features.count)
            let firstLeaf = Int32(leaves.count)
            roots.append(numbers.isEmpty ? -1 - firstLeaf : firstNode)
            for index in stride(from: 0, to: numbers.count - 3, by: 4) {
                features.append(Int16(numbers[index]) ?? 0)
                limits.append(Float(numbers[index + 1]) ?? 0)
                for (side, text) in [numbers[index + 2], numbers[index + 3]].enumerated() {
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

    func probabilities(_ rows: [Float], width: Int) -> [Float] {
        guard width > 0 else { return [] }
        var answers = [Float](repeating: base, count: rows.count / width)
        rows.withUnsafeBufferPointer { rows in
            for root in roots {
                for row in answers.indices {
                    var node = root
                    while node >= 0 {
                        let current = Int(node)
                        node =
                            rows[row * width + Int(features[current])] <= limits[current]
                            ? left[current] : right[current]
                    }
                    answers[row] += leaves[Int(-1 - node)]
                }
            }
        }
        return answers.map { 1 / (1 + exp(-$0)) }
    }
}
