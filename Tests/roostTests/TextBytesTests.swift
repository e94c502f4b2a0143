import Foundation
import Testing

/// Untrusted text is processed as bytes: Swift's Characters differ from what browsers and parsers see.
@Suite struct TextBytesTests {
    /// How often a file may call `replacing`, `split`, `contains` and similar methods on a String, and why that
    /// is safe.
    private static let reviewed: [String: (uses: Int, why: String)] = [
        "HTTPServer/Messages/Form.swift": (4, "arrays of bytes"),
        "HTTPServer/Messages/Query.swift": (2, "arrays of bytes"),
        "HTTPServer/Routing/Router.swift": (2, "bytes, and patterns of Roost's own routes"),
        "RoostSupport/Images/PNGFormat.swift": (4, "a set of names"),
        "Accounts/CommonPasswords.swift": (1, "Roost's own list"),
        "Accounts/PasswordRules.swift": (1, "the letters of a name"),
        "Accounts/User.swift": (1, "the first letters of a name"),
        "GitHub/Bookmarks/TagRules.swift": (2, "whether a note holds another's paragraphs"),
        "Chat/ChatRecentLog.swift": (1, "an entry of the log"),
        "GitHub/GitHub/GitHubAPI.swift": (1, "an array of bytes"),
        "GitHub/GitHub/GitHubAccount.swift": (1, "a set of names"),
        "GitHub/Pulls/PullBuilder.swift": (2, "a list of words"),
        "GitHub/Pulls/PullFetcher.swift": (1, "a set of names"),
        "GitHub/Pulls/PullDetailsFetcher.swift": (1, "a set of names"),
        "SourceCode/FileDiff+WholeFile.swift": (1, "an array of bytes"),
        "TextFormats/LanguageTag.swift": (1, "a list of parts"),
        "TextFormats/Decimal+PlainText.swift": (1, "an array of bytes"),
        "TextFormats/SearchFolding.swift": (3, "bytes of Roost's own table"),
        "Market/CoinGecko/CoinIndex.swift": (1, "an array of bytes"),
        "RoostSupport/Support/TextFilter.swift": (1, "scalars"),
        "ArticleText/Extraction/CodeTables.swift": (1, "bytes of an attribute"),
        "ArticleText/Extraction/KindModel.swift": (9, "Roost's own tables, and features of an address"),
        "ArticleText/Extraction/LinkedData.swift": (1, "a list of words"),
        "ArticleText/Extraction/PageComments.swift": (2, "bytes of an attribute, and a list of types"),
        "ArticleText/Extraction/PageDate.swift": (1, "the words of a date"),
        "ArticleText/Extraction/Paywall.swift": (1, "bytes of Roost's own list"),
        "ArticleText/Extraction/PageMetadata.swift": (5, "the words of a title or a name"),
        "ArticleText/Extraction/WordTables.swift": (2, "Roost's own table"),
        "ArticleText/Extraction/TreeModel.swift": (4, "Roost's own table"),
        "Reading/ArticleAddress.swift": (1, "ASCII: a host that was checked"),
        "Reading/ZippedArticles.swift": (1, "a list of folders"),
        "Reading/ArticleQueue.swift": (1, "paragraphs of escaped text"),
        "ArticleText/Summary/CuePhrases.swift": (1, "Roost's own list"),
        "ArticleText/Summary/ProseRules.swift": (1, "scalars"),
        "ArticleText/Summary/SentenceSplitter.swift": (1, "a language's code"),
        "ArticleText/Markup/CleanMarkup+Tags.swift": (5, "a buffer of bytes"),
        "ArticleText/Summary/StopWords.swift": (1, "Roost's own list"),
        "RoostSupport/Support/ZipArchive.swift": (1, "a list of folders"),
        "Market/CoinGecko/CoinGeckoAPI.swift": (2, "the body of an answer, in bytes"),
        "RoostSupport/Database/DatabaseMaintenance.swift": (2, "the path of a copy that Roost named itself"),
        "Market/Displays/DisplayPairingStore.swift": (1, "Roost's own SQL"),
        "RoostWeb/OpenAPI/APILimit.swift": (1, "the names of types"),
        "RoostWeb/Site/ClassicScript.swift": (4, "Roost's own scripts and their names"),
        "RoostWeb/Site/PersonView.swift": (1, "the first letters of a name"),
        "TextFormats/EmojiNames.swift": (2, "Roost's own list"),
        "Chat/MessageMarkup.swift": (1, "an array of bytes"),
        "RoostWeb/Site/AccessLine.swift": (2, "bytes, and patterns of Roost's own routes"),
        "RoostWeb/Site/CommentStripper.swift": (1, "an array of bytes"),
        "RoostWeb/Site/ScriptImports.swift": (2, "arrays of bytes"),
        "RoostWeb/Site/SearchRank.swift": (1, "bytes"),
        "roost/DemoTeam/DemoAnswers.swift": (6, "what a simulated colleague answers"),
        "roost/ProcessMetrics.swift": (2, "bytes of /proc"),
    ]

