/// Finds which added line replaces which removed line.
enum LinePairing {
    struct Match: Equatable {
        let removed: Int
        let added: Int
    }

    /// Per thousand. Lines that have less in common are different lines.
    static let minimumLikeness = 350
    /// Larger changes are divided, so that the work is proportional to the number of lines.
    private static let maximumLines = 64

    /// Returns pairs of similar lines, in order.
    static func matches(_ removed: [LineWords], _ added: [LineWords], steps: inout Int) -> [Match] {
        // A single line is always the successor of the other one.
        if removed.count == 1, added.count == 1 { return [Match(removed: 0, added: 0)] }
        let parts = (max(removed.count, added.count) + maximumLines - 1) / maximumLines
        var matches: [Match] = []
        for part in 0..<parts {
            let (old, new) = (
                range(of: part, in: parts, count: removed.count),
                range(of: part, in: parts, count: added.count)
            )
            for match in bestMatches(removed[old], added[new], steps: &steps) {
                matches.append(
                    Match(removed: match.removed + old.lowerBound, added: match.added + new.lowerBound))
            }
        }
        return matches
    }

    private static func range(of part: Int, in parts: Int, count: Int) -> Range<Int> {
        part * count / parts..<(part + 1) * count / parts
    }

    /// The pairs in order whose likenesses have the greatest sum, by dynamic programming.
    private static func bestMatches(
        _ removed: ArraySlice<LineWords>, _ added: ArraySlice<LineWords>, steps: inout Int
    ) -> [Match] {
        let (removed, added) = (Array(removed), Array(added))
        let width = added.count + 1
        var likeness = [Int](repeating: 0, count: removed.count * added.count)
        // sums[i * width + j]: the best sum of the lines from i and j on.
        var sums = [Int](repeating: 0, count: (removed.count + 1) * width)
        for old in removed.indices.reversed() {
            for new in added.indices.reversed() {
                let value = removed[old].likeness(to: added[new], steps: &steps)
                likeness[old * added.count + new] = value
                var best = max(sums[(old + 1) * width + new], sums[old * width + new + 1])
                if value >= minimumLikeness { best = max(best, value + sums[(old + 1) * width + new + 1]) }
                sums[old * width + new] = best
            }
        }
        var matches: [Match] = []
        var (old, new) = (0, 0)
        while old < removed.count, new < added.count {
            let value = likeness[old * added.count + new]
            let best = sums[old * width + new]
            if value >= minimumLikeness, best == value + sums[(old + 1) * width + new + 1] {
                matches.append(Match(removed: old, added: new))
                (old, new) = (old + 1, new + 1)
            } else if best == sums[(old + 1) * width + new] {
                old += 1
            } else {
                new += 1
            }
        }
        return matches
    }
}
