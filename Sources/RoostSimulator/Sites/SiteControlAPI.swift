import HTTPServer

/// `/_simulator/sites`: changes the sites' pages, in JSON.
///
///     GET      the names, the value for `article-hosts`, the pages, and the changes
///     POST     {"site": {"url": URL, "slow": 3}}                                seconds before the response
///              {"site": {"url": URL, "redirect": "http://127.0.0.1/"}}
///              {"site": {"url": URL, "status": 404}}
///              {"site": {"url": URL, "title": "...", "text": "..."}}            text in `SiteMarkup`
///              {"site": {"url": URL, "html": "...", "type": "text/html"}}       also at a new URL
///              {"site": {"url": URL, "fault": "503-html", "count": 2}}          any fault; `count` is optional
///              {"site": {"url": URL}}                                           undoes the changes
///              A URL ending in "/*" means all URLs below it.
///     DELETE   undoes everything, including faults
struct SiteControlAPI: Sendable {
    private static let path = "/_simulator/sites"
    let sites: SiteSimulation
    let plan: FaultPlan
    let articleHosts: @Sendable () -> String

    var routes: [Route] {
        [
            Route(.get, Self.path, .async { _ in .response(try state()) }),
            Route(.post, Self.path, bodyLimit: 1_048_576, .async { .response(try change($0)) }),
            Route(
                .delete, Self.path,
                .async { _ in
                    sites.changes.clear()
                    plan.clear()
                    return .response(try state())
                }),
        ]
    }

    private struct Command: Decodable {
        struct Address: Decodable {
            let url: String
            let fault: String?
            let count: Int?
        }

        let site: Address
    }

    private struct Change: Decodable {
        let site: SiteChange
    }

    private func change(_ request: Request) throws -> Response {
        let command = try request.json(Command.self).site
        let address = String(command.url.prefix { $0 != "?" && $0 != "#" })
        let host = address.split(separator: "/").dropFirst().first.map(String.init) ?? ""
        guard address.hasPrefix("http://"), SiteSimulation.isHost(host) else {
            throw RequestError.malformed(
                "url: http:// and one of \(SimulatedSite.hosts.joined(separator: ", "))")
        }
        if let name = command.fault {
            guard let fault = Fault(name: name) else {
                throw RequestError.malformed("fault: one of \(Fault.names.joined(separator: ", "))")
            }
            plan.add(FaultRule(fault, path: address, count: command.count))
        } else {
            let change = try request.json(Change.self).site
            sites.change(address, change == SiteChange() ? nil : change)
        }
        return try state()
    }

    private struct State: Encodable {
        struct Page: Encodable {
            let url: String
            let title: String
            let language: String
            let isForMembers: Bool
            let isBuiltByScript: Bool
        }

        let hosts: [String]
        let articleHosts: String
        let pages: [Page]
        let changed: [String: SiteChange]
    }

    private func state() throws -> Response {
        let pages = SimulatedSite.all.flatMap { site in
            site.articles.map {
                State.Page(
                    url: site.address(of: $0.path), title: $0.title, language: site.language,
                    isForMembers: $0.isForMembers, isBuiltByScript: $0.isBuiltByScript)
            }
        }
        return try .json(
            State(
                hosts: SimulatedSite.hosts, articleHosts: articleHosts(), pages: pages,
                changed: sites.changes.all))
    }
}
