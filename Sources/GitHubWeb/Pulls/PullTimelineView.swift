import Foundation
import GitHub
import RoostWeb
import SourceCode
import TextFormats

/// The conversation of a pull request, oldest first.
struct PullTimelineView {
    let entries: [PullEntryView]
    let omitted: String?
    /// Entries since the reader's last look.
    let newCount: Int
    let gitHub: String

    /// - Parameter thread: the id of the thread that the page's address names, which is shown open
    init(
        _ details: PullDetails, _ content: PullPageContent, lastSeen: Date?, thread: String? = nil,
        _ pictures: inout PullPictures
    ) {
        let reasons = PullReasonPlaces(
            content.view.item?.reasons ?? [], in: details, login: content.login)
        let isNew: (Date, String?) -> Bool = { at, author in
            guard let lastSeen, at > lastSeen else { return false }
            return author?.isSameLogin(as: content.login) != true
        }
        var entries: [PullEntryView] = []
        for (index, entry) in details.timeline.enumerated() {
            var view = PullEntryView(
                entry, at: index, of: details, as: content.account, isNew: isNew, reasons: reasons,
                now: content.now, &pictures)
            for index in view.threads.indices where view.threads[index].threadKey == thread {
                view.threads[index].isNamed = true
            }
            if view.isNew, !entries.contains(where: \.isNew) { view.isFirstNew = true }
            entries.append(view)
        }
        self.entries = entries
        newCount = entries.reduce(0) { $0 + $1.newCount }
        omitted =
            details.omittedEntries > 0
            ? "\(NumberText.grouped(details.omittedEntries)) older \(details.omittedEntries == 1 ? "entry is" : "entries are") on GitHub."
            : nil
        gitHub = details.pull.htmlURL
    }
}

/// One thing that happened: a comment, a review, or an event in one line.
struct PullEntryView {
    struct CommitRow {
        let sha, headline, commitAuthor: String

        init(_ commit: PullDetails.Commit) {
            sha = String(commit.sha.unicodeScalars.prefix(7))
            headline = commit.headline
            commitAuthor = commit.author
        }
    }

    let entryKey, kind, phrase: String
    let person: PersonView
    /// What the phrase is about: a reviewer, or a title.
    var object: String?
    let time, when: String
    let isNew: Bool
    var isFirstNew = false
    let entryReasons: [String]
    var text: PullTextView?
    var isMinimized = false
    var url: String?
    var commits: [CommitRow] = []
    var threads: [PullThreadView] = []

    var newCount: Int { (isNew ? 1 : 0) + threads.reduce(0) { $0 + $1.newCount } }
    /// A description, comment or review has a box; other events have one line.
    var isBoxed: Bool { text != nil || !threads.isEmpty }
    var hasCommits: Bool { !commits.isEmpty }

