import Foundation
import TestSupport
import Testing

@testable import Reading

/// The site answers a second fetch with another page, with status 200.
@Suite(.timeLimit(.minutes(5))) struct FetchAgainTests {
    private static let url = "http://example.org/a"

    private static func wall(_ title: String, _ text: String) -> String {
        """
        <!DOCTYPE html><html><head><meta charset="utf-8"><title>\(title)</title></head><body><main><article>
        <h1>\(title)</h1><p>\(text)</p></article></main></body></html>
        """
    }

    private static let notFound = wall(
        "Page not found",
        "Sorry, the page that you were looking for could not be found. It may have been moved or deleted. Please use the search or go back to the front page."
    )

    private static let walls: [(String, ArticleItem.NewText.Reason)] = [
        (notFound, ArticleItem.NewText.Reason.notFound),
        (
            wall(
                "Just a moment...",
                "Checking if the site connection is secure. Enable JavaScript and cookies to continue."),
            .check
        ),
        (
            wall("Sign in", "Sign in to your account to read on. Forgot your password? Create an account."),
            .signIn
        ),
        (wall("Seite nicht gefunden", "Die gewünschte Seite gibt es leider nicht mehr."), .notFound),
        (wall("Page introuvable", "La page que vous cherchez a été déplacée ou supprimée."), .notFound),
        (wall("ページが見つかりません", "お探しのページは移動したか、削除された可能性があります。"), .notFound),
        (wall("Доступ запрещён", "Подтвердите, что вы не робот, чтобы продолжить чтение."), .check),
        (
            wall(
                "The keeper of lanterns", "The harbour was quiet when the ferry came in. Read on in our shop."
            ), .shorter
        ),
        (
            wall(
                "Recipes of the week",
                String(
                    repeating: "Stir flour, butter and two eggs for ten minutes; bake it until noon. ",
                    count: 12)),
            .otherTitle
        ),
    ]

    private func again(_ page: String, _ fixture: ReadingFixture, _ id: ArticleID) async throws
        -> ReadingArticle
    {
        fixture.serve(["example.org/a": page])
        try await fixture.reading.fetchAgain(id, by: fixture.ada)
        await fixture.worker.runUntilIdle()
        return try await fixture.reading.reading(id, for: fixture.ada)
    }

    private func newText(_ id: ArticleID, _ fixture: ReadingFixture) async throws -> String? {
        try await fixture.reading.database.read { try fixture.reading.newText($0, of: id, for: fixture.ada) }
    }

    private func saved(_ fixture: ReadingFixture, _ page: String? = nil) async throws -> ArticleID {
        fixture.serve(["example.org/a": page ?? ReadingFixture.page("The keeper of lanterns")])
        return try await fixture.fetched(Self.url).id
    }

    @Test(arguments: walls)
    func `the last good text stays, and the new one waits for the user's choice`(
        page: String, reason: ArticleItem.NewText.Reason
    ) async throws {
        try await withReading { fixture in
            let id = try await saved(fixture)
            let before = try await fixture.reading.reading(id, for: fixture.ada)
            let after = try await again(page, fixture, id)
            #expect(after.text == before.text && after.markup == before.markup)
            #expect(after.item.title == before.item.title)
            #expect(after.item.excerpt == before.item.excerpt && after.item.finalURL == before.item.finalURL)
            #expect(after.item.newText?.reason == reason)
            #expect(after.item.fetchState == .fetched)
            #expect(try await newText(id, fixture)?.isEmpty == false)
        }
    }

    @Test func `a redirect to a sign-in page leaves the address and the text unchanged`() async throws {
        try await withReading { fixture in
            let id = try await saved(fixture)
            fixture.serve([
                "example.org/a": ReadingFixture.redirect(to: "http://example.org/welcome"),
                "example.org/welcome": ReadingFixture.html(
                    Self.wall("Log in", "Log in with your e-mail address or create an account.")),
            ])
            try await fixture.reading.fetchAgain(id, by: fixture.ada)
            await fixture.worker.runUntilIdle()
            let after = try await fixture.reading.reading(id, for: fixture.ada)
            #expect(after.item.newText?.reason == .signIn && after.item.finalURL == Self.url)
            let welcome = try await fixture.reading.save(
                ArticleDraft(url: "http://example.org/welcome"), by: fixture.ada)
            #expect(welcome.isNew)
        }
    }

    @Test(arguments: ["edited", "longer", "headline", "shorter"])
    func `a new version of the text replaces the old one at once`(change: String) async throws {
        try await withReading { fixture in
            let id = try await saved(fixture)
            let page =
                switch change {
                case "edited": ReadingFixture.page("The keeper of lanterns", word: "lamp")
                case "longer":
                    ReadingFixture.page("The keeper of lanterns").replacingOccurrences(
                        of: "</article>",
                        with:
                            "<p>Not found so far was the door: access denied, said the sign, log in first, and the page was gone for many years.</p></article>"
                    )
                case "headline": ReadingFixture.page("Wooden lights")
                default:
                    ReadingFixture.page("The keeper of lanterns").replacingOccurrences(
                        of: "<p>What will become.*?</p>", with: "", options: .regularExpression)
                }
            let after = try await again(page, fixture, id)
            #expect(after.item.newText == nil)
            #expect(after.text != (try await again(ReadingFixture.page("x", word: "y"), fixture, id)).text)
            if change == "headline" { #expect(after.item.title == "Wooden lights") }
        }
    }

    @Test func `any new text replaces a paywall or error page`() async throws {
        try await withReading { fixture in
            let id = try await saved(fixture, Self.notFound)
            let after = try await again(ReadingFixture.page("The keeper of lanterns"), fixture, id)
            #expect(after.item.newText == nil && after.item.title == "The keeper of lanterns")
        }
    }

    @Test func `a text that its site cuts is marked until the browser sends the whole page`() async throws {
        let head =
            "<script type='application/ld+json'>{\"@type\": \"NewsArticle\", \"isAccessibleForFree\": false}</script>"
        let whole = ReadingFixture.page("The keeper of lanterns", head: head)
        let beginning = whole.replacingOccurrences(
            of: "(?s)<p>A lantern costs.*</p>", with: "", options: .regularExpression)
        try await withReading { fixture in
            let id = try await saved(fixture, beginning)
            #expect(try await fixture.reading.item(id, for: fixture.ada).isPartial == true)
            _ = try await fixture.reading.save(
                ArticleDraft(url: Self.url, html: Array(whole.utf8), source: "bookmarklet"), by: fixture.ada)
            await fixture.worker.runUntilIdle()
            let complete = try await fixture.reading.reading(id, for: fixture.ada)
            #expect(complete.item.isPartial == false && complete.text.contains("school that decided"))
            let after = try await again(beginning, fixture, id)
            #expect(after.item.newText?.reason == .signIn && after.text == complete.text)
            #expect(after.item.isPartial == false)
        }
    }

    @Test func `an article about sign-in pages is not taken for one`() async throws {
        try await withReading { fixture in
            let id = try await saved(
                fixture, ReadingFixture.page("Access denied: how a door became a page not found"))
            let after = try await again(
                ReadingFixture.page("Access denied: how a door became a page not found", word: "lamp"),
                fixture, id)
            #expect(after.item.newText == nil && after.text.contains("their lamp"))
        }
    }

    @Test func `the user can choose the new text, and undo that`() async throws {
        try await withReading { fixture in
            let (reading, ada) = (fixture.reading, fixture.ada)
            let id = try await saved(fixture)
            let mark = try await reading.addHighlight(
                NewHighlight(start: 0, end: 1, quote: "harbour was quiet", note: "n"), to: id, by: ada)
            let before = try await again(Self.notFound, fixture, id)
            let waiting = try await newText(id, fixture)
            let undo = try await reading.useNewText(id, ifFetchedAt: before.item.newText?.fetchedAt, by: ada)
            let used = try await reading.reading(id, for: ada)
            #expect(used.item.newText == nil && used.item.title == "Page not found")
            #expect(used.text == waiting)
            #expect(try await fixture.urls(ArticleFilter(list: .all, text: "moved")) == [Self.url])
            try await reading.undo(undo, by: ada)
            let back = try await reading.reading(id, for: ada)
            #expect(back.text == before.text && back.markup == before.markup)
            #expect(back.item.title == before.item.title)
            #expect(back.item.newText?.reason == .notFound)
            #expect(try await newText(id, fixture) == waiting)
            #expect(back.highlights.map(\.start) == before.highlights.map(\.start))
            #expect(back.highlights.map(\.id) == [mark.id])
            #expect(try await fixture.services.services.problems().isEmpty)
        }
    }

    @Test func `the user can keep the old text, and undo that`() async throws {
        try await withReading { fixture in
            let (reading, ada) = (fixture.reading, fixture.ada)
            let id = try await saved(fixture)
            let before = try await again(Self.notFound, fixture, id)
            let waiting = try await newText(id, fixture)
            let undo = try await reading.keepText(id, by: ada)
            let current = try await reading.reading(id, for: ada)
            #expect(current.item.newText == nil && current.text == before.text)
            #expect(
                await refusal { _ = try await reading.useNewText(id, by: ada) }
                    == .notFound("There is no new text to choose."))
            try await reading.undo(undo, by: ada)
            #expect(waiting != nil)
            #expect(try await newText(id, fixture) == waiting)
        }
    }

    @Test func `a good fetch ends the choice, and an outdated choice is refused`() async throws {
        try await withReading { fixture in
            let (reading, ada) = (fixture.reading, fixture.ada)
            let id = try await saved(fixture)
            let seen = try await again(Self.notFound, fixture, id).item.newText
            fixture.clock.advance(60)
            _ = try await again(Self.wall("Log in", "Log in to read this page."), fixture, id)
            let error = await refusal {
                _ = try await reading.useNewText(id, ifFetchedAt: seen?.fetchedAt, by: ada)
            }
            #expect(error?.isConflict == true)
            let refetched = try await again(
                ReadingFixture.page("The keeper of lanterns", word: "lamp"), fixture, id)
            #expect(refetched.item.newText == nil && refetched.text.contains("their lamp"))
        }
    }

    @Test func `a user cannot choose for another user's article, whose pending choice is not in their list`()
        async throws
    {
        try await withReading { fixture in
            let id = try await saved(fixture)
            let otherItem = try await fixture.fetched(Self.url, by: fixture.grace)
            _ = try await again(Self.notFound, fixture, id)
            let error = await refusal { _ = try await fixture.reading.useNewText(id, by: fixture.grace) }
            #expect(error == .notFound("There is no such article."))
            let other = try await fixture.reading.reading(otherItem.id, for: fixture.grace)
            #expect(other.item.newText == nil && other.text.contains("harbour"))
        }
    }
}
