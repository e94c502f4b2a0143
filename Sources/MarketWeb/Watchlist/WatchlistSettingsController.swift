import Accounts
import Foundation
import HTTPServer
import Market
import RoostSupport
import RoostWeb
import TextFormats

struct WatchlistSettingsController: Sendable {
    private static let path = "/watchlist/settings"
    private static let filesPath = "/watchlist/files"

    let site: WebContext
    let services: MarketServices
    private var watchlist: WatchlistService { services.watchlist }

    func routes(_ guarded: RouteGuard) -> [SiteRoute] {
        [
            guarded.member(.get, Self.path, page),
            guarded.member(.post, "/watchlist/choices", choose),
            guarded.member(.post, "/watchlist/lists", add),
            guarded.member(.post, "/watchlist/lists/{id}/rename", rename),
            guarded.member(.post, "/watchlist/lists/{id}/move", move),
            guarded.member(.post, "/watchlist/lists/{id}/totals", showTotals),
            guarded.member(.post, "/watchlist/lists/{id}/remove", remove),
            guarded.member(.post, "/watchlist/lists/{id}/undo", undo),
            guarded.member(.get, Self.filesPath, files),
            guarded.member(.post, Self.filesPath, bodyLimit: WatchlistFiles.rules.uploadLimit, read),
            guarded.member(.get, "/watchlist/export", export),
        ]
    }

    private func page(_ reads: Reads, _ request: Request, _ user: User) throws -> HandlerResult {
        .response(site.html(try view(reads, request, user)))
    }

    private func choose(_ request: Request, _ user: User) async throws -> HandlerResult {
        let form = try request.form()
        let currency = form["currency"].flatMap { $0.isBlank ? nil : $0 }
        // In the standard order of columns.
        let columns = Set(form.all("column").compactMap(WatchlistColumn.init))
        var preferences = WatchlistPreferences()
        preferences.columns = WatchlistColumn.allCases.filter(columns.contains)
        preferences.density = form["density"].flatMap(WatchlistPreferences.Density.init) ?? .comfortable
        preferences.redIsUp = form["redIsUp"] != nil
        preferences.currency = currency
        do {
            try await watchlist.setPreferences(preferences, of: user.userId)
        } catch {
            let refused = try FormError(error)
            return refused.answer(
                try await site.html {
                    try view(
                        $0, request, user, preferences: preferences, errors: ["currency": refused.message])
                })
        }
        return site.redirect(to: "/watchlist", showing: NoticeView(text: "Saved."), to: user)
    }

    private func add(_ request: Request, _ user: User) async throws -> HandlerResult {
        let name = try request.form()["name"] ?? ""
        do {
            let list = try await watchlist.addList(name: name, for: user.userId)
            let notice = NoticeView(text: "“\(list.name)” was added.")
            return site.redirect(to: WatchlistQuery(list: list.id).address, showing: notice, to: user)
        } catch {
            let refused = try FormError(error)
            return refused.answer(
                try await site.html {
                    try view($0, request, user, errors: ["new": refused.message], typed: name)
                })
        }
    }

    private func rename(_ request: Request, _ user: User) async throws -> HandlerResult {
        let (id, name) = (try Self.list(request), try request.form()["name"] ?? "")
        do {
            try await watchlist.renameList(id, to: name, for: user.userId)
        } catch {
            let refused = try FormError(error)
            return refused.answer(
                try await site.html {
                    try view($0, request, user, errors: ["\(id)": refused.message], typed: name)
                })
        }
        return site.redirect(to: Self.path, showing: NoticeView(text: "Renamed."), to: user)
    }

    private func move(_ request: Request, _ user: User) async throws -> HandlerResult {
        guard let direction = WatchlistService.Direction(rawValue: try request.form()["direction"] ?? "")
        else {
            throw RoostError.invalid(field: "direction", why: "A list moves up or down.")
        }
        try await watchlist.moveList(Self.list(request), direction, for: user.userId)
        return site.redirect(to: Self.path, showing: nil, to: user)
    }

