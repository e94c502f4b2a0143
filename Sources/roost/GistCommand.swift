import ArgumentParser
import ArticleText
import Foundation
import TextFormats

/// `roost gist`: prints a text's best sentences, without a database or network.
struct GistCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "gist",
        abstract: "Prints the gist of the text on standard input, one sentence per line.")

    @Option(help: "Number of sentences; by default three to seven, by the text's length.") var sentences: Int?
    @Option(help: "Maximum number of words; two Chinese or Japanese characters count as one.") var words: Int?

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
