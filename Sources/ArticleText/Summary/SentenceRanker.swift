import Glibc

struct SentenceRanker {
    struct Candidate {
        let span: SentenceSpan
        let words: TextWords
        let phrases: (anywhere: CuePhrases, first: CuePhrases)
        fileprivate(set) var features = FeatureVector()
        fileprivate(set) var score = 0.0

        init(span: SentenceSpan, words: TextWords) {
            self.span = span
            self.words = words
            phrases = CuePhrases.found(in: words.hashes)
        }
    }

    private(set) var candidates: [Candidate]
    private(set) var termWeights: [Double] = []
    /// True for a paper's abstract, or another text in which at least 1/12 of the sentences announce a contribution.
    private(set) var isStudy = false

    private let scalars: [UInt32]

    private var weights: GistWeights { isStudy ? .study : .report }

    init(_ candidates: [Candidate], frequencies: [Int], titleTerms: Set<Int>, in scalars: [UInt32]) {
        self.candidates = candidates
        self.scalars = scalars
        weighTerms(frequencies)
        measure(titleTerms)
        isStudy = announcements * 12 >= self.candidates.count
        for index in self.candidates.indices {
            self.candidates[index].score = self.candidates[index].features.product(with: weights.features)
        }
    }

    /// Equal weights, except for terms in more than a third of the sentences. Finer weights gave worse results.
    private mutating func weighTerms(_ frequencies: [Int]) {
        let count = Double(max(candidates.count, 2))
        termWeights = frequencies.map { min(1, log(1 + count / Double($0)) / log(4)) }
    }

    /// The number of sentences that announce a contribution. Quotations are excluded, because someone else says them.
    private var announcements: Int {
        candidates.count { candidate in
            let features = candidate.features
            return features[.quotes] == 0 && features[.proposes] + features[.announces] + features[.finds] > 0
        }
    }

    /// The score that a sentence loses because chosen sentences already cover its terms.
    func loss(of index: Int, covered: [Bool]) -> Double {
        let terms = candidates[index].words.terms
        var (all, common) = (0.0, 0.0)
        for term in terms {
            all += termWeights[term]
            if covered[term] { common += termWeights[term] }
        }
        let share = all > 0 ? common / all : 0
        // A sentence that only rephrases others is worth nothing.
        return weights.redundancy * share + weights.rephrasing * max(0, share - 0.6)
    }

    private mutating func measure(_ titleTerms: Set<Int>) {
        let likeness = Likeness(candidates.map(\.words.terms), weights: termWeights)
        var previousParagraph = -1
        for index in candidates.indices {
            let candidate = candidates[index]
            var features = FeatureVector()
            let isOpening = candidate.span.paragraph != previousParagraph
            previousParagraph = candidate.span.paragraph
            measurePosition(index, isOpening: isOpening, &features)
            measureForm(candidate, &features)
            measurePhrases(candidate, &features)
            features[.central] = likeness.central[index]
            features[.forward] = likeness.forward[index]
            features[.title] = share(of: candidate.words.terms, in: titleTerms)
            candidates[index].features = features
        }
    }

    private func measurePosition(_ index: Int, isOpening: Bool, _ features: inout FeatureVector) {
        features.mark(.first, index == 0)
        features.mark(.second, index == 1)
        features[.early] = exp(-Double(index) / 4)
        features.mark(.last, index == candidates.count - 1)
        features.mark(.opensParagraph, isOpening)
    }

    private func measureForm(_ candidate: Candidate, _ features: inout FeatureVector) {
        let (words, range) = (candidate.words, candidate.span.range)
        let count = Double(words.count)
        features[.length] = min(count, 60) / 30
        features[.signs] = Double(words.signs) / Double(max(range.count, 1))
        let tail = scalars[range].suffix(3)
        features.mark(.question, tail.contains(0x3F) || tail.contains(0xFF1F))
        features.mark(.quotes, scalars[range].contains(where: Self.isQuotation))
    }

