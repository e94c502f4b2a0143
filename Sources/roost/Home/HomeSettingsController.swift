import Accounts
import HTTPServer
import RoostSupport
import RoostWeb

struct HomeSettingsFeature: Feature {
    let settingsTabs: [SettingsTab] = [.home]

    func routes(_ guarded: RouteGuard) -> [SiteRoute] {
        HomeSettingsController(site: guarded.site).routes(guarded)
    }
}

extension SettingsTab {
    static let home = SettingsTab("Home", at: HomeSettingsController.path, in: .feature)
}

/// `/settings/home`: the order, size, width and visibility of the home page's tiles.
struct HomeSettingsController: Sendable {
    static let path = "/settings/home"
    private static let apiPath = "/api/v1/home"

    let site: WebContext

    func routes(_ guarded: RouteGuard) -> [SiteRoute] {
        let tiles = APILimit.list(0...kinds.count, of: .choice(kinds.map(\.key)))
        return [
            guarded.member(.get, Self.path) { reads, request, user in
                let preferences = try reads.preferences(HomePreferences.self, of: user.userId)
                return .response(site.html(try view(reads, request, user, preferences)))
            },
            guarded.member(.post, Self.path, save),
            guarded.member(.post, Self.path + "/reset") { _, user in
                try await set(HomePreferences(), of: user)
                return site.redirect(
                    to: Self.path, showing: NoticeView(text: "The tiles are as they were at first."), to: user
                )
            },
            guarded.member(
                .get, Self.apiPath,
                api: .answers(HomeJSON.self, "The tiles of your home page in their order.")
            ) { reads, _, user in
                let preferences = try reads.preferences(HomePreferences.self, of: user.userId)
                return .response(API.json(HomeJSON(preferences, kinds)))
            },
            guarded.member(
                .patch, Self.apiPath,
                api: .answers(HomeJSON.self, "Changes the arrangement of the tiles.").taking(
                    ChangeBody.self, ["order": tiles, "hidden": tiles]), change),
        ]
    }

    private var kinds: [TileKind] { HomeController.kinds(site) }

    private func set(_ preferences: HomePreferences, of user: User) async throws {
        try await site.database.write { writes in
            try writes.setPreferences(preferences, of: user.userId)
            writes.publish(Topic.home(user.userId))
        }
    }

    // MARK: Form

    private func save(_ request: Request, _ user: User) async throws -> HandlerResult {
        let form = try request.form()
        do {
            let move = form["move"]
            try await set(try preferences(of: form, moving: move), of: user)
            let notice = move == nil ? NoticeView(text: "Home page saved.") : nil
            return site.redirect(to: move == nil ? "/" : Self.path, showing: notice, to: user)
        } catch {
            let refused = try FormError(error)
            return refused.answer(
                try await site.html { reads in
                    let stored = try reads.preferences(HomePreferences.self, of: user.userId)
                    return try view(
                        reads, request, user, (try? preferences(of: form)) ?? stored, error: refused.message)
                })
        }
    }

    /// - Parameter move: "up" or "down" and the key of a tile: "up pulls"
    private func preferences(of form: Form, moving move: String? = nil) throws -> HomePreferences {
        let (order, shown) = (form.all("order"), Set(form.all("shown")))
        var sizes: [String: HomePreferences.Size] = [:]
        for key in order {
            guard let text = form["size.\(key)"] else { continue }
            guard let size = HomePreferences.Size(rawValue: text) else {
                throw RoostError.invalid(field: "size.\(key)", why: "A tile is short, normal or long.")
            }
            sizes[key] = size
        }
        var preferences = HomePreferences()
        preferences.hidden = Set(order.filter { !shown.contains($0) })
        preferences.sizes = sizes
        preferences.order = try checked(order, field: "order")
        for key in order {
            guard let text = form["width.\(key)"] else { continue }
            guard let width = HomePreferences.Width(rawValue: text) else {
                throw RoostError.invalid(
                    field: "width.\(key)", why: "A tile is as wide as a column, two columns or the page.")
            }
            preferences.setWidth(width, ofTile: key)
        }
        if let move { try preferences.move(move, kinds) }
        return preferences
    }

