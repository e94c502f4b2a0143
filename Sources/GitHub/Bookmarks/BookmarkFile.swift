import Foundation
import RoostSupport
import TextFormats

/// An uploaded file of bookmarks: Roost's, another program's, or handwritten.
struct BookmarkFile: Sendable {
    struct Entry: Sendable {
        let name: RepositoryName
        private(set) var tags: [String] = []
        private(set) var note = ""
        var addedAt: Date?
        /// As claimed by the file. Nothing trusts it until GitHub confirms it.
        var item: RepositoryItem?
        var isGone = false
        var checkedAt: Date?
        var seen: AcknowledgedState?
        /// The parts that could not be kept, with the reason.
        private(set) var problems: [String] = []
    }

    /// Enough for all of a user's data: 20,000 bookmarks with full notes take about 50 MB.
    static let rules = FileImportRules(
        megabytes: 64, maximumRows: 20_000, noRows: "The file has no repositories.")
    static let tooManyTags =
        "A bookmark can have at most \(TagRules.maximumTags) tags; the others were skipped."

    /// For the standard host, whose URLs count as names.
    private let addresses: RepositoryURLParser
    private let now: Date
    /// True for Markdown, whose lines without a repository are prose.
    private let isMarkdown: Bool

    /// Throws `RoostError.invalid(field: "file")` if the file isn't a list of repositories.
    static func rows(of file: [UInt8], webURL: String, now: Date) throws -> FileImport<Entry> {
        var rows = try FileImport<Entry>(of: file, rules)
        let text = try UploadedText(file, rules)
        let isMarkdown = text.bytes.firstRange(of: Array("](http".utf8)) != nil && !Self.isJSON(text)
        let file = Self(
            addresses: RepositoryURLParser(webURL: webURL), now: now, isMarkdown: isMarkdown)
        if text.kind == .json, !isMarkdown {
            try text.readJSON {
                try rows.read(listIn: &$0, file.entry)
            } member: { reader, name in
                if lists.contains(name) { try rows.read(listIn: &reader, file.entry) }
            }
        } else {
            let table = text.table(keys: [.name, .address, .shortName], Column.init(heading:))
            try rows.read(table, table.hasHeadings ? file.entry : file.handwrittenEntry)
        }
        try rows.requireRows()
        return rows
    }

    /// Reads one bookmark of Roost's own file. Throws `RoostError.invalid(field: "file")`.
    static func entry(ofLine line: [UInt8], webURL: String, now: Date) throws -> Entry {
        let file = Self(addresses: RepositoryURLParser(webURL: webURL), now: now, isMarkdown: false)
        var reader = JSONReader(bytes: line)
        do { return try file.entry(&reader) } catch is JSONReader.Malformed {
            throw RoostError.file("This line isn’t valid JSON.")
        }
    }

    /// A text that begins with `[` may also be Markdown that begins with a link.
    private static func isJSON(_ text: UploadedText) -> Bool {
        guard text.kind == .json else { return false }
        let second = text.bytes.drop { $0 <= 0x20 }.dropFirst().first { $0 > 0x20 }
        return second.map { "{[\"]0123456789tfn".utf8.contains($0) } ?? true
    }

    private static func unknownName(_ text: String?) -> RoostError {
        let excerpt = String((text ?? "").unicodeScalars.prefix(60)).sanitized.trimmed
        return .file(
            excerpt.isEmpty
                ? "This row has no repository, such as “owner/name” or a GitHub URL."
                : "“\(excerpt)” isn’t a repository. Use “owner/name” or a GitHub URL.")
    }

    // MARK: CSV

    /// The meaning of a column heading.
    private enum Column {
        case name, address, owner, shortName, tags, note, addedAt

        init?(heading: String) {
            switch heading {
            case "fullname", "repository", "repo", "namewithowner": self = .name
            case "htmlurl", "url", "link", "address", "githuburl": self = .address
            case "owner", "login", "user", "username", "author": self = .owner
            case "name", "reponame", "repositoryname": self = .shortName
            case "tags", "customtags", "labels": self = .tags
            case "note", "notes", "comment", "comments": self = .note
            case "addedat", "added", "starredat", "starred", "dateadded", "createdat": self = .addedAt
            default: return nil
            }
        }
    }

    private func entry(_ row: CSV.Table<Column>.Row) throws -> Entry {
        let texts = [row[.name], row[.address], row[.shortName]]
        let both = RepositoryName(owner: row[.owner].trimmed, name: row[.shortName].trimmed)
        guard let name = texts.lazy.compactMap(addresses.name).first ?? both else {
            throw Self.unknownName(texts.first { !$0.isBlank })
        }
        var entry = Entry(name: name)
        entry.addedAt = ISO8601.parse(row[.addedAt].trimmed)
        entry.set(tags: row[.tags].splitBytes(at: ",").map(String.init), note: row[.note])
        return entry
    }

