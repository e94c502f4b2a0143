import Foundation
import HTMLDocument

/// Extracts the main content of a page, without menus, notices, adverts and the like.
///
/// The page becomes a tree (`PageTree`), and its texts become blocks (`PageBlocks`): paragraphs, headings, items,
/// cells. About 150 features of each block are measured (`BlockFeatures`): its length, its share of links, the elements
/// and classes around it, its neighbours, repetitions, and the kind of page. Decision trees estimate the probability
/// that a block is content, and a second set of trees corrects it by the estimates around it (`BlockContext`);
/// `ExtractionTables` explains how they were trained. The threshold is chosen for the best expected balance of missed
/// and unwanted text.
public enum ArticleExtractor {
    /// - Parameters:
    ///   - html: in any encoding
    ///   - charset: the `charset` parameter of the answer's `Content-Type`
    ///   - url: the page's address, the base of relative addresses
    public static func extract(_ html: some Collection<UInt8>, charset: String?, url: String?)
        throws(ExtractionError) -> ExtractedArticle
    {
        let tree = try tree(TextDecoding.utf8(Array(html), headerCharset: charset))
        let page = PageBlocks(tree)
        let facts = PageFacts(tree)
        let kinds = kinds(page, facts, url: url)
        let likeliest = zip(PageKind.allCases, kinds).max { $0.1 < $1.1 }?.0
        let content = choose(page, facts, kinds: kinds)
        let comments =
            likeliest == .forum ? nil : PageComments(page, facts, url: url, article: content)
        let chosen = comments?.article ?? content
        let addresses = PageAddresses(url: url, tree: tree)
        let metadata = PageMetadata(page, facts, addresses, chosen: chosen)
        let article = ArticleContent(page, chosen: chosen, title: metadata.title, addresses: addresses)
        let wordCount = WordCount.of(article.text.utf8)
        return ExtractedArticle(
            isCut: article.isCut,
            paywall: Paywall(page, facts, chosen: chosen, words: wordCount),
            title: metadata.title, byline: metadata.byline, siteName: metadata.siteName,
            language: metadata.language, published: metadata.published,
            excerpt: metadata.excerpt ?? article.beginning,
            leadImage: metadata.leadImage ?? article.firstImage,
            fragments: PageFragments(tree),
            canonical: metadata.canonical, kind: likeliest ?? .article, text: article.text,
            markup: article.markup, comments: comments?.markup(page, addresses: addresses),
            wordCount: wordCount)
    }

    private static func tree(_ html: [UInt8]) throws(ExtractionError) -> PageTree {
        do throws(HTMLDocument.ParseError) {
            return try PageTree(html)
        } catch {
            throw error == .tooLong ? .tooLong : .tooComplex
        }
    }

    private static func kinds(_ page: PageBlocks, _ facts: PageFacts, url: String?) -> [Float] {
        var features: Set<UInt64> = []
        KindFeatures.each(page, facts, url: url) { features.insert(PageHash.of($0.utf8)) }
        return ExtractionTables.kinds.probabilities(features)
    }

    private static func choose(_ page: PageBlocks, _ facts: PageFacts, kinds: [Float]) -> [Bool] {
        guard !page.blocks.isEmpty else { return [] }
        let features = BlockFeatures(
            page, facts: facts, words: ExtractionTables.words, classes: ExtractionTables.classes, kinds: kinds
        )
        let first = ExtractionTables.trees.probabilities(features.rows, width: features.width)
        let context = BlockContext(page, features.elements, likely: first)
            .rows(after: features.rows, width: features.width)
        let likely = ExtractionTables.contextTrees.probabilities(context.rows, width: context.width)
        return settled(page, cut(page, withoutHidden(page, likely), recall: recall(kinds)))
    }

    /// Hidden blocks are not content, unless they contain much of it: some pages are shown only by a script, and others
    /// hide parts of a text behind tabs.
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

    /// The page has no content if fewer words than `expected` are likely among more than `among`, without certainty.
    private static let fewest: (expected: Float, among: Float) = (15, 60)

    /// The weight of missed text, where unwanted text has weight 1: another author's sentence spoils an article, while
    /// a missing item of a list is as bad as a wrong one.
    private static func recall(_ kinds: [Float]) -> Float {
        zip(PageKind.allCases, kinds).reduce(0) { $0 + $1.1 * recall(of: $1.0) }
    }

    private static func recall(of kind: PageKind) -> Float {
        switch kind {
        case .article, .forum: 0.35
        case .product: 0.5
        case .documentation, .service: 0.75
        case .listing, .collection: 1.4
        }
    }

