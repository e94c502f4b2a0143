import Foundation
package import RoostSupport

extension PullService {
    /// Marks, sections and what was seen, in an export of all data. `seen` is the fingerprint of a pull request, for
    /// Roost alone.
    package var transferParts: [TransferPart] { [marksPart, sectionsPart, viewedFilesPart, looksPart] }

    private var marksPart: TransferPart {
        TransferPart("pull-marks") { reads, source, key in
            guard let user = source.user else { return TransferPage([]) }
            // At most 2,000.
            let marks = try reads.inboxSettings(of: user).marks
            let lines = try marks.map { mark in
                var fields = TransferFields(mark)
                if let text = fields.text("seen") {
                    fields.values["seen"] = try JSONDecoder().decode(
                        TransferValue.self, from: Data(text.utf8))
                }
                return try TransferLine.json(fields)
            }
            return TransferPart.all(lines, after: key)
        } merge: { [self] row in
            let user = try row.user
            var fields = try row.decode(TransferFields.self)
            if fields.values["nodeId"] == nil { fields.values["nodeId"] = .text("") }
            let mark: StoredMark
            do { mark = try fields.record() } catch is ImpossibleValue {
                throw RoostError.file("“kind” and “until” do not fit together.")
            }
            guard mark.markedAt <= row.context.now, mark.key.number > 0,
                [mark.key.host, mark.key.owner, mark.key.name].allSatisfy({ !$0.isEmpty })
            else {
                throw RoostError.file("The pull request or the time is invalid.")
            }
            return { [self] writes in
                if let existing = try writes.pullMark(mark.key, nodeId: mark.nodeId, of: user),
                    existing.markedAt >= mark.markedAt
                {
                    return existing.mark == mark.mark
                        ? .unchanged : .skipped("You have marked this pull request since.")
                }
                try writes.putPullMark(mark, of: user)
                publishChange(of: user, in: writes)
                return .added
            }
        }
    }

    private var sectionsPart: TransferPart {
        TransferPart("pull-sections") { reads, source, key in
            guard let user = source.user else { return TransferPage([]) }
            let sections = try reads.pullSections(of: user)
            return TransferPart.all(
                try sections.map { try TransferLine.json(TransferFields($0, omitting: ["id"])) }, after: key)
        } merge: { [self] row in
            let user = try row.user
            let draft: OwnSection = try row.decode(TransferFields.self).record(omitting: ["id"])
            let (name, query) = try Self.checkedSection(name: draft.name, query: draft.query)
            return { [self] writes in
                let sections = try writes.pullSections(of: user)
                if sections.contains(where: { $0.name == name && $0.query == query }) { return .unchanged }
                guard sections.count < Self.maximumSections else {
                    return .skipped("You can have at most \(Self.maximumSections) sections.")
                }
                try writes.addPullSection(name: name, query: query, of: user)
                refreshSearches(of: user, in: writes)
                return .added
            }
        }
    }

    private var viewedFilesPart: TransferPart {
        TransferPart("pull-viewed-files") { reads, source, key in
            guard let user = source.user else { return TransferPage([]) }
            let files = try reads.viewedPullFiles(after: key, limit: TransferPage.rows, of: user)
            return TransferPage(
                try files.map { (key: $0.id, line: try TransferLine.json(TransferFields($0.file))) })
        } merge: { [self] row in
            let user = try row.user
            let file: ViewedPullFile = try row.decode(TransferFields.self).record()
            do { try Self.check(path: file.path, blob: file.blob) } catch {
                throw RoostError.file("“path” and “blob” must name a file and its version.")
            }
            try check(file.key, file.viewedAt, row)
            return { [self] writes in
                let existing = try writes.viewedPullFile(file.path, of: file.key, of: user)
                if let existing, existing.viewedAt.inMilliseconds >= file.viewedAt {
                    return existing.blob == file.blob
                        ? .unchanged : .skipped("You have marked this file since.")
                }
                try writes.putViewedPullFile(file, of: user)
                writes.publish(topic(of: file.key, for: user))
                return existing == nil ? .added : .updated
            }
        }
    }

    private var looksPart: TransferPart {
        TransferPart("pull-looks") { reads, source, key in
            guard let user = source.user else { return TransferPage([]) }
            // At most 2,000.
            let looks = try reads.pullLooks(of: user)
            return TransferPart.all(try looks.map { try TransferLine.json(TransferFields($0)) }, after: key)
        } merge: { [self] row in
            let user = try row.user
            let look: PullLook = try row.decode(TransferFields.self).record()
            try check(look.key, look.seenAt, row)
            guard (look.previousAt ?? look.seenAt) <= look.seenAt else {
                throw RoostError.file("“previousAt” is after “seenAt”.")
            }
            return { [self] writes in
                let existing = try writes.pullLook(of: look.key, of: user)
                if let existing, existing.seenAt.inMilliseconds >= look.seenAt { return .unchanged }
                try writes.putPullLook(look, of: user)
                writes.publish(topic(of: look.key, for: user))
                return existing == nil ? .added : .updated
            }
        }
    }

    private func check(_ key: PullKey, _ time: Date, _ row: TransferRow) throws {
        guard isStorable(key), time <= row.context.now else {
            throw RoostError.file("The pull request or the time is invalid.")
        }
    }
}
