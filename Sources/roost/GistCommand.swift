import ArgumentParser
import ArticleText
import Foundation
import TextFormats

/// `roost gist`: a text's best sentences, without a database or a network.
struct GistCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "gist",
        abstract: "Prints the gist of the text on standard input, a line a sentence.")

    @Option(help: "How many sentences; three to seven without, by the text's length.") var sentences: Int?
    @Option(help: "How many words at most; of Chinese and Japanese two signs count as one.") var words: Int?

    func validate() throws {
        if sentences != nil, words != nil {
            throw ValidationError("Give --sentences or --words, not both.")
        }
        if let sentences, sentences < 1 { throw ValidationError("--sentences takes 1 or more.") }
        if let words, words < 1 { throw ValidationError("--words takes 1 or more.") }
    }

    func run() throws {
        let text = String(decoding: try FileHandle.standardInput.readToEnd() ?? Data(), as: UTF8.self)
        for sentence in Summarizer.summary(of: text, length: length) { print(sentence) }
    }

    private var length: GistLength {
        if let sentences { return .sentences(sentences) }
        if let words { return .words(words) }
        return .automatic
    }
}
