import ArticleText
import Foundation
import RoostSupport
import TextFormats

/// Collects what GitHub says about a pull request, over GraphQL or REST, and then makes its details from it.
///
/// Texts stay as GitHub sent them until the pull request's address is known, which resolves their links.
struct PullDetailsDraft {
    struct Comment {
        var id = ""
        var author: PullDetails.Person?
        var html: String?
        var at: Date?
        var url: String?
        var isMinimized = false
        var isPending = false
        /// The id of the review that it belongs to.
        var review: String?
        var diffHunk: String?
    }

    struct Thread {
        var id = ""
        var path = ""
        var line: Int?
        var startLine: Int?
        var isOnOldFile = false
        var isResolved = false
        var isOutdated = false
        var comments: [Comment] = []
    }

    enum Event {
        case comment(Comment)
        case review(Comment, PullDetails.Reviewer.Verdict)
        case commit(PullDetails.Commit, at: Date)
        case other(PullDetails.Entry)
    }

    var pull = PullBuilder()
    var html: String?
    var baseBranch = ""
    var headBranch = ""
    var headRepository: String?
    var isFromFork = false
    var baseCommit = ""
    var canUpdate = false
    var isAuthor = false
    var canUpdateBranch = false
    var canEnableAutoMerge = false
    var canDisableAutoMerge = false
    /// "merge", "squash" and "rebase".
    var mergeMethods: [String] = []
    var isArchived = false
    /// The people and teams whose review is requested.
    var requested: [PullDetails.Person] = []
    var reviews: [PullDetails.Reviewer] = []
    var checks: [PullDetails.Check] = []
    var issues: [PullDetails.Issue] = []
    var events: [Event] = []
    /// GitHub's count of all entries.
    var entryCount: Int?
    var threads: [Thread] = []
    /// Of a closed or merged pull request, over REST.
    var endedAt: Date?
    var mergedBy: PullDetails.Person?
    var mergeCommit: String?

    static let maximumChecks = 200
    static let maximumThreads = 100

    /// Throws `ValidationError` if a required field is missing.
    func details(of key: PullKey, now: Date) throws -> PullDetails {
        var builder = pull
        builder.counts = checks.isEmpty ? nil : counts
        let facts = try builder.facts(hasDetail: true, now: now)
        var details = PullDetails(key: key, pull: facts.pull, fetchedAt: now)
        details.nodeId = facts.nodeId
        details.baseBranch = baseBranch
        details.headBranch = headBranch
        details.headRepository = isFromFork ? headRepository : nil
        details.headCommit = builder.activity.head ?? ""
        details.baseCommit = baseCommit
        details.hasAutoMerge = builder.activity.hasAutoMerge
        details.isInMergeQueue = builder.activity.isInMergeQueue
        details.checks = checks
        details.issues = issues
        details.permissions = permissions(facts)
        var markup = PullMarkup(htmlURL: facts.pull.htmlURL)
        details.description = markup.clean(html)
        var timeline = PullTimeline(events, threads, now: now)
        details.timeline = timeline.entries(&markup)
        details.omittedEntries = max(0, (entryCount ?? 0) - events.count)
        details.reviewers = reviewers(timeline.requestedAt, now: now)
        return details
    }

    private var counts: (passed: Int, failed: Int, running: Int) {
        let count = { (state: PullDetails.Check.State) in checks.count { $0.state == state } }
        // Skipped checks don't block merging.
        return (count(.passed) + count(.skipped), count(.failed), count(.running))
    }

    private func permissions(_ facts: FetchedPull) -> PullDetails.Permissions {
        var permissions = PullDetails.Permissions()
        guard !isArchived else { return permissions }
        permissions.canUpdate = canUpdate
        guard facts.pull.state == .open else { return permissions }
        permissions.canReview = !isAuthor
        permissions.canUpdateBranch = canUpdateBranch
        permissions.canEnableAutoMerge = canEnableAutoMerge
        permissions.canDisableAutoMerge = canDisableAutoMerge
        if facts.permission?.allowsMerging == true {
            permissions.mergeMethods = ["merge", "squash", "rebase"].filter(mergeMethods.contains)
        }
        return permissions
    }

