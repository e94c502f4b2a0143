import ArticleText
import Foundation
import RoostSupport

struct FetchedArticle: Sendable {
    enum Content: Sendable {
        case text(ExtractedArticle)
        case link(String)
    }

    let content: Content
    /// After redirects; nil for a page that the browser sent.
    let finalURL: String?
    /// Nil unless it is a PDF.
    var pages: Int?
    var mediaType: String?
}

extension ArticleQueue {
    /// Seconds until the next attempt, by the number of failed ones.
    private static let delays: [TimeInterval] = [30, 120, 600, 3_600]

    /// Many pages share shorter texts, such as "Loading" or "No comments yet".
    private static let minimumDuplicateWords = 50

    /// Counts the attempt before it is made, so that a page that crashes Roost is tried only a few times. Returns nil
    /// if nothing is left to do.
    static func begin(
        _ job: ArticleJob, at now: Date, in writes: Writes
    ) throws -> (article: ArticleID, html: [UInt8]?)? {
        guard let waiting = try writes.waitingArticleJob(job.id) else { return nil }
        guard let article = waiting.article, try writes.article(article, of: job.user) != nil else {
            try writes.removeArticleJob(job)
            return nil
        }
        guard waiting.attempts <= delays.count else {
            // All attempts are used up, and the last one left no result.
            let failure = ArticlePageFailure(reason: "Roost stopped each time it read this page.")
            try fail(job, failure, at: now, in: writes)
            return nil
        }
        try writes.addArticleAttempt(job)
        return (article, waiting.html)
    }

    /// Schedules another attempt or gives up; the article stays, with the reason.
    static func fail(
        _ job: ArticleJob, _ failure: ArticlePageFailure, at now: Date, in writes: Writes
    ) throws {
        let attempts = try writes.articleAttempts(of: job)
        let isLast = !failure.isTemporary || attempts > delays.count
        let delay = max(delays[min(max(attempts, 1), delays.count) - 1], failure.retryAfter ?? 0)
        try writes.noteArticleFailure(of: job, failure, isLast: isLast, nextTry: now + delay, at: now)
    }

    /// Stores the result in its article, or in the article that it turned out to be, and returns that one's id. A text
    /// that may not be a version of the current one waits for the user's decision and changes nothing else.
    static func store(
        _ fetched: FetchedArticle, of job: ArticleJob, in article: ArticleID, at now: Date, in writes: Writes
    ) throws -> ArticleID? {
        try writes.finishArticleJob(job)
        guard let item = try writes.article(article, of: job.user) else { return nil }
        let savedAddress = try ArticleAddress(item.url)
        var final = fetched.finalURL.flatMap { try? ArticleAddress($0) } ?? savedAddress
        switch fetched.content {
        case .link(let type):
            if final.isGeneric, !savedAddress.isGeneric { final = savedAddress }
            final = ArticleAddress(final, fragment: nil)
            let id = try claim(final, for: item.id, of: job.user, at: now, in: writes)
            try writes.setArticleAddress(final.text, of: id, by: job.user)
            try writes.setArticleLink(type, at: final, of: id, at: now)
            return id
        case .text(let text):
            let wall = SuspiciousText.wall(title: text.title, text: text.text, words: text.wordCount)
            // Sites send many addresses to one such page.
            if wall != nil || final.isGeneric && !savedAddress.isGeneric { final = savedAddress }
            let fragment = documentFragment(of: text, job, fetched.finalURL)
            final = ArticleAddress(final, fragment: fragment)
            let canonical = fragment == nil ? canonical(of: text, final) : nil
            var version = version(text, at: final, canonical, now: now)
            (version.pages, version.mediaType) = (fetched.pages, fetched.mediaType)
            version.isPartial = wall == .signIn || isPartial(text, ofBrowser: fetched.finalURL == nil)
            return try apply(
                text, version, to: item.id, final, isWall: wall != nil, of: job.user, at: now, in: writes)
        }
    }

    /// A subscriber's browser sends the whole text, although the page still says that it is not free.
    private static func isPartial(_ text: ExtractedArticle, ofBrowser: Bool) -> Bool {
        text.paywall == .shown || text.paywall == .declared && !ofBrowser
    }

    /// Returns the fragment that distinguishes the document from others at its address. A fragment that names a
    /// position in the page does not. A redirect keeps the fragment unless it sets another (RFC 9110, section 10.2.2).
    private static func documentFragment(
        of text: ExtractedArticle, _ job: ArticleJob, _ finalURL: String?
    ) -> String? {
        let address = [finalURL, job.url].lazy.compactMap { $0.flatMap { try? ArticleAddress($0) } }
            .first { $0.documentFragment != nil }
        guard let address, let fragment = address.documentFragment else { return nil }
        let isElement = text.fragments.hasElement(named: fragment)
        return isElement || !text.fragments.hasScripts && !address.hasRoute ? nil : fragment
    }

