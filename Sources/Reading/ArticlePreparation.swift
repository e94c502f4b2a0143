import ArticleText
import Foundation
import RoostSupport
import TextFormats

/// Checks and cleans what a file says of an article, so that it may go into the tables. What is wrong with a part of it is
/// said, and the rest is kept.
struct ArticlePreparation: Sendable {
    private static let maximumHighlights = 1_000
    private static let maximumAuthor = 120
    private static let maximumExcerpt = 300

    let now: Date

    /// - Parameter number: of the row: articles without a time keep the order that they have in the file
    func entry(_ json: String, number: Int) -> ArticleImportTransaction.Entry {
        guard let article = try? JSONDecoder().decode(ImportedArticle.self, from: Data(json.utf8)) else {
            return .refused("This entry could not be read.")
        }
        if article.url.isEmpty, let gist = article.gist {
            return gistAlone(gist)
        }
        do {
            return .article(try prepared(article, number: number))
        } catch RoostError.invalid(_, let why) {
            return .refused(why)
        } catch {
            return .refused("This entry could not be read.")
        }
    }

    private func gistAlone(_ gist: ImportedArticle.Gist) -> ArticleImportTransaction.Entry {
        var remarks: [String] = []
        guard let gist = prepared(gist, title: nil, &remarks) else {
            return .refused(remarks.first ?? "There is nothing in this gist.")
        }
        return .gist(gist)
    }

