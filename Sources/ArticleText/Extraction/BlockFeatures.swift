import Foundation

/// What is measured of each block, for `BlockModel` to judge: its own text, the elements around it, its neighbours, and
/// the page.
struct BlockFeatures {
    /// A row of `width` numbers for each block.
    private(set) var rows: [Float]
    let width: Int

    private let page: PageBlocks
    private var tree: PageTree { page.tree }
    private let count: Int

    init(_ page: PageBlocks, facts: PageFacts, words: TokenWeights, classes: TokenWeights, kinds: [Float]) {
        self.page = page
        count = page.blocks.count
        var list = FeatureList(blocks: count)
        let texts = page.blocks.indices.map { TextMeasure(page.bytes(of: $0), words) }
        let elements = ElementMeasure(page, classes)
        let sums = BlockSums(page, texts)
        Self.addText(&list, page, texts)
        Self.addElements(&list, page, elements)
        Self.addPlace(&list, page, sums)
        Self.addNeighbours(&list, page, texts, sums)
        Self.addContainers(&list, page, elements, sums)
        Self.addRepetition(&list, page, texts, elements, sums)
        Self.addFacts(&list, page, texts, facts, kinds, sums)
        rows = list.rows
        width = list.width
    }

    private static func addText(_ list: inout FeatureList, _ page: PageBlocks, _ texts: [TextMeasure]) {
        for (place, block) in page.blocks.enumerated() {
            let text = texts[place]
            let words = Float(max(block.words, 1))
            let characters = Float(max(text.bytes, 1))
            list.add(log1p(Float(block.words)), place)
            list.add(log1p(characters), place)
            list.add(characters / words, place)
            list.add(Float(block.linkWords) / words, place)
            list.add(Float(block.links), place)
            list.add(Float(text.commas), place)
            list.add(Float(text.ends), place)
            list.add(text.endsSentence ? 1 : 0, place)
            list.add(text.startsUpper ? 1 : 0, place)
            list.add(Float(text.capitals) / words, place)
            list.add(Float(text.digits) / characters, place)
            list.add(text.hasMoney ? 1 : 0, place)
            list.add(text.hasCopyright ? 1 : 0, place)
            list.add(Float(text.bars), place)
            list.add(text.wordMean, place)
            list.add(text.wordSum, place)
            list.add(block.isHidden ? 1 : 0, place)
            list.add(block.isCode ? 1 : 0, place)
            list.close(place)
        }
    }

    private static func addElements(_ list: inout FeatureList, _ page: PageBlocks, _ elements: ElementMeasure)
    {
        let tree = page.tree
        for (place, block) in page.blocks.enumerated() {
            let container = Int(block.container)
            let around = elements.around[container]
            list.add(Float(ElementMeasure.group(tree.nodes[container].tag)), place)
            list.add(Float(tree.nodes[container].tag.headingLevel), place)
            for bit in 0..<ElementMeasure.Around.count { list.add(around.has(bit) ? 1 : 0, place) }
            list.add(Float(tree.nodes[container].depth), place)
            list.add(elements.minimum[container], place)
            list.add(elements.maximum[container], place)
            list.add(elements.sum[container], place)
            var node = container
            for _ in 0..<5 {
                list.add(node >= 0 ? elements.score[node] : 0, place)
                if node >= 0 { node = tree.parent(node) }
            }
            list.close(place)
        }
    }

    private static func addPlace(_ list: inout FeatureList, _ page: PageBlocks, _ sums: BlockSums) {
        let count = Float(max(page.blocks.count, 1))
        let words = Float(max(sums.words[page.blocks.count], 1))
        let title = page.blocks.firstIndex { page.tree.nodes[Int($0.container)].tag == .h1 } ?? -1
        for place in page.blocks.indices {
            list.add(sums.words[place] / words, place)
            list.add(Float(place) / count, place)
            list.add(log1p(Float(place)), place)
            list.add(log1p(count - Float(place)), place)
            list.add(title < 0 ? -99 : Float(max(-50, min(200, place - title))), place)
            let distance = title < 0 ? 0 : sums.words[place] - sums.words[title]
            list.add(distance < 0 ? -log1p(-distance) : log1p(distance), place)
            list.close(place)
        }
    }

