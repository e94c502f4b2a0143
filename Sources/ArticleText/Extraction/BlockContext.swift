import Foundation

/// The features of the second trees: what the first trees say about a block and the blocks around it.
///
/// A block alone often looks like content: a comment, a teaser, the next article of the page. Its neighbours, its
/// section, its container and the blocks with the same classes show where the article ends.
struct BlockContext {
    private let page: PageBlocks
    private let elements: ElementMeasure
    private let likely: [Float]
    /// Words up to this number count, so that one long block does not decide for its neighbours.
    private static let maximumWords: Int32 = 50
    /// Distances in blocks are at most this.
    private static let maximumDistance = 200

    private var wordsBefore: [Double] = [0]
    private var likelyBefore: [Double] = [0]

    init(_ page: PageBlocks, _ elements: ElementMeasure, likely: [Float]) {
        (self.page, self.elements, self.likely) = (page, elements, likely)
        for (block, likely) in zip(page.blocks, likely) {
            let weight = Self.weight(block)
            wordsBefore.append((wordsBefore.last ?? 0) + weight)
            likelyBefore.append((likelyBefore.last ?? 0) + weight * Double(likely))
        }
    }

    /// Returns the given features of each block with the context's features after them.
    func rows(after rows: [Float], width: Int) -> (rows: [Float], width: Int) {
        let count = page.blocks.count
        var list = FeatureList(blocks: count)
        addNeighbours(&list)
        addContainers(&list)
        addDistances(&list)
        addSections(&list)
        let own = list.rows
        var all: [Float] = []
        all.reserveCapacity(rows.count + own.count)
        for index in 0..<count {
            all += rows[(index * width)..<((index + 1) * width)]
            all += own[(index * list.width)..<((index + 1) * list.width)]
        }
        return (all, width + list.width)
    }

    private static func weight(_ block: PageBlocks.Block) -> Double {
        Double(min(max(block.words, 1), maximumWords))
    }

    private func mean(_ range: Range<Int>) -> Float {
        guard !range.isEmpty else { return -1 }
        let words = wordsBefore[range.upperBound] - wordsBefore[range.lowerBound]
        return Float((likelyBefore[range.upperBound] - likelyBefore[range.lowerBound]) / max(words, 1e-6))
    }

    private func addNeighbours(_ list: inout FeatureList) {
        let count = likely.count
        for index in likely.indices {
            list.add(likely[index], index)
            for step in [-3, -2, -1, 1, 2, 3] {
                list.add(likely.indices.contains(index + step) ? likely[index + step] : -1, index)
            }
            for reach in [5, 15] {
                list.add(mean(max(index - reach, 0)..<index), index)
                list.add(mean(index + 1..<max(index + 1, min(index + 1 + reach, count))), index)
            }
            list.close(index)
        }
    }

    private func addContainers(_ list: inout FeatureList) {
        let tree = page.tree
        var paths: [UInt64: (likely: Double, words: Double)] = [:]
        for (block, likely) in zip(page.blocks, likely) {
            let weight = Self.weight(block)
            paths[elements.path[Int(block.container)], default: (0, 0)].likely += weight * Double(likely)
            paths[elements.path[Int(block.container)], default: (0, 0)].words += weight
        }
        for (index, block) in page.blocks.enumerated() {
            let weight = Self.weight(block)
            let path = paths[elements.path[Int(block.container)]] ?? (0, 0)
            let others = path.words - weight
            let alike = (path.likely - weight * Double(likely[index])) / max(others, 1e-6)
            list.add(others > 0.5 ? Float(alike) : -1, index)
            var node = tree.parent(Int(block.container))
            for _ in 0..<4 {
                list.add(node >= 0 ? mean(page.blocks(in: node)) : -1, index)
                if node >= 0 { node = Int(page.wider[node]) }
            }
            let card = Int(elements.cards.card[Int(block.container)])
            list.add(card >= 0 ? mean(page.blocks(in: card)) : -1, index)
            let around = card >= 0 && tree.parent(card) >= 0 ? tree.parent(card) : card
            list.add(around >= 0 ? mean(page.blocks(in: around)) : -1, index)
            list.close(index)
        }
    }

    /// The share of the content before the block, the whole page's, and the distances to likely paragraphs.
    private func addDistances(_ list: inout FeatureList) {
        let count = likely.count
        let all = max(likelyBefore[count], 1e-6)
        let words = max(wordsBefore[count], 1e-6)
        var next = [Int](repeating: Self.maximumDistance, count: count + 1)
        for index in likely.indices.reversed() {
            next[index] = isLikelyParagraph(index) ? 0 : min(next[index + 1] + 1, Self.maximumDistance)
        }
        var last = Self.maximumDistance
        for index in likely.indices {
            last = isLikelyParagraph(index) ? 0 : min(last + 1, Self.maximumDistance)
            list.add(Float(likelyBefore[index] / all), index)
            list.add(Float(log1p(all)), index)
            list.add(Float(all / words), index)
            list.add(Float(last), index)
            list.add(Float(next[index]), index)
            list.close(index)
        }
    }

    private func isLikelyParagraph(_ index: Int) -> Bool {
        likely[index] >= 0.5 && page.blocks[index].words >= 12
    }

    /// A section is a heading with the blocks up to the next heading.
    private func addSections(_ list: inout FeatureList) {
        let headings = page.blocks.indices.filter {
            page.tree.nodes[Int(page.blocks[$0].container)].tag.headingLevel > 0
        }
        let ends = headings + [likely.count]
        let means = ([0] + headings).indices.map { section in
            max(mean((section == 0 ? 0 : headings[section - 1])..<ends[section]), 0)
        }
        var section = 0
        for index in likely.indices {
            if section < headings.count, index == headings[section] { section += 1 }
            list.add(means[section], index)
            list.add(section > 0 ? likely[headings[section - 1]] : -1, index)
            list.add(section > 0 ? means[section - 1] : -1, index)
            list.add(section + 1 < means.count ? means[section + 1] : -1, index)
            list.close(index)
        }
    }
}
