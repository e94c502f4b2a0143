import Foundation
import GitHub
import RoostWeb
import SourceCode
import TextFormats

/// `/pulls/OWNER/NAME/NUMBER/files/diff?path=PATH`: the changes of one file, in one column or in two.
struct FileDiffView {
    struct HunkView {
        /// "34 unchanged lines" above, or nil.
        let gap: String?
        let whole: WholeLink?
        let heading: String?
        let lines: [DiffLineView]
        let pairs: [DiffPairView]

        var hasStart: Bool { gap != nil || heading != nil }
    }

    /// Shows all lines of the file, or only the changes again.
    struct WholeLink {
        /// The page that shows it, and the same as a fragment.
        let wholePage, wholeFragment: String
    }

    struct Picture {
        let label, address: String
    }

    /// With codes in place of characters that would hide or reorder it.
    let shownPath: String
    let isSplit: Bool
    let hunks: [HunkView]
    let pictures: [Picture]
    /// Why there are no lines, or not all.
    let message: String?
    /// Why not all lines are shown although they were asked for.
    let wholeProblem: String?
    let wholeText: String
    let whole: WholeLink?
    let gitHub: String
    /// Threads whose line is not in the diff.
    let otherThreads: [PullThreadView]
    /// Adds a comment to the user's review. Nil if GitHub would refuse it: only lines of the whole change take comments.
    let lineForm: PullActForm?
    /// Equal for equal content.
    let fingerprint: Int

    /// Of the table.
    var columns: Int { isSplit ? 4 : 3 }
    var hasHunks: Bool { !hunks.isEmpty }
    var hasPictures: Bool { !pictures.isEmpty }
    var hasLineForm: Bool { lineForm != nil }
    var hasOtherThreads: Bool { !otherThreads.isEmpty }

    init(
        _ file: PullFile, _ content: PullPageContent, _ query: PullPageQuery,
        pictures services: GitHubServices?
    ) {
        shownPath = InvisibleCharacters.visible(file.path)
        let look = DiffLook(content, query)
        isSplit = look.isSplit
        let patch = query.isWhole ? file.wholePatch(content.wholeText) : nil
        let diff = (patch ?? file.patch).map {
            FileDiff(patch: $0, path: file.path, hidesWhitespace: look.hidesWhitespace)
        }
        let isWhole = patch != nil
        wholeProblem =
            query.isWhole && !isWhole && file.patch != nil
            ? content.wholeProblem ?? "All lines of this file cannot be shown." : nil
        let whole = Self.whole(file, diff, content, query, isWhole: isWhole)
        (self.whole, wholeText) = (whole, isWhole ? "Show only the changes" : "Show all lines")
        var threads = FileThreads(of: file.path, content, services)
        let isSplit = isSplit
        hunks = (diff?.hunks ?? []).map { hunk in
            let lines = isSplit ? [] : hunk.lines.map { DiffLineView($0, threads.take($0)) }
            let pairs =
                isSplit ? FileDiff.rows(of: hunk, in: diff).map { DiffPairView($0, threads.take($0)) } : []
            return HunkView(
                gap: Self.gap(hunk.hiddenLines), whole: whole,
                heading: hunk.heading.isEmpty ? nil : hunk.heading,
                lines: lines, pairs: pairs)
        }
        otherThreads = threads.rest
        let head = content.shownHead
        lineForm =
            hunks.isEmpty || head.isEmpty || query.since != nil
            ? nil : PullActForm.comment(on: file.path, content.key, head: head)
        pictures = Self.pictures(of: file, content, head: head)
        message = Self.message(file, diff, hasPictures: !pictures.isEmpty)
        gitHub = (content.view.details?.pull ?? content.view.item?.pull)?.htmlURL ?? ""
        var hasher = Hasher()
        hasher.combine(file.blob)
        hasher.combine(file.patch)
        hasher.combine(look)
        hasher.combine(query)
        hasher.combine(head)
        hasher.combine(patch)
        hasher.combine(wholeProblem)
        hasher.combine(content.view.details?.fetchedAt)
        fingerprint = hasher.finalize()
    }

    /// Nil for a file without other lines than those that are shown.
    private static func whole(
        _ file: PullFile, _ diff: FileDiff?, _ content: PullPageContent, _ query: PullPageQuery, isWhole: Bool
    ) -> WholeLink? {
        guard let diff, isWhole || !diff.isCut && !diff.hunks.isEmpty, file.status != .added,
            file.status != .removed
        else { return nil }
        let look = DiffLook(content, query)
        let page = query.page > 1 ? "\(query.page)" : nil
        let lines = isWhole ? nil : "all"
        let place = content.files?.files.firstIndex { $0.path.utf8.elementsEqual(file.path.utf8) }
        return WholeLink(
            wholePage: look.page(
                of: content.key, ["since": query.since, "page": page, "open": file.path, "lines": lines])
                + (place.map { "#file-\($0 + 1)" } ?? ""),
            wholeFragment: look.fragment(of: file, content.key, query, lines: lines))
    }

    private static func gap(_ lines: Int) -> String? {
        lines > 0 ? "\(NumberText.grouped(lines)) unchanged \(lines == 1 ? "line" : "lines")" : nil
    }