    private static func isQuotation(_ value: UInt32) -> Bool {
        switch value {
        case 0x22, 0x60, 0x201C...0x201E, 0xAB, 0xBB, 0x300C, 0x300E: true
        default: false
        }
    }

    private func measurePhrases(_ candidate: Candidate, _ features: inout FeatureVector) {
        let (anywhere, first) = candidate.phrases
        features.mark(.proposes, anywhere.contains(.proposing))
        features.mark(.announces, anywhere.contains(.announcing))
        features.mark(.finds, anywhere.contains(.finding))
        features.mark(.isNew, anywhere.contains(.newness))
        features.mark(.isAside, anywhere.contains(.aside))
        features.mark(.pronoun, first.contains(.pronoun))
        features.mark(.connector, first.contains(.connector))
    }

    private func share(of terms: [Int], in targetTerms: Set<Int>) -> Double {
        guard !targetTerms.isEmpty else { return 0 }
        var (all, common) = (0.0, 0.0)
        for term in terms {
            all += termWeights[term]
            if targetTerms.contains(term) { common += termWeights[term] }
        }
        return all > 0 ? common / all : 0
    }
}

/// The similarity of each sentence to all others. Uses sums, so that the time is linear in the text's length.
struct Likeness {
    /// From 0 to 1 for the most similar sentence.
    private(set) var central: [Double] = []
    /// Similarity to later sentences minus that to earlier ones.
    private(set) var forward: [Double] = []

    init(_ sentences: [[Int]], weights: [Double]) {
        var norms: [Double] = []
        var total = [Double](repeating: 0, count: weights.count)
        for terms in sentences {
            let norm = max(terms.reduce(0) { $0 + weights[$1] * weights[$1] }.squareRoot(), 1e-9)
            norms.append(norm)
            for term in terms { total[term] += weights[term] / norm }
        }
        var before = [Double](repeating: 0, count: weights.count)
        for (terms, norm) in zip(sentences, norms) {
            var (all, past) = (0.0, 0.0)
            for term in terms {
                all += weights[term] * total[term]
                past += weights[term] * before[term]
                before[term] += weights[term] / norm
            }
            // Subtracts the similarity of 1 to itself.
            central.append(max(0, all / norm - 1))
            forward.append((all - past) / norm - 1 - past / norm)
        }
        // A lower bound: if sentences share almost nothing, the most similar one is random.
        let most = max(central.max() ?? 0, 0.5)
        central = central.map { $0 / most }
        forward = forward.map { $0 / most }
    }
}

/// The weights of the features.
///
/// Fitted on news and abstracts with summaries by people, and on articles with the descriptions that their pages give,
/// and rounded: results are the same over a wide range. Within that range, those of news are chosen to stay near the
/// beginning, because on news that was not used for fitting the first sentences were hard to beat. Weights for features that those texts lack (titles and paragraphs) are low.
struct GistWeights: Sendable {
    let features: FeatureVector
    /// The loss of a sentence for the share of its terms that are covered, and for its share above 0.6.
    let redundancy, rephrasing: Double

    static let report = GistWeights(
        features: FeatureVector([
            .early: 2, .central: 1.6, .forward: 0.3, .opensParagraph: 0.1, .title: 1.5, .length: -0.3,
            .question: -0.5, .quotes: -0.3, .pronoun: -0.2, .signs: -1,
        ]),
        redundancy: 0.8, rephrasing: 3)

    /// For texts that announce their contribution: those sentences are the gist.
    static let study = GistWeights(
        features: FeatureVector([
            .proposes: 4.5, .announces: 2.8, .isNew: 0.6, .isAside: -1, .finds: 0.3, .central: 2, .forward: 1,
            .title: 1, .length: 0.4, .first: 0.4, .second: -0.5, .last: -0.2, .question: -0.3,
            .pronoun: -0.2,
            .connector: -0.2, .signs: -1,
        ]),
        redundancy: 2, rephrasing: 4)
}