    init(
        _ entry: PullDetails.Entry, at index: Int, of details: PullDetails, as account: GitHubAccountID?,
        isNew: (Date, String?) -> Bool, reasons: PullReasonPlaces,
        now: Date, _ pictures: inout PullPictures
    ) {
        entryKey = "entry-\(index)"
        time = ISO8601.seconds(entry.at)
        when = RelativeTime.ago(entry.at, now: now)
        entryReasons = reasons.labels(ofEntry: index)
        let by: PullDetails.Person?
        var pusher: String?
        switch entry.event {
        case .comment(let comment):
            (by, kind, phrase) = (comment.author, "comment", "commented")
            (text, url, isMinimized) = (pictures.text(comment.body), comment.url, comment.isMinimized)
        case .review(_, let person, let verdict, let body, let threads, let url):
            (by, kind, phrase) = (person, verdict.rawValue, Self.phrase(verdict))
            (text, self.url) = (pictures.text(body), url)
            self.threads = threads.map { thread in
                var view = PullThreadView(thread, isNew: isNew, reasons: reasons, now: now, &pictures)
                view.reply = PullReplyView(thread, of: details, as: account)
                return view
            }
        case .commits(let commits):
            (by, pusher, kind) = (nil, commits.last?.author, "commits")
            phrase = commits.count == 1 ? "pushed a commit" : "pushed \(commits.count) commits"
            self.commits = commits.map(CommitRow.init)
        case .forcePush(let person, let before, let after):
            (by, kind) = (person, "commits")
            phrase = "force-pushed from \(before.prefix(7)) to \(after.prefix(7))"
        case .reviewRequested(let person, let reviewer):
            (by, kind, phrase, object) = (person, "requested", "requested a review from", reviewer)
        case .reviewRequestRemoved(let person, let reviewer):
            (by, kind, phrase, object) = (person, "event", "removed the review request for", reviewer)
        case .renamed(let person, _, let title):
            (by, kind, phrase, object) = (person, "event", "changed the title to", title)
        case .readyForReview(let person):
            (by, kind, phrase) = (person, "event", "marked this as ready for review")
        case .convertedToDraft(let person):
            (by, kind, phrase) = (person, "event", "made this a draft")
        case .closed(let person): (by, kind, phrase) = (person, "closed", "closed this")
        case .reopened(let person): (by, kind, phrase) = (person, "event", "reopened this")
        case .merged(let person, let commit):
            (by, kind) = (person, "merged")
            phrase = commit.map { "merged this as \($0.prefix(7))" } ?? "merged this"
        }
        person = pusher.map { pictures.person($0, nil) } ?? pictures.person(by)
        self.isNew = isNew(entry.at, pusher ?? by?.login)
    }

    private static func phrase(_ verdict: PullDetails.Reviewer.Verdict) -> String {
        switch verdict {
        case .approved: "approved these changes"
        case .changesRequested: "requested changes"
        case .commented, .requested: "reviewed"
        case .dismissed: "reviewed; the review was dismissed"
        }
    }
}

struct PullCommentView {
    let commentKey: String
    let person: PersonView
    let time, when: String
    let text: PullTextView?
    let url: String
    let isNew, isMinimized: Bool
    let entryReasons: [String]
}

/// A conversation on lines of a file, below the code that it is about.
struct PullThreadView: Sendable {
    /// Lines of code above the comments.
    private static let shownLines = 6

    /// The path has codes in place of characters that would hide or reorder it.
    let threadKey, shownPath: String
    let place: String?
    let isResolved, isOutdated: Bool
    let codeLines: [DiffLineView]
    let comments: [PullCommentView]
    var reply: PullReplyView?
    /// True for the thread that the page's address names.
    var isNamed = false

    var newCount: Int { comments.reduce(0) { $0 + ($1.isNew ? 1 : 0) } }
    /// A resolved or outdated thread is folded, unless something in it is new or the address names it.
    var isOpen: Bool { !isResolved && !isOutdated || newCount > 0 || isNamed }
    var hasCode: Bool { !codeLines.isEmpty }
    var count: String { comments.count == 1 ? "1 comment" : "\(comments.count) comments" }

    init(
        _ thread: PullDetails.Thread, isNew: (Date, String?) -> Bool, reasons: PullReasonPlaces, now: Date,
        showsCode: Bool = true, _ pictures: inout PullPictures
    ) {
        threadKey = thread.id
        shownPath = InvisibleCharacters.visible(thread.path)
        place = Self.place(of: thread)
        (isResolved, isOutdated) = (thread.isResolved, thread.isOutdated)
        let hunk = showsCode ? FileDiff(patch: thread.diffHunk, path: thread.path).hunks.last : nil
        codeLines = hunk.map { $0.lines.suffix(Self.shownLines).map { DiffLineView($0) } } ?? []
        comments = thread.comments.map { comment in
            PullCommentView(
                commentKey: comment.id, person: pictures.person(comment.author),
                time: ISO8601.seconds(comment.at), when: RelativeTime.ago(comment.at, now: now),
                text: pictures.text(comment.body), url: comment.url,
                isNew: isNew(comment.at, comment.author?.login), isMinimized: comment.isMinimized,
                entryReasons: reasons.labels(ofComment: comment.id))
        }
    }
}

