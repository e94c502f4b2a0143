import Foundation

/// The features of each block for `TreeModel`: its own text, the elements around it, its neighbours, and the page.
struct BlockFeatures {
    private(set) var rows: [Float]
    let width: Int
    let elements: ElementMeasure

    init(_ page: PageBlocks, facts: PageFacts, words: TokenWeights, classes: TokenWeights, kinds: [Float]) {
        var list = FeatureList(blocks: page.blocks.count)
        let texts = page.blocks.indices.map { TextMeasure(page.bytes(of: $0), words) }
        elements = ElementMeasure(page, classes)
        let sums = BlockSums(page, texts)
        Self.addText(&list, page, texts)
        Self.addElements(&list, page, elements)
        Self.addPosition(&list, page, sums)
        Self.addNeighbours(&list, page, texts, sums)
        Self.addContainers(&list, page, elements, sums)
        Self.addRepetition(&list, page, texts, elements, sums)
        Self.addFacts(&list, page, texts, facts, kinds, sums)
        rows = list.rows
        width = list.width
    }

    private static func addText(_ list: inout FeatureList, _ page: PageBlocks, _ texts: [TextMeasure]) {
        for (index, block) in page.blocks.enumerated() {
            let text = texts[index]
            let words = Float(max(block.words, 1))
            let characters = Float(max(text.bytes, 1))
            list.add(log1p(Float(block.words)), index)
            list.add(log1p(characters), index)
            list.add(characters / words, index)
            list.add(Float(block.linkWords) / words, index)
            list.add(Float(block.links), index)
            list.add(Float(text.commas), index)
            list.add(Float(text.ends), index)
            list.add(text.endsSentence ? 1 : 0, index)
            list.add(text.startsUpper ? 1 : 0, index)
            list.add(Float(text.capitals) / words, index)
            list.add(Float(text.digits) / characters, index)
            list.add(text.hasMoney ? 1 : 0, index)
            list.add(text.hasCopyright ? 1 : 0, index)
            list.add(Float(text.bars), index)
            list.add(text.wordMean, index)
            list.add(text.wordSum, index)
            list.add(block.isHidden ? 1 : 0, index)
            list.add(block.isCode ? 1 : 0, index)
            list.close(index)
        }
    }

    private static func addElements(_ list: inout FeatureList, _ page: PageBlocks, _ elements: ElementMeasure)
    {
        let tree = page.tree
        for (index, block) in page.blocks.enumerated() {
            let container = Int(block.container)
            let around = elements.around[container]
            list.add(Float(ElementMeasure.group(tree.nodes[container].tag)), index)
            list.add(Float(tree.nodes[container].tag.headingLevel), index)
            for bit in 0..<ElementMeasure.Around.count { list.add(around.has(bit) ? 1 : 0, index) }
            list.add(Float(tree.nodes[container].depth), index)
            list.add(elements.minimum[container], index)
            list.add(elements.maximum[container], index)
            list.add(elements.sum[container], index)
            var node = container
            for _ in 0..<5 {
                list.add(node >= 0 ? elements.score[node] : 0, index)
                if node >= 0 { node = tree.parent(node) }
            }
            list.close(index)
        }
    }

    private static func addPosition(_ list: inout FeatureList, _ page: PageBlocks, _ sums: BlockSums) {
        let count = Float(max(page.blocks.count, 1))
        let words = Float(max(sums.words[page.blocks.count], 1))
        let title = page.blocks.firstIndex { page.tree.nodes[Int($0.container)].tag == .h1 } ?? -1
        for index in page.blocks.indices {
            list.add(sums.words[index] / words, index)
            list.add(Float(index) / count, index)
            list.add(log1p(Float(index)), index)
            list.add(log1p(count - Float(index)), index)
            list.add(title < 0 ? -99 : Float(max(-50, min(200, index - title))), index)
            let distance = title < 0 ? 0 : sums.words[index] - sums.words[title]
            list.add(distance < 0 ? -log1p(-distance) : log1p(distance), index)
            list.close(index)
        }
    }

    private static func addNeighbours(
        _ list: inout FeatureList, _ page: PageBlocks, _ texts: [TextMeasure], _ sums: BlockSums
    ) {
        let blocks = page.blocks
        let tree = page.tree
        for index in blocks.indices {
            for step in [-2, -1, 1, 2] {
                let other = index + step
                guard blocks.indices.contains(other) else {
                    for _ in 0..<5 { list.add(-1, index) }
                    continue
                }
                list.add(log1p(Float(blocks[other].words)), index)
                list.add(Float(blocks[other].linkWords) / Float(max(blocks[other].words, 1)), index)
                list.add(texts[other].wordMean, index)
                list.add(tree.nodes[Int(blocks[other].container)].tag.headingLevel > 0 ? 1 : 0, index)
                let isSibling =
                    tree.parent(Int(blocks[other].container)) == tree.parent(Int(blocks[index].container))
                list.add(isSibling ? 1 : 0, index)
            }
            for reach in [3, 8, 20] {
                sums.add(max(0, index - reach)..<min(blocks.count, index + reach + 1), to: &list, index)
            }
            list.add(sums.mean(max(0, index - 6)..<index), index)
            list.add(sums.mean(index + 1..<max(index + 1, min(blocks.count, index + 7))), index)
            list.close(index)
        }
    }

