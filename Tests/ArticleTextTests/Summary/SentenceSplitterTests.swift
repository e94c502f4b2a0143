import Testing

@testable import ArticleText

@Suite struct SentenceSplitterTests {
    private static func split(_ text: String, _ language: String? = "en") -> [String] {
        SentenceSplitter.sentences(in: text, language: language).map(\.text)
    }

    @Test(arguments: SentenceCases.all.indices)
    func `a text is split by its language's rules`(number: Int) {
        let (language, text) = SentenceCases.all[number]
        let sentences = text.split(separator: "|").map(String.init)
        let blank = ["ja", "zh"].contains(language) ? "" : " "
        #expect(Self.split(sentences.joined(separator: blank), language) == sentences)
    }

    @Test func `each of the larger languages has test cases`() {
        let languages = Set(SentenceCases.all.map(\.language))
        let larger = [
            "en", "de", "fr", "es", "it", "pt", "nl", "pl", "ru", "sv", "da", "no", "cs", "fi", "ja", "zh",
            "ko",
        ]
        #expect(languages.isSuperset(of: larger))
        #expect(SentenceCases.all.count >= 60)
    }

    @Test func `each line is a paragraph and ends its sentence`() {
        let sentences = SentenceSplitter.sentences(in: "A heading\n\nIt rains. It pours.", language: "en")
        #expect(sentences.map(\.text) == ["A heading", "It rains.", "It pours."])
        #expect(sentences.map(\.paragraph) == [0, 2, 2])
    }

    @Test(arguments: ["\n", "\r\n"]) func `hard-wrapped lines are joined`(lineEnd: String) {
        let text = """
            The town closed its only bridge on Monday after engineers had found
            cracks in two of its pillars. Nobody knows how long they have been
            there, the town said. The bridge, which was built in 1962, carries
            nine thousand cars a day.

            The ferry that takes its place is slow, and it does not run at night
            or in a storm.
            """
        let wanted = [
            "The town closed its only bridge on Monday after engineers had found cracks in two of its pillars.",
            "Nobody knows how long they have been there, the town said.",
            "The bridge, which was built in 1962, carries nine thousand cars a day.",
            "The ferry that takes its place is slow, and it does not run at night or in a storm.",
        ]
        #expect(
            Self.split(
                text.split(separator: "\n", omittingEmptySubsequences: false).joined(separator: lineEnd))
                == wanted)
    }

    @Test func `a sentence that continues in lower case on the next line is one sentence`() {
        let text =
            "We argue that the probability should also decrease because\nthe data has both kinds in it."
        #expect(Self.split(text).count == 1)
    }

    @Test func `a list item's bullet is not part of its sentence`() {
        #expect(
            Self.split("- One is here.\n• Two is there.\n-5 is cold.") == [
                "One is here.", "Two is there.", "-5 is cold.",
            ])
    }

    @Test func `a text without capitals is split at its full stops`() {
        #expect(Self.split("i came home late. nobody was there. i slept.").count == 3)
    }

    @Test func `tokenised text is split, and detached quotation marks stay with their sentence`() {
        let text = "` ` It is late . ' ' He left . ' I know , ' she said .".replacing("` `", with: "``")
            .replacing("' ' H", with: "'' H")
        #expect(Self.split(text) == ["`` It is late . ''", "He left .", "' I know , ' she said ."])
    }

    @Test func `a sentence is one line, without control or direction characters`() {
        #expect(Self.split("It\u{0}is\tvery\u{202E}  late\u{1B}[0m.") == ["It is very late [0m."])
    }

    @Test(arguments: ["", " ", "\n\n", "\u{0}", "\u{FEFF}"])
    func `a text without words has no sentences`(text: String) {
        #expect(Self.split(text).allSatisfy { $0.allSatisfy { !$0.isLetter } })
    }

    @Test func `the sentences contain all of a text's letters in order`() {
        let text = SentenceCases.all.map(\.text).joined(separator: " ")
        let letters = Self.split(text, nil).joined().unicodeScalars.filter(\.properties.isAlphabetic)
        #expect(Array(letters) == Array(text.unicodeScalars.filter(\.properties.isAlphabetic)))
    }

    @Test func `a language is recognised by its regional codes and other names`() {
        let text = "Am 3. Oktober war es."
        #expect(Self.split(text, "de-AT").count == 1)
        #expect(Self.split("Den 17. Mai-komiteen kom.", "nb_NO").count == 1)
        #expect(Self.split(text, "en").count == 2)
    }
}
