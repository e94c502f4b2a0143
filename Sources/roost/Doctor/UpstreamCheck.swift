import Foundation
import HTTPClient
import TextFormats

/// How a request of the doctor ended.
enum ProbeOutcome: Equatable, Sendable {
    case answered(status: Int, date: Date?)
    case failed(HTTPClientError)

    /// What to do about a failure, or nil for an answer.
    var remedy: String? {
        guard case .failed(let error) = self else { return nil }
        return switch error {
        case .resolve: "Check the name and the machine’s name server (DNS)."
        case .untrusted, .tls: "Check the certificate, this machine’s clock and its package ca-certificates."
        case .timeout, .connect: "Check the network, the firewall and a proxy in https_proxy."
        default: "Check that the address is right."
        }
    }

    var failure: String? {
        guard case .failed(let error) = self else { return nil }
        return switch error {
        case .resolve(let host): "the name \(host) has no address"
        case .untrusted: "its certificate could not be verified"
        case .tls: "a secure connection failed"
        case .timeout: "it did not answer in time"
        case .connect: "the connection failed"
        default: "the request failed"
        }
    }
}

/// A server that Roost gets data from.
struct UpstreamCheck: Equatable, Sendable {
    /// "CoinGecko".
    let name: String
    let url: String
    let outcome: ProbeOutcome

    var finding: Finding {
        switch outcome {
        case .answered(let status, _) where status >= 500:
            .warning(
                name, "\(url) answers with the status \(status).",
                remedy: "Wait: the server has a problem of its own.")
        case .answered: .ok(name, "\(url) answers.")
        case .failed(.timeout):
            .warning(
                name, "\(url) cannot be reached: \(outcome.failure ?? "").", remedy: outcome.remedy ?? "")
        case .failed:
            .problem(
                name, "\(url) cannot be reached: \(outcome.failure ?? "").", remedy: outcome.remedy ?? "")
        }
    }
}

/// This machine's clock, compared with the upstreams'.
struct ClockCheck: Equatable, Sendable {
    /// In seconds. Roost accepts times up to five minutes ahead.
    private static let (noticeable, maximum) = (60, 300)

    /// Seconds by which this clock is ahead of each server's; negative if it is behind.
    let offsets: [Int]

    var finding: Finding {
        let subject = "Clock"
        // The median, because one server's clock may be wrong.
        guard !offsets.isEmpty else {
            return .warning(
                subject, "The clock could not be compared, because no server answered.",
                remedy: "Check it by hand: date -u")
        }
        let offset = offsets.sorted()[offsets.count / 2]
        let text = "This machine’s clock is \(abs(offset)) s \(offset < 0 ? "behind" : "ahead")."
        let remedy = "Synchronise the clock: timedatectl set-ntp true"
        if abs(offset) > Self.maximum { return .problem(subject, text, remedy: remedy) }
        if abs(offset) > Self.noticeable { return .warning(subject, text, remedy: remedy) }
        return .ok(subject, "The clock agrees with other servers within \(max(2, abs(offset))) s.")
    }
}

/// The `Date` field of an HTTP answer (RFC 9110, section 5.6.7): "Sun, 06 Nov 1994 08:49:37 GMT".
enum HTTPDate {
    private static let months = [
        "Jan", "Feb", "Mar", "Apr", "May", "Jun", "Jul", "Aug", "Sep", "Oct", "Nov", "Dec",
    ]

    /// Returns nil for other forms, which servers must not send.
    static func parse(_ text: String) -> Date? {
        let fields = text.splitBytes(at: " ")
        guard fields.count == 6, fields[5] == "GMT", fields[1].utf8.count == 2, fields[3].utf8.count == 4,
            let month = months.firstIndex(where: { fields[2] == $0 })
        else { return nil }
        return ISO8601.parse("\(fields[3])-\(month < 9 ? "0" : "")\(month + 1)-\(fields[1])T\(fields[4])Z")
    }
}
