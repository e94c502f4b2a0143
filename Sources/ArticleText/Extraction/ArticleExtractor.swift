import Foundation
import HTMLDocument

/// Finds in a page what people would want to read, and leaves menus, notices, adverts and the like.
///
/// The page becomes a tree (`PageTree`) and its texts blocks (`PageBlocks`): paragraphs, headings, items, cells. Of each
/// block some 150 things are measured (`BlockFeatures`): how long it is, how much of it is links, which elements and
/// classes are around it, what stands before and after it, how often the like of it occurs, what kind of page it is.
/// Decision trees say how likely each block belongs to the content; `ExtractionTables` says how they were made. Of all
/// cuts between likely and unlikely blocks that one is taken which promises the best balance of what is missed and what
/// is too much.
package enum ArticleExtractor {
    /// - Parameters:
    ///   - html: in any encoding
    ///   - charset: what the answer's `Content-Type` says after `charset=`
    ///   - url: where the page lies: relative addresses are meant from there
    package static func extract(_ html: some Collection<UInt8>, charset: String?, url: String?)
        throws(ExtractionError) -> ExtractedArticle
    {
        let tree = try tree(TextDecoding.utf8(Array(html), headerCharset: charset))
        let page = PageBlocks(tree)
        let facts = PageFacts(tree)
        let kinds = kinds(page, facts, url: url)
        let chosen = choose(page, facts, kinds: kinds)
        let addresses = PageAddresses(url: url, tree: tree)
        let metadata = PageMetadata(page, facts, addresses, chosen: chosen)
        let content = ArticleContent(page, chosen: chosen, title: metadata.title, addresses: addresses)
        let likeliest = zip(PageKind.allCases, kinds).max { $0.1 < $1.1 }?.0
        return ExtractedArticle(
            isCut: content.isCut,
            title: metadata.title, byline: metadata.byline, siteName: metadata.siteName,
            language: metadata.language, published: metadata.published,
            excerpt: metadata.excerpt ?? content.beginning,
            leadImage: metadata.leadImage ?? content.firstImage,
            fragments: PageFragments(tree),
            canonical: metadata.canonical, kind: likeliest ?? .article, text: content.text,
            markup: content.markup, wordCount: WordCount.of(content.text.utf8))
    }

    private static func tree(_ html: [UInt8]) throws(ExtractionError) -> PageTree {
        do throws(HTMLDocument.ParseError) {
            return try PageTree(html)
        } catch {
            throw error == .tooLong ? .tooLong : .tooTangled
        }
    }

    private static func kinds(_ page: PageBlocks, _ facts: PageFacts, url: String?) -> [Float] {
        var signs: Set<UInt64> = []
        KindSigns.each(page, facts, url: url) { signs.insert(PageHash.of($0.utf8)) }
        return ExtractionTables.kinds.probabilities(signs)
    }

    /// For each block whether it belongs to the content.
    private static func choose(_ page: PageBlocks, _ facts: PageFacts, kinds: [Float]) -> [Bool] {
        guard !page.blocks.isEmpty else { return [] }
        let features = BlockFeatures(
            page, facts: facts, words: ExtractionTables.words, classes: ExtractionTables.classes, kinds: kinds
        )
        let likely = ExtractionTables.trees.probabilities(features.rows, width: features.width)
        return settled(page, cut(page, withoutHidden(page, likely)))
    }

    /// What a page hides is none of its content, unless much of that is there: some pages are shown by a script alone,
    /// and others hide parts of a text behind tabs.
    private static func withoutHidden(_ page: PageBlocks, _ likely: [Float]) -> [Float] {
        var (hidden, all): (Float, Float) = (0, 0)
        for (block, likely) in zip(page.blocks, likely) {
            let words = likely * Float(max(block.words, 1))
            all += words
            if block.isHidden { hidden += words }
        }
        guard hidden > 0, hidden < all / 4 else { return likely }
        return zip(page.blocks, likely).map { $0.isHidden ? 0 : $1 }
    }

    /// Where so few words are expected among more than that many, and those without certainty, there are none.
    private static let fewest: (expected: Float, among: Float) = (15, 60)

    /// The blocks above the limit with which F1, the balance of what is missed and what is too much, is highest if the
    /// probabilities are right; none on a page that only says that it needs a script, or that something went wrong.
    private static func cut(_ page: PageBlocks, _ likely: [Float]) -> [Bool] {
        let words = page.blocks.map { Float(max($0.words, 1)) }
        let expected = zip(likely, words).reduce(0) { $0 + $1.0 * $1.1 }
        let order = likely.indices.sorted { (likely[$0], $1) > (likely[$1], $0) }
        var (found, taken, best, limit): (Float, Float, Float, Float) = (0, 0, -1, 2)
        for place in order {
            found += likely[place] * words[place]
            taken += words[place]
            let balance = 2 * found / (taken + expected)
            if balance > best { (best, limit) = (balance, likely[place]) }
        }
        if expected < fewest.expected, words.reduce(0, +) > fewest.among, best < 0.55 { limit = 2 }
        limit = max(limit, .leastNormalMagnitude)
        return likely.map { $0 >= limit }
    }

    /// What is plain from what stands around it: a quotation between two chosen paragraphs of one text belongs to it, and
    /// an aside with a form, such as that for a newsletter, does not.
    private static func settled(_ page: PageBlocks, _ chosen: [Bool]) -> [Bool] {
        var chosen = chosen
        let tree = page.tree
        for place in 0..<tree.count {
            let range = page.blocks(in: place)
            guard let first = range.first, let last = range.last else { continue }
            switch tree.nodes[place].tag {
            case .blockquote where !chosen[range].contains(true):
                let around = page.blocks(in: tree.parent(place))
                guard around.contains(first - 1), around.contains(last + 1), chosen[first - 1],
                    chosen[last + 1]
                else { continue }
                for block in range
                where !page.blocks[block].isHidden
                    && page.blocks[block].linkWords * 2 < page.blocks[block].words
                { chosen[block] = true }
            case .aside where chosen[range].contains(true):
                let words = page.blocks[range].reduce(0) { $0 + $1.words }
                guard words < 60, (place..<tree.end(place)).contains(where: { tree.nodes[$0].tag == .input })
                else { continue }
                for block in range { chosen[block] = false }
            default: continue
            }
        }
        return chosen
    }
}

