package import Foundation
import RoostSupport
import TextFormats

/// A pull request from GitHub. Fields that REST lacks or the token may not see are nil.
package struct PullRequest: Codable, Equatable, Hashable, Sendable, Identifiable {
    package let repositoryOwner: String
    package let repositoryName: String
    package let number: Int
    package let title: String
    package let authorLogin: String
    package let authorAvatarURL: String?
    package let updatedAt: Date
    /// http or https, so that it can safely become a link.
    package let htmlURL: String

    package var createdAt: Date?
    /// Nil if unknown. Only open pull requests wait for anyone.
    package var state: State?
    package var isDraft: Bool?
    package var labels: [Label] = []
    package var additions: Int?
    package var deletions: Int?
    package var changedFiles: Int?
    package var checks: Checks?
    package var reviewDecision: ReviewDecision?
    package var mergeable: Mergeable?
    /// In the conversation and on the code.
    package var comments: Int?
    package var unresolvedThreads: Int?
    package var isRequestedDirectly: Bool?
    /// The teams ("org/team") through which a review is requested, as far as the token may see them.
    package var requestedTeams: [String] = []
    package var isFromBot: Bool = false

    package enum State: String, Codable, CaseIterable, Sendable {
        case open, closed, merged
    }

    package struct Label: Codable, Equatable, Hashable, Sendable {
        package let name: String
        package let color: String?

        package init(name: String, color: String?) {
            self.name = name.sanitized
            self.color = color
        }
    }

    /// `state` is GitHub's overall state.
    package struct Checks: Codable, Equatable, Hashable, Sendable {
        package enum State: String, Codable, CaseIterable, Sendable {
            case passed, failed, running
        }

        package let state: State
        package let passed: Int?
        package let failed: Int?
        package let running: Int?

        package init(state: State, passed: Int? = nil, failed: Int? = nil, running: Int? = nil) {
            self.state = state
            self.passed = passed
            self.failed = failed
            self.running = running
        }
    }

    package enum ReviewDecision: String, Codable, CaseIterable, Sendable {
        case approved, changesRequested, reviewRequired
    }

    package enum Mergeable: String, Codable, CaseIterable, Sendable {
        case mergeable, conflicting, unknown
    }

    /// "owner/name#number".
    package var id: String { "\(repositoryFullName)#\(number)" }
    package var repositoryFullName: String { "\(repositoryOwner)/\(repositoryName)" }
    package var size: Int? {
        guard let additions, let deletions else { return nil }
        return additions + deletions
    }

    /// Throws `ValidationError` for an empty or overlong text, a number that isn't positive, or an invalid URL. Removes
    /// control characters from names and title.
    ///
    /// - Parameter updatedAt: clamped to `now` if it is more than five minutes ahead
    package init(
        repositoryOwner: String, repositoryName: String, number: Int, title: String, authorLogin: String,
        authorAvatarURL: String? = nil, updatedAt: Date, htmlURL: String, now: Date = Date()
    ) throws {
        let (owner, name, author) = (
            repositoryOwner.sanitized, repositoryName.sanitized, authorLogin.sanitized
        )
        try ValidationError.check(["repositoryOwner": owner, "repositoryName": name, "authorLogin": author])
        // By scalars: a single character may hold megabytes of accents.
        let title = String(title.unicodeScalars.prefix(1_024)).sanitized
        guard !title.isWhitespace else { throw ValidationError(field: "title", why: "is empty") }
        guard number > 0 else { throw ValidationError(field: "number", why: "is not above 0") }
        guard htmlURL.hasPrefix("https://") || htmlURL.hasPrefix("http://"), htmlURL.utf8.count <= 2_048
        else {
            throw ValidationError(field: "htmlURL", why: "is not a web page’s URL")
        }
        self.repositoryOwner = owner
        self.repositoryName = name
        self.number = number
        self.title = title
        self.authorLogin = author
        self.authorAvatarURL = authorAvatarURL.flatMap { $0.utf8.count <= 2_048 ? $0 : nil }
        self.updatedAt = ClockSkew.clamped(updatedAt, now: now).date
        self.htmlURL = htmlURL
    }
}