    private func checked<Keys: Collection<String>>(_ keys: Keys, field: String) throws -> [String] {
        let known = Set(kinds.map(\.key))
        if let key = keys.first(where: { !known.contains($0) }) {
            throw RoostError.invalid(field: field, why: "There is no tile “\(key.prefix(40))”.")
        }
        guard Set(keys).count == keys.count else {
            throw RoostError.invalid(field: field, why: "A tile is named twice.")
        }
        return Array(keys)
    }

    private func view(
        _ reads: Reads, _ request: Request, _ user: User, _ preferences: HomePreferences,
        error: String? = nil
    ) throws -> HomeSettingsView {
        HomeSettingsView(
            layout: try site.layout(reads, for: user, request, currentEntry: nil), preferences, kinds,
            error: error, isOwner: user.role == .owner)
    }

    // MARK: JSON

    private struct ChangeBody: Decodable {
        let order: [String]?
        let hidden: [String]?
        let sizes: [String: HomePreferences.Size]?
        let wide: [String: Bool]?
        let widths: [String: HomePreferences.Width]?
    }

    /// Tiles that the order names come first; the others keep their order.
    private func change(_ request: Request, _ user: User) async throws -> HandlerResult {
        let body = try request.body(ChangeBody.self)
        let order = try body.order.map { try checked($0, field: "order") }
        let hidden = try body.hidden.map { Set(try checked($0, field: "hidden")) }
        _ = try body.sizes.map { try checked($0.keys, field: "sizes") }
        _ = try body.wide.map { try checked($0.keys, field: "wide") }
        _ = try body.widths.map { try checked($0.keys, field: "widths") }
        let kinds = kinds
        let preferences = try await site.database.write { writes in
            var preferences = try writes.preferences(HomePreferences.self, of: user.userId)
            if let order {
                let rest = preferences.arranged(kinds).map(\.key).filter { !order.contains($0) }
                preferences.order = order + rest
            }
            if let hidden { preferences.hidden = hidden }
            preferences.sizes.merge(body.sizes ?? [:]) { $1 }
            for (key, isWide) in body.wide ?? [:] {
                preferences.setWidth(isWide ? .page : .column, ofTile: key)
            }
            for (key, width) in body.widths ?? [:] { preferences.setWidth(width, ofTile: key) }
            try writes.setPreferences(preferences, of: user.userId)
            writes.publish(Topic.home(user.userId))
            return preferences
        }
        return .response(API.json(HomeJSON(preferences, kinds)))
    }
}

extension HomePreferences {
    /// Throws `RoostError.invalid(field: "move")`.
    fileprivate mutating func move(_ text: String, _ kinds: [TileKind]) throws {
        var keys = arranged(kinds).map(\.key)
        let parts = text.splitBytes(at: " ")
        guard parts.count == 2, parts[0] == "up" || parts[0] == "down",
            let index = keys.firstIndex(of: String(parts[1]))
        else { throw RoostError.invalid(field: "move", why: "A tile moves up or down.") }
        let target = parts[0] == "up" ? index - 1 : index + 1
        if keys.indices.contains(target) { keys.swapAt(index, target) }
        order = keys
    }
}

private struct HomeJSON: Codable {
    struct Tile: Codable {
        let key, name: String
        let size: HomePreferences.Size
        let width: HomePreferences.Width
        let wide, shown: Bool
    }

    let items: [Tile]
    let next: API.Nullable<String>

    init(_ preferences: HomePreferences, _ kinds: [TileKind]) {
        next = API.Nullable(nil)
        items = preferences.arranged(kinds).map {
            Tile(
                key: $0.key, name: $0.name, size: preferences.size(of: $0),
                width: preferences.width(of: $0), wide: preferences.width(of: $0) == .page,
                shown: !preferences.hidden.contains($0.key))
        }
    }
}