    private func prepared(_ article: ImportedArticle, number: Int) throws -> PreparedArticle {
        let address = try ArticleAddress(article.url)
        var remarks: [String] = []
        let title = ArticleRules.strangers(article.title, maximumLength: ArticleRules.maximumTitleLength)
        let savedAt =
            time(article.savedAt ?? article.createdAt) ?? now - TimeInterval(min(number, 1_000_000)) * 0.001
        let createdAt = time(article.createdAt) ?? savedAt
        var prepared = PreparedArticle(
            address: address, final: article.finalUrl.flatMap { try? ArticleAddress($0) }, title: title,
            isTitleGiven: article.isTitleGiven ?? true,
            category: category(article.category, &remarks), tags: tags(article.tags, &remarks),
            state: article.isArchived ? .archived : .unread, isFavorite: article.isFavorite,
            createdAt: createdAt, savedAt: savedAt, updatedAt: time(article.updatedAt) ?? now,
            isDated: article.savedAt != nil || article.createdAt != nil,
            archivedAt: article.isArchived ? time(article.archivedAt) ?? savedAt : nil,
            openedAt: time(article.openedAt), publishedAt: time(article.publishedAt),
            author: ArticleRules.strangers(article.author, maximumLength: Self.maximumAuthor),
            language: LanguageTag.checked(article.language),
            excerpt: ArticleRules.strangers(article.excerpt, maximumLength: Self.maximumExcerpt),
            image: article.image.flatMap { try? ArticleAddress($0).text }, progress: article.progress ?? 0,
            highlights: [])
        prepared.text = text(article, address, &remarks)
        if article.fetchState == "failed" {
            prepared.error = ArticleRules.strangers(article.error, maximumLength: 500)
        }
        prepared.mediaType = article.mediaType.flatMap {
            $0.wholeMatch(of: #/[a-z0-9!#$&^_.+\-]{1,60}/[a-z0-9!#$&^_.+\-]{1,60}/#) == nil ? nil : $0
        }
        prepared.fetchedAt = time(article.fetchedAt)
        prepared.highlights = highlights(of: article, text: prepared.text, savedAt: savedAt, &remarks)
        prepared.gist = gist(of: article, prepared, &remarks)
        // A thousand highlights may have one and the same fault.
        prepared.remarks = remarks.reduce(into: []) { if !$0.contains($1) { $0.append($1) } }
        return prepared
    }

    /// Of the past, or now.
    private func time(_ date: Date?) -> Date? { date.map { min($0, now) } }

    private func category(_ text: String?, _ remarks: inout [String]) -> String {
        guard let text, !text.isBlank else { return Article.standardCategory }
        do { return try ArticleRules.category(text) } catch {
            remarks.append("The category is too long: it is cut.")
            return ArticleRules.strangers(text, maximumLength: ArticleRules.maximumCategoryLength)
                ?? Article.standardCategory
        }
    }

    private func tags(_ texts: [String], _ remarks: inout [String]) -> [String] {
        var tags: [String] = []
        for text in texts where !text.isBlank {
            // Other programs allow commas in them.
            let plain = text.replacingBytes(of: ",", with: " ")
            do { tags = try ArticleRules.tags(tags + [plain]) } catch RoostError.invalid(_, let why) {
                let isTooMany = tags.count >= ArticleRules.maximumTags
                remarks.append(isTooMany ? why + " The others were left out." : why + " It was left out.")
                // Each of thousands would be a remark of its own.
                break
            } catch {
                break
            }
        }
        return tags
    }

    private func text(
        _ article: ImportedArticle, _ address: ArticleAddress, _ remarks: inout [String]
    ) -> PreparedArticle.Text? {
        guard let content = article.content else { return nil }
        if article.isOwn == true, let text = ImportedText.own(content, text: article.text, kind: article.kind)
        {
            return text
        }
        do {
            let text = try ImportedText.cleaned(Array(content.utf8), at: address.text)
            if text.isCut { remarks.append("The text in the file is too long: its end was left out.") }
            return text
        } catch {
            remarks.append("There is no text in the file that could be kept.")
            return nil
        }
    }

    // MARK: Highlights

    private func highlights(
        of article: ImportedArticle, text: PreparedArticle.Text?, savedAt: Date, _ remarks: inout [String]
    ) -> [Highlight] {
        let found = article.highlights
        if found.count > Self.maximumHighlights {
            remarks.append("Only the first \(Self.maximumHighlights) highlights were taken over.")
        }
        let units = text.map { MarkupText(CleanMarkup(cleaned: $0.markup)).units }
        let places = units.map { HighlightPlaces(units: $0) }
        // Highlights of one place are shown in the order of their ids.
        let ids = found.prefix(Self.maximumHighlights).map { _ in UUID().uuidString.lowercased() }.sorted()
        return zip(ids, found).compactMap { id, found -> Highlight? in
            let quote = String(found.quote.unicodeScalars.prefix(ArticleRules.maximumQuoteLength))
            guard !quote.isBlank else { return nil }
            if quote.utf8.count < found.quote.utf8.count {
                remarks.append("A highlight is too long: it is cut.")
            }
            let createdAt = time(found.createdAt) ?? savedAt
            // Without a place until the text is there.
            let start = found.start ?? 0
            let given = start..<max(start, found.end ?? start)
            let isKept = article.isOwn == true && Self.stands(quote, at: given, in: units)
            let place = isKept ? nil : places?.find(quote, near: start)
            let range = place?.range ?? given
            return Highlight(
                id: id, articleId: 0, start: range.lowerBound, end: range.upperBound,
                quote: place?.quote ?? quote, before: place?.before ?? Self.context(found.before),
                after: place?.after ?? Self.context(found.after), note: note(found.note, &remarks),
                createdAt: createdAt, updatedAt: time(found.updatedAt) ?? createdAt)
        }
    }

    /// Whether our own file is right about a highlight: its words are there, or it says that they are gone.
    private static func stands(_ quote: String, at range: Range<Int>, in units: [UInt16]?) -> Bool {
        guard let units, !range.isEmpty else { return true }
        return range.upperBound <= units.count && units[range].elementsEqual(quote.utf16)
    }

    private static func context(_ text: String?) -> String { String((text ?? "").unicodeScalars.prefix(32)) }

    private func note(_ text: String?, _ remarks: inout [String]) -> String {
        guard let text else { return "" }
        do {
            return try ArticleRules.lines(text, field: "note", maximumLength: ArticleRules.maximumNoteLength)
        } catch {
            remarks.append("A note is too long: it was left out.")
            return ""
        }
    }

    // MARK: Gists

    /// What the user wrote about the article as a whole stands where a gist of the user's own does.
    private func gist(
        of article: ImportedArticle, _ prepared: PreparedArticle, _ remarks: inout [String]
    ) -> PreparedGist? {
        if let gist = article.gist {
            if article.note != nil { remarks.append("The note was left out: the article has a gist.") }
            return self.prepared(gist, title: prepared.title ?? prepared.address.text, &remarks)
        }
        return article.note.flatMap { note in
            let gist = ImportedArticle.Gist(
                content: note, sourceUrl: prepared.address.text, category: prepared.category,
                method: GistItem.Method.own.rawValue, isEdited: true, createdAt: prepared.createdAt,
                updatedAt: prepared.createdAt)
            return self.prepared(gist, title: prepared.title ?? prepared.address.text, &remarks)
        }
    }

    private func prepared(
        _ gist: ImportedArticle.Gist, title: String?, _ remarks: inout [String]
    ) -> PreparedGist? {
        guard
            let content = try? ArticleRules.lines(
                gist.content, field: "content", maximumLength: ArticleRules.maximumGistLength)
        else {
            remarks.append("The gist is too long: it was left out.")
            return nil
        }
        guard !content.isBlank else { return nil }
        let own = ArticleRules.strangers(gist.title, maximumLength: ArticleRules.maximumTitleLength)
        let createdAt = time(gist.createdAt) ?? now
        return PreparedGist(
            title: own ?? title ?? "Gist", content: content,
            sourceURL: gist.sourceUrl.flatMap { try? ArticleAddress($0).text },
            category: gist.category.map { self.category($0, &remarks) },
            method: gist.method.flatMap(GistItem.Method.init) ?? .own,
            note: ArticleRules.strangers(gist.note, maximumLength: 500), isEdited: gist.isEdited,
            createdAt: createdAt, updatedAt: time(gist.updatedAt) ?? createdAt)
    }
}
