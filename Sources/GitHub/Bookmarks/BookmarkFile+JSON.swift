import Foundation
import TextFormats

extension BookmarkFile {
    /// Under which names lists of repositories lie in other programs' files, and in ours.
    private static let lists: Set<String> = ["bookmarks", "items", "repositories", "repos", "stars", "data"]

    mutating func readJSON(_ text: [UInt8], _ addresses: RepositoryURLParser, now: Date) throws {
        var reader = JSONReader(bytes: text)
        do {
            var probe = reader
            if try probe.list({ _ in }) {
                try readList(&reader, addresses, now: now)
            } else {
                try reader.object { reader, name in
                    if Self.lists.contains(name) { try readList(&reader, addresses, now: now) }
                }
            }
            try reader.end()
        } catch let malformed as JSONReader.Malformed {
            throw Self.refusal("This is no JSON: it breaks off or goes wrong at byte \(malformed.place + 1).")
        }
    }

    private mutating func readList(
        _ reader: inout JSONReader, _ addresses: RepositoryURLParser, now: Date
    ) throws {
        var row = 0
        try reader.list { reader in
            row += 1
            guard hasRoom(for: row, number: row) else { return }
            var found = Found()
            try found.read(&reader)
            guard let name = found.names.lazy.compactMap(addresses.name).first else {
                return refuse(found.names.first, at: row)
            }
            var entry = Entry(row: row, name: name)
            entry.addedAt = found.addedAt
            entry.isGone = found.state == Bookmark.State.gone.rawValue
            entry.checkedAt = found.checkedAt.map { min($0, now) }
            entry.seen = found.seen
            entry.item = found.repository?.item(name, addresses, now: now)
            add(entry, tags: found.tags, note: found.note ?? "")
        }
    }

    /// What one value of a list says.
    private struct Found {
        /// The likeliest first.
        var names: [String] = []
        var tags: [String] = []
        var note: String?
        var addedAt, checkedAt: Date?
        var state: String?
        var seen: AcknowledgedState?
        var repository: ImportedRepository?

        mutating func read(_ reader: inout JSONReader) throws {
            var probe = reader
            if let text = try probe.string(atMost: 2_048) {
                reader = probe
                names.append(text)
                return
            }
            try reader.object { reader, name in try member(name, &reader) }
        }

        private mutating func member(_ name: String, _ reader: inout JSONReader) throws {
            switch name {
            case "full_name", "fullName", "nameWithOwner":
                if let text = try reader.string(atMost: 2_048) { names.insert(text, at: 0) }
            case "html_url", "htmlUrl", "htmlURL", "url", "name":
                if let text = try reader.string(atMost: 2_048) { names.append(text) }
            case "repo", "repository", "node": try nested(&reader)
            case "tags", "custom_tags", "customTags": try tags(&reader)
            case "note", "notes", "comment": note = try reader.string(atMost: 200_000) ?? note
            case "addedAt", "added_at", "starred_at", "starredAt": addedAt = try time(&reader) ?? addedAt
            case "checkedAt": checkedAt = try time(&reader)
            case "state": state = try reader.string()
            case "seen": seen = try Self.seen(&reader)
            default: break
            }
        }

        /// The repository in a row around it: as GitHub writes a star, or as we write a bookmark.
        private mutating func nested(_ reader: inout JSONReader) throws {
            var (probe, inner) = (reader, Found())
            try inner.read(&probe)
            names += inner.names
            addedAt = addedAt ?? inner.addedAt
            repository = try ImportedRepository(&reader)
        }

        /// A list of names or of objects with names, or one text with commas.
        private mutating func tags(_ reader: inout JSONReader) throws {
            var probe = reader
            if let text = try probe.string(atMost: 10_000) {
                reader = probe
                tags += text.splitBytes(at: ",").map(String.init)
                return
            }
            try reader.list { reader in
                var found = Found()
                try found.read(&reader)
                // More than anybody may keep is only counted out.
                if tags.count < 100 { tags += found.names.prefix(1) }
            }
        }

        private func time(_ reader: inout JSONReader) throws -> Date? {
            try reader.string().flatMap(ISO8601.parse)
        }

        private static func seen(_ reader: inout JSONReader) throws -> AcknowledgedState? {
            var (fullName, state): (String?, Bookmark.State?)
            var (stars, archived, isPrivate): (Int?, Bool?, Bool?)
            try reader.object { reader, name in
                switch name {
                case "fullName": fullName = try reader.string()
                case "state": state = try reader.string().flatMap(Bookmark.State.init)
                case "stars": stars = try reader.count()
                case "archived": archived = try reader.bool()
                case "isPrivate": isPrivate = try reader.bool()
                default: break
                }
            }
            guard let fullName, RepositoryName(fullName) != nil, let state else { return nil }
            return AcknowledgedState(
                fullName: fullName, state: state, stars: stars, archived: archived, isPrivate: isPrivate)
        }
    }
}
