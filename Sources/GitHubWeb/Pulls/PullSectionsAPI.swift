import Accounts
import GitHub
import HTTPServer
import RoostSupport
import RoostWeb

/// The inbox's own sections as JSON.
struct PullSectionsAPI: Sendable {
    private static let path = "/api/v1/pulls/sections"
    private static let noSection = RoostError.notFound("There is no such section.")

    let site: WebContext
    let services: GitHubServices

    func routes(_ guarded: RouteGuard) -> [SiteRoute] {
        let one = Self.path + "/{id}"
        return [
            guarded.member(
                .get, Self.path, query: Request.paging,
                api: .lists(SectionJSON.self, "Your own sections in their order."), list),
            guarded.member(
                .post, Self.path,
                api: .makes(SectionJSON.self, "Adds a section.").taking(
                    AddRequest.self, Self.limits),
                add),
            guarded.member(.get, one, api: .answers(SectionJSON.self, "One section.")) {
                reads, request, user in
                .response(API.json(SectionJSON(try section(reads, request, user))))
            },
            guarded.member(
                .patch, one,
                api: .answers(SectionJSON.self, "Changes or moves a section.").taking(
                    ChangeRequest.self, Self.limits),
                change),
            guarded.member(.delete, one, api: .does("Removes a section.")) { request, user in
                try await services.pulls.removeSection(Self.id(request), of: user.userId)
                return .response(Response(status: 204))
            },
        ]
    }

    private static let limits: KeyValuePairs<String, APILimit> = [
        "name": .text(1...PullService.maximumName), "query": .text(1...PullService.maximumQuery),
    ]

    private struct AddRequest: Decodable {
        let name, query: String
    }

    /// Missing fields stay unchanged.
    private struct ChangeRequest: Decodable {
        let name, query: String?
        let move: Direction?
    }

    private enum Direction: String, Decodable, CaseIterable {
        case up, down
    }

    private struct SectionJSON: Codable {
        let id, name, query: String
        /// Its id in the inbox.
        let section: String
        let place: Int

        init(_ section: OwnSection) {
            (id, name, query) = ("\(section.id)", section.name, section.query)
            (self.section, place) = ("own-\(section.id)", section.order)
        }
    }

    private func list(_ reads: Reads, _ request: Request, _ user: User) throws -> HandlerResult {
        let sections = try services.pulls.settings(reads, of: user.userId).sections
        let page = try request.items(of: sections) { "\($0.id)" }
        return .response(API.json(try Page(page.items.map(SectionJSON.init), next: page.next)))
    }

    private func add(_ request: Request, _ user: User) async throws -> HandlerResult {
        let body = try request.body(AddRequest.self)
        let section = try await services.pulls.addSection(
            name: body.name, query: body.query, for: user.userId)
        var response = API.json(SectionJSON(section), status: 201)
        response["Location"] = "\(Self.path)/\(section.id)"
        return .response(response)
    }

    private func change(_ request: Request, _ user: User) async throws -> HandlerResult {
        let old = try await site.database.read { try section($0, request, user) }
        let body = try request.body(ChangeRequest.self)
        if body.name != nil || body.query != nil {
            try await services.pulls.changeSection(
                old.id, name: body.name ?? old.name, query: body.query ?? old.query, for: user.userId)
        }
        if let move = body.move {
            try await services.pulls.moveSection(old.id, by: move == .up ? -1 : 1, for: user.userId)
        }
        let new = try await site.database.read { try section($0, request, user) }
        return .response(API.json(SectionJSON(new)))
    }

    private func section(_ reads: Reads, _ request: Request, _ user: User) throws -> OwnSection {
        let id = try Self.id(request)
        let sections = try services.pulls.settings(reads, of: user.userId).sections
        guard let section = sections.first(where: { $0.id == id }) else { throw Self.noSection }
        return section
    }

    private static func id(_ request: Request) throws -> Int64 {
        guard let id = Int64(request.parameters["id"]) else { throw noSection }
        return id
    }
}
