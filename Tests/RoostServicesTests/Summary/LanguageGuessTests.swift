import Testing

@testable import ArticleText

/// The language of a text, from the text alone.
@Suite struct LanguageGuessTests {
    @Test(arguments: LanguageSamples.all.indices)
    func `a sentence is enough to tell a language`(number: Int) {
        let (language, text) = LanguageSamples.all[number]
        #expect(LanguageGuess.language(of: text) == language)
    }

    @Test func `capitals make no difference`() {
        for (language, text) in LanguageSamples.all where !["tr", "el"].contains(language) {
            #expect(LanguageGuess.language(of: text.uppercased()) == language)
        }
    }

    @Test(arguments: ["", "   ", "12345 67", "!?", "😀😀", "xkcd qwrt zzz", "\u{0}\u{301}"])
    func `what says nothing has no language`(text: String) {
        #expect(LanguageGuess.language(of: text) == nil)
    }

    @Test func `a few foreign words do not turn a text`() {
        let text =
            "The word Schadenfreude is German, and the phrase la vie en rose is French, but this is not. "
            + "It is a sentence of English words, with 東京 and Москва in it."
        #expect(LanguageGuess.language(of: text) == "en")
    }

    @Test func `Japanese is known by its kana among Chinese signs`() {
        #expect(LanguageGuess.language(of: "東京都知事選挙の投票率が発表された。") == "ja")
        #expect(LanguageGuess.language(of: "東京都知事選舉投票率公布。") == "zh")
    }
}
