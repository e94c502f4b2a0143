import Testing

/// Checks the metric against scores of the Python package `rouge-score` 0.1.2 with `use_stemmer=True`.
@Suite struct RougeTests {
    private static func isNear(_ one: Double, _ other: Double) -> Bool { abs(one - other) < 1e-9 }

    @Test(arguments: [
        ("caresses", "caress"), ("ties", "tie"), ("agreed", "agre"), ("hopping", "hop"),
        ("relational", "relat"),
        ("generalizations", "gener"), ("happily", "happili"), ("news", "news"), ("dying", "die"),
        ("controlling", "control"), ("adoption", "adopt"), ("technology", "technolog"), ("enjoy", "enjoy"),
        ("flies", "fli"), ("died", "die"), ("filing", "file"), ("2015", "2015"), ("syzygy", "syzygi"),
    ])
    func `words are stemmed as in NLTK`(word: String, stem: String) {
        #expect(PorterStemmer.stem(word) == stem)
    }

    @Test func `words are runs of letters and digits in lower case, the longer ones stemmed`() {
        #expect(
            Rouge.words("The U.S. cats' 3,500 naïve running!") == [
                "the", "u", "s", "cat", "3", "500", "na", "ve", "run",
            ])
    }

    @Test func `a text scores 1 against itself and 0 against an unrelated one`() {
        let text = ["The cat sat.", "The dog ran."]
        #expect(Rouge(of: text, against: text).one == 1)
        #expect(Rouge(of: text, against: text).two == 1)
        #expect(Rouge(of: text, against: text).sum == 1)
        #expect(Rouge(of: text, against: ["Nothing alike"]) == Rouge())
        #expect(Rouge(of: [], against: text) == Rouge())
    }

    @Test func `a gist gets the same scores as from rouge-score`() {
        let score = Rouge(
            of: ["The quick brown fox jumped over the dogs.", "A dog barked twice at the fox."],
            against: ["A quick fox jumps over a lazy dog.", "The dog barked at the brown fox."])
        #expect(Self.isNear(score.one, 0.8666666666666667))
        #expect(Self.isNear(score.two, 0.42857142857142855))
        #expect(Self.isNear(score.sum, 0.8666666666666667))
    }

    @Test func `each figure takes its best reference`() {
        let score = Rouge(of: ["a b c"], againstBestOf: [["a b"], ["c a b c"]])
        #expect(Self.isNear(score.one, 6.0 / 7))
        #expect(Self.isNear(score.two, 0.8))
    }
}
