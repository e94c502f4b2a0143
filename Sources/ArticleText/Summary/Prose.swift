struct Prose {
    private let scalars: [UInt32]
    let ranker: SentenceRanker
    private let wordCount: Int

    /// A limit for texts of single letters per line, which may have half a million sentences.
    private static let maximumSentences = 20_000

    init?(_ scalars: [UInt32], title: String?, language: String?) {
        self.scalars = scalars
        var reader = WordReader(language: language)
        let spans = SentenceSplitter.spans(in: scalars, language: language).prefix(Self.maximumSentences)
        let read = spans.map { SentenceRanker.Candidate(span: $0, words: reader.read(scalars[$0.range])) }
        let rules = ProseRules(scalars)
        var seen: Set<[UInt64]> = []
        var candidates = read.filter { rules.isSentence($0) && seen.insert($0.words.hashes).inserted }
        if candidates.isEmpty { candidates = read.filter { rules.isFragment($0) } }
        guard !candidates.isEmpty else { return nil }
        wordCount = candidates.reduce(0) { $0 + $1.words.count }
        let titleTerms = title.map { reader.existingTerms(in: $0.unicodeScalars.map(\.value)) } ?? []
        ranker = SentenceRanker(
            candidates, frequencies: reader.frequencies, titleTerms: titleTerms, in: scalars)
    }

    func gist(_ length: GistLength) -> [String] {
        let chosen =
            switch length {
            case .automatic: choose(sentences: min(7, max(3, 2 + wordCount / 400)), words: .max)
            case .sentences(let count): choose(sentences: count, words: .max)
            case .words(let count): count > 0 ? choose(sentences: .max, words: count) : []
            }
        return chosen.sorted().map { SentenceText.line(scalars[ranker.candidates[$0].span.range]) }
    }

    /// In longer gists repetition does not matter, and detecting it would take long.
    private static let comparedRounds = 30
    /// Only this many of the best candidates are compared.
    private static let comparedCandidates = 400

    /// Chooses the best sentences, each for what it adds to those before.
    private func choose(sentences: Int, words: Int) -> [Int] {
        let candidates = ranker.candidates
        let ranked = candidates.indices.sorted {
            (candidates[$1].score, $0) < (candidates[$0].score, $1)
        }
        let eligible = ranked.filter { candidates[$0].words.count <= words }
        guard !eligible.isEmpty else { return sentences > 0 ? Array(ranked.prefix(1)) : [] }
        var (chosen, left) = ([Int](), words)
        var pool = Array(eligible.prefix(Self.comparedCandidates))
        var covered = [Bool](repeating: false, count: ranker.termWeights.count)
        while chosen.count < min(sentences, Self.comparedRounds) {
            pool.removeAll { candidates[$0].words.count > left }
            let scores = pool.map { candidates[$0].score - ranker.loss(of: $0, covered: covered) }
            guard let best = scores.indices.max(by: { (scores[$0], $1) < (scores[$1], $0) }) else { break }
            let index = pool.remove(at: best)
            chosen.append(index)
            left -= candidates[index].words.count
            for term in candidates[index].words.terms { covered[term] = true }
        }
        return chosen + remainder(of: eligible, without: chosen, sentences: sentences, words: left)
    }

    private func remainder(of ranked: [Int], without chosen: [Int], sentences: Int, words: Int) -> [Int] {
        guard chosen.count >= Self.comparedRounds else { return [] }
        let chosenSet = Set(chosen)
        var (more, left) = ([Int](), words)
        for index in ranked where !chosenSet.contains(index) && chosen.count + more.count < sentences {
            let count = ranker.candidates[index].words.count
            guard count <= left else { continue }
            more.append(index)
            left -= count
        }
        return more
    }
}