    private func showTotals(_ request: Request, _ user: User) async throws -> HandlerResult {
        let shows = try request.form()["shows"] == "1"
        try await watchlist.showTotals(shows, of: Self.list(request), for: user.userId)
        return site.redirect(to: Self.path, showing: nil, to: user)
    }

    private func remove(_ request: Request, _ user: User) async throws -> HandlerResult {
        let list = try await watchlist.removeList(Self.list(request), of: user.userId)
        let notice = NoticeView(
            text: "“\(list.name)” was removed.", undo: "/watchlist/lists/\(list.id)/undo")
        return site.redirect(to: Self.path, showing: notice, to: user)
    }

    private func undo(_ request: Request, _ user: User) async throws -> HandlerResult {
        try await watchlist.undoRemoveList(Self.list(request), of: user.userId)
        return site.redirect(to: Self.path, showing: nil, to: user)
    }

    private func files(_ reads: Reads, _ request: Request, _ user: User) throws -> HandlerResult {
        .response(site.html(try filesView(reads, request, user)))
    }

    private func read(_ request: Request, _ user: User) async throws -> HandlerResult {
        let form = try request.form()
        let content = WatchlistFiles.Content(rawValue: form["what"] ?? "") ?? .list
        let list = WatchlistQuery(form).list
        do {
            let report = try await services.watchlistFiles.read(
                try form.importFile().bytes, as: content, for: user.userId, list: list)
            return .response(
                try await site.html {
                    try filesView($0, request, user, content, list, report: report)
                })
        } catch {
            let refused = try FormError(error)
            return refused.answer(
                try await site.html {
                    try filesView($0, request, user, content, list, fileError: refused.message)
                })
        }
    }

    private func export(_ request: Request, _ user: User) async throws -> HandlerResult {
        guard let content = WatchlistFiles.Content(rawValue: request.query["what"] ?? "list") else {
            throw RoostError.invalid(field: "what", why: "Choose a list or holdings.")
        }
        let bytes = try await services.watchlistFiles.export(
            content, of: user.userId, list: WatchlistQuery(request.query).list)
        let day = ISO8601.seconds(site.clock.now()).prefix(10)
        let name = content == .list ? "watchlist" : "holdings"
        return .response(.csv(bytes, named: "roost-\(name)-\(day).csv"))
    }

    /// Throws `RoostError.notFound`.
    private static func list(_ request: Request) throws -> WatchlistID {
        guard let id = WatchlistID(request.parameters["id"]) else {
            throw RoostError.notFound("There is no such list.")
        }
        return id
    }
}

extension WatchlistSettingsController {
    /// - Parameters:
    ///   - preferences: the input of a form that was not accepted; nil for the stored ones
    ///   - errors: by list id, "new" or "currency"
    private func view(
        _ reads: Reads, _ request: Request, _ user: User, preferences input: WatchlistPreferences? = nil,
        errors: [String: String] = [:], typed: String? = nil
    ) throws -> WatchlistSettingsView {
        services.currencies.watch()
        let layout = try site.layout(reads, for: user, request, currentEntry: "/watchlist")
        return WatchlistSettingsView(
            layout: layout, preferences: try input ?? watchlist.preferences(reads, of: user.userId),
            lists: try watchlist.lists(reads, of: user.userId), currencies: services.currencies.all,
            standard: services.currency, errors: errors, typed: typed)
    }

    private func filesView(
        _ reads: Reads, _ request: Request, _ user: User, _ content: WatchlistFiles.Content = .list,
        _ list: WatchlistID? = nil, report: ImportReport? = nil, fileError: String? = nil
    ) throws -> WatchlistFilesView {
        let layout = try site.layout(reads, for: user, request, currentEntry: "/watchlist")
        return WatchlistFilesView(
            layout: layout, lists: try watchlist.lists(reads, of: user.userId), content: content,
            list: list, report: report, fileError: fileError)
    }
}