    private static func addContainers(
        _ list: inout FeatureList, _ page: PageBlocks, _ elements: ElementMeasure, _ sums: BlockSums
    ) {
        let tree = page.tree
        let all = max(sums.words[page.blocks.count], 1)
        let prose = max(sums.prose[page.blocks.count], 1)
        let best = elements.richest(sums)
        let joints = elements.joints(with: best)
        for (index, block) in page.blocks.enumerated() {
            var node = tree.parent(Int(block.container))
            for _ in 0..<4 {
                guard node >= 0 else {
                    for _ in 0..<6 { list.add(-1, index) }
                    continue
                }
                let range = page.blocks(in: node)
                sums.add(range, to: &list, index)
                list.add(log1p(Float(range.count)), index)
                list.add(sums.words(range) / all, index)
                list.add(sums.prose(range) / prose, index)
                node = Int(page.wider[node])
            }
            let isInBest =
                best >= 0 && Int(block.nodes.lowerBound) > best
                && Int(block.nodes.lowerBound) < tree.end(best)
            list.add(isInBest ? 1 : 0, index)
            // The distance and size of their nearest common ancestor.
            let steps = isInBest ? 0 : joints.steps[Int(block.container)]
            let up = isInBest ? Int(block.container) : Int(joints.node[Int(block.container)])
            list.add(Float(steps), index)
            list.add(up >= 0 && best >= 0 ? sums.words(page.blocks(in: up)) / all : 0, index)
            list.add(best >= 0 ? sums.words(page.blocks(in: best)) / all : 0, index)
            let start = best >= 0 ? page.blocks(in: best).lowerBound : 0
            let end = best >= 0 ? page.blocks(in: best).upperBound : 0
            list.add(index < start ? Float(index - start) : index >= end ? Float(index - end + 1) : 0, index)
            list.close(index)
        }
    }

    private static func addRepetition(
        _ list: inout FeatureList, _ page: PageBlocks, _ texts: [TextMeasure], _ elements: ElementMeasure,
        _ sums: BlockSums
    ) {
        var paths: [UInt64: (blocks: Float, words: Float, links: Float, seen: Float)] = [:]
        var copies: [UInt64: (all: Float, seen: Float)] = [:]
        for (index, block) in page.blocks.enumerated() {
            paths[elements.path[Int(block.container)], default: (0, 0, 0, 0)].blocks += 1
            paths[elements.path[Int(block.container)], default: (0, 0, 0, 0)].words += Float(block.words)
            paths[elements.path[Int(block.container)], default: (0, 0, 0, 0)].links += Float(block.linkWords)
            copies[texts[index].hash, default: (0, 0)].all += 1
        }
        let cards = elements.cards
        let tree = page.tree
        for (index, block) in page.blocks.enumerated() {
            let key = elements.path[Int(block.container)]
            let path = paths[key] ?? (0, 0, 0, 0)
            list.add(log1p(path.blocks), index)
            list.add(log1p(path.words), index)
            list.add(path.words / max(path.blocks, 1), index)
            list.add(path.links / max(path.words, 1), index)
            list.add(path.seen / max(path.blocks, 1), index)
            paths[key]?.seen += 1
            let copy = copies[texts[index].hash] ?? (0, 0)
            list.add(copy.all, index)
            list.add(copy.seen, index)
            copies[texts[index].hash]?.seen += 1
            let card = Int(cards.card[Int(block.container)])
            if card >= 0 {
                let parent = tree.parent(card)
                let range = page.blocks(in: card)
                list.add(Float(cards.siblings[card]), index)
                list.add(log1p(sums.words(range)), index)
                list.add(sums.linkShare(range), index)
                list.add(Float(index - range.lowerBound), index)
                list.add(
                    parent >= 0
                        ? sums.words(page.blocks(in: parent)) / max(sums.words[page.blocks.count], 1) : 0,
                    index)
                list.add(
                    parent >= 0
                        ? sums.prose(page.blocks(in: parent)) / max(sums.prose[page.blocks.count], 1) : 0,
                    index)
            } else {
                for _ in 0..<6 { list.add(-1, index) }
            }
            list.close(index)
        }
    }

