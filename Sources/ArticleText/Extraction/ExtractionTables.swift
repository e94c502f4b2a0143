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
