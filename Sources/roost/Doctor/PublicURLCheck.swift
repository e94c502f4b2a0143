import RoostWeb

/// The public address, at which a proxy or Roost itself answers.
struct PublicURLCheck: Equatable, Sendable {
    enum Reachability: Equatable, Sendable {
        /// The server of this data folder, and whether 2 MB passed the proxy (nil: not tried).
        case thisRoost(ProbeReport, passesLargeBodies: Bool?)
        /// Roost refuses the name that the proxy sends.
        case misdirected
        /// Another status, from Roost itself or from the proxy.
        case other(status: Int, isRoost: Bool)
        case failed(ProbeOutcome)
        /// Roost is not running.
        case notTried
    }

    let url: PublicURL?
    /// Whether Roost itself serves HTTPS, so that there may be no proxy.
    let servesTLS: Bool
    let answer: Reachability

    var findings: [Finding] {
        let subject = "Public address"
        guard let url else {
            return [
                .ok(subject, "None is set (--public-url); links begin with the address that a browser uses.")
            ]
        }
        switch answer {
        case .notTried: return [.ok(subject, "\(url) is not tried, because Roost is not running.")]
        case .failed(let outcome):
            return [
                .problem(
                    subject, "\(url) cannot be reached from here: \(outcome.failure ?? "it failed").",
                    remedy:
                        "\(outcome.remedy ?? "") Some routers hide a public address from their own network.")
            ]
        case .misdirected:
            return [
                .problem(
                    subject, "The proxy at \(url) sends Roost another name than \(url.authority).",
                    remedy: "Let it pass on Host: see the article Reverse proxy.")
            ]
        case .other(let status, let isRoost):
            return [
                isRoost
                    ? .problem(
                        subject, "A Roost answers at \(url), but not the one of this data folder.",
                        remedy: "Check the address in the proxy’s settings, and --data.")
                    : .problem(
                        subject, "\(url) answers with the status \(status), and not from Roost.",
                        remedy: "Check the address of Roost in the proxy’s settings.")
            ]
        case .thisRoost(let report, let passesLargeBodies):
            return [.ok(subject, "\(url) leads to this Roost.")] + headers(report, url)
                + limits(passesLargeBodies)
        }
    }

    private func headers(_ report: ProbeReport, _ url: PublicURL) -> [Finding] {
        let subject = "Proxy headers"
        if !report.isForwarded {
            guard !servesTLS, url.isSecure else { return [] }
            return [
                .warning(
                    subject, "The proxy sends no X-Forwarded-For, so all visitors look like one.",
                    remedy:
                        "Let it send X-Forwarded-For and X-Forwarded-Proto: see the article Reverse proxy.")
            ]
        }
        guard report.isTrusted else {
            return [
                .warning(
                    subject, "Roost does not believe the headers of the proxy \(report.peer).",
                    remedy: "Start Roost with --trusted-proxy \(report.peer)")
            ]
        }
        if report.host?.lowercased() != url.authority {
            return [
                .warning(
                    subject,
                    "The proxy passes on the host \(report.host ?? "(none)") instead of \(url.authority).",
                    remedy: "Let it pass on Host: see the article Reverse proxy.")
            ]
        }
        if report.isSecure != url.isSecure {
            return [
                .warning(
                    subject,
                    "The proxy says that visitors use \(report.isSecure ? "https" : "http"), unlike --public-url.",
                    remedy: "Correct its X-Forwarded-Proto, or --public-url.")
            ]
        }
        if report.client == report.peer {
            return [
                .warning(
                    subject, "The proxy does not say which visitor it forwards.",
                    remedy: "Let it send X-Forwarded-For: see the article Reverse proxy.")
            ]
        }
        return [.ok(subject, "Host, X-Forwarded-For and X-Forwarded-Proto arrive from \(report.peer).")]
    }

    private func limits(_ passesLargeBodies: Bool?) -> [Finding] {
        let subject = "Proxy limits"
        return switch passesLargeBodies {
        case nil: []
        case true?: [.ok(subject, "Uploads of 2 MB pass.")]
        case false?:
            [
                .warning(
                    subject, "The proxy refuses uploads of 2 MB.",
                    remedy: "Allow bodies of 66 MB, in nginx with client_max_body_size 66m.")
            ]
        }
    }
}
