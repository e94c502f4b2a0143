/// The page given by `page` and `per_page`, and the `Link` header to other pages.
struct RESTPage {
    private let number: Int
    private let size: Int
    private let request: GitHubRequest

    init(_ request: GitHubRequest, standard: Int) {
        self.request = request
        number = max(1, request["page"].flatMap { Int($0) } ?? 1)
        size = min(100, max(1, request["per_page"].flatMap { Int($0) } ?? standard))
    }

    var first: Int {
        let (product, isTooLarge) = (number - 1).multipliedReportingOverflow(by: size)
        return isTooLarge ? .max : product
    }

    func cut<Item>(_ items: [Item]) -> ArraySlice<Item> { items.dropFirst(first).prefix(size) }

    func linked(_ answer: SimulatedResponse, total: Int, _ baseURL: GitHubBaseURL) -> SimulatedResponse {
        let last = max(1, (total + size - 1) / size)
        var links: [String] = []
        if number > 1 { links += [link("prev", number - 1, baseURL), link("first", 1, baseURL)] }
        if number < last { links += [link("next", number + 1, baseURL), link("last", last, baseURL)] }
        guard !links.isEmpty else { return answer }
        var answer = answer
        answer.headers.append(.init("Link", links.joined(separator: ", ")))
        return answer
    }

    private func link(_ name: String, _ page: Int, _ baseURL: GitHubBaseURL) -> String {
        let parts = request.target.split(separator: "?", maxSplits: 1)
        let otherParameters = (parts.count > 1 ? parts[1] : "").split(separator: "&")
            .filter { !$0.hasPrefix("page=") }
        let query = (otherParameters.map(String.init) + ["page=\(page)"]).joined(separator: "&")
        return "<\(baseURL.web)\(parts.first ?? "")?\(query)>; rel=\"\(name)\""
    }
}