    /// Each person's last verdict, in the order of the reviews, after those whose review is requested.
    private func reviewers(_ requestedAt: [String: Date], now: Date) -> [PullDetails.Reviewer] {
        var names = Set([(pull.author.login ?? "").lowercased()])
        var reviewers: [PullDetails.Reviewer] = []
        for person in requested where names.insert(person.login.lowercased()).inserted {
            reviewers.append(
                .init(
                    name: person.login, avatarURL: person.avatarURL, verdict: .requested,
                    at: requestedAt[person.login.lowercased()]))
        }
        // A verdict counts more than a later comment.
        let decisive =
            reviews.filter { $0.verdict != .commented } + reviews.filter { $0.verdict == .commented }
        for review in decisive where names.insert(review.name.lowercased()).inserted {
            reviewers.append(
                .init(
                    name: review.name, avatarURL: review.avatarURL, verdict: review.verdict,
                    at: review.at.map { ClockSkew.clamped($0, now: now).date }, commit: review.commit))
        }
        return reviewers
    }
}

/// Makes the entries of a timeline: commits that follow each other become one entry, and threads belong to the review
/// that they began with.
private struct PullTimeline {
    /// When a review was last requested, by login or team in lower case.
    private(set) var requestedAt: [String: Date] = [:]
    private let events: [PullDetailsDraft.Event]
    private let threads: [String: [PullDetailsDraft.Thread]]
    private let now: Date
    private var entries: [PullDetails.Entry] = []

    init(_ events: [PullDetailsDraft.Event], _ threads: [PullDetailsDraft.Thread], now: Date) {
        self.events = events
        self.now = now
        // A thread without a review becomes one of its own.
        self.threads = Dictionary(grouping: threads.filter { !$0.published.isEmpty }) {
            $0.published.first?.review ?? $0.id
        }
    }

    mutating func entries(_ markup: inout PullMarkup) -> [PullDetails.Entry] {
        var shown: Set<String> = []
        for event in events {
            switch event {
            case .comment(let comment):
                guard let at = comment.at else { continue }
                entries.append(.init(at: clamped(at), event: .comment(Self.comment(comment, now, &markup))))
            case .review(let review, let verdict):
                shown.insert(review.id)
                add(review, verdict, threads[review.id] ?? [], &markup)
            case .commit(let commit, let at): add(commit, at)
            case .other(let entry):
                note(entry)
                entries.append(.init(at: clamped(entry.at), event: entry.event))
            }
        }
        addOlderThreads(except: shown, &markup)
        return entries
    }

    private func clamped(_ date: Date) -> Date { ClockSkew.clamped(date, now: now).date }

    private mutating func note(_ entry: PullDetails.Entry) {
        if case .reviewRequested(_, let name) = entry.event {
            let at = clamped(entry.at)
            requestedAt[name.lowercased()] = max(requestedAt[name.lowercased()] ?? at, at)
        }
    }

    /// Leaves out a review that only holds answers in other threads, as GitHub does.
    private mutating func add(
        _ review: PullDetailsDraft.Comment, _ verdict: PullDetails.Reviewer.Verdict,
        _ threads: [PullDetailsDraft.Thread], _ markup: inout PullMarkup
    ) {
        let body = markup.clean(review.html)
        guard let at = review.at, verdict != .commented || !body.isEmpty || !threads.isEmpty else { return }
        let cleaned = threads.map { Self.thread($0, now, &markup) }
        entries.append(
            .init(
                at: clamped(at),
                event: .review(
                    id: review.id, by: review.author, verdict: verdict, body: body, threads: cleaned,
                    url: review.url ?? "")))
    }

    /// A commit's own date may be much older than its push.
    private mutating func add(_ commit: PullDetails.Commit, _ at: Date) {
        let at = max(clamped(at), entries.last?.at ?? .distantPast)
        if case .commits(let earlier)? = entries.last?.event {
            entries[entries.count - 1] = .init(at: at, event: .commits(earlier + [commit]))
        } else {
            entries.append(.init(at: at, event: .commits([commit])))
        }
    }

    /// Adds the threads whose review was not fetched, at the time of their first comment.
    private mutating func addOlderThreads(except shown: Set<String>, _ markup: inout PullMarkup) {
        var older: [PullDetails.Entry] = []
        for (id, threads) in threads where !shown.contains(id) {
            guard let first = threads.first?.published.first, let at = first.at else { continue }
            older.append(
                .init(
                    at: clamped(at),
                    event: .review(
                        id: id, by: first.author, verdict: .commented, body: [],
                        threads: threads.map { Self.thread($0, now, &markup) }, url: first.url ?? "")))
        }
        for entry in older.sorted(by: { $0.at < $1.at }) {
            let index = entries.firstIndex { $0.at > entry.at } ?? entries.count
            entries.insert(entry, at: index)
        }
    }

