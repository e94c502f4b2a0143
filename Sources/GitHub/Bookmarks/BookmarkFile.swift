import Foundation
import RoostSupport

/// A file of bookmarks as somebody uploads it: ours, another program's, or one written by hand.
struct BookmarkFile: Sendable {
    /// One bookmark in it.
    struct Entry: Sendable {
        /// From 1; of CSV the line.
        let row: Int
        var name: RepositoryName
        var tags: [String] = []
        var note = ""
        var addedAt: Date?
        /// As the file claims; GitHub is asked before anything trusts it.
        var item: RepositoryItem?
        var isGone = false
        var checkedAt: Date?
        var seen: AcknowledgedState?
    }

    typealias Failure = BookmarkFileService.ImportReport.Failure

    /// Room for all that a user may have, with its texts: 20,000 bookmarks with full notes have some 50 MB.
    static let maximumBytes = 64 << 20
    static let maximumRows = 20_000

    var entries: [Entry] = []
    var failures: [Failure] = []

    /// Throws `RoostError.invalid(field: "file")` for what is no list of repositories at all.
    ///
    /// - Parameter webURL: the standard GitHub's, whose addresses are names as well
    init(_ bytes: [UInt8], webURL: String, now: Date) throws {
        guard bytes.count <= Self.maximumBytes else { throw Self.refusal("A file has 64 MB at most.") }
        guard let text = UploadedText.utf8(bytes) else { throw Self.refusal("This is no text.") }
        let first = text.first { !Self.isSpace($0) }
        guard let first else { throw Self.refusal("The file is empty.") }
        let addresses = RepositoryURLParser(webURL: webURL)
        if first == UInt8(ascii: "[") || first == UInt8(ascii: "{") {
            try readJSON(text, addresses, now: now)
        } else {
            readCSV(text, addresses)
        }
        guard !entries.isEmpty || !failures.isEmpty else {
            throw Self.refusal("There are no repositories in it.")
        }
    }

    static func refusal(_ why: String) -> RoostError { .invalid(field: "file", why: why) }

    /// Adds a row with the words beside it; what of them cannot be kept is said, and the rest is kept.
    mutating func add(_ entry: Entry, tags: [String], note: String) {
        var entry = entry
        var keys: Set<String> = []
        for text in tags where !text.isBlank {
            do {
                let tag = try TagRules.tag(text)
                guard keys.insert(TagRules.key(tag)).inserted else { continue }
                guard keys.count <= TagRules.maximumTags else {
                    failures.append(Failure(row: entry.row, why: Self.tooManyTags))
                    break
                }
                entry.tags.append(tag)
            } catch {
                say(error, at: entry.row)
                // Every wrong tag of a row of thousands would be a report of its own.
                break
            }
        }
        do {
            entry.note = try TagRules.note(note)
        } catch {
            say(error, at: entry.row)
        }
        entries.append(entry)
    }

    private static let tooManyTags = "A bookmark has 20 tags at most; the others were left out."

    private mutating func say(_ error: any Error, at row: Int) {
        let why = (error as? RoostError)?.message ?? "It could not be read."
        failures.append(Failure(row: row, why: why + " It was left out."))
    }

    /// What a row says instead of a name, short and calm.
    mutating func refuse(_ text: String?, at row: Int) {
        let words = String((text ?? "").unicodeScalars.prefix(60)).sanitized.trimmed
        let why =
            words.isEmpty
            ? "There is no repository in it: a name such as “owner/name”, or an address."
            : "“\(words)” is no repository: a name is “owner/name”, an address begins with GitHub’s."
        failures.append(Failure(row: row, why: why))
    }

    /// True while there is room; the first row past it is said.
    mutating func hasRoom(for row: Int, number: Int) -> Bool {
        if number == Self.maximumRows + 1 {
            failures.append(Failure(row: row, why: "Only the first 20,000 rows are read."))
        }
        return number <= Self.maximumRows
    }

    private static func isSpace(_ byte: UInt8) -> Bool { [0x20, 0x09, 0x0A, 0x0D].contains(byte) }
}