    private static func message(_ file: PullFile, _ diff: FileDiff?, hasPictures: Bool) -> String? {
        if let diff {
            if diff.isCut { return "Only the beginning of this change is shown." }
            return diff.hunks.isEmpty && file.patch?.isEmpty == false ? "Only whitespace changed." : nil
        }
        if hasPictures { return nil }
        if file.additions + file.deletions > 0 {
            return "GitHub leaves out this change because it is too large."
        }
        switch file.status {
        case .renamed: return "Renamed without other changes."
        case .copied: return "Copied without changes."
        case .added where file.patch == nil: return "An empty or binary file."
        default: return "A binary file, or a change of its permissions only."
        }
    }

    private static func pictures(
        of file: PullFile, _ content: PullPageContent, head: String
    ) -> [Picture] {
        guard file.patch == nil, PullFileRow.isPicture(file.path), let details = content.view.details else {
            return []
        }
        func address(_ path: String, _ commit: String) -> String {
            content.key.page("/files/image", ["path": path, "commit": commit])
        }
        var pictures: [Picture] = []
        if file.status != .added, let base = PullText.sha(details.baseCommit) {
            pictures.append(
                Picture(label: "Before", address: address(file.previousPath ?? file.path, base)))
        }
        if file.status != .removed, let head = PullText.sha(head) {
            pictures.append(Picture(label: "After", address: address(file.path, head)))
        }
        return pictures
    }
}

extension PullFile {
    /// Nil if the text is not this file after the change.
    fileprivate func wholePatch(_ text: String?) -> String? {
        guard let patch, let text else { return nil }
        return FileDiff.wholePatch(patch, file: text)
    }
}

extension FileDiff {
    fileprivate static func rows(of hunk: Hunk, in diff: FileDiff?) -> [Pair] { diff?.pairs(of: hunk) ?? [] }
}

/// The threads of a file that are not shown yet.
private struct FileThreads {
    private var threads: [(thread: PullDetails.Thread, view: PullThreadView)] = []

    init(of path: String, _ content: PullPageContent, _ services: GitHubServices?) {
        guard let details = content.view.details else { return }
        var pictures = PullPictures(services, on: content.key.host)
        let reasons = PullReasonPlaces(content.view.item?.reasons ?? [], in: details, login: content.login)
        for entry in details.timeline {
            guard case .review(_, _, _, _, let found, _) = entry.event else { continue }
            for thread in found where thread.path.utf8.elementsEqual(path.utf8) && !thread.isOutdated {
                var view = PullThreadView(
                    thread, isNew: { _, _ in false }, reasons: reasons, now: content.now, showsCode: false,
                    &pictures)
                view.reply = PullReplyView(thread, of: details, as: content.account)
                threads.append((thread, view))
            }
        }
    }

    /// Returns and removes the threads that end on a line.
    mutating func take(_ line: FileDiff.Line) -> [PullThreadView] {
        take { $0.isOnOldFile ? line.oldNumber : line.newNumber }
    }

    mutating func take(_ pair: FileDiff.Pair) -> [PullThreadView] {
        take { $0.isOnOldFile ? pair.old?.oldNumber : pair.new?.newNumber }
    }

    private mutating func take(_ number: (PullDetails.Thread) -> Int?) -> [PullThreadView] {
        guard !threads.isEmpty else { return [] }
        let isHere = threads.map { $0.thread.line != nil && $0.thread.line == number($0.thread) }
        guard isHere.contains(true) else { return [] }
        let found = zip(threads, isHere).filter(\.1).map(\.0.view)
        threads = zip(threads, isHere).filter { !$0.1 }.map(\.0)
        return found
    }

    var rest: [PullThreadView] { threads.map(\.view) }
}

/// A line of a diff in one column.
struct DiffLineView: Sendable {
    let kind, sign: String
    let oldNumber, newNumber: Int?
    let spans: [DiffSpanView]
    let isCut: Bool
    let threads: [PullThreadView]

    var hasThreads: Bool { !threads.isEmpty }

    init(_ line: FileDiff.Line, _ threads: [PullThreadView] = []) {
        kind = line.kind.rawValue
        sign =
            switch line.kind {
            case .added: "+"
            case .removed: "−"
            case .context: ""
            }
        (oldNumber, newNumber, isCut) = (line.oldNumber, line.newNumber, line.isCut)
        spans = line.spans.map(DiffSpanView.init)
        self.threads = threads
    }
}

/// A row of a diff in two columns.
struct DiffPairView {
    let old, new: DiffLineView?
    let threads: [PullThreadView]

    var hasThreads: Bool { !threads.isEmpty }

    init(_ pair: FileDiff.Pair, _ threads: [PullThreadView] = []) {
        old = pair.old.map { DiffLineView($0) }
        new = pair.new.map { DiffLineView($0) }
        self.threads = threads
    }
}

/// A part of a line in one colour.
struct DiffSpanView {
    let spanText: String
    /// Nil for plain text.
    let spanClass: String?

    init(_ span: FileDiff.Span) {
        spanText = span.text
        var classes: [String] = []
        if let syntax = span.syntax { classes.append("syntax-\(syntax.rawValue)") }
        if span.isChanged { classes.append("changed") }
        if span.isEscape { classes.append("escape") }
        spanClass = classes.isEmpty ? nil : classes.joined(separator: " ")
    }
}
