import Foundation
import GitHub
import RoostWeb
import SourceCode
import TextFormats

/// The changed files of a pull request, each with its diff on demand.
struct PullFilesView {
    let fileRows: [PullFileRow]
    let summary: String
    let viewedText: String?
    let isSplit, isSince, hidesWhitespace: Bool
    let allFiles, back: String
    /// The changes since the reader's own review; nil if there are none.
    let sinceReview: String?
    let previousPage, nextPage: String?
    private let problemText: String?
    let retry: String

    init(_ content: PullPageContent, _ query: PullPageQuery, pictures: GitHubServices?) {
        let key = content.key
        let look = DiffLook(content, query)
        (isSplit, hidesWhitespace) = (look.isSplit, look.hidesWhitespace)
        isSince = query.since != nil
        allFiles = key.page("/files")
        back = key.page("/files", ["since": query.since, "page": query.page > 1 ? "\(query.page)" : nil])
        retry = key.page("/refresh")
        sinceReview = content.reviewedCommit.map { key.page("/files", ["since": $0]) }
        let files = content.files?.files ?? []
        fileRows = files.enumerated().map { index, file in
            PullFileRow(file, at: index, content, query, pictures: pictures)
        }
        let (added, removed) = files.reduce((0, 0)) { ($0.0 + $1.additions, $0.1 + $1.deletions) }
        let count = files.count == 1 ? "1 file" : "\(NumberText.grouped(files.count)) files"
        summary =
            files.isEmpty
            ? content.files == nil ? "" : "No files."
            : "\(count), +\(NumberText.grouped(added)) −\(NumberText.grouped(removed))"
        viewedText = files.isEmpty ? nil : "\(fileRows.count { $0.isViewed }) of \(files.count) viewed"
        previousPage = query.page > 1 ? look.page(of: key, ["page": "\(query.page - 1)"]) : nil
        nextPage = content.files?.nextPage.map { look.page(of: key, ["page": "\($0)"]) }
        problemText = content.filesProblem
    }

    var hasFiles: Bool { !fileRows.isEmpty }
    var problem: TimedText? { problemText.map { TimedText($0) } }
}

/// How diffs are shown: as the address says, or else as the user has chosen.
struct DiffLook: Hashable {
    let isSplit, hidesWhitespace: Bool
    /// As in the address; nil if it does not say.
    let diffs, whitespace: String?

    init(_ content: PullPageContent, _ query: PullPageQuery) {
        isSplit = (query.diffs ?? content.choices.diffs) == .split
        hidesWhitespace = (query.whitespace ?? content.choices.whitespace) == .hidden
        (diffs, whitespace) = (query.diffs?.rawValue, query.whitespace?.rawValue)
    }

    /// The address of the files, with the look that this page's address has.
    func page(of key: PullKey, _ fields: KeyValuePairs<String, String?>) -> String {
        let look: KeyValuePairs<String, String?> = ["diffs": diffs, "whitespace": whitespace]
        return key.page("/files", Array(fields) + Array(look))
    }

    /// The address of a file's diff. Also names what the user has chosen, so that it changes after another choice.
    func fragment(
        of file: PullFile, _ key: PullKey, _ query: PullPageQuery, lines: String? = nil
    ) -> String {
        key.page(
            "/files/diff",
            [
                "path": file.path, "since": query.since, "page": query.page > 1 ? "\(query.page)" : nil,
                "diffs": isSplit ? PullPreferences.Diffs.split.rawValue : diffs,
                "whitespace": hidesWhitespace ? PullPreferences.Whitespace.hidden.rawValue : whitespace,
                "lines": lines,
            ])
    }
}

struct PullFileRow {
    /// Larger changes are folded.
    private static let foldedLines = 400
    private static let pictures = [".png", ".jpg", ".jpeg", ".gif", ".webp"]

    /// Changes with the file's content, so that a pushed file is loaded again.
    let fileKey: String
    let anchor: String
    let folder, fileName: String
    let previousPath: String?
    /// For fields. What is shown has codes in place of characters that would hide or reorder it.
    let path: String
    let shownPath: String
    let status: String
    let additions, deletions: String?
    let note: String?
    let blob: String?
    let isViewed, isOpen: Bool
    let viewedAction, back: String
    /// The diff as a fragment, and the page that shows it open.
    let diffAddress, openAddress: String
    let fileDiff: FileDiffView?

    init(
        _ file: PullFile, at index: Int, _ content: PullPageContent, _ query: PullPageQuery,
        pictures: GitHubServices?
    ) {
        let key = content.key
        let shown = InvisibleCharacters.visible(file.path)
        let slash = shown.utf8.lastIndex(of: UInt8(ascii: "/"))
        folder = slash.map { String(shown[...$0]) } ?? ""
        fileName = slash.map { String(shown[shown.utf8.index(after: $0)...]) } ?? shown
        path = file.path
        shownPath = shown
        previousPath = file.previousPath.flatMap {
            $0.utf8.elementsEqual(file.path.utf8) ? nil : InvisibleCharacters.visible($0)
        }
        status = file.status.rawValue
        additions = file.additions > 0 ? NumberText.grouped(file.additions) : nil
        deletions = file.deletions > 0 ? NumberText.grouped(file.deletions) : nil
        let isGenerated = isGenerated(path: file.path)
        let isLarge = file.additions + file.deletions > Self.foldedLines
        note = isGenerated ? "generated" : isLarge ? "large" : nil
        blob = file.blob
        isViewed = file.blob != nil && content.viewed[file.path] == file.blob
        anchor = "file-\(index + 1)"
        fileKey = "\(file.path) \(file.blob ?? "")"
        let isAskedFor = query.openPath.map { $0.utf8.elementsEqual(file.path.utf8) } ?? false
        isOpen = isAskedFor || !isViewed && !isGenerated && !isLarge
        let page = query.page > 1 ? "\(query.page)" : nil
        let look = DiffLook(content, query)
        diffAddress = look.fragment(of: file, key, query)
        openAddress =
            look.page(of: key, ["since": query.since, "page": page, "open": file.path]) + "#\(anchor)"
        viewedAction = key.page("/viewed")
        back = key.page("/files", ["since": query.since, "page": page]) + "#\(anchor)"
        fileDiff = isAskedFor ? FileDiffView(file, content, query, pictures: pictures) : nil
    }

    static func isPicture(_ path: String) -> Bool {
        let lower = path.lowercased()
        return pictures.contains { lower.utf8.count > $0.utf8.count && lower.hasSuffix($0) }
    }
}

extension PullPageContent {
    /// The head that the shown files belong to. The details may be older or newer.
    var shownHead: String { files?.headCommit ?? view.details?.headCommit ?? "" }

    /// The head that the reader reviewed, if there were changes since.
    var reviewedCommit: String? {
        guard let details = view.details,
            let mine = details.reviewers.first(where: { $0.name.isSameLogin(as: login) }),
            let commit = mine.commit, commit != details.headCommit
        else { return nil }
        return PullText.sha(commit)
    }
}
