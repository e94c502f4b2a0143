package import ArticleText
package import Foundation
import Logging
package import RoostSupport

package final class GistService: Service {
    /// Of a pasted text.
    package static let maximumTextBytes = 1 << 20

    let database: Database
    private let queue: GistQueue
    private let sealer: Sealer
    private let clock: WallClock

    init(database: Database, queue: GistQueue, sealer: Sealer, clock: WallClock) {
        self.database = database
        self.clock = clock
        self.queue = queue
        self.sealer = sealer
    }

    var usesModel: Bool { queue.usesModel }

    /// Returns the user's own gist or one that was shared with them. Throws `RoostError.notFound`.
    package func gist(_ reads: Reads, _ id: GistID, for user: UserID) throws -> GistItem {
        shown(try reads.visibleGist(id, to: user), to: user)
    }

    /// The gist of the user's article, if it has one.
    package func gist(_ reads: Reads, of article: ArticleID, for user: UserID) throws -> GistItem? {
        guard let gist = try reads.gist(of: article), gist.owner == user else { return nil }
        return shown(gist, to: user)
    }

    package func gist(_ id: GistID, for user: UserID) async throws -> GistItem {
        try await database.read { try gist($0, id, for: user) }
    }

    /// Newest first.
    package func list(
        _ reads: Reads, after position: ArticlePosition? = nil, limit: Int = 40, of user: UserID
    ) throws -> GistPage {
        let limit = min(max(limit, 1), ReadingService.maximumPage)
        let found = try reads.gists(of: user, after: position, limit: limit)
        let items = found.prefix(limit)
        let next = found.count > limit ? items.last : nil
        return GistPage(
            items: items.map { shown($0, to: user) },
            next: next.map { ArticlePosition(time: $0.createdAt, id: $0.id) },
            total: try reads.gistCount(of: user))
    }

    package func list(
        after position: ArticlePosition? = nil, limit: Int = 40, of user: UserID
    ) async throws -> GistPage {
        try await database.read { try list($0, after: position, limit: limit, of: user) }
    }

    /// Makes an article's gist with Roost's summarizer, in the article's language. If a model is configured, its answer
    /// replaces the text later.
    ///
    /// - Parameters:
    /// - length: the user's usual one if nil
    /// - replacingEdited: whether to replace a gist that the user has edited
    /// - Throws: `RoostError.notFound`, `.conflict(field: "gist")` for an edited gist, and `.invalid(field: "article")`
    ///   without a text
    @discardableResult
    package func make(
        for article: ArticleID, length: GistLength? = nil, replacingEdited: Bool = false, by user: UserID
    ) async throws -> GistItem {
        let gist = try await queue.make(
            for: article, length: length, replacingEdited: replacingEdited, by: user)
        return shown(gist, to: user)
    }

    /// - Parameters:
    /// - title: the text's first words if blank
    /// - text: 1 MB at most
    /// - Throws: `RoostError.invalid` with the field "title", "text" or "category"
    @discardableResult
    package func makeOfText(
        title: String, text: String, category: String? = nil, length: GistLength? = nil, by user: UserID
    ) async throws -> GistItem {
        guard text.utf8.count <= Self.maximumTextBytes else {
            throw RoostError.invalid(field: "text", why: "A text can have up to 1 MB.")
        }
        let text = try ArticleRules.lines(text, field: "text", maximumLength: Self.maximumTextBytes)
        guard !text.isBlank else {
            throw RoostError.invalid(field: "text", why: "Enter the text for the gist.")
        }
        let first = ArticleRules.shortened(
            text.splitBytes(at: "\n").first.map { String($0) }, maximumLength: 80)
        let title = try ArticleRules.title(title) ?? first ?? "Text"
        let category = try category.flatMap { $0.isBlank ? nil : try ArticleRules.category($0) }
        return shown(
            try await queue.makeOfText(
                title: title, text: text, category: category, length: length, by: user),
            to: user)
    }

    /// Changes everything that isn't nil. Throws `RoostError.notFound`, `.invalid`, and `.conflict(field: "updatedAt")`
    /// if the gist was changed after `ifUpdatedAt`.
    @discardableResult
    package func edit(
        _ id: GistID, title: String? = nil, content: String? = nil, category: String? = nil,
        ifUpdatedAt: Date? = nil, by user: UserID
    ) async throws -> GistItem {
        var newTitle: String?
        if let title {
            guard let checked = try ArticleRules.title(title) else {
                throw RoostError.invalid(field: "title", why: "A gist needs a title.")
            }
            newTitle = checked
        }
        let newContent = try content.map {
            try ArticleRules.lines($0, field: "content", maximumLength: ArticleRules.maximumGistLength)
        }
        if newContent?.isBlank == true {
            throw RoostError.invalid(field: "content", why: "A gist needs text. You can delete the gist.")
        }
        let newCategory = try category.map(ArticleRules.category)
        let gist = try await database.write { [newTitle, now = clock.nowInMilliseconds] writes in
            let gist = try writes.ownGist(id, of: user)
            if let ifUpdatedAt, abs(ifUpdatedAt.timeIntervalSince(gist.updatedAt)) > 0.000_9 {
                throw RoostError.conflict(
                    field: "updatedAt",
                    why: "This gist changed while you were editing. Check it before you save.")
            }
            try writes.editGist(
                gist, title: newTitle, content: newContent, category: newCategory, at: now)
            writes.publish(Topic.reading(user))
            return try writes.ownGist(id, of: user)
        }
        return shown(gist, to: user)
    }

    /// `ReadingService.undo` restores the gist. Throws `RoostError.notFound`.
    package func delete(_ id: GistID, by user: UserID) async throws -> UndoID {
        try await database.write { [now = clock.nowInMilliseconds] writes in
            let gist = try writes.ownGist(id, of: user)
            try writes.removeGist(id)
            writes.publish(Topic.reading(user))
            return try writes.addUndo([ReadingUndoStep(gist: gist)], by: user, at: now)
        }
    }

    /// Returns the token of the gist's read-only page `/shared-gists/TOKEN`, creating it if needed.
    package func share(_ id: GistID, by user: UserID) async throws -> String {
        let gist = try await database.read { try $0.ownGist(id, of: user) }
        // If its sealing key was lost, a new link is made.
        if let sealed = gist.shareSealed, let token = try? sealer.open(Array(sealed), as: Self.context(gist))
        {
            return token
        }
        let token = Secret.make(bytes: 24)
        let (hash, sealed) = (Secret.hash(token), try sealer.seal(token, as: Self.context(gist)))
        let stored = try await database.write { writes in
            writes.publish(Topic.reading(user))
            // Another request may have made a link at the same time.
            if let first = try writes.ownGist(id, of: user).shareSealed, first != gist.shareSealed {
                return Array(first)
            }
            try writes.setGistShare(id, hash: hash, sealed: sealed)
            return sealed
        }
        return try sealer.open(stored, as: Self.context(gist))
    }

    package func unshare(_ id: GistID, by user: UserID) async throws {
        try await database.write { writes in
            try writes.setGistShare(try writes.ownGist(id, of: user).id, hash: nil, sealed: nil)
            writes.publish(Topic.reading(user))
        }
    }

    /// Throws `RoostError.notFound`.
    package func sharedGist(_ reads: Reads, token: String) throws -> GistItem {
        let unknownLink = RoostError.notFound("This link doesn’t work. It was revoked or never existed.")
        guard (16...64).contains(token.utf8.count) else { throw unknownLink }
        let hash = Secret.hash(token)
        guard let gist = try reads.gist(shareHash: hash) else {
            throw unknownLink
        }
        return gist
    }

    /// Binds the sealed secret to its gist and user, so that it cannot be opened in another row.
    private static func context(_ gist: GistItem) -> String { context(gist.id, of: gist.owner) }

    static func context(_ gist: GistID, of user: UserID) -> String { "gist \(gist) of user \(user)" }

    /// Only the owner gets the link's secret, the article's id and the model's unfinished text.
    private func shown(_ gist: GistItem, to user: UserID) -> GistItem {
        var gist = gist.owner == user ? queue.withDraft(gist) : gist.withoutModel
        if gist.owner == user {
            gist.shareToken = gist.shareSealed.flatMap {
                try? sealer.open(Array($0), as: Self.context(gist))
            }
        } else {
            gist.articleId = nil
        }
        return gist
    }

    /// Returns title, source and text as Markdown, escaping any markup in them.
    package static func markdown(of gist: Gist) -> String {
        let paragraphs = gist.content.splitBytes(at: "\n").map { escaped(String($0)) }.joined(
            separator: "\n\n")
        var text = "# \(escaped(gist.title))\n\n\(paragraphs)\n"
        if let source = gist.sourceUrl, let address = try? ArticleAddress(source).text {
            text += "\n<\(address)>\n"
        }
        return text
    }

    /// Adds backslashes as in CommonMark 0.31, section 2.4.
    private static func escaped(_ text: String) -> String {
        var result: [UInt8] = []
        for byte in text.utf8 {
            if "\\`*_{}[]<>#|~&".utf8.contains(byte) { result.append(UInt8(ascii: "\\")) }
            result.append(byte)
        }
        // Lists and underlined headings can only begin at the start of a line.
        if let first = result.first, "+-=".utf8.contains(first) { result.insert(UInt8(ascii: "\\"), at: 0) }
        let digits = result.prefix { (0x30...0x39).contains($0) }.count
        if digits > 0, digits < result.count, ".)".utf8.contains(result[digits]) {
            result.insert(UInt8(ascii: "\\"), at: digits)
        }
        return String(decoding: result, as: UTF8.self)
    }
}
