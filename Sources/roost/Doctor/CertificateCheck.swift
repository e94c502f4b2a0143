import Foundation
import HTTPServer

/// The certificate for HTTPS.
struct CertificateCheck: Equatable, Sendable {
    enum State: Equatable, Sendable {
        /// Roost serves plain HTTP.
        case none
        /// A sentence that says why.
        case unusable(String)
        case readable(CertificateExpiry)
    }

    /// The PEM file, or "" without one.
    let file: String
    let state: State
    /// What a running server uses, if that is known.
    var served: CertificateExpiry?
    let now: Date

    var expiry: CertificateExpiry? {
        if case .readable(let expiry) = state { expiry } else { nil }
    }

    var finding: Finding {
        let subject = "Certificate"
        let remedy = "Renew the certificate in \(file), then reload or restart Roost."
        switch state {
        case .none: return .ok(subject, "None: Roost serves plain HTTP.")
        case .unusable(let why):
            return .problem(
                subject, why, remedy: "Correct --tls-certificate and --tls-key before the next start.")
        case .readable(let expiry):
            if let served, served.date < expiry.date {
                let text =
                    "The new certificate in \(file) is not used yet; the old one \(served.phrase(at: now))."
                let isUrgent = served.hasExpired(at: now)
                return Finding(
                    level: isUrgent ? .problem : .warning, subject: subject, text: text,
                    remedy: "Reload or restart Roost, which then reads it.")
            }
            let text = "The certificate in \(file) \(expiry.phrase(at: now))."
            if expiry.hasExpired(at: now) { return .problem(subject, text, remedy: remedy) }
            return expiry.needsRenewal(at: now)
                ? .warning(subject, text, remedy: remedy) : .ok(subject, text)
        }
    }
}
