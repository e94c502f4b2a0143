/// The texts, events and threads on the page of a simulated pull request.
///
/// Everything follows from the pull request, so that GraphQL and REST agree.
struct PullStory {
    struct Comment {
        let id: Int
        let author: SimulatedPerson?
        let html: String
        let at: Int
    }

    struct Review {
        let id: Int
        let author: SimulatedPerson
        let state: SimulatedReview.State
        let html: String
        let at: Int
        let oid: String
    }

    struct Thread {
        let id: Int
        let review: Int
        let isResolved: Bool
        let path: String
        /// Nil if the line is gone.
        let line: Int?
        let hunk: String
        let comments: [Comment]
    }

    enum Event {
        case comment(Comment)
        case review(Review)
        case commit(oid: String, headline: String, author: SimulatedPerson?)
        case forcePush(before: String, after: String)
        case requested(SimulatedReviewer)
        case renamed(from: String, to: String)
        case ready
        case closed
        case merged(by: SimulatedPerson?)
    }

    struct Entry {
        let at: Int
        let event: Event
    }

    let pull: SimulatedPull
    let baseURL: GitHubBaseURL

    var headBranch: String {
        let words = pull.title.lowercased().split { !$0.isASCII || !($0.isLetter || $0.isNumber) }.prefix(4)
        return (pull.author?.isBot == true ? "bump/" : "topic/")
            + (words.isEmpty ? "\(pull.number)" : words.joined(separator: "-"))
    }

    /// Its parent is the same for all heads.
    var baseCommit: String {
        let digits = Fingerprint.text(Array("base/\(pull.id)".utf8))
        return digits + digits.prefix(8)
    }

    /// The issue that a merge closes.
    var issue: (number: Int, title: String)? {
        pull.id % 3 == 0 ? (pull.number + 400, "\(pull.title) is needed") : nil
    }

    var descriptionHTML: String {
        let body = Self.paragraphs(pull.body, baseURL)
        guard pull.author?.isBot != true else { return body + Self.releaseNotes }
        // A command gives the whole text.
        guard pull.id < 2_000_000_000 else { return body }
        let extra = Self.descriptions[pull.id % Self.descriptions.count]
        let link = issue.map {
            "<p dir=\"auto\">Closes <a class=\"issue-link js-issue-link\" "
                + "href=\"\(baseURL.page(pull.repository))/issues/\($0.number)\">#\($0.number)</a>.</p>"
        }
        return body + extra(pull, baseURL) + (link ?? "")
    }

    // MARK: The conversation

    var comments: [Comment] {
        pull.comments.enumerated().map { comment($1, id: pull.id * 10 + $0) }
    }

    private func comment(_ comment: SimulatedComment, id: Int) -> Comment {
        Comment(
            id: id, author: comment.author, html: Self.paragraphs(comment.text, baseURL), at: comment.at)
    }

    /// The reviews, and one for each thread.
    var reviews: [Review] {
        let verdicts = pull.reviews.enumerated().map { index, review in
            Review(
                id: pull.id * 10 + index, author: review.author, state: review.state,
                html: Self.words[review.state].map { "<p dir=\"auto\">\($0)</p>" } ?? "", at: review.at,
                oid: review.oid)
        }
        let others = pull.threads.enumerated().compactMap { index, thread in
            thread.comments.first.map { first in
                Review(
                    id: threadReview(index), author: first.author, state: .commented, html: "", at: first.at,
                    oid: pull.head.oid)
            }
        }
        return (verdicts + others).sorted { ($0.at, $0.id) < ($1.at, $1.id) }
    }

    private func threadReview(_ index: Int) -> Int { pull.id * 10 + 5_000 + index }

    private static let words: [SimulatedReview.State: String] = [
        .approved: "Looks good to me.", .changesRequested: "Please see my notes in the code.",
    ]

    var threads: [Thread] {
        let files = pull.files.filter { $0.addedLine(0) != nil }
        return pull.threads.enumerated().compactMap { index, thread in
            guard !files.isEmpty else { return nil }
            let file = files[index % files.count]
            guard let line = file.addedLine(index * 7 + 2) else { return nil }
            let comments = thread.comments.enumerated().map { number, comment in
                self.comment(comment, id: pull.id * 10 + 100_000 + index * 100 + number)
            }
            return Thread(
                id: pull.id * 10 + index, review: threadReview(index), isResolved: thread.isResolved,
                path: file.path, line: line.number, hunk: line.hunk, comments: comments)
        }
    }

