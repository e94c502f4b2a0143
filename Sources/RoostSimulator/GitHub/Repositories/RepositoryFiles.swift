struct RepositoryFiles {
    let moment: RepositoryMoment
    let baseURL: GitHubBaseURL

    /// Responds to `/OWNER/NAME` and `/OWNER/NAME/raw/BRANCH/...`, or returns nil if there is no such
    /// repository.
    func answer(_ path: [String]) -> SimulatedResponse? {
        let name = path.prefix(2).joined(separator: "/"), rest = path.dropFirst(2)
        guard let found = moment.found(name) else { return moved(name, rest) }
        guard !found.isUnavailable else { return GitHubPages.notFound }
        guard rest.first == "raw", rest.count > 2 else {
            return GitHubPages.plain(path.joined(separator: "/"))
        }
        return file(rest.last ?? "", of: found)
    }

    private func moved(_ name: String, _ rest: ArraySlice<String>) -> SimulatedResponse? {
        guard let moved = moment.moved(name), !moved.isUnavailable else { return nil }
        let address = ([baseURL.page(moved)] + rest).joined(separator: "/")
        return SimulatedResponse(status: 301, headers: [.init("Location", address)], body: [])
    }

    private func file(_ name: String, of repository: RepositorySnapshot) -> SimulatedResponse {
        if name.hasSuffix(".svg") { return Self.badge(name) }
        guard name.hasSuffix(".png") else {
            let readme = SimulatedReadme(repository: repository, baseURL: baseURL)
            return Self.file("text/plain; charset=utf-8", Array(readme.markdown.utf8))
        }
        return Self.file("image/png", AvatarPNG.bytes(of: repository.number, size: 320))
    }

    static func badge(_ text: String) -> SimulatedResponse {
        file(
            "image/svg+xml;charset=utf-8",
            Array(
                ("<svg xmlns=\"http://www.w3.org/2000/svg\" width=\"90\" height=\"20\"><text y=\"14\">"
                    + ReadmeMarkup.escaped(text) + "</text></svg>").utf8))
    }

    private static func file(_ type: String, _ bytes: [UInt8]) -> SimulatedResponse {
        SimulatedResponse(
            status: 200,
            headers: [
                .init("Content-Type", type), .init("Cache-Control", "max-age=300"),
                .init("ETag", "\"\(Fingerprint.text(bytes))\""), .init("X-Content-Type-Options", "nosniff"),
            ], body: bytes)
    }
}