    /// Reads a line that only has a name or URL. Lines that start with `#` are comments.
    private func handwrittenEntry(_ row: CSV.Table<Column>.Row) throws -> Entry? {
        if row.fields.first?.utf8.first == UInt8(ascii: "#") { return nil }
        let fields = row.fields.lazy
        let name = fields.compactMap(addresses.name).first ?? fields.compactMap(addresses.linkedName).first
        guard let name else {
            if isMarkdown { return nil }
            throw Self.unknownName(row.fields.first { !$0.isBlank })
        }
        return Entry(name: name)
    }

    // MARK: JSON

    /// Keys in Roost's and other programs' files.
    private static let lists: Set<String> = ["bookmarks", "items", "repositories", "repos", "stars", "data"]

    private func entry(_ reader: inout JSONReader) throws -> Entry {
        var fields = Fields()
        try fields.read(&reader)
        let named = fields.names.lazy.compactMap(addresses.name).first
        guard let name = named ?? fields.number.flatMap(RepositoryName.init(number:)) else {
            throw Self.unknownName(fields.names.first)
        }
        var entry = Entry(
            name: name, addedAt: fields.addedAt, item: fields.repository?.item(name, addresses, now: now),
            isGone: fields.state == Bookmark.State.gone.rawValue,
            checkedAt: fields.checkedAt.map { min($0, now) }, seen: fields.seen)
        entry.set(tags: fields.tags, note: fields.note ?? "")
        return entry
    }

    private struct Fields {
        /// The most likely first.
        var names: [String] = []
        /// GitHub's number of the repository, which Astral writes in place of a name.
        var number: Int?
        var tags: [String] = []
        var note: String?
        var addedAt, checkedAt: Date?
        var state: String?
        var seen: AcknowledgedState?
        var repository: RepositoryJSON?

        mutating func read(_ reader: inout JSONReader) throws {
            if try reader.isString() {
                names += try [reader.string(atMost: 2_048)].compactMap(\.self)
            } else {
                try reader.object { reader, name in try member(name, &reader) }
            }
        }

        private mutating func member(_ name: String, _ reader: inout JSONReader) throws {
            switch name {
            case "full_name", "fullName", "nameWithOwner":
                if let text = try reader.string(atMost: 2_048) { names.insert(text, at: 0) }
            case "html_url", "htmlUrl", "htmlURL", "url", "name":
                if let text = try reader.string(atMost: 2_048) { names.append(text) }
            case "repo_id", "repoId", "repository_id", "github_id": number = try reader.int()
            case "repo", "repository", "node": try nested(&reader)
            case "tags", "custom_tags", "customTags":
                // Only 20 tags are kept.
                tags += try reader.names(atMost: 100) { $0.splitBytes(at: ",").map(String.init) }
            case "note", "notes", "comment": note = try reader.string(atMost: 200_000) ?? note
            case "addedAt", "added_at", "starred_at", "starredAt": addedAt = try time(&reader) ?? addedAt
            case "checkedAt": checkedAt = try time(&reader)
            case "state": state = try reader.string()
            case "seen":
                seen = try reader.decode(AcknowledgedState.self, maximumBytes: 4_096)
                    .flatMap { $0.isPossible ? $0 : nil }
            default: break
            }
        }

        /// Reads a repository nested in a row, as in GitHub's stars and Roost's bookmarks.
        private mutating func nested(_ reader: inout JSONReader) throws {
            var (probe, inner) = (reader, Fields())
            try inner.read(&probe)
            names += inner.names
            addedAt = addedAt ?? inner.addedAt
            repository = try reader.decode(RepositoryJSON.self, maximumBytes: 65_536)
        }

        private func time(_ reader: inout JSONReader) throws -> Date? {
            try reader.string().flatMap(ISO8601.parse)
        }
    }
}

extension BookmarkFile.Entry {
    /// Keeps what the rules allow, and reports the rest.
    fileprivate mutating func set(tags texts: [String], note text: String) {
        var keys: Set<String> = []
        do {
            for text in texts where !text.isBlank {
                let tag = try TagRules.tag(text)
                guard keys.insert(TagRules.key(tag)).inserted else { continue }
                guard keys.count <= TagRules.maximumTags else {
                    problems.append(BookmarkFile.tooManyTags)
                    break
                }
                tags.append(tag)
            }
        } catch {
            // Ends the loop, so that a row with thousands of invalid tags gives one report.
            report(error)
        }
        do { note = try TagRules.note(text) } catch { report(error) }
    }

    private mutating func report(_ error: any Error) {
        let why = (error as? RoostError)?.message ?? "It could not be read."
        problems.append(why + " It was skipped.")
    }
}