    private static func apply(
        _ text: ExtractedArticle, _ version: ArticleVersion, to article: ArticleID, _ final: ArticleAddress,
        isWall: Bool, of user: UserID, at now: Date, in writes: Writes
    ) throws -> ArticleID {
        if try setAsideIfSuspicious(version, of: article, at: now, in: writes) { return article }
        let hadText = try writes.articleBody(of: article) != nil
        let id = try claim(final, for: article, of: user, at: now, in: writes)
        // The article may have been merged into one that has a text.
        if !hadText || id != article, try setAsideIfSuspicious(version, of: id, at: now, in: writes) {
            return id
        }
        // A remaining duplicate already has this text, and keeps the address it was fetched from.
        if !isWall, let duplicate = try duplicate(of: version, final, besides: id, of: user, in: writes),
            try mergedArticle(of: id, duplicate, user: user, at: now, in: writes) == duplicate
        {
            return duplicate
        }
        try writes.describeArticle(id, as: version, of: user, at: now)
        try writes.putArticleText(of: version, in: id)
        return id
    }

    /// Returns true if the text may not be a version of the article's own; it then waits for the user's decision.
    private static func setAsideIfSuspicious(
        _ version: ArticleVersion, of id: ArticleID, at now: Date, in writes: Writes
    ) throws -> Bool {
        guard let old = try writes.articleVersion(of: id),
            let reason = SuspiciousText.reason(against: version, replacing: old)
        else { return false }
        try writes.setNewText(version, reason, of: id)
        try writes.noteFetched(id, at: now)
        return true
    }

    /// Merges the article with another that was saved as or fetched from the same address, because the site redirected
    /// from one to the other.
    private static func claim(
        _ final: ArticleAddress, for article: ArticleID, of user: UserID, at now: Date, in writes: Writes
    ) throws -> ArticleID {
        var id = article
        if let other = try writes.articleID(at: final.normalized, of: user), other != id {
            id = try mergedArticle(of: id, other, user: user, at: now, in: writes)
        }
        return id
    }

    /// Keeps the older one, whose address may already be used, for example in a chat.
    private static func mergedArticle(
        of article: ArticleID, _ other: ArticleID, user: UserID, at now: Date, in writes: Writes
    ) throws -> ArticleID {
        let (target, former) = (min(article, other), max(article, other))
        try writes.mergeArticle(former, into: target, of: user, at: now)
        return target
    }

    /// Only within the site and not its front page, which some sites name for all pages by mistake.
    private static func canonical(of text: ExtractedArticle, _ final: ArticleAddress) -> String? {
        guard let named = text.canonical, named.hasPrefix("http"), let canonical = try? ArticleAddress(named),
            canonical.isSameSite(as: final), !canonical.isGeneric || final.isGeneric,
            canonical.documentFragment == nil
        else { return nil }
        return canonical.normalized
    }

    /// Finds another article with exactly the same text, if one page names the other as canonical or both name a third.
    /// A page's claim alone is not enough: it may be wrong, or an attempt to replace another page.
    private static func duplicate(
        of version: ArticleVersion, _ final: ArticleAddress, besides id: ArticleID, of user: UserID,
        in writes: Writes
    ) throws -> ArticleID? {
        guard version.words >= minimumDuplicateWords, final.documentFragment == nil else { return nil }
        return try writes.duplicateArticle(
            of: version, canonical: version.canonicalURL ?? final.normalized, final: final.normalized,
            besides: id, of: user)
    }

    private static func version(
        _ text: ExtractedArticle, at final: ArticleAddress, _ canonical: String?, now: Date
    ) -> ArticleVersion {
        let published = text.published.map {
            ClockSkew.clamped($0, now: now).date.timeIntervalSince1970
        }
        return ArticleVersion(
            finalURL: final.text, site: final.site, canonicalURL: canonical,
            title: ArticleRules.shortened(text.title, maximumLength: ArticleRules.maximumTitleLength),
            author: ArticleRules.shortened(text.byline, maximumLength: 120),
            publishedAt: published.flatMap { $0 >= 0 ? $0 : nil },
            language: language(text.language ?? LanguageGuess.language(of: text.text)),
            kind: text.kind.rawValue,
            imageURL: text.leadImage.flatMap { $0.hasPrefix("http") ? try? ArticleAddress($0).text : nil },
            excerpt: excerpt(of: text), words: text.wordCount, fetchedAt: now.timeIntervalSince1970,
            text: text.text, markup: text.markup.html,
            comments: text.comments.flatMap {
                $0.html.utf8.count <= ReadingStore.maximumCommentBytes ? $0.html : nil
            })
    }

    private static func excerpt(of text: ExtractedArticle) -> String? {
        if let excerpt = ArticleRules.shortened(text.excerpt, maximumLength: 300) { return excerpt }
        let paragraphs = text.text.splitBytes(at: "\n").prefix(20)
        let first = paragraphs.first { $0.utf8.count > 80 } ?? paragraphs.first
        return first.flatMap { ArticleRules.shortened(String($0), maximumLength: 300) }
    }

    /// Accepts codes such as "en" or "pt-BR" (BCP 47).
    private static func language(_ code: String?) -> String? {
        guard let code, code.utf8.count <= 20,
            code.wholeMatch(of: #/[A-Za-z]{2,3}(?:-[A-Za-z0-9]{2,8})*/#) != nil
        else { return nil }
        return code
    }
}
