/// The simulated web sites: which page lies at which address, and what tests have changed of it.
package struct SiteSimulation: Sendable {
    let changes = SiteChanges()

    init() {}

    /// Addresses that behave badly by themselves, each in its own way.
    package enum Trouble {
        /// 503, always.
        static let unavailable = gazette("/live/harbour-camera")
        /// 404.
        package static let missing = gazette("/2019/removed")
        /// Never answers.
        static let silent = gazette("/live/tide-gauge")
        /// A stream of bytes so slow that no patience suffices.
        static let dripping = gazette("/live/ferry-radio")
        /// Leads on to itself for ever.
        static let endlessRedirect = gazette("/r/around")
        /// Leads over three other addresses to an article.
        static let redirects = gazette("/r/1")
        /// 64 MiB of blanks in 0.4 MB of gzip.
        static let bomb = documentation("/export/all.html")
        /// 6 MB of HTML.
        static let huge = documentation("/single-page")
        /// Answers after three seconds.
        static let slow = documentation("/slow")
        package static let pdf = documentation("/files/tide-tables.pdf")
        static let image = gazette("/pictures/chart-tides.png")

        private static func gazette(_ path: String) -> String {
            SimulatedSite.harbourGazette.address(of: path)
        }

        private static func documentation(_ path: String) -> String {
            SimulatedSite.tidewrightDocumentation.address(of: path)
        }
    }

    /// Whether the simulator answers under this name.
    static func isHost(_ host: String) -> Bool { SimulatedSite.hosts.contains(host) }

    /// A fault that lies on an address from the beginning.
    func fault(at address: String) -> Fault? {
        switch address {
        case Trouble.unavailable: .html(status: 503)
        case Trouble.silent: .hang
        case Trouble.dripping: .drip(bytesPerSecond: 5)
        default: nil
        }
    }

    /// How long it takes before it answers.
    func delay(at address: String) -> Duration {
        let seconds = changes[address]?.slow ?? (address == Trouble.slow ? 3 : 0)
        return .milliseconds(Int(seconds * 1_000))
    }

    func answer(_ request: SiteRequest) -> SimulatedResponse {
        let address = request.address
        if let change = changes[address], let changed = answer(request, change) { return changed }
        guard let site = SimulatedSite.named(request.host) else {
            // A name that has been moved: the same path at the other.
            return Self.redirect(
                to: SimulatedSite.harbourGazette.address(of: request.path), status: 301)
        }
        if let next = Self.next(after: address) { return Self.redirect(to: next) }
        if let clean = request.withoutTracking { return Self.redirect(to: clean) }
        return Self.file(at: address) ?? page(request, site)
    }

    private func answer(_ request: SiteRequest, _ change: SiteChange) -> SimulatedResponse? {
        if let address = change.redirect { return Self.redirect(to: address) }
        if let status = change.status { return Self.html(Array("\(status)".utf8), status: status) }
        if let html = change.html {
            return Self.html(Array(html.utf8), type: change.type ?? "text/html; charset=utf-8")
        }
        guard change.text != nil || change.title != nil else { return nil }
        let site = SimulatedSite.named(request.host) ?? .harbourGazette
        let old = site.article(at: request.path)
        let article = SiteArticle(
            path: request.path, title: change.title ?? old?.title ?? "Untitled",
            author: old?.author ?? "Staff", published: old?.published ?? "2026-11-02T08:00:00+00:00",
            section: old?.section ?? site.sections[0], summary: old?.summary ?? "",
            text: change.text ?? old?.text ?? "")
        return Self.html(Array(SitePage(site: site).html(of: article).utf8))
    }

    private func page(_ request: SiteRequest, _ site: SimulatedSite) -> SimulatedResponse {
        let page = SitePage(site: site)
        if request.path == "/" { return Self.html(Array(page.front.utf8)) }
        if request.path == "/login" { return login(request, page) }
        if let name = request.path.wholeMatch(of: #/\/pictures\/([\w-]+)\.png/#)?.1 {
            return Self.content(
                SitePicture(name: String(name), accent: site.accent).png, type: "image/png")
        }
        guard let article = site.article(at: request.path) else {
            return Self.html(Array(page.notFound.utf8), status: 404)
        }
        if article.isForMembers, !request.isMember {
            return Self.html(Array(page.wall(before: article).utf8))
        }
        return Self.html(
            article.charset.bytes(of: page.html(of: article)), type: article.charset.contentType)
    }

    /// Lets everybody in, as long as he asks.
    private func login(_ request: SiteRequest, _ page: SitePage) -> SimulatedResponse {
        guard let next = request.query("next"), next.hasPrefix("/"), !next.hasPrefix("//") else {
            return Self.html(Array(page.message(SiteWords.of(page.site.language).logIn).utf8))
        }
        var answer = Self.redirect(to: next)
        answer.headers.append(.init("Set-Cookie", "member=1; Path=/; HttpOnly"))
        return answer
    }
}

// MARK: Answers

extension SiteSimulation {
    private static func next(after address: String) -> String? {
        let gazette = SimulatedSite.harbourGazette
        switch address {
        case Trouble.endlessRedirect: return Trouble.endlessRedirect
        case Trouble.redirects: return gazette.address(of: "/r/2")
        case gazette.address(of: "/r/2"):
            return "http://\(SimulatedSite.bareGazette)\(gazette.articles[0].path)"
        default: return nil
        }
    }

    /// What is no page.
    private static func file(at address: String) -> SimulatedResponse? {
        switch address {
        case Trouble.pdf: content(SiteFiles.pdf, type: "application/pdf")
        case Trouble.bomb:
            // The other name of gzip: the server would compress what is called gzip once more.
            SimulatedResponse(
                status: 200,
                headers: [
                    .init("Content-Type", "text/html; charset=utf-8"), .init("Content-Encoding", "x-gzip"),
                ], body: SiteFiles.bomb)
        case Trouble.huge: html(SiteFiles.huge)
        case Trouble.slow: html(Array(SitePage(site: .tidewrightDocumentation).message("Slow").utf8))
        case Trouble.dripping: html(Array(SitePage(site: .harbourGazette).message("Ferry radio").utf8))
        case Trouble.silent, Trouble.unavailable: html([])
        default: nil
        }
    }

    private static func html(
        _ body: [UInt8], status: Int = 200, type: String = "text/html; charset=utf-8"
    ) -> SimulatedResponse {
        content(body, type: type, status: status)
    }

    private static func content(_ body: [UInt8], type: String, status: Int = 200) -> SimulatedResponse {
        SimulatedResponse(
            status: status,
            headers: [.init("Content-Type", type), .init("Cache-Control", "max-age=60")], body: body)
    }

    private static func redirect(to address: String, status: Int = 302) -> SimulatedResponse {
        SimulatedResponse(status: status, headers: [.init("Location", address)], body: [])
    }
}
