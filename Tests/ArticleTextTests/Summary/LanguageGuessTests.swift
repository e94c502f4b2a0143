import Testing

@testable import ArticleText

@Suite struct LanguageGuessTests {
    @Test(arguments: LanguageSamples.all.indices)
    func `one sentence is enough to detect a language`(number: Int) {
        let (language, text) = LanguageSamples.all[number]
        #expect(LanguageGuess.language(of: text) == language)
    }

    @Test func `capital letters make no difference`() {
        for (language, text) in LanguageSamples.all where !["tr", "el"].contains(language) {
            #expect(LanguageGuess.language(of: text.uppercased()) == language)
        }
    }

    @Test(arguments: ["", "   ", "12345 67", "!?", "😀😀", "xkcd qwrt zzz", "\u{0}\u{301}"])
    func `text without words has no language`(text: String) {
        #expect(LanguageGuess.language(of: text) == nil)
    }

    @Test func `a few foreign words do not change the language`() {
        let text =
            "The word Schadenfreude is German, and the phrase la vie en rose is French, but this is not. "
            + "It is a sentence of English words, with 東京 and Москва in it."
        #expect(LanguageGuess.language(of: text) == "en")
    }

    @Test func `Japanese is recognised by its kana among Chinese characters`() {
        #expect(LanguageGuess.language(of: "東京都知事選挙の投票率が発表された。") == "ja")
        #expect(LanguageGuess.language(of: "東京都知事選舉投票率公布。") == "zh")
    }
}
