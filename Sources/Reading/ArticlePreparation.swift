import ArticleText
import Foundation
import RoostSupport
import TextFormats

/// Checks and cleans an imported entry for the database. Faulty parts are reported, and the rest is kept.
struct ArticlePreparation: Sendable {
    private static let maximumHighlights = 1_000
    private static let maximumAuthor = 120
    private static let maximumExcerpt = 300

    let now: Date

    /// - Parameter number: of the row; keeps articles without a time in the file's order
    func entry(_ json: String, number: Int) -> ArticleImporter.Entry {
        guard let article = try? JSONDecoder().decode(ImportedArticle.self, from: Data(json.utf8)) else {
            return .refused("This entry could not be read.")
        }
        return entry(article, number: number)
    }

    func entry(_ article: ImportedArticle, number: Int) -> ArticleImporter.Entry {
        if article.url.isEmpty, let gist = article.gist {
            return standaloneGist(gist)
        }
        do {
            return .article(try prepared(article, number: number))
        } catch RoostError.invalid(_, let why) {
            return .refused(why)
        } catch {
            return .refused("This entry could not be read.")
        }
    }

    private func standaloneGist(_ gist: ImportedArticle.Gist) -> ArticleImporter.Entry {
        var warnings: [String] = []
        guard let gist = prepared(gist, title: nil, &warnings) else {
            return .refused(warnings.first ?? "This gist is empty.")
        }
        return .gist(gist)
    }