/// Why nothing was extracted from a page.
package enum ExtractionError: Error, Equatable, Sendable {
    case tooLong
    /// Its tags would take a time that grows with the square of their number.
    case tooTangled

    package var message: String {
        switch self {
        case .tooLong: "The page is longer than \(HTMLDocument.Limits.page.bytes >> 20) MB."
        case .tooTangled: "The page's tags are made to take forever to read."
        }
    }
}

/// What the extraction has learned, as tables.
///
/// They were fitted once, outside of this program, on pages for which people had said what the content is (WCXB, 1,483
/// pages of about 1,000 sites, CC-BY-4.0, Murrough Foley 2026):
///
/// - Each block of a page was marked with the share of its words that stand in the content, by runs of four words, and
///   for shorter blocks by whole lines and by what their neighbours are.
/// - A word's weight, and that of a word in a class or id, is the logarithm of how much likelier it stands in content
///   than elsewhere, counted once a page, with sites weighted alike; only words of a dozen sites and more have one, so
///   that what a single site calls things is not learned.
/// - The signs of a kind of page are a logistic regression with an L1 penalty, which leaves most signs out.
/// - The trees are gradient boosting (LightGBM, cross entropy, at most 63 steps a number), each page weighing about the
///   same. To choose sizes, the sites were split into five parts, and the pages of each were judged by what was learned
///   from the other four, weights of words included: that gave .862 on all pages and .948 on articles.
enum ExtractionTables {
    static let words = TokenWeights(table: WordTables.words)
    static let classes = TokenWeights(table: WordTables.classes)
    static let kinds = KindModel(table: WordTables.kinds)
    static let trees = TreeModel(table: TreeTables.trees)
}
