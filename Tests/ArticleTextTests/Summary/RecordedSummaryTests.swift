import Testing

@testable import ArticleText

/// Scores gists against the summaries that people wrote, in ROUGE-1, 2 and Lsum (F1, with stemming), in percent.
///
/// The floors are slightly below the current scores: 42.9 / 19.2 / 39.2 for news and 36.2 / 17.5 / 30.0 for abstracts.
@Suite struct RecordedSummaryTests {
    private static func mean(
        _ items: [RecordedSummaries.Item], _ gist: (RecordedSummaries.Item) -> [String]
    ) -> (first: Rouge, best: Rouge) {
        let gists = items.map(gist)
        let first = zip(gists, items).map { Rouge(of: $0, against: $1.references[0]) }
        let best = zip(gists, items).map { Rouge(of: $0, againstBestOf: $1.references) }
        return (.mean(first), .mean(best))
    }

    private static func show(_ name: String, _ score: Rouge) {
        let figures = [score.one, score.two, score.sum].map { "\((1_000 * $0).rounded() / 10)" }
        print("ROUGE-1/2/Lsum of \(name): \(figures.joined(separator: " / "))")
    }

    @Test(.recordedSummaries)
    func `a gist of three sentences is closer to the news summary than the first three sentences`() throws {
        let news = try RecordedSummaries.news()
        try #require(news.count == 98)
        let gist = Self.mean(news) { Summarizer.summary(of: $0.text, length: .sentences(3)) }.first
        let lead = Self.mean(news) { Array($0.sentences.prefix(3)) }.first
        Self.show("news, three sentences", gist)
        Self.show("news, the first three sentences", lead)
        #expect(gist.one > 0.422)
        #expect(gist.two > 0.184)
        #expect(gist.sum > 0.385)
        #expect(abs(lead.one - 0.412) < 0.001)
        #expect(gist.one > lead.one && gist.two > lead.two && gist.sum > lead.sum)
    }

    @Test(.recordedSummaries)
    func `a gist of one sentence is closer to the abstract's summary than the first sentence`() throws {
        let abstracts = try RecordedSummaries.abstracts()
        try #require(abstracts.count == 619)
        let gist = Self.mean(abstracts) { Summarizer.summary(of: $0.text, length: .sentences(1)) }
        let lead = Self.mean(abstracts) { Array($0.sentences.prefix(1)) }
        Self.show("abstracts, one sentence", gist.first)
        Self.show("abstracts, one sentence, best of the references", gist.best)
        Self.show("abstracts, the first sentence", lead.first)
        Self.show("abstracts, the first sentence, best of the references", lead.best)
        #expect(gist.first.one > 0.355)
        #expect(gist.first.two > 0.168)
        #expect(gist.first.sum > 0.293)
        #expect(abs(lead.first.one - 0.259) < 0.001)
    }

    @Test(.recordedSummaries)
    func `abstracts with one sentence per line have gists as good`() throws {
        let abstracts = try RecordedSummaries.abstracts()
        let gist = Self.mean(abstracts) { item in
            Summarizer.summary(of: item.sentences.joined(separator: "\n"), length: .sentences(1))
        }
        Self.show("abstracts, one sentence, given a line each", gist.first)
        #expect(gist.first.one > 0.355)
    }

    @Test(.recordedSummaries)
    func `every recorded text gives an English gist with the requested number of sentences`() throws {
        for item in try RecordedSummaries.news() + RecordedSummaries.abstracts() {
            #expect(Summarizer.summary(of: item.text, length: .sentences(1)).count == 1)
            #expect(LanguageGuess.language(of: item.text) == "en")
        }
    }
}