    /// Oldest first.
    var timeline: [Entry] {
        var entries = comments.map { Entry(at: $0.at, event: .comment($0)) }
        entries += reviews.map { Entry(at: $0.at, event: .review($0)) }
        entries += pull.commits.enumerated().map { index, commit in
            Entry(
                at: commit.at,
                event: .commit(
                    oid: commit.oid, headline: Self.headlines(pull)[index % 4],
                    author: pull.author))
        }
        entries += pull.requestEvents.map { Entry(at: $0.at, event: .requested($0.reviewer)) }
        if let readyAt = pull.readyAt { entries.append(Entry(at: readyAt, event: .ready)) }
        if pull.id % 5 == 2, pull.commits.count > 1 {
            let (before, after) = (pull.commits[pull.commits.count - 2], pull.head)
            entries.append(Entry(at: after.at, event: .forcePush(before: before.oid, after: after.oid)))
        }
        if pull.id % 6 == 1 {
            let rename = Event.renamed(from: "WIP: \(pull.title)", to: pull.title)
            entries.append(Entry(at: pull.createdAt + 60_000, event: rename))
        }
        if let endedAt = pull.endedAt {
            let isMerged = pull.state == .merged
            entries.append(Entry(at: endedAt, event: isMerged ? .merged(by: pull.mergedBy) : .closed))
        }
        return entries.enumerated().sorted { ($0.element.at, $0.offset) < ($1.element.at, $1.offset) }
            .map(\.element)
    }

    private static func headlines(_ pull: SimulatedPull) -> [String] {
        [pull.title, "Add a test that fails without the change", "Answer the review", "Say why in a comment"]
    }

    // MARK: Texts as GitHub renders them

    /// Plain text in paragraphs, with links to the people that it mentions.
    static func paragraphs(_ text: String, _ baseURL: GitHubBaseURL) -> String {
        text.split(separator: "\n").map { line in
            let words = line.split(separator: " ", omittingEmptySubsequences: false).map { word in
                guard word.hasPrefix("@"), let person = SimulatedCast.person(String(word.dropFirst())) else {
                    return ReadmeMarkup.escaped(String(word))
                }
                return "<a class=\"user-mention notranslate\" href=\"\(baseURL.page(person))\">"
                    + "@\(person.login)</a>"
            }
            return "<p dir=\"auto\">\(words.joined(separator: " "))</p>"
        }.joined(separator: "\n")
    }

    private typealias Description = @Sendable (SimulatedPull, GitHubBaseURL) -> String

    private static let descriptions: [Description] = [
        { pull, baseURL in
            """
            <h2 dir="auto">Why</h2>
            <p dir="auto">Sums with more than ninety-nine cards lost the <em>last</em> carry. The mill went on
            with a wrong column, and nobody heard the bell.</p>
            <h2 dir="auto">What changes</h2>
            <ul dir="auto">
            <li><code class="notranslate">Carry</code> keeps the carry between wheels</li>
            <li>an overflow is reported instead of cut</li>
            <li>see <a href="\(baseURL.page(pull.repository))/blob/main/docs/engine.md">the notes</a></li>
            </ul>
            """
        },
        { pull, baseURL in
            """
            <p dir="auto">Before and after, on the harbour's display:</p>
            <p dir="auto"><a target="_blank" rel="noopener noreferrer" href="\(baseURL.avatar(pull.id % 900))">\
            <img src="\(baseURL.avatar(pull.id % 900))" alt="The chart after the change" width="160" \
            style="max-width: 100%;"></a></p>
            <ul class="contains-task-list"><li class="task-list-item"><input type="checkbox" disabled="" \
            class="task-list-item-checkbox" checked=""> works without JavaScript</li>
            <li class="task-list-item"><input type="checkbox" disabled="" \
            class="task-list-item-checkbox"> tested with a screen reader</li></ul>
            """
        },
        { _, _ in
            """
            <p dir="auto">Measured on the large fixture:</p>
            <markdown-accessiblity-table><table><thead><tr><th>Table</th><th align="right">Before</th>
            <th align="right">After</th></tr></thead><tbody><tr><td>one year</td><td align="right">1.9 s</td>
            <td align="right">0.4 s</td></tr><tr><td>ten years</td><td align="right">21 s</td>
            <td align="right">3.8 s</td></tr></tbody></table></markdown-accessiblity-table>
            <div class="highlight highlight-source-shell notranslate" dir="auto"><pre>\
            <span class="pl-c"><span class="pl-c">#</span> the same as before</span>
            make tables YEAR=2026 <span class="pl-k">|</span> tail -1</pre></div>
            """
        },
        { _, _ in
            """
            <blockquote><p dir="auto">Could this wait for the next release?</p></blockquote>
            <p dir="auto">No: the tables for <strong>March</strong> are printed on Monday. The change is small
            and can be reverted on its own.</p>
            <ol dir="auto"><li>read the settings once</li><li>keep the answer for fifteen minutes</li>
            <li>drop it when the file changes</li></ol>
            """
        },
    ]

    private static let releaseNotes = """
        <details><summary>Release notes</summary>
        <ul dir="auto"><li>Fixes a crash with empty archives</li><li>Drops support for end-of-life runtimes</li>
        </ul></details>
        """
}
