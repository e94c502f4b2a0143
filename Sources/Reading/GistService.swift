package import ArticleText
package import Foundation
import Logging
package import RoostSupport

/// Gists: made of articles and of pasted texts, edited, and shared.
package final class GistService: Service {
    package typealias UndoID = ReadingService.UndoID

    /// Of a pasted text, in bytes.
    package static let maximumTextBytes = 1 << 20

    private let writer: ReadingWriter
    private let queue: GistQueue
    private let sealer: Sealer

    init(writer: ReadingWriter, queue: GistQueue, sealer: Sealer) {
        self.writer = writer
        self.queue = queue
        self.sealer = sealer
    }

    /// Whether a model writes the gists, where it answers.
    var asksModel: Bool { queue.asksModel }

    /// The user's own, or one that was shared with him. Throws `RoostError.notFound`.
    package func gist(_ id: GistID, for user: UserID) async throws -> GistItem {
        try item(try await writer.read { try GistTransaction($0).visible(id, to: user) }, for: user)
    }

    /// The newest first.
    package func list(cursor: String? = nil, limit: Int = 40, of user: UserID) async throws -> GistPage {
        let limit = min(max(limit, 1), ReadingService.maximumPage)
        let before = try cursor.map { try ArticleListQuery.Cursor($0) }
        let (found, total) = try await writer.read { reading in
            let gists = GistTransaction(reading)
            return (try gists.list(of: user, before: before, limit: limit), try gists.count(of: user))
        }
        let shown = found.prefix(limit)
        let next = found.count > limit ? shown.last : nil
        return GistPage(
            items: try shown.map { try item($0, for: user) },
            next: next.map { ArticleListQuery.Cursor(time: $0.createdAt, id: $0.id).string }, total: total)
    }

    /// Makes the gist of an article by Roost's own summariser, in the article's language; where a model is configured it
    /// is asked afterwards, and replaces the text when it has answered.
    ///
    /// - Parameters:
    ///   - length: nil: the user's usual one
    ///   - replacingEdited: whether one that the user has edited may be replaced
    /// - Throws: `RoostError.notFound`, `.conflict(field: "gist")` for an edited gist, and `.invalid(field: "article")`
    ///   where there is no text
    @discardableResult
    package func make(
        for article: ArticleID, length: GistLength? = nil, replacingEdited: Bool = false, by user: UserID
    ) async throws -> GistItem {
        let gist = try await queue.make(
            for: article, length: length, replacingEdited: replacingEdited, by: user)
        return try item(gist, for: user)
    }

    /// - Parameters:
    ///   - title: blank: the text's first words
    ///   - text: 1 MB at most
    /// - Throws: `RoostError.invalid` with the field "title", "text" or "category"
    @discardableResult
    package func makeOfText(
        title: String, text: String, category: String? = nil, length: GistLength? = nil, by user: UserID
    ) async throws -> GistItem {
        guard text.utf8.count <= Self.maximumTextBytes else {
            throw RoostError.invalid(field: "text", why: "A text has 1 MB at most.")
        }
        let text = try ArticleRules.lines(text, field: "text", maximumLength: Self.maximumTextBytes)
        guard !text.isBlank else {
            throw RoostError.invalid(field: "text", why: "Give the text to make a gist of.")
        }
        let first = ArticleRules.strangers(
            text.splitBytes(at: "\n").first.map { String($0) }, maximumLength: 80)
        let title = try ArticleRules.title(title) ?? first ?? "Text"
        let category = try category.flatMap { $0.isBlank ? nil : try ArticleRules.category($0) }
        return try item(
            try await queue.makeOfText(
                title: title, text: text, category: category, length: length, by: user),
            for: user)
    }

    /// Throws `RoostError.notFound`, `.invalid`, and `.conflict(field: "updatedAt")` where it was changed after
    /// `ifUpdatedAt`. What is nil stays as it is.
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
            throw RoostError.invalid(field: "content", why: "A gist needs a text. You can delete it.")
        }
        let newCategory = try category.map(ArticleRules.category)
        let finalTitle = newTitle
        return try item(
            try await writer.write(for: user) {
                try GistTransaction($0).edit(
                    id, title: finalTitle, content: newContent, category: newCategory,
                    ifUpdatedAt: ifUpdatedAt, by: user)
            }, for: user)
    }

    package func delete(_ id: GistID, by user: UserID) async throws -> UndoID {
        writer.noteUndo(try await writer.write(for: user) { try GistTransaction($0).delete(id, by: user) })
    }

    /// Takes a deletion back within ten minutes; the same as `ReadingService.undo`.
    package func undo(_ id: UndoID, by user: UserID) async throws { try await writer.undo(id, by: user) }

    /// Makes a read-only link, or answers the one there is: the page is `/shared-gists/TOKEN`.
    package func share(_ id: GistID, by user: UserID) async throws -> String {
        let known = try await writer.read { try GistTransaction($0).own(id, of: user) }
        // A link that a lost key sealed makes way for a new one.
        if let sealed = known.shareSealed, let token = try? sealer.open(sealed, as: Self.context(known)) {
            return token
        }
        let token = Secret.make(bytes: 24)
        let (hash, sealed) = (Secret.hash(token), try sealer.seal(token, as: Self.context(known)))
        let stored = try await writer.write(for: user) { reading in
            let gists = GistTransaction(reading)
            // Two clicks at once make one link.
            if let first = try gists.own(id, of: user).shareSealed, first != known.shareSealed {
                return first
            }
            try gists.setShare(id, hash: hash, sealed: sealed)
            return sealed
        }
        return try sealer.open(stored, as: Self.context(known))
    }

    /// The link opens nothing any more.
    package func unshare(_ id: GistID, by user: UserID) async throws {
        try await writer.write(for: user) { reading in
            let gists = GistTransaction(reading)
            try gists.setShare(try gists.own(id, of: user).id, hash: nil, sealed: nil)
        }
    }

    /// What a read-only link opens. Throws `RoostError.notFound`.
    package func sharedGist(token: String) async throws -> GistItem {
        let isUnknown = RoostError.notFound("This link opens nothing: it was withdrawn, or never was one.")
        guard (16...64).contains(token.utf8.count) else { throw isUnknown }
        let hash = Secret.hash(token)
        guard let gist = try await writer.read({ try GistTransaction($0).gist(shareHash: hash) }) else {
            throw isUnknown
        }
        return try gist.item()
    }

    /// A row that is moved to another gist or user does not open there.
    private static func context(_ gist: GistRecord) -> String { context(gist.id, of: gist.userId) }

    static func context(_ gist: GistID, of user: UserID) -> String { "gist \(gist) of user \(user)" }

    /// The link's secret is for the owner alone, and so is the article.
    private func item(_ gist: GistRecord, for user: UserID) throws -> GistItem {
        let token =
            gist.userId == user
            ? gist.shareSealed.flatMap { try? sealer.open($0, as: Self.context(gist)) } : nil
        var item = try gist.item(token: token)
        if gist.userId != user { item.articleId = nil }
        return item
    }

    /// Title, source and text as Markdown: nothing of what stands in it becomes markup.
    package static func markdown(of gist: Gist) -> String {
        let paragraphs = gist.content.splitBytes(at: "\n").map { escaped(String($0)) }.joined(
            separator: "\n\n")
        var text = "# \(escaped(gist.title))\n\n\(paragraphs)\n"
        if let source = gist.sourceUrl, let address = try? ArticleAddress(source).text {
            text += "\n<\(address)>\n"
        }
        return text
    }

    /// By CommonMark 0.31, section 2.4: a backslash before any ASCII punctuation that could begin markup.
    private static func escaped(_ text: String) -> String {
        var result: [UInt8] = []
        for byte in text.utf8 {
            if "\\`*_{}[]<>#|~&".utf8.contains(byte) { result.append(UInt8(ascii: "\\")) }
            result.append(byte)
        }
        // What begins a list, a quotation or a line under a title does so at the beginning of a line.
        if let first = result.first, "+-=".utf8.contains(first) { result.insert(UInt8(ascii: "\\"), at: 0) }
        let digits = result.prefix { (0x30...0x39).contains($0) }.count
        if digits > 0, digits < result.count, ".)".utf8.contains(result[digits]) {
            result.insert(UInt8(ascii: "\\"), at: digits)
        }
        return String(decoding: result, as: UTF8.self)
    }
}
