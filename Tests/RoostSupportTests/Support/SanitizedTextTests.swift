import Foundation
import TestSupport
import Testing

@testable import GitHub
@testable import TextFormats

/// Other people's text is made safe for a page.
@Suite struct SanitizedTextTests {
    /// Not test arguments, because those are printed including control characters.
    private static let texts = [
        ("Tidy the perch", "Tidy the perch"), ("", ""), ("nul\u{0}bell\u{7}del\u{7F}", "nulbelldel"),
        ("a\tb\nc\r\nd", "a b c  d"), ("c1\u{9B}31m\u{85}next", "c131m next"),
        ("a\u{202E}cba\u{202C}", "acba"), ("\u{2066}a\u{2069}\u{2028}b", "a b"),
        ("שלום\u{200F} (RLM) 👩‍👩‍👧 é", "שלום\u{200F} (RLM) 👩‍👩‍👧 é"),
    ]

    @Test func `control and direction characters are removed, and everything else stays`() {
        for (text, calm) in Self.texts { #expect(text.sanitized == calm) }
    }

    @Test func `a pull request's title, names and labels are sanitized`() throws {
        let pull = try PullRequest(
            repositoryOwner: "o\u{7}wner", repositoryName: "na\u{202E}me", number: 1, title: "a\u{0}b",
            authorLogin: "ad\u{9C}a", updatedAt: TestClock.start,
            htmlURL: "https://github.com/owner/name/pull/1", now: TestClock.start)
        #expect(pull.id == "owner/name#1" && pull.title == "ab" && pull.authorLogin == "ada")
        #expect(PullRequest.Label(name: "b\u{8}ug", color: nil).name == "bug")
        #expect(TurnReason.askedThroughTeam("o\u{1B}/t").label == "review requested from o/t")
        #expect(try AuthenticatedUser(login: "ada", name: "A\u{202E}da").name == "Ada")
    }

    @Test func `text with only such characters becomes empty`() {
        for (title, author) in [("\u{0}", "ada"), ("\u{202E}\n", "ada"), ("t", "\u{7}")] {
            #expect(throws: ValidationError.self) {
                try PullRequest(
                    repositoryOwner: "o", repositoryName: "n", number: 1, title: title, authorLogin: author,
                    updatedAt: TestClock.start, htmlURL: "https://github.com/o/n/pull/1",
                    now: TestClock.start)
            }
        }
    }
}
