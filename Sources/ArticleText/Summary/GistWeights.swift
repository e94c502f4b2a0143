/// What the features are worth.
///
/// Fitted to news and to abstracts of papers with summaries that people wrote, on a part of them and checked on the
/// rest, then rounded: the figures are the same over a wide range. What those texts cannot tell (they have neither
/// titles nor paragraphs) is set low.
struct GistWeights: Sendable {
    let features: FeatureVector
    /// What a sentence loses whose terms all were said already.
    let redundancy: Double

    /// For news and all that is not a study.
    static let report = GistWeights(
        features: FeatureVector([
            .early: 1.3, .central: 1.6, .forward: 0.3, .opensParagraph: 0.1, .title: 1, .length: -0.3,
            .question: -0.5, .quotes: -0.3, .pronoun: -0.2, .signs: -1,
        ]),
        redundancy: 1.2)

    /// For what says itself what it brings: there those sentences are the gist.
    static let study = GistWeights(
        features: FeatureVector([
            .proposes: 4.5, .announces: 2.8, .isNew: 0.6, .isAside: -1, .finds: 0.3, .central: 2, .forward: 1,
            .title: 1, .length: 0.4, .first: 0.4, .second: -0.5, .last: -0.2, .question: -0.3,
            .pronoun: -0.2,
            .connector: -0.2, .signs: -1,
        ]),
        redundancy: 2)
}