extension PullThreadView {
    /// "line 12" or "lines 11–12"; nil for a thread on a whole file.
    static func place(of thread: PullDetails.Thread) -> String? {
        thread.line.map { last in
            thread.startLine.map { $0 < last ? "lines \($0)–\(last)" : "line \(last)" } ?? "line \(last)"
        }
    }
}

/// Where in the conversation each reason began for which it is the reader's turn.
struct PullReasonPlaces {
    private enum Place: Hashable {
        case entry(Int)
        case comment(String)
    }

    private var labels: [Place: [String]] = [:]

    init(_ reasons: [TurnReason], in details: PullDetails, login: String) {
        for reason in reasons {
            guard let place = Self.place(of: reason, in: details, login: login) else { continue }
            labels[place, default: []].append(reason.label(withoutOwner: details.pull.repositoryOwner))
        }
    }

    func labels(ofEntry index: Int) -> [String] { labels[.entry(index)] ?? [] }
    func labels(ofComment id: String) -> [String] { labels[.comment(id)] ?? [] }

    private static func place(of reason: TurnReason, in details: PullDetails, login: String) -> Place? {
        let timeline = details.timeline
        func last(_ matches: (PullDetails.Event) -> Bool) -> Place? {
            timeline.lastIndex { matches($0.event) }.map(Place.entry)
        }
        switch reason {
        case .askedByName:
            return last {
                if case .reviewRequested(_, let name) = $0 { name.isSameLogin(as: login) } else { false }
            }
        case .askedThroughTeam(let team):
            return last {
                guard case .reviewRequested(_, let name) = $0 else { return false }
                return team.map { name.isSameLogin(as: $0) } ?? name.utf8.contains(UInt8(ascii: "/"))
            }
        case .changesRequested:
            return last { if case .review(_, _, .changesRequested, _, _, _) = $0 { true } else { false } }
        case .approvedUnmerged:
            return last { if case .review(_, _, .approved, _, _, _) = $0 { true } else { false } }
        case .approvalDismissed(byPush: true): return last(isPush)
        case .approvalDismissed(byPush: false):
            return last {
                guard case .review(_, let person, .dismissed, _, _, _) = $0 else { return false }
                return person?.login.isSameLogin(as: login) == true
            }
        case .changedSinceReview:
            let review = timeline.lastIndex { isReview($0.event, by: login) } ?? -1
            return timeline.indices.first { $0 > review && isPush(timeline[$0].event) }.map(Place.entry)
        case .commentAnswered, .commentUnanswered: return lastComment(in: timeline, except: login)
        case .assigned, .checksFail, .conflicts: return nil
        }
    }

    private static func isPush(_ event: PullDetails.Event) -> Bool {
        switch event {
        case .commits, .forcePush: true
        default: false
        }
    }

    private static func isReview(_ event: PullDetails.Event, by login: String) -> Bool {
        guard case .review(_, let person, _, _, _, _) = event else { return false }
        return person?.login.isSameLogin(as: login) == true
    }

    private static func lastComment(in timeline: [PullDetails.Entry], except login: String) -> Place? {
        var found: (at: Date, place: Place)?
        func consider(_ person: PullDetails.Person?, _ at: Date, _ place: Place) {
            guard person?.login.isSameLogin(as: login) != true, at >= found?.at ?? .distantPast else {
                return
            }
            found = (at, place)
        }
        for (index, entry) in timeline.enumerated() {
            switch entry.event {
            case .comment(let comment): consider(comment.author, entry.at, .entry(index))
            case .review(_, let person, _, let body, let threads, _):
                if !body.isEmpty { consider(person, entry.at, .entry(index)) }
                for comment in threads.flatMap(\.comments) {
                    consider(comment.author, comment.at, .comment(comment.id))
                }
            default: break
            }
        }
        return found?.place
    }
}