    /// Chooses the blocks above the threshold that maximises the expected balance of precision and recall. Chooses
    /// none on a page that only says that it needs a script or that an error occurred.
    ///
    /// - Parameter recall: the weight of recall; 1 gives F1
    private static func cut(_ page: PageBlocks, _ likely: [Float], recall: Float) -> [Bool] {
        let words = page.blocks.map { Float(max($0.words, 1)) }
        let expected = zip(likely, words).reduce(0) { $0 + $1.0 * $1.1 }
        let order = likely.indices.sorted { (likely[$0], $1) > (likely[$1], $0) }
        var (found, selected, best, limit): (Float, Float, Float, Float) = (0, 0, -1, 2)
        for index in order {
            found += likely[index] * words[index]
            selected += words[index]
            let balance = (1 + recall) * found / (selected + recall * expected)
            if balance > best { (best, limit) = (balance, likely[index]) }
        }
        if expected < fewest.expected, words.reduce(0, +) > fewest.among, best < 0.55 { limit = 2 }
        limit = max(limit, .leastNormalMagnitude)
        return likely.map { $0 >= limit }
    }

    /// Corrects the choice by context: adds a quotation between two chosen paragraphs of a text, and removes an aside
    /// with a form, such as one for a newsletter.
    private static func settled(_ page: PageBlocks, _ chosen: [Bool]) -> [Bool] {
        var chosen = chosen
        let tree = page.tree
        for index in 0..<tree.count {
            let range = page.blocks(in: index)
            guard let first = range.first, let last = range.last else { continue }
            switch tree.nodes[index].tag {
            case .blockquote where !chosen[range].contains(true):
                let around = page.blocks(in: tree.parent(index))
                guard around.contains(first - 1), around.contains(last + 1), chosen[first - 1],
                    chosen[last + 1]
                else { continue }
                for block in range
                where !page.blocks[block].isHidden
                    && page.blocks[block].linkWords * 2 < page.blocks[block].words
                { chosen[block] = true }
            case .aside where chosen[range].contains(true):
                let words = page.blocks[range].reduce(0) { $0 + $1.words }
                guard words < 60, (index..<tree.end(index)).contains(where: { tree.nodes[$0].tag == .input })
                else { continue }
                for block in range { chosen[block] = false }
            default: continue
            }
        }
        return chosen
    }
}

/// Why a page cannot be read.
public enum ExtractionError: Error, Equatable, Sendable {
    /// It has more bytes than `HTMLDocument.Limits.page`.
    case tooLong
    /// Its tags would take quadratic time.
    case tooComplex

    /// A sentence for the reader.
    public var message: String {
        switch self {
        case .tooLong: "The page is longer than \(HTMLDocument.Limits.page.bytes >> 20) MB."
        case .tooComplex: "The page’s markup takes too long to read."
        }
    }
}

/// The trained tables.
///
/// They were trained once, outside this program, on pages whose content people had marked (WCXB, 1,483 pages of about
/// 1,000 sites, CC-BY-4.0, Murrough Foley 2026), on 130 pages with the reader view's text (mozilla/readability), and on
/// 495 pages with sentences that belong to the text or not (adbar/trafilatura):
///
/// - Each block was labelled with the share of its words that are in the content, by runs of four words, and shorter
///   blocks by whole lines and by their neighbours. Copies beyond those in the content are not content.
/// - The weight of a word, or of a word in a class or id, is the logarithm of its likelihood ratio in content and
///   elsewhere, counted once a page, with equal weight for each site. Only words of at least a dozen sites have a
///   weight, so that one site's own terms are not learned. These and the kinds are from WCXB alone.
/// - The kinds of pages are a logistic regression with an L1 penalty, which drops most features.
/// - The trees are gradient boosting (LightGBM, cross entropy, at most 63 steps per number), with about equal weight
///   for each page. The second trees learned from estimates by first trees that had not seen the page's site.
///
/// Five-fold cross-validation of the trees, split by site, gave .869 on all pages of WCXB, .952 on its articles, and F1
/// .938 at precision .916 on the marked sentences; the first trees alone, weighing both errors equally, .863, .949 and
/// .929 at .890.
enum ExtractionTables {
    static let words = TokenWeights(table: WordTables.words)
    static let classes = TokenWeights(table: WordTables.classes)
    static let kinds = KindModel(table: WordTables.kinds)
    static let trees = TreeModel(table: TreeTables.trees)
    static let contextTrees = TreeModel(table: TreeTables.contextTrees)
}
