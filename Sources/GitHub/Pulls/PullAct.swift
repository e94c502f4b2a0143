import Foundation
import RoostSupport
import TextFormats

/// Something that a user does to a pull request on GitHub. Texts are Markdown, sent as they were typed.
package enum PullAct: Codable, Equatable, Sendable {
    package enum MergeMethod: String, Codable, Sendable, CaseIterable {
        case merge, squash, rebase
    }

    case comment(String)
    /// `comment` is the number of the first comment of a conversation on the code, as in "#discussion_r42".
    case reply(comment: Int, String)
    /// `thread` is GitHub's node id.
    case resolve(thread: String)
    case unresolve(thread: String)
    case review(PullReview)
    /// A login, or a team as "org/team".
    case requestReview(of: String)
    /// `head` is the commit that the user has seen; GitHub refuses to merge another one.
    case merge(MergeMethod, head: String)
    case autoMerge(MergeMethod, head: String)
    case stopAutoMerge
    case updateBranch(head: String)
    case markReady
    case close
    case reopen
    /// Runs the failed jobs of GitHub Actions for this commit again.
    case rerunChecks(head: String)

    /// GitHub accepts 65,536 characters.
    package static let maximumText = 65_536

    /// Returns the act with checked fields. Throws `RoostError.invalid` with the name of the field.
    func checked() throws -> PullAct {
        switch self {
        case .comment(let text): .comment(try Self.text(text, "body", isRequired: true))
        case .reply(let comment, let text):
            .reply(
                comment: try Self.positive(comment, "comment"),
                try Self.text(text, "body", isRequired: true))
        case .resolve(let thread): .resolve(thread: try Self.node(thread))
        case .unresolve(let thread): .unresolve(thread: try Self.node(thread))
        case .review(let review): .review(try review.checked(isSent: true))
        case .requestReview(let reviewer): .requestReview(of: try Self.reviewer(reviewer))
        case .merge(let method, let head): .merge(method, head: try Self.commit(head))
        case .autoMerge(let method, let head): .autoMerge(method, head: try Self.commit(head))
        case .updateBranch(let head): .updateBranch(head: try Self.commit(head))
        case .rerunChecks(let head): .rerunChecks(head: try Self.commit(head))
        case .stopAutoMerge, .markReady, .close, .reopen: self
        }
    }

    /// Browsers send line breaks as CRLF; people type neither.
    static func text(_ text: String, _ field: String, isRequired: Bool) throws -> String {
        let text = text.replacingBytes(of: "\r\n", with: "\n")
        guard !isRequired || !text.isBlank else {
            throw RoostError.invalid(field: field, why: "Write something first.")
        }
        guard text.unicodeScalars.count <= maximumText else {
            throw RoostError.invalid(field: field, why: "GitHub accepts at most 65,536 characters.")
        }
        return text
    }

    /// SHA-1 or SHA-256 in hexadecimal digits.
    static func commit(_ text: String) throws -> String {
        let isDigit = { (byte: UInt8) in
            (UInt8(ascii: "0")...UInt8(ascii: "9")).contains(byte)
                || (UInt8(ascii: "a")...UInt8(ascii: "f")).contains(byte)
        }
        guard [40, 64].contains(text.utf8.count), text.utf8.allSatisfy(isDigit) else {
            throw RoostError.invalid(field: "head", why: "Name the commit that you have seen: its full SHA.")
        }
        return text
    }

    static func positive(_ number: Int, _ field: String) throws -> Int {
        guard number > 0 else { throw RoostError.invalid(field: field, why: "Must be above 0.") }
        return number
    }

    private static func node(_ id: String) throws -> String {
        guard (1...200).contains(id.utf8.count), id.utf8.allSatisfy({ (0x21...0x7E).contains($0) }) else {
            throw RoostError.invalid(field: "thread", why: "There is no such conversation.")
        }
        return id
    }

    private static func reviewer(_ name: String) throws -> String {
        let parts = name.splitBytes(at: "/", omittingEmptySubsequences: false).map(String.init)
        guard (1...2).contains(parts.count), parts.allSatisfy(isName) else {
            throw RoostError.invalid(field: "reviewer", why: "Name a login, or a team as “org/team”.")
        }
        return name
    }

    private static func isName(_ text: String) -> Bool {
        text.wholeMatch(of: #/[A-Za-z0-9_.-]{1,100}(\[bot\])?/#) != nil
    }
}

/// A review, as a draft on Roost or on its way to GitHub.
package struct PullReview: Codable, Hashable, Sendable {
    package enum Verdict: String, Codable, Sendable, CaseIterable, ColumnValue {
        case comment, approve, requestChanges
    }

    /// A comment on a line, or on the lines from `startLine` on.
    package struct LineComment: Codable, Hashable, Sendable {
        package let path: String
        package let line: Int
        package let startLine: Int?
        package let isOnOldFile: Bool
        package let body: String
        /// Of the form that it came from, so that a form that is sent twice adds it once.
        package let id: String?

        package init(
            path: String, line: Int, startLine: Int? = nil, isOnOldFile: Bool = false, body: String,
            id: String? = nil
        ) {
            self.path = path
            self.line = line
            self.startLine = startLine
            self.isOnOldFile = isOnOldFile
            self.body = body
            self.id = id
        }

        /// Names the comment on pages.
        package var digest: String { PullReview.digest(of: self) }

        func checked() throws -> LineComment {
            guard (1...4_096).contains(path.utf8.count), !path.unicodeScalars.contains(where: \.isControl)
            else {
                throw RoostError.invalid(field: "path", why: "There is no such file.")
            }
            guard (id?.utf8.count ?? 0) <= 255 else {
                throw RoostError.invalid(field: "id", why: "Must have at most 255 characters.")
            }
            let line = try PullAct.positive(line, "line")
            // A range of one line is a line.
            let start = try startLine.flatMap { $0 == line ? nil : try PullAct.positive($0, "startLine") }
            guard start ?? 0 < line else {
                throw RoostError.invalid(field: "startLine", why: "The range must begin above its last line.")
            }
            return LineComment(
                path: path, line: line, startLine: start, isOnOldFile: isOnOldFile,
                body: try PullAct.text(body, "body", isRequired: true), id: id)
        }
    }

    /// Names the draft as a page shows it.
    package var digest: String { Self.digest(of: self) }

    fileprivate static func digest(of value: some Encodable) -> String {
        let encoder = JSONEncoder()
        encoder.outputFormatting = .sortedKeys
        // Texts and numbers can always be encoded.
        let json = (try? encoder.encode(value)) ?? Data()
        return Base64URL.encode(Data(Secret.hash(String(decoding: json, as: UTF8.self))))
    }

    package static let maximumComments = 100

    package var verdict: Verdict
    package var body: String
    package var comments: [LineComment]
    /// The commit that the review is about. Empty in a draft that was begun without one.
    package var head: String

    package init(
        verdict: Verdict = .comment, body: String = "", comments: [LineComment] = [], head: String = ""
    ) {
        self.verdict = verdict
        self.body = body
        self.comments = comments
        self.head = head
    }

    package var isEmpty: Bool { body.isBlank && comments.isEmpty }

    /// Throws `RoostError.invalid` with the name of the field.
    ///
    /// - Parameter isSent: false for a draft, which may be empty
    func checked(isSent: Bool) throws -> PullReview {
        guard comments.count <= Self.maximumComments else {
            throw RoostError.invalid(
                field: "comments", why: "A review can have at most \(Self.maximumComments) comments on lines."
            )
        }
        let isTextRequired = isSent && verdict != .approve && comments.isEmpty
        return PullReview(
            verdict: verdict, body: try PullAct.text(body, "body", isRequired: isTextRequired),
            comments: try comments.map { try $0.checked() },
            head: !isSent && head.isEmpty ? "" : try PullAct.commit(head))
    }
}

extension PullAct {
    /// For the audit log, without what the user wrote.
    var name: String {
        switch self {
        case .comment: "comment"
        case .reply: "reply"
        case .resolve: "resolve"
        case .unresolve: "unresolve"
        case .review(let review):
            switch review.verdict {
            case .comment: "review"
            case .approve: "approve"
            case .requestChanges: "request changes"
            }
        case .requestReview: "request a review"
        case .merge: "merge"
        case .autoMerge: "merge when ready"
        case .stopAutoMerge: "stop auto-merge"
        case .updateBranch: "update the branch"
        case .markReady: "mark as ready"
        case .close: "close"
        case .reopen: "reopen"
        case .rerunChecks: "run checks again"
        }
    }
}

/// What an act has done, in words, with the address of what is new on GitHub.
package struct PullActResult: Codable, Equatable, Sendable {
    package let message: String
    /// https or http; nil if nothing is new.
    package let url: String?
}
