import Foundation
import TextFormats

extension BookmarkFile {
    /// What a column's head means, written in any case and with or without lines between the words.
    private enum Column: String {
        case name, address, owner, shortName, tags, note, addedAt

        init?(head: String) {
            switch head.lowercased().filter(\.isLetter) {
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

    mutating func readCSV(_ text: [UInt8], _ addresses: RepositoryURLParser) {
        let records = CSV.records(in: text, separator: CSV.separator(in: text), atMost: Self.maximumRows + 2)
        let columns = records.first.map { Self.columns($0.fields) } ?? [:]
        let rows = columns.isEmpty ? records[...] : records.dropFirst()
        for (number, record) in rows.enumerated() {
            guard hasRoom(for: record.line, number: number + 1) else { return }
            if record.isOpen {
                failures.append(
                    Failure(row: record.line, why: "A quotation mark is opened here and never closed."))
            } else if columns.isEmpty {
                readLine(record, addresses)
            } else {
                read(record, columns, addresses)
            }
        }
    }

    /// Empty when the first line is no head.
    private static func columns(_ fields: [String]) -> [Column: Int] {
        var columns: [Column: Int] = [:]
        for (place, field) in fields.enumerated() {
            // A head is a word; a name of megabytes is not.
            guard field.utf8.count <= 40, !field.containsBytes("/"), let column = Column(head: field),
                columns[column] == nil
            else {
                continue
            }
            columns[column] = place
        }
        let hasName = columns[.name] != nil || columns[.address] != nil || columns[.shortName] != nil
        return hasName ? columns : [:]
    }

    private mutating func read(
        _ record: CSV.Record, _ columns: [Column: Int], _ addresses: RepositoryURLParser
    ) {
        func cell(_ column: Column) -> String {
            guard let place = columns[column], place < record.fields.count else { return "" }
            let field = record.fields[place]
            // Longer than anything that is kept: comparing an endless run of accents takes Swift minutes.
            return field.utf8.count <= 20_000 ? CSV.read(field) : ""
        }
        let both = RepositoryName(owner: cell(.owner).trimmed, name: cell(.shortName).trimmed)
        let named = [cell(.name), cell(.address), cell(.shortName)].lazy.compactMap(addresses.name)
        guard let name = named.first ?? both else {
            let said = [cell(.name), cell(.address), cell(.shortName)].first { !$0.isBlank }
            return refuse(said, at: record.line)
        }
        var entry = Entry(row: record.line, name: name)
        entry.addedAt = ISO8601.parse(cell(.addedAt).trimmed)
        add(entry, tags: cell(.tags).splitBytes(at: ",").map(String.init), note: cell(.note))
    }

    /// A name or an address alone; a line that begins with `#` is a remark.
    private mutating func readLine(_ record: CSV.Record, _ addresses: RepositoryURLParser) {
        if record.fields.first?.utf8.first == UInt8(ascii: "#") { return }
        guard let name = record.fields.lazy.compactMap(addresses.name).first else {
            return refuse(record.fields.first { !$0.isBlank }, at: record.line)
        }
        add(Entry(row: record.line, name: name), tags: [], note: "")
    }
}
