/// What can go wrong between Roost and an upstream; switched on and off while the simulator runs.
package enum Fault: Sendable, Equatable {
    /// 429 with `Retry-After` in seconds; `nil` leaves the header out.
    case rateLimited(retryAfter: Int? = 60, shape: ErrorShape = .status)
    case serverError(status: Int = 500, shape: ErrorShape = .numbered)
    /// A page of HTML where JSON is expected.
    case html(status: Int = 200)
    /// A well-formed HTTP answer with 200 whose JSON ends in the middle.
    case truncatedJSON
    /// The connection closes in the middle of the body.
    case cut
    /// The true answer, so slowly that a client with any sense gives up.
    case drip(bytesPerSecond: Int = 20)
    /// No answer until the faults are cleared, the client leaves, or 120 s have passed.
    case hang
    /// The connection is reset in place of an answer.
    case reset
    /// Nobody listens for so long; then the simulator is back on the same port.
    case refused(seconds: Double = 30)
    /// GitHub's own; the number is explained there, nil takes the usual one.
    case gitHub(GitHubFault, Int? = nil)
}

extension Fault {
    /// A fault by the name that command lines and the control address use: `429`, `429-nested:90`,
    /// `503-html`,
    /// `html`, `truncated`, `cut`, `drip:100`, `hang`, `reset`, `refused:5`; `nil` for any other.
    ///
    /// After the colon: seconds (`429`, `refused`) or bytes a second (`drip`).
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

    /// The name that makes the same fault again.
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

    /// One of each kind, for a command's help.
    package static let names = [
        "429", "500", "503-html", "html", "truncated", "cut", "drip", "hang", "reset", "refused",
    ]

    /// Those that only GitHub knows.
    package static let gitHubNames = GitHubFault.allCases.map(\.rawValue)
}