    /// The simulators generate their own text and escape HTML by scalar; templates are part of Roost.
    private static let ownTexts = ["RoostSimulator/", "TemplateCompiler/", "CompileTemplates/"]

    @Test func `no source compares text by Character without a review`() throws {
        let folder = TestFiles.root + "/Sources/"
        let files = try FileManager.default.subpathsOfDirectory(atPath: folder).filter {
            file in
            file.hasSuffix(".swift") && !Self.ownTexts.contains(where: file.hasPrefix)
        }
        #expect(files.count > 100)
        for file in files.sorted() {
            let uses = Self.uses(in: try TestFiles.text(folder + file))
            let allowed = Self.reviewed[file]?.uses ?? 0
            #expect(
                uses.count == allowed,
                "\(file) has \(uses): use splitBytes, replacingBytes, containsBytes or words, or review them")
        }
        for file in Self.reviewed.keys { #expect(files.contains(file), "\(file) is gone") }
    }

    @Test(arguments: [
        #"text.replacing("<", with: "&lt;")"#, #"text.split(separator: ",")"#, #"text.contains("://")"#,
        #"text.firstIndex(of: "@")"#, #"text.firstRange(of: "://")"#, "text\n            .split(\n",
    ])
    func `a call by Character is found`(_ code: String) {
        #expect(Self.uses(in: code).count == 1)
    }

    @Test(arguments: [
        "text.utf8.split(separator: 44)", "text.unicodeScalars.split { $0 == \",\" }", "Self.split(text)",
        "text.splitBytes(at: \",\")", "text.contains { $0 == 7 }",
    ])
    func `a call by byte or scalar is ignored`(_ code: String) {
        #expect(Self.uses(in: code).isEmpty)
    }

    /// Returns the calls as they are written in the code.
    private static func uses(in code: String) -> [String] {
        let call =
            #/(?<owner>\w*)\s*\.(?:replacing\(|split\s*[({]|contains\("|firstIndex\(of: "|lastIndex\(of: "|firstRange\(of: "|replacingOccurrences\(|components\(separatedBy)/#
        return code.matches(of: call).compactMap { match in
            ["utf8", "unicodeScalars", "Self", "Request"].contains(match.owner) ? nil : String(match.0)
        }
    }

    @Test(arguments: ["", "\u{301}", "\u{200D}", "\u{FE0F}", "\u{20DD}", "\u{E0100}"])
    func `a sign is found, replaced and split on, whatever follows or precedes it`(_ mark: String) {
        for letter in ["", "\u{D4E}", "\u{110BD}", "\u{600}"] {
            let text = "a\(letter),\(mark)b"
            #expect(text.containsBytes(","))
            #expect(Array(text.replacingBytes(of: ",", with: ";").utf8) == Array("a\(letter);\(mark)b".utf8))
            #expect(
                text.splitBytes(at: ",").map { Array($0.utf8) } == [
                    Array("a\(letter)".utf8), Array("\(mark)b".utf8),
                ])
            #expect("a\(letter) \(mark)b".words.count == 2)
        }
    }

    @Test(arguments: [
        ("--", "+-+"), ("---", "+-+-"), ("-", "-"), ("", ""), ("ä--b--", "ä+-+b+-+"),
    ])
    func `parts are replaced from the start, and their replacements are not searched`(
        text: String, replaced: String
    ) {
        #expect(text.replacingBytes(of: "--", with: "+-+") == replaced)
        #expect(text.replacingBytes(of: "", with: "+") == text)
    }

    @Test func `look-alike signs do not match`() {
        // The Greek question mark and the Kelvin sign are canonically equivalent to ASCII characters.
        #expect(!"a\u{37E}b".containsBytes(";"))
        #expect("a\u{37E}b".splitBytes(at: ";").count == 1)
        #expect(!"\u{212A}".containsBytes("K"))
    }

    @Test func `splitting keeps or omits empty parts, as requested`() {
        #expect(",a,,b".splitBytes(at: ",") == ["a", "b"])
        #expect(",a,,b".splitBytes(at: ",", omittingEmptySubsequences: false) == ["", "a", "", "b"])
        #expect("a,b,c".splitBytes(at: ",", maxSplits: 1) == ["a", "b,c"])
    }
}