    private static func addNeighbours(
        _ list: inout FeatureList, _ page: PageBlocks, _ texts: [TextMeasure], _ sums: BlockSums
    ) {
        let blocks = page.blocks
        let tree = page.tree
        for place in blocks.indices {
            for step in [-2, -1, 1, 2] {
                let other = place + step
                guard blocks.indices.contains(other) else {
                    for _ in 0..<5 { list.add(-1, place) }
                    continue
                }
                list.add(log1p(Float(blocks[other].words)), place)
                list.add(Float(blocks[other].linkWords) / Float(max(blocks[other].words, 1)), place)
                list.add(texts[other].wordMean, place)
                list.add(tree.nodes[Int(blocks[other].container)].tag.headingLevel > 0 ? 1 : 0, place)
                let isSibling =
                    tree.parent(Int(blocks[other].container)) == tree.parent(Int(blocks[place].container))
                list.add(isSibling ? 1 : 0, place)
            }
            for reach in [3, 8, 20] {
                sums.add(max(0, place - reach)..<min(blocks.count, place + reach + 1), to: &list, place)
            }
            list.add(sums.mean(max(0, place - 6)..<place), place)
            list.add(sums.mean(place + 1..<max(place + 1, min(blocks.count, place + 7))), place)
            list.close(place)
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
        for (place, block) in page.blocks.enumerated() {
            var node = tree.parent(Int(block.container))
            for _ in 0..<4 {
                guard node >= 0 else {
                    for _ in 0..<6 { list.add(-1, place) }
                    continue
                }
                let range = page.blocks(in: node)
                sums.add(range, to: &list, place)
                list.add(log1p(Float(range.count)), place)
                list.add(sums.words(range) / all, place)
                list.add(sums.prose(range) / prose, place)
                node = Int(page.wider[node])
            }
            let isInBest =
                best >= 0 && Int(block.nodes.lowerBound) > best
                && Int(block.nodes.lowerBound) < tree.end(best)
            list.add(isInBest ? 1 : 0, place)
            // How far out the two meet, and where.
            let steps = isInBest ? 0 : joints.steps[Int(block.container)]
            let up = isInBest ? Int(block.container) : Int(joints.node[Int(block.container)])
            list.add(Float(steps), place)
            list.add(up >= 0 && best >= 0 ? sums.words(page.blocks(in: up)) / all : 0, place)
            list.add(best >= 0 ? sums.words(page.blocks(in: best)) / all : 0, place)
            let start = best >= 0 ? page.blocks(in: best).lowerBound : 0
            let end = best >= 0 ? page.blocks(in: best).upperBound : 0
            list.add(place < start ? Float(place - start) : place >= end ? Float(place - end + 1) : 0, place)
            list.close(place)
        }
    }

    private static func addRepetition(
        _ list: inout FeatureList, _ page: PageBlocks, _ texts: [TextMeasure], _ elements: ElementMeasure,
        _ sums: BlockSums
    ) {
        var paths: [UInt64: (blocks: Float, words: Float, links: Float, seen: Float)] = [:]
        var copies: [UInt64: (all: Float, seen: Float)] = [:]
        for (place, block) in page.blocks.enumerated() {
            paths[elements.path[Int(block.container)], default: (0, 0, 0, 0)].blocks += 1
            paths[elements.path[Int(block.container)], default: (0, 0, 0, 0)].words += Float(block.words)
            paths[elements.path[Int(block.container)], default: (0, 0, 0, 0)].links += Float(block.linkWords)
            copies[texts[place].hash, default: (0, 0)].all += 1
        }
        let cards = elements.cards(page)
        let tree = page.tree
        for (place, block) in page.blocks.enumerated() {
            let key = elements.path[Int(block.container)]
            let path = paths[key] ?? (0, 0, 0, 0)
            list.add(log1p(path.blocks), place)
            list.add(log1p(path.words), place)
            list.add(path.words / max(path.blocks, 1), place)
            list.add(path.links / max(path.words, 1), place)
            list.add(path.seen / max(path.blocks, 1), place)
            paths[key]?.seen += 1
            let copy = copies[texts[place].hash] ?? (0, 0)
            list.add(copy.all, place)
            list.add(copy.seen, place)
            copies[texts[place].hash]?.seen += 1
            let card = Int(cards.card[Int(block.container)])
            if card >= 0 {
                let parent = tree.parent(card)
                let range = page.blocks(in: card)
                list.add(Float(cards.siblings[card]), place)
                list.add(log1p(sums.words(range)), place)
                list.add(sums.linkShare(range), place)
                list.add(Float(place - range.lowerBound), place)
                list.add(
                    parent >= 0
                        ? sums.words(page.blocks(in: parent)) / max(sums.words[page.blocks.count], 1) : 0,
                    place)
                list.add(
                    parent >= 0
                        ? sums.prose(page.blocks(in: parent)) / max(sums.prose[page.blocks.count], 1) : 0,
                    place)
            } else {
                for _ in 0..<6 { list.add(-1, place) }
            }
            list.close(place)
        }
    }

    private static func addFacts(
        _ list: inout FeatureList, _ page: PageBlocks, _ texts: [TextMeasure], _ facts: PageFacts,
        _ kinds: [Float], _ sums: BlockSums
    ) {
        let all = 0..<page.blocks.count
        let tree = page.tree
        var heading: (score: Float, level: Int, place: Int) = (0, 0, -1)
        let title = Set(facts.titleWords)
        let described = facts.describedWords
        for (place, block) in page.blocks.enumerated() {
            let level = tree.nodes[Int(block.container)].tag.headingLevel
            list.add(heading.score, place)
            list.add(Float(heading.level), place)
            list.add(heading.place < 0 ? -1 : Float(min(100, place - heading.place)), place)
            list.add(heading.place < 0 ? -1 : log1p(sums.words[place] - sums.words[heading.place]), place)
            if level > 0 { heading = (texts[place].wordSum, level, place) }
            let hashes = texts[place].firstWords
            let shared = hashes.reduce(0) { $0 + (title.contains($1) ? 1 : 0) }
            list.add(Float(shared) / Float(max(hashes.count, 1)), place)
            list.add(Float(shared) / Float(max(title.count, 1)), place)
            let known = hashes.reduce(0) { $0 + (described.contains($1) ? 1 : 0) }
            list.add(described.isEmpty ? -1 : Float(known) / Float(max(hashes.count, 1)), place)
            let body = hashes.reduce(0) { $0 + (facts.bodyWords.contains($1) ? 1 : 0) }
            list.add(facts.bodyWords.isEmpty ? -1 : Float(body) / Float(max(hashes.count, 1)), place)
            _ = block
            for kind in kinds { list.add(kind, place) }
            list.add(log1p(sums.words[all.count]), place)
            list.add(log1p(Float(all.count)), place)
            list.add(sums.linkShare(all), place)
            list.add(sums.prose(all) / max(sums.words(all), 1), place)
            list.add(log1p(sums.prose(all)), place)
            list.add(Float(facts.mains), place)
            list.add(Float(min(facts.articles, 30)), place)
            list.add(Float(min(facts.titles, 10)), place)
            list.close(place)
        }
    }
}

/// Rows that grow number by number.
struct FeatureList {
    private(set) var width = 0
    private var columns: [Float] = []
    private var parts: [[Float]] = []
    private var current: [Float] = []
    private let blocks: Int

