/// The simulated web sites: pages by URL, and the changes that tests made.
package struct SiteSimulation: Sendable {
    let changes = SiteChanges()

    init() {}

    /// URLs that misbehave from the start.
    package enum SpecialURL {
        /// Always 503.
        static let unavailable = gazette("/live/harbour-camera")
        package static let missing = gazette("/2019/removed")
        /// Never responds.
        static let silent = gazette("/live/tide-gauge")
        /// Five bytes per second.
        static let dripping = gazette("/live/ferry-radio")
        /// Redirects to itself.
        static let endlessRedirect = gazette("/r/around")
        /// Redirects three times before an article.
        static let redirects = gazette("/r/1")
        /// 64 MiB of spaces in 0.4 MB of gzip.
        static let bomb = documentation("/export/all.html")
        /// 6 MB of HTML.
        static let huge = documentation("/single-page")
        /// Responds after three seconds.
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

    static func isHost(_ host: String) -> Bool { SimulatedSite.hosts.contains(host) }

    func fault(at address: String) -> Fault? {
        switch address {
        case SpecialURL.unavailable: .html(status: 503)
        case SpecialURL.silent: .hang
        case SpecialURL.dripping: .drip(bytesPerSecond: 5)
        default: nil
        }
    }

    func delay(at address: String) -> Duration {
        let seconds = changes[address]?.slow ?? (address == SpecialURL.slow ? 3 : 0)
        return .milliseconds(Int(seconds * 1_000))
    }

    func answer(_ request: SiteRequest) -> SimulatedResponse {
        let address = request.address
        if let change = changes[address], let changed = answer(request, change) { return changed }
        guard let site = SimulatedSite.named(request.host) else {
            // The old name redirects to the same path at the new one.
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

    private func login(_ request: SiteRequest, _ page: SitePage) -> SimulatedResponse {
        guard let next = request.query("next"), next.hasPrefix("/"), !next.hasPrefix("//") else {
            return Self.html(Array(page.message(SiteTexts.of(page.site.language).logIn).utf8))
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
        case SpecialURL.endlessRedirect: return SpecialURL.endlessRedirect
        case SpecialURL.redirects: return gazette.address(of: "/r/2")
        case gazette.address(of: "/r/2"):
            return "http://\(SimulatedSite.harbourGazetteAlias)\(gazette.articles[0].path)"
        default: return nil
        }
    }

    private static func file(at address: String) -> SimulatedResponse? {
        switch address {
        case SpecialURL.pdf: content(SiteFiles.pdf, type: "application/pdf")
        case SpecialURL.bomb:
            // An alias of gzip, because the server would compress a response marked `gzip` again.
            SimulatedResponse(
                status: 200,
                headers: [
                    .init("Content-Type", "text/html; charset=utf-8"), .init("Content-Encoding", "x-gzip"),
                ], body: SiteFiles.bomb)
        case SpecialURL.huge: html(SiteFiles.huge)
        case SpecialURL.slow: html(Array(SitePage(site: .tidewrightDocumentation).message("Slow").utf8))
        case SpecialURL.dripping: html(Array(SitePage(site: .harbourGazette).message("Ferry radio").utf8))
        case SpecialURL.silent, SpecialURL.unavailable: html([])
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