    private static func addFacts(
        _ list: inout FeatureList, _ page: PageBlocks, _ texts: [TextMeasure], _ facts: PageFacts,
        _ kinds: [Float], _ sums: BlockSums
    ) {
        let all = 0..<page.blocks.count
        let tree = page.tree
        var heading: (score: Float, level: Int, index: Int) = (0, 0, -1)
        let title = Set(facts.titleWords)
        let description = facts.descriptionWords
        for (index, block) in page.blocks.enumerated() {
            let level = tree.nodes[Int(block.container)].tag.headingLevel
            list.add(heading.score, index)
            list.add(Float(heading.level), index)
            list.add(heading.index < 0 ? -1 : Float(min(100, index - heading.index)), index)
            list.add(heading.index < 0 ? -1 : log1p(sums.words[index] - sums.words[heading.index]), index)
            if level > 0 { heading = (texts[index].wordSum, level, index) }
            let hashes = texts[index].firstWords
            let shared = hashes.reduce(0) { $0 + (title.contains($1) ? 1 : 0) }
            list.add(Float(shared) / Float(max(hashes.count, 1)), index)
            list.add(Float(shared) / Float(max(title.count, 1)), index)
            let describedCount = hashes.reduce(0) { $0 + (description.contains($1) ? 1 : 0) }
            list.add(description.isEmpty ? -1 : Float(describedCount) / Float(max(hashes.count, 1)), index)
            let body = hashes.reduce(0) { $0 + (facts.bodyWords.contains($1) ? 1 : 0) }
            list.add(facts.bodyWords.isEmpty ? -1 : Float(body) / Float(max(hashes.count, 1)), index)
            _ = block
            for kind in kinds { list.add(kind, index) }
            list.add(log1p(sums.words[all.count]), index)
            list.add(log1p(Float(all.count)), index)
            list.add(sums.linkShare(all), index)
            list.add(sums.prose(all) / max(sums.words(all), 1), index)
            list.add(log1p(sums.prose(all)), index)
            list.add(Float(facts.mains), index)
            list.add(Float(min(facts.articles, 30)), index)
            list.add(Float(min(facts.titles, 10)), index)
            list.close(index)
        }
    }
}

struct FeatureList {
    private(set) var width = 0
    private var parts: [[Float]] = []
    private var current: [Float] = []
    private let blocks: Int

    init(blocks: Int) { self.blocks = blocks }

    @inline(__always)
    mutating func add(_ value: Float, _ index: Int) { current.append(value) }

    /// Ends a block's part of the current pass; the last block ends the pass.
    mutating func close(_ index: Int) {
        // Growing by doubling could use twice the memory that the column of a large page needs.
        if index == 0 { current.reserveCapacity(current.count * blocks) }
        guard index == blocks - 1 else { return }
        width += current.count / blocks
        parts.append(current)
        current = []
    }

    var rows: [Float] {
        var rows: [Float] = []
        rows.reserveCapacity(width * blocks)
        for index in 0..<blocks {
            for part in parts {
                let width = part.count / blocks
                rows.append(contentsOf: part[(index * width)..<((index + 1) * width)])
            }
        }
        return rows
    }
}

/// Prefix sums over the blocks, so that the sum of any range takes two look-ups.
struct BlockSums {
    let words: [Float]
    private let links: [Float]
    /// Words in sentences outside links.
    let prose: [Float]
    private let scores: [Float]

    init(_ page: PageBlocks, _ texts: [TextMeasure]) {
        var (words, links, prose, scores): ([Float], [Float], [Float], [Float]) = ([0], [0], [0], [0])
        for (index, block) in page.blocks.enumerated() {
            let count = Float(block.words)
            words.append(words[index] + count)
            links.append(links[index] + Float(block.linkWords))
            let isProse =
                block.words >= 8 && block.linkWords * 3 < block.words
                && (texts[index].ends > 0 || block.words > 25)
            prose.append(prose[index] + (isProse ? count : 0))
            scores.append(scores[index] + texts[index].wordMean * min(count, 20))
        }
        self.words = words
        self.links = links
        self.prose = prose
        self.scores = scores
    }

    func words(_ range: Range<Int>) -> Float { words[range.upperBound] - words[range.lowerBound] }
    func prose(_ range: Range<Int>) -> Float { prose[range.upperBound] - prose[range.lowerBound] }
    func linkShare(_ range: Range<Int>) -> Float {
        (links[range.upperBound] - links[range.lowerBound]) / max(words(range), 1)
    }
    func mean(_ range: Range<Int>) -> Float { range.isEmpty ? 0 : words(range) / Float(range.count) }

    func add(_ range: Range<Int>, to list: inout FeatureList, _ index: Int) {
        list.add(log1p(mean(range)), index)
        list.add(linkShare(range), index)
        let score = scores[range.upperBound] - scores[range.lowerBound]
        list.add(score / max(words(range), 1), index)
    }
}
