import Testing

@testable import ArticleText

@Suite struct SummarizerTests {
    /// Ten paragraphs of news on one topic, with asides.
    private static let article = """
        The town of Ferrol closed its only bridge on Monday after engineers found cracks in two of its pillars.
        The bridge carries nine thousand cars a day, and the ferry that replaces it takes only forty at a time.
        "I have never seen so many people at the landing," said Ana Couto, who sells coffee there.
        Engineers had looked at the pillars of the bridge last year and found no cracks in them.
        Repairs of the pillars are to take three weeks, the town said, and the bridge stays closed until they end.
        Is that too long?
        The clinic on the other bank said that the ferry was too slow for ambulances, and asked for a second one.
        The weather was fine on Monday.
        A second ferry could come from the town of Ares, but its crew would have to be trained first.
        The bridge was built in 1962 and was to be replaced in ten years, when its pillars would have been too old.
        """

    private static func gist(_ length: GistLength = .automatic, of text: String = article) -> [String] {
        Summarizer.summary(of: text, length: length)
    }

    private static func wordCount(_ sentences: [String]) -> Int {
        sentences.reduce(0) { $0 + $1.split(whereSeparator: \.isWhitespace).count }
    }

    // MARK: - Choice

    @Test(arguments: 1...10) func `a gist has whole sentences in the text's order`(count: Int) {
        let sentences = SentenceSplitter.sentences(in: Self.article).map(\.text)
        let gist = Self.gist(.sentences(count))
        #expect(gist == sentences.filter(gist.contains))
        #expect(gist.count == min(count, sentences.count))
    }

    @Test func `a news gist prefers the beginning and the main topic`() {
        let gist = Self.gist(.sentences(3))
        #expect(gist.first?.hasPrefix("The town of Ferrol closed") == true)
        #expect(!gist.contains("The weather was fine on Monday."))
        #expect(!gist.contains("Is that too long?"))
    }

    @Test func `an abstract's gist prefers the sentence that states its contribution`() {
        let text =
            "Deep networks are used for many tasks. However, they need much data, which is often not at hand. "
            + "We propose a new method that trains networks with a tenth of the data by sharing what tasks have in common. "
            + "Experiments on four data sets were made. Code is available at example.org."
        let gist = Self.gist(.sentences(1), of: text)
        #expect(gist.count == 1)
        #expect(gist.first?.hasPrefix("We propose") == true)
    }

    @Test(arguments: [
        (
            "Netze werden oft benutzt. Sie brauchen viele Daten. Wir schlagen ein Verfahren vor, das mit weniger Daten auskommt. Es wurde geprüft.",
            "Wir schlagen"
        ),
        (
            "Les réseaux sont très utilisés. Ils demandent beaucoup de données. Nous proposons une méthode qui en demande moins. Elle a été testée.",
            "Nous proposons"
        ),
        (
            "Las redes se usan mucho. Necesitan muchos datos en general. En este trabajo se propone un método que necesita menos. Fue probado.",
            "En este trabajo"
        ),
        (
            "Сети применяются часто. Им нужно очень много данных. В данной работе предложен метод, которому нужно меньше данных. Он проверен.",
            "В данной работе"
        ),
    ])
    func `the contribution of an abstract is found in other languages too`(text: String, beginning: String) {
        #expect(Self.gist(.sentences(1), of: text).first?.hasPrefix(beginning) == true)
    }

    @Test func `a gist does not repeat a statement in other words`() {
        let text =
            "The river bridge of Ferrol closed on Monday because of cracks. The Ferrol river bridge closed because of cracks on Monday. "
            + "A ferry takes forty cars to the other bank instead. Ambulances are too slow for patients, the clinic said."
        let gist = Self.gist(.sentences(2), of: text)
        #expect(gist.count { $0.contains("cracks") } == 1)
    }

    @Test func `a repeated sentence is chosen once`() {
        let text = [String](repeating: "The bridge of the town is closed.", count: 5).joined(separator: " ")
        #expect(Self.gist(.sentences(3), of: text) == ["The bridge of the town is closed."])
    }

    @Test func `the title's words add weight`() {
        let sentence = "The bridge was built in 1962 and was to be replaced in ten years"
        let without = Self.gist(.sentences(3))
        let with = Summarizer.summary(
            of: Self.article, title: "Replaced in ten years: built in 1962", length: .sentences(3))
        #expect(!without.contains { $0.hasPrefix(sentence) })
        #expect(with.contains { $0.hasPrefix(sentence) })
    }

