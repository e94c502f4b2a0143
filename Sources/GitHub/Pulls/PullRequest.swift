package import Foundation
import RoostSupport
import TextFormats

/// A pull request as GitHub tells of it. What REST does not say, or a token may not see, is nil.
package struct PullRequest: Codable, Equatable, Hashable, Sendable, Identifiable {
    package let repositoryOwner: String
    package let repositoryName: String
    /// More than 0.
    package let number: Int
    package let title: String
    package let authorLogin: String
    package let authorAvatarURL: String?
    /// Not in the future.
    package let updatedAt: Date
    /// http or https; nothing else could ever become a link.
    package let htmlURL: String

    package var createdAt: Date?
    /// Nil where nobody said; what is not open is nobody's turn.
    package var state: State?
    package var isDraft: Bool?
    package var labels: [Label] = []
    package var additions: Int?
    package var deletions: Int?
    package var changedFiles: Int?
    package var checks: Checks?
    package var reviewDecision: ReviewDecision?
    package var mergeable: Mergeable?
    /// All of them: in the conversation and on the code.
    package var comments: Int?
    package var unresolvedThreads: Int?
    /// Named as a reviewer in person.
    package var isRequestedDirectly: Bool?
    /// The teams through which a review is asked for: "org/team". Empty where none, or none that the token may see.
    package var requestedTeams: [String] = []
    package var isFromBot: Bool = false

    package enum State: String, Codable, Sendable {
        case open, closed, merged
    }

    package struct Label: Codable, Equatable, Hashable, Sendable {
        package let name: String
        /// Six hexadecimal digits, as GitHub has it.
        package let color: String?

        package init(name: String, color: String?) {
            self.name = name.sanitized
            self.color = color
        }
    }

    /// How many checks ended how; `state` is GitHub's own sum of them.
    package struct Checks: Codable, Equatable, Hashable, Sendable {
        package enum State: String, Codable, Sendable {
            case passed, failed, running
        }

        package let state: State
        /// Nil where only the sum is known.
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

    package enum ReviewDecision: String, Codable, Sendable {
        case approved, changesRequested, reviewRequired
    }

    package enum Mergeable: String, Codable, Sendable {
        case mergeable, conflicting, unknown
    }

    /// "owner/name#number".
    package var id: String { "\(repositoryFullName)#\(number)" }
    package var repositoryFullName: String { "\(repositoryOwner)/\(repositoryName)" }
    /// Added and removed lines together; nil where GitHub did not say.
    package var size: Int? {
        guard let additions, let deletions else { return nil }
        return additions + deletions
    }

    /// Throws `ValidationError` in words when a text is empty or too long, the number is not above 0, or the address no link.
    ///
    /// Control characters are taken out of all names and of the title.
    ///
    /// - Parameter updatedAt: clamped to `now` when it lies more than five minutes ahead of it.
    package init(
        repositoryOwner: String, repositoryName: String, number: Int, title: String, authorLogin: String,
        authorAvatarURL: String? = nil, updatedAt: Date, htmlURL: String, now: Date = Date()
    ) throws {
        let (owner, name, author) = (
            repositoryOwner.sanitized, repositoryName.sanitized, authorLogin.sanitized
        )
        try ValidationError.check(["repositoryOwner": owner, "repositoryName": name, "authorLogin": author])
        // By scalars: one character may be megabytes of accents.
        let title = String(title.unicodeScalars.prefix(1_024)).sanitized
        guard !title.isWhitespace else { throw ValidationError(field: "title", why: "is empty") }
        guard number > 0 else { throw ValidationError(field: "number", why: "is not above 0") }
        guard htmlURL.hasPrefix("https://") || htmlURL.hasPrefix("http://"), htmlURL.utf8.count <= 2_048
        else {
            throw ValidationError(field: "htmlURL", why: "is no address of a web page")
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

extension PullRequest {
    private enum CodingKeys: String, CodingKey {
        case repositoryOwner, repositoryName, number, title, authorLogin, authorAvatarURL, updatedAt, htmlURL
        case createdAt, state, isDraft, labels, additions, deletions, changedFiles, checks, reviewDecision
        case mergeable, comments, unresolvedThreads, isRequestedDirectly, requestedTeams, isFromBot
    }

    /// As strict as the other initialiser: throws `ValidationError`, and for a missing field or an unknown state.
    package init(from decoder: any Decoder) throws {
        let values = try decoder.container(keyedBy: CodingKeys.self)
        try self.init(
            repositoryOwner: values.decode(String.self, forKey: .repositoryOwner),
            repositoryName: values.decode(String.self, forKey: .repositoryName),
            number: values.decode(Int.self, forKey: .number),
            title: values.decode(String.self, forKey: .title),
            authorLogin: values.decode(String.self, forKey: .authorLogin),
            authorAvatarURL: values.decodeIfPresent(String.self, forKey: .authorAvatarURL),
            updatedAt: values.decode(Date.self, forKey: .updatedAt),
            htmlURL: values.decode(String.self, forKey: .htmlURL),
            now: (decoder.userInfo[.now] as? Date) ?? Date())
        try readDetails(values)
    }

    private mutating func readDetails(_ values: KeyedDecodingContainer<CodingKeys>) throws {
        createdAt = try values.decodeIfPresent(Date.self, forKey: .createdAt)
        state = try values.decodeIfPresent(State.self, forKey: .state)
        isDraft = try values.decodeIfPresent(Bool.self, forKey: .isDraft)
        labels = try values.decodeIfPresent([Label].self, forKey: .labels) ?? []
        additions = try values.decodeIfPresent(Int.self, forKey: .additions)
        deletions = try values.decodeIfPresent(Int.self, forKey: .deletions)
        changedFiles = try values.decodeIfPresent(Int.self, forKey: .changedFiles)
        checks = try values.decodeIfPresent(Checks.self, forKey: .checks)
        reviewDecision = try values.decodeIfPresent(ReviewDecision.self, forKey: .reviewDecision)
        mergeable = try values.decodeIfPresent(Mergeable.self, forKey: .mergeable)
        comments = try values.decodeIfPresent(Int.self, forKey: .comments)
        unresolvedThreads = try values.decodeIfPresent(Int.self, forKey: .unresolvedThreads)
        isRequestedDirectly = try values.decodeIfPresent(Bool.self, forKey: .isRequestedDirectly)
        requestedTeams = try values.decodeIfPresent([String].self, forKey: .requestedTeams) ?? []
        isFromBot = try values.decodeIfPresent(Bool.self, forKey: .isFromBot) ?? false
    }
}
