import Glibc

/// Measures the sentences of a text and weighs what it measured.
struct SentenceRanker {
    /// A sentence that may be chosen.
    struct Candidate {
        let span: SentenceSpan
        let words: TextWords
        /// Its turns of phrase, and those it begins with.
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
    /// By the number of the term: how much the text is about it.
    private(set) var termWeights: [Double] = []
    /// A paper's abstract, or another text where at least a twelfth of the sentences announce what it brings.
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

    /// All alike but those that stand in more than a third of the sentences: finer weights were tried, and are worse.
    private mutating func weighTerms(_ frequencies: [Int]) {
        let count = Double(max(candidates.count, 2))
        termWeights = frequencies.map { min(1, log(1 + count / Double($0)) / log(4)) }
    }

    /// How many sentences say what the text brings; in quotation marks somebody else does.
    private var announcements: Int {
        candidates.count { candidate in
            let features = candidate.features
            return features[.quotes] == 0 && features[.proposes] + features[.announces] + features[.finds] > 0
        }
    }

    /// What a sentence is worth less because others have said its terms.
    func loss(of index: Int, covered: [Bool]) -> Double {
        let terms = candidates[index].words.terms
        var (all, common) = (0.0, 0.0)
        for term in terms {
            all += termWeights[term]
            if covered[term] { common += termWeights[term] }
        }
        let share = all > 0 ? common / all : 0
        // What is said in other words only is worth nothing at all.
        return weights.redundancy * (share + 2 * max(0, share - 0.6))
    }

    private mutating func measure(_ titleTerms: Set<Int>) {
        let likeness = Likeness(candidates.map(\.words.terms), weights: termWeights)
        var previousParagraph = -1
        for index in candidates.indices {
            let candidate = candidates[index]
            var features = FeatureVector()
            let isOpening = candidate.span.paragraph != previousParagraph
            previousParagraph = candidate.span.paragraph
            measurePlace(index, isOpening: isOpening, &features)
            measureForm(candidate, &features)
            measurePhrases(candidate, &features)
            features[.central] = likeness.central[index]
            features[.forward] = likeness.forward[index]
            features[.title] = share(of: candidate.words.terms, in: titleTerms)
            candidates[index].features = features
        }
    }

    private func measurePlace(_ index: Int, isOpening: Bool, _ features: inout FeatureVector) {
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

    /// By weight.
    private func share(of terms: [Int], in others: Set<Int>) -> Double {
        guard !others.isEmpty else { return 0 }
        var (all, common) = (0.0, 0.0)
        for term in terms {
            all += termWeights[term]
            if others.contains(term) { common += termWeights[term] }
        }
        return all > 0 ? common / all : 0
    }
}

/// How alike each sentence is to all the others; by sums, so that the time grows with the text's length only.
struct Likeness {
    /// From 0 to 1, the most alike.
    private(set) var central: [Double] = []
    /// Likeness to what comes after, less that to what came before.
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
            // Each is wholly alike to itself.
            central.append(max(0, all / norm - 1))
            forward.append((all - past) / norm - 1 - past / norm)
        }
        // Where sentences share next to nothing, chance decides which is the likest.
        let most = max(central.max() ?? 0, 0.5)
        central = central.map { $0 / most }
        forward = forward.map { $0 / most }
    }
}

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
