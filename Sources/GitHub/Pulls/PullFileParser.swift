import Foundation
import TextFormats

/// Reads changed files: `GET /repos/OWNER/NAME/pulls/NUMBER/files` and `GET /repos/OWNER/NAME/compare/BASE...HEAD`
/// (docs.github.com, "List pull requests files" and "Compare two commits").
enum PullFileParser {
    /// In bytes of JSON. GitHub leaves out larger diffs.
    static let maximumPatchBytes = 2_000_000
    /// GitHub sends up to 100 files a page, and up to 300 of a comparison.
    static let maximumFiles = 300

    struct Page: Sendable {
        var files: [PullFile] = []
        /// SHA of the head that the files belong to, if there are any.
        var headCommit: String?
        var next: Int?
    }

    /// Throws `JSONReader.Malformed`, and `ValidationError` if there is no list of files.
    static func page(_ body: Data) throws -> Page {
        var reader = JSONReader(body)
        var page = Page()
        guard try files(&reader, &page) else { throw ValidationError(field: "files", why: "is missing") }
        try reader.end()
        return page
    }

    /// Throws `JSONReader.Malformed`, and `ValidationError` if there is no list of files.
    static func comparison(_ body: Data) throws -> Page {
        var reader = JSONReader(body)
        var page = Page()
        var hasFiles = false
        try reader.object { reader, name in
            if name == "files" { hasFiles = try files(&reader, &page) }
        }
        try reader.end()
        guard hasFiles else { throw ValidationError(field: "files", why: "is missing") }
        return page
    }

    private static func files(_ reader: inout JSONReader, _ page: inout Page) throws -> Bool {
        guard try reader.isList() else { return false }
        return try reader.list { reader in
            guard page.files.count < maximumFiles, let (file, head) = try file(&reader) else { return }
            page.files.append(file)
            page.headCommit = page.headCommit ?? head
        }
    }

    /// Returns nil for a file without a name.
    private static func file(_ reader: inout JSONReader) throws -> (PullFile, head: String?)? {
        var (path, previous, status, patch): (String?, String?, String?, String?) = (nil, nil, nil, nil)
        var (additions, deletions): (Int?, Int?) = (nil, nil)
        var (blob, contents): (String?, String?) = (nil, nil)
        try reader.object { reader, name in
            switch name {
            case "filename": path = try reader.string(atMost: 65_536)
            case "previous_filename": previous = try reader.string(atMost: 65_536)
            case "status": status = try reader.string()
            case "additions": additions = try reader.count()
            case "deletions": deletions = try reader.count()
            case "sha": blob = PullText.sha(try reader.string())
            case "contents_url": contents = try reader.string(atMost: 65_536)
            case "patch": patch = try reader.string(atMost: maximumPatchBytes)
            default: break
            }
        }
        guard let path, !path.isEmpty else { return nil }
        let file = PullFile(
            path: path, previousPath: previous, status: status.flatMap(PullFile.Status.init) ?? .changed,
            additions: additions ?? 0, deletions: deletions ?? 0,
            patch: patch.flatMap { $0.isEmpty ? nil : $0 }, blob: blob)
        return (file, contents.flatMap(head))
    }

    /// The commit in `https://api.github.com/repos/o/n/contents/file?ref=SHA`.
    private static func head(_ url: String) -> String? {
        let query = url.splitBytes(at: "?").last ?? ""
        return query.splitBytes(at: "&").lazy.filter { $0.hasPrefix("ref=") }
            .compactMap { PullText.sha(String($0.dropFirst(4))) }.first
    }
}
