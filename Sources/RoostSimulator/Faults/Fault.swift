/// A way for an upstream to fail, switched at run time.
package enum Fault: Sendable, Equatable {
    /// 429 with `Retry-After` in seconds; nil omits the header.
    case rateLimited(retryAfter: Int? = 60, shape: ErrorShape = .status)
    case serverError(status: Int = 500, shape: ErrorShape = .numbered)
    /// An HTML page where JSON is expected.
    case html(status: Int = 200)
    case truncatedJSON
    case cut
    /// The correct response, but too slow for any reasonable client timeout.
    case drip(bytesPerSecond: Int = 20)
    /// No response until faults are cleared, the client disconnects, or 120 s have passed.
    case hang
    case reset
    /// The port is closed for this long, then reopened.
    case refused(seconds: Double = 30)
    /// A fault of GitHub only. `GitHubFault` explains the number; nil uses its default.
    case gitHub(GitHubFault, Int? = nil)
}

extension Fault {
    /// Makes a fault from the name used by command lines and the control API: `429`, `429-nested:90`,
    /// `503-html`, `html`, `truncated`, `cut`, `drip:100`, `hang`, `reset`, `refused:5`. Fails for any other
    /// name.
    ///
    /// The number after the colon is seconds (`429`, `refused`) or bytes per second (`drip`).
    package init?(name: String) {
        let parts = name.split(separator: ":", maxSplits: 1, omittingEmptySubsequences: false)
        let number = parts.count > 1 ? Double(parts[1]) : nil
        guard let kind = parts.first, parts.count == 1 || number.map({ (0...86_400).contains($0) }) == true
        else {
            return nil
        }
        switch kind {
        case "html": self = .html()
        case "truncated": self = .truncatedJSON
        case "cut": self = .cut
        case "drip": self = .drip(bytesPerSecond: max(1, Int(number ?? 20)))
        case "hang": self = .hang
        case "reset": self = .reset
        case "refused": self = .refused(seconds: number ?? 30)
        case _ where GitHubFault(rawValue: String(kind)) != nil:
            self = .gitHub(GitHubFault(rawValue: String(kind)) ?? .primary, number.map { Int($0) })
        default: self.init(status: kind, number: number.map { Int($0) })
        }
    }

    private init?(status: Substring, number: Int?) {
        let parts = status.split(separator: "-", maxSplits: 1, omittingEmptySubsequences: false)
        guard let code = parts.first.flatMap({ Int($0) }), code == 429 || 500..<600 ~= code else {
            return nil
        }
        let shape =
            parts.count > 1 ? ErrorShape(rawValue: String(parts[1])) : code == 429 ? .status : .numbered
        guard let shape else { return nil }
        switch (code, shape) {
        case (429, _): self = .rateLimited(retryAfter: number ?? 60, shape: shape)
        case (_, .html): self = .html(status: code)
        default: self = .serverError(status: code, shape: shape)
        }
    }

    var name: String {
        switch self {
        case .rateLimited(let seconds, let shape):
            "429\(shape == .status ? "" : "-\(shape.rawValue)")\(seconds.map { ":\($0)" } ?? "")"
        case .serverError(let status, let shape): "\(status)\(shape == .numbered ? "" : "-\(shape.rawValue)")"
        case .html(200): "html"
        case .html(let status): "\(status)-html"
        case .truncatedJSON: "truncated"
        case .cut: "cut"
        case .drip(let pace): "drip:\(pace)"
        case .hang: "hang"
        case .reset: "reset"
        case .refused(let seconds): "refused:\(seconds)"
        case .gitHub(let fault, let number): fault.rawValue + (number.map { ":\($0)" } ?? "")
        }
    }

    /// One name of each kind, for a command's help.
    package static let names = [
        "429", "500", "503-html", "html", "truncated", "cut", "drip", "hang", "reset", "refused",
    ]

    package static let gitHubNames = GitHubFault.allCases.map(\.rawValue)
}