    @Test(arguments: [
        "Read more: The bridge of the town is closed.", "Scroll down for video of the bridge.",
        "Photo: The bridge of the town, seen from the ferry.",
        "By Ana Couto and Xoan Rey for the bridge desk",
        "Published: 12 May 2015, 10:30 for the town.",
        "The bridge of the town, seen by night (Getty Images).",
        "Subscribe to our letter about the town and its bridge.", "Lesen Sie auch, warum die Brücke zu ist.",
        "À lire aussi : le pont de la ville est fermé.", "| bridge | town | pillars |",
        "bridge.close(town, pillars);",
        "Updated 10:30, 12/05/2015, 11:45, 13/05/2015.", "Foto: Die Brücke der Stadt Ferrol.",
    ])
    func `bylines, captions, credits, times, invitations, tables and code are not chosen`(line: String) {
        let text = "\(line)\n\(Self.article)\n\(line)"
        #expect(!Self.gist(.sentences(100), of: text).contains { line.contains($0) })
    }

    @Test(arguments: [
        "", "\n\n", "| a | b |\n| 1 | 2 |", "let x = 1;\nfoo(x, y) { return x; }", "12 34 56\n78 90",
        "Home\nAbout\nContact",
    ])
    func `a text without prose has no gist`(text: String) {
        #expect(Self.gist(of: text).isEmpty)
    }

    @Test func `when no line ends with a full stop, whole lines are chosen`() {
        let text = "The bridge of the town is closed for weeks\nA ferry takes forty cars at a time instead"
        #expect(Self.gist(.sentences(1), of: text).count == 1)
    }

    // MARK: - Length

    @Test func `a gist has three sentences for a short text and seven for a long one`() {
        #expect(Self.gist().count == 3)
        let long = (0..<400).map {
            "The \(Self.word($0)) was seen with the \(Self.word($0 * 7)) near a \(Self.word($0 * 3))."
        }
        #expect(Self.gist(of: long.joined(separator: " ")).count == 7)
    }

    /// An invented word of letters for a number.
    private static func word(_ number: Int) -> String {
        String(
            String(number * 7_919 + 1_000).map {
                Character(Unicode.Scalar(97 + UInt8($0.wholeNumberValue ?? 0)))
            })
    }

    @Test(arguments: [12, 20, 35, 50, 75, 100, 200]) func `a word budget is never exceeded`(budget: Int) {
        let gist = Self.gist(.words(budget))
        #expect(!gist.isEmpty)
        #expect(Self.wordCount(gist) <= budget)
    }

    @Test func `a word budget is used up`() {
        #expect(Self.wordCount(Self.gist(.words(75))) >= 50)
    }

    @Test func `when no sentence fits the budget, the best one is returned`() {
        #expect(Self.gist(.words(2)) == Self.gist(.sentences(1)))
    }

    @Test(arguments: [GistLength.sentences(0), .sentences(-1), .words(0), .words(-5)])
    func `a length of zero gives an empty gist`(length: GistLength) {
        #expect(Self.gist(length).isEmpty)
    }

    @Test func `in Chinese and Japanese two characters count as a word`() {
        let text = "市政府周一宣布这座桥将关闭三周。工程师在两个桥墩上发现了裂缝并且立即报告。渡轮每次只能运送四十辆汽车过河。"
        let gist = Self.gist(.words(20), of: text)
        #expect((1...2).contains(gist.count))
        #expect(gist.joined().unicodeScalars.count <= 42)
    }

    // MARK: - Repeatability

    @Test func `the same text gives the same gist every time and on all threads`() async {
        let expected = Self.gist(.sentences(4))
        await withTaskGroup(of: [String].self) { group in
            for _ in 0..<50 { group.addTask { Self.gist(.sentences(4)) } }
            for await gist in group { #expect(gist == expected) }
        }
    }

    @Test func `of sentences with equal scores the earlier one comes first`() {
        let text = (0..<8).map { "The \(Self.word($0)) met the \(Self.word($0 + 50)) again." }.joined(
            separator: " ")
        let one = Self.gist(.sentences(1), of: text)
        #expect(one == [SentenceSplitter.sentences(in: text).map(\.text)[0]])
    }

    @Test func `a gist with one more sentence keeps nearly all the others`() {
        for count in 1...6 {
            let (fewer, more) = (Set(Self.gist(.sentences(count))), Set(Self.gist(.sentences(count + 1))))
            #expect(fewer.isSubset(of: more))
        }
    }
}