    private static func comment(
        _ draft: PullDetailsDraft.Comment, _ now: Date, _ markup: inout PullMarkup
    ) -> PullDetails.Comment {
        PullDetails.Comment(
            id: draft.id, author: draft.author, body: markup.clean(draft.html),
            at: ClockSkew.clamped(draft.at ?? now, now: now).date, url: draft.url ?? "",
            isMinimized: draft.isMinimized)
    }

    private static func thread(
        _ draft: PullDetailsDraft.Thread, _ now: Date, _ markup: inout PullMarkup
    ) -> PullDetails.Thread {
        PullDetails.Thread(
            id: draft.id, path: draft.path, line: draft.line, startLine: draft.startLine,
            isOnOldFile: draft.isOnOldFile, isResolved: draft.isResolved, isOutdated: draft.isOutdated,
            diffHunk: hunk(draft.comments.first?.diffHunk ?? ""),
            comments: draft.published.map { comment($0, now, &markup) })
    }

    private static let maximumHunkLines = 40
    private static let maximumHunkBytes = 8_192

    /// Keeps the last lines of a long hunk, with a header of their own.
    private static func hunk(_ text: String) -> String {
        guard text.utf8.count <= PullFileParser.maximumPatchBytes else { return "" }
        let lines = text.splitBytes(at: "\n", omittingEmptySubsequences: false)
        guard lines.count > maximumHunkLines || text.utf8.count > maximumHunkBytes, let header = lines.first,
            header.utf8.count <= 1_000,
            let numbers = header.prefixMatch(of: #/@@ -(\d{1,9})(?:,\d+)? \+(\d{1,9})/#),
            var old = Int(numbers.1), var new = Int(numbers.2)
        else { return text.utf8.count > maximumHunkBytes ? "" : text }
        var start = lines.endIndex
        var bytes = 0
        while start > 1, lines.endIndex - start < maximumHunkLines {
            bytes += lines[start - 1].utf8.count + 1
            guard bytes <= maximumHunkBytes else { break }
            start -= 1
        }
        for line in lines[1..<max(1, start)] {
            if isInOld(line) { old += 1 }
            if isInNew(line) { new += 1 }
        }
        let kept = lines[max(1, start)...]
        let newHeader = "@@ -\(old),\(kept.count(where: isInOld)) +\(new),\(kept.count(where: isInNew)) @@"
        return ([Substring(newHeader)] + kept).joined(separator: "\n")
    }

    private static func isInOld(_ line: Substring) -> Bool {
        line.utf8.first != UInt8(ascii: "+") && isCode(line)
    }

    private static func isInNew(_ line: Substring) -> Bool {
        line.utf8.first != UInt8(ascii: "-") && isCode(line)
    }

    /// False for "\ No newline at end of file".
    private static func isCode(_ line: Substring) -> Bool { line.utf8.first != UInt8(ascii: "\\") }
}

extension PullDetailsDraft.Thread {
    /// Comments of the viewer's own unfinished review are not part of the conversation.
    var published: [PullDetailsDraft.Comment] { comments.filter { !$0.isPending && $0.at != nil } }
}

extension PullDetails.Person {
    /// Returns nil without a possible login.
    init?(_ login: String?, avatarURL: String? = nil) {
        guard let login = login?.sanitized, !login.isWhitespace,
            login.utf8.count <= ValidationError.maximumTextBytes
        else { return nil }
        self.init(login: login, avatarURL: avatarURL.flatMap(PullText.url))
    }

    init?(_ actor: GitHubActor) { self.init(actor.login, avatarURL: actor.avatarURL) }
}

/// Texts of GitHub, checked.
package enum PullText {
    /// Returns nil for anything but an http or https URL of a possible length.
    static func url(_ text: String) -> String? {
        let isWeb = text.hasPrefix("https://") || text.hasPrefix("http://")
        return isWeb && text.utf8.count <= 2_048 && text.utf8.allSatisfy({ $0 > 0x20 && $0 != 0x7F })
            ? text : nil
    }

    /// One line of plain text, cut by scalars: a single character may hold megabytes of accents.
    static func line(_ text: String?, maximum: Int = 400) -> String {
        String((text ?? "").unicodeScalars.prefix(maximum)).sanitized
    }

    /// Returns the text if it is a commit's SHA: 40 or 64 hexadecimal digits.
    package static func sha(_ text: String?) -> String? {
        guard let text, text.utf8.count == 40 || text.utf8.count == 64,
            text.utf8.allSatisfy({ (0x30...0x39).contains($0) || (0x61...0x66).contains($0) })
        else { return nil }
        return text
    }
}