    init(blocks: Int) { self.blocks = blocks }

    @inline(__always)
    mutating func add(_ value: Float, _ place: Int) { current.append(value) }

    /// Ends what one pass adds to one block's row; the last block ends the pass.
    mutating func close(_ place: Int) {
        // Grown by doubling, a column of a large page would take twice its size.
        if place == 0 { current.reserveCapacity(current.count * blocks) }
        guard place == blocks - 1 else { return }
        width += current.count / blocks
        parts.append(current)
        current = []
    }

    /// Row after row.
    var rows: [Float] {
        var rows: [Float] = []
        rows.reserveCapacity(width * blocks)
        for place in 0..<blocks {
            for part in parts {
                let width = part.count / blocks
                rows.append(contentsOf: part[(place * width)..<((place + 1) * width)])
            }
        }
        return rows
    }
}

/// Sums over the blocks up to each of them, so that any run of blocks is two look-ups.
struct BlockSums {
    let words: [Float]
    private let links: [Float]
    /// Of words in sentences outside of links.
    let prose: [Float]
    private let scores: [Float]

    init(_ page: PageBlocks, _ texts: [TextMeasure]) {
        var (words, links, prose, scores): ([Float], [Float], [Float], [Float]) = ([0], [0], [0], [0])
        for (place, block) in page.blocks.enumerated() {
            let count = Float(block.words)
            words.append(words[place] + count)
            links.append(links[place] + Float(block.linkWords))
            let isProse =
                block.words >= 8 && block.linkWords * 3 < block.words
                && (texts[place].ends > 0 || block.words > 25)
            prose.append(prose[place] + (isProse ? count : 0))
            scores.append(scores[place] + texts[place].wordMean * min(count, 20))
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
    /// Words a block.
    func mean(_ range: Range<Int>) -> Float { range.isEmpty ? 0 : words(range) / Float(range.count) }

    func add(_ range: Range<Int>, to list: inout FeatureList, _ place: Int) {
        list.add(log1p(mean(range)), place)
        list.add(linkShare(range), place)
        let score = scores[range.upperBound] - scores[range.lowerBound]
        list.add(score / max(words(range), 1), place)
    }
}