    private func prepared(_ article: ImportedArticle, number: Int) throws -> PreparedArticle {
        let address = try ArticleAddress(article.url)
        var warnings: [String] = []
        let title = ArticleRules.shortened(article.title, maximumLength: ArticleRules.maximumTitleLength)
        let savedAt =
            time(article.savedAt ?? article.createdAt) ?? now - TimeInterval(min(number, 1_000_000)) * 0.001
        var details = article.details
        (details.title, details.titleIsGiven) = (
            title ?? address.text, title != nil && article.isTitleGiven ?? true
        )
        details.category = category(article.category, &warnings)
        (details.createdAt, details.savedAt) = (time(article.createdAt) ?? savedAt, savedAt)
        details.archivedAt = article.isArchived ? time(details.archivedAt) ?? savedAt : nil
        (details.openedAt, details.publishedAt) = (time(details.openedAt), time(details.publishedAt))
        details.author = ArticleRules.shortened(details.author, maximumLength: Self.maximumAuthor)
        details.language = LanguageTag.checked(details.language)
        details.excerpt = ArticleRules.shortened(details.excerpt, maximumLength: Self.maximumExcerpt)
        details.image = details.image.flatMap { try? ArticleAddress($0).text }
        var prepared = PreparedArticle(
            address: address, final: article.finalUrl.flatMap { try? ArticleAddress($0) }, details: details,
            hasTitle: title != nil, isDated: article.savedAt != nil || article.createdAt != nil,
            updatedAt: time(article.updatedAt) ?? now, tags: tags(article.tags, &warnings))
        prepared.text = text(article, address, &warnings)
        if article.fetchState == "failed" {
            prepared.error = ArticleRules.shortened(article.error, maximumLength: 500)
        }
        prepared.mediaType = article.mediaType.flatMap {
            $0.wholeMatch(of: #/[a-z0-9!#$&^_.+\-]{1,60}/[a-z0-9!#$&^_.+\-]{1,60}/#) == nil ? nil : $0
        }
        prepared.fetchedAt = time(article.fetchedAt)
        prepared.highlights = highlights(of: article, text: prepared.text, savedAt: savedAt, &warnings)
        prepared.gist = gist(of: article, prepared, &warnings)
        // A thousand highlights may have the same fault.
        prepared.warnings = warnings.reduce(into: []) { if !$0.contains($1) { $0.append($1) } }
        return prepared
    }

    /// No later than now.
    private func time(_ date: Date?) -> Date? { date.map { min($0, now) } }

    private func category(_ text: String?, _ warnings: inout [String]) -> String {
        guard let text, !text.isBlank else { return Article.standardCategory }
        do { return try ArticleRules.category(text) } catch {
            warnings.append("The category was too long and was cut.")
            return ArticleRules.shortened(text, maximumLength: ArticleRules.maximumCategoryLength)
                ?? Article.standardCategory
        }
    }

    private func tags(_ texts: [String], _ warnings: inout [String]) -> [String] {
        var tags: [String] = []
        for text in texts where !text.isBlank {
            let plain = text.replacingBytes(of: ",", with: " ")
            do { tags = try ArticleRules.tags(tags + [plain]) } catch RoostError.invalid(_, let why) {
                guard tags.count < ArticleRules.maximumTags else {
                    warnings.append(why + " The others were left out.")
                    break
                }
                // Thousands of tags may have the same fault.
                let warning = why + " It was left out."
                if warnings.last != warning { warnings.append(warning) }
            } catch {
                break
            }
        }
        return tags
    }

    private func text(
        _ article: ImportedArticle, _ address: ArticleAddress, _ warnings: inout [String]
    ) -> PreparedArticle.Text? {
        guard let content = article.content else { return nil }
        if article.isOwn == true,
            var text = ImportedText.own(content, text: article.text, kind: article.kind)
        {
            text.isPartial = article.isPartial
            text.comments = article.comments.flatMap(ImportedText.ownComments)
            if text.comments == nil, article.comments != nil {
                warnings.append("The comments from the page can’t be used.")
            }
            return text
        }
        if PlaceholderText.isPlaceholder(content) { return nil }
        do {
            let text = try ImportedText.cleaned(Array(content.utf8), at: address.text)
            if text.isCut { warnings.append("The text in the file is too long. Its end was left out.") }
            return text
        } catch {
            warnings.append("The text in the file can’t be used.")
            return nil
        }
    }

    // MARK: Highlights

    private func highlights(
        of article: ImportedArticle, text: PreparedArticle.Text?, savedAt: Date, _ warnings: inout [String]
    ) -> [Highlight] {
        let found = article.highlights
        if found.count > Self.maximumHighlights {
            warnings.append("Only the first \(Self.maximumHighlights) highlights were imported.")
        }
        let units = text.map { MarkupText(CleanMarkup(cleaned: $0.markup)).units }
        let locator = units.map { HighlightLocator(units: $0) }
        // Highlights at the same offset are sorted by id.
        let ids = found.prefix(Self.maximumHighlights).map { _ in UUID().uuidString.lowercased() }.sorted()
        return zip(ids, found).compactMap { id, found -> Highlight? in
            let quote = String(found.quote.unicodeScalars.prefix(ArticleRules.maximumQuoteLength))
            guard !quote.isBlank else { return nil }
            if quote.utf8.count < found.quote.utf8.count {
                warnings.append("A highlight was too long and was cut.")
            }
            let createdAt = time(found.createdAt) ?? savedAt
            // Has no offset until the text is there.
            let start = found.start ?? 0
            let storedRange = start..<max(start, found.end ?? start)
            let keepsRange = article.isOwn == true && Self.matches(quote, at: storedRange, in: units)
            let match = keepsRange ? nil : locator?.find(quote, near: start)
            let range = match?.range ?? storedRange
            return Highlight(
                id: id, articleId: 0, start: range.lowerBound, end: range.upperBound,
                quote: match?.quote ?? quote, before: match?.before ?? Self.context(found.before),
                after: match?.after ?? Self.context(found.after), note: note(found.note, &warnings),
                createdAt: createdAt, updatedAt: time(found.updatedAt) ?? createdAt)
        }
    }

    /// Whether the highlight's range in our own file is right: its text is there, or the range is empty because the
    /// text is gone.
    private static func matches(_ quote: String, at range: Range<Int>, in units: [UInt16]?) -> Bool {
        guard let units, !range.isEmpty else { return true }
        return range.upperBound <= units.count && units[range].elementsEqual(quote.utf16)
    }

    private static func context(_ text: String?) -> String { String((text ?? "").unicodeScalars.prefix(32)) }

    private func note(_ text: String?, _ warnings: inout [String]) -> String {
        guard let text else { return "" }
        do {
            return try ArticleRules.lines(text, field: "note", maximumLength: ArticleRules.maximumNoteLength)
        } catch {
            warnings.append("A note was too long and was left out.")
            return ""
        }
    }

    // MARK: Gists

    /// Makes the gist; a note on the whole article becomes the user's own gist.
    private func gist(
        of article: ImportedArticle, _ prepared: PreparedArticle, _ warnings: inout [String]
    ) -> GistDetails? {
        if let gist = article.gist {
            if article.note != nil {
                warnings.append("The note was left out because the article has a gist.")
            }
            return self.prepared(gist, title: prepared.details.title, &warnings)
        }
        return article.note.flatMap { note in
            let gist = ImportedArticle.Gist(
                content: note, sourceUrl: prepared.address.text, category: prepared.details.category,
                method: GistItem.Method.own.rawValue, isEdited: true, createdAt: prepared.details.createdAt,
                updatedAt: prepared.details.createdAt)
            return self.prepared(gist, title: prepared.details.title, &warnings)
        }
    }

    private func prepared(
        _ gist: ImportedArticle.Gist, title: String?, _ warnings: inout [String]
    ) -> GistDetails? {
        guard
            let content = try? ArticleRules.lines(
                gist.content, field: "content", maximumLength: ArticleRules.maximumGistLength)
        else {
            warnings.append("The gist was too long and was left out.")
            return nil
        }
        guard !content.isBlank else { return nil }
        let own = ArticleRules.shortened(gist.title, maximumLength: ArticleRules.maximumTitleLength)
        let createdAt = time(gist.createdAt) ?? now
        var details = GistDetails()
        (details.title, details.content) = (own ?? title ?? "Gist", content)
        details.sourceUrl = gist.sourceUrl.flatMap { try? ArticleAddress($0).text }
        details.category = gist.category.map { self.category($0, &warnings) }
        details.method = gist.method.flatMap(GistItem.Method.init) ?? .own
        details.note = ArticleRules.shortened(gist.note, maximumLength: 500)
        details.isEdited = gist.isEdited
        (details.createdAt, details.updatedAt) = (createdAt, time(gist.updatedAt) ?? createdAt)
        return details
    }
}
