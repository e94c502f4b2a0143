import Foundation
import GRDB
package import RoostSupport
import TextFormats

extension DisplayService {
    /// Displays in an export of all data, without the secrets of links and paired screens.
    package var transferPart: TransferPart {
        TransferPart("displays") { reads, source, key in
            guard let user = source.user else { return TransferPage([]) }
            let lines = try reads.displays(of: user).map { display in
                var fields = TransferFields(display.settings)
                fields.values["name"] = .text(display.name)
                fields.values["createdAt"] = .text(ISO8601.milliseconds(display.createdAt))
                return try TransferLine.json(fields)
            }
            return TransferPart.all(lines, after: key)
        } merge: { [self] row in
            let (user, context) = (try row.user, row.context)
            let fields = try row.decode(TransferFields.self)
            var settings: DisplaySettings = try fields.record()
            settings.listId = settings.listId.flatMap { context.id("list/\(user)/\($0)") }
            settings = try settings.checked()
            let name = try OwnText.line(fields.text("name") ?? "", field: "name", limit: 64)
            guard !name.isBlank else { throw RoostError.file("“name” is missing.") }
            let createdAt = fields.time("createdAt").map(context.time) ?? context.now
            // A command has no key: then the display has no link until its owner makes one.
            let made = try? makeLink(for: user).link
            return { [settings] writes in
                if let existing = try writes.displays(of: user).first(where: { $0.name == name }) {
                    return existing.settings == settings
                        ? .unchanged : .skipped("You already have a display with this name.")
                }
                let link = made ?? DisplayStore.Link(hash: Secret.hash(Secret.make(bytes: 16)), sealed: [])
                let display = try writes.addDisplay(name, of: user, link: link, at: createdAt)
                if made == nil { try writes.forgetLink(of: display.id) }
                _ = try writes.changeDisplay(display.id, of: user, name: name, settings: settings)
                writes.publish(Topic.displays(user))
                return .added
            }
        }
    }
}

extension Writes {
    /// Leaves the display without a link that could be shown.
    fileprivate func forgetLink(of id: DisplayID) throws {
        try execute("UPDATE displays SET token_sealed = NULL WHERE id = ?", [id])
    }
}
