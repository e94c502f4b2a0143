package import RoostSupport

/// A metric with all its samples, in Prometheus' text format, version 0.0.4.
///
/// A family without samples still has its help and type, so that a client can list all metrics.
package struct MetricFamily: Sendable, Equatable {
    package enum Kind: String, Sendable {
        case counter, gauge, histogram
    }

    package typealias Labels = KeyValuePairs<String, String>

    package let name: String
    private let kind: Kind
    private let help: String
    private var samples: [Sample] = []

    private struct Sample: Equatable {
        var suffix = ""
        let labels: String
        let value: String
    }

    private init(_ kind: Kind, _ name: String, _ help: String) {
        self.kind = kind
        self.name = name
        self.help = help
    }

    /// A value that goes up and down. Its name ends with its unit.
    package static func gauge(_ name: String, _ help: String) -> MetricFamily {
        MetricFamily(.gauge, name, help)
    }

    package static func gauge(_ name: String, _ help: String, _ value: Int) -> MetricFamily {
        gauge(name, help).with(value)
    }

    /// A value that only grows until the next start. Its name ends with "_total".
    package static func counter(_ name: String, _ help: String) -> MetricFamily {
        MetricFamily(.counter, name, help)
    }

    package static func histogram(_ name: String, _ help: String) -> MetricFamily {
        MetricFamily(.histogram, name, help)
    }

    package func with(_ value: Int, _ labels: Labels = [:]) -> MetricFamily {
        adding(Sample(labels: Self.text(labels), value: "\(value)"))
    }

    /// A duration, in seconds.
    package func with(microseconds: Int, _ labels: Labels = [:]) -> MetricFamily {
        adding(Sample(labels: Self.text(labels), value: Self.seconds(microseconds)))
    }

    /// For a histogram.
    package func with(_ durations: DurationHistogram, _ labels: Labels = [:]) -> MetricFamily {
        let text = Self.text(labels)
        let prefix = text.isEmpty ? "" : text + ","
        var family = self
        var count = 0
        for (step, own) in durations.counts.enumerated() {
            count += own
            let bound =
                step < DurationHistogram.bounds.count
                ? Self.seconds(DurationHistogram.bounds[step]) : "+Inf"
            family.samples.append(
                Sample(suffix: "_bucket", labels: prefix + #"le="\#(bound)""#, value: "\(count)"))
        }
        family.samples.append(Sample(suffix: "_sum", labels: text, value: Self.seconds(durations.sum)))
        family.samples.append(Sample(suffix: "_count", labels: text, value: "\(count)"))
        return family
    }

    private func adding(_ sample: Sample) -> MetricFamily {
        var family = self
        family.samples.append(sample)
        return family
    }

    /// The lines, each with its end.
    package var text: String {
        var text = "# HELP \(name) \(Self.escaped(help, quotes: false))\n# TYPE \(name) \(kind.rawValue)\n"
        for sample in samples {
            text += name
            text += sample.suffix
            if !sample.labels.isEmpty { text += "{\(sample.labels)}" }
            text += " \(sample.value)\n"
        }
        return text
    }

    private static func text(_ labels: Labels) -> String {
        labels.map { "\($0.key)=\"\(escaped($0.value, quotes: true))\"" }.joined(separator: ",")
    }

    /// Decimal, because a Double of a sum may print as "1e-05".
    private static func seconds(_ microseconds: Int) -> String {
        let (whole, part) = microseconds.quotientAndRemainder(dividingBy: 1_000_000)
        guard part > 0 else { return "\(whole)" }
        var digits = String(1_000_000 + part).dropFirst()
        while digits.last == "0" { digits.removeLast() }
        return "\(whole).\(digits)"
    }

    /// Works on scalars: a quotation mark with a combining mark is another `Character`.
    private static func escaped(_ text: String, quotes: Bool) -> String {
        var result = String.UnicodeScalarView()
        for scalar in text.unicodeScalars {
            switch scalar {
            case "\\": result.append(contentsOf: "\\\\".unicodeScalars)
            case "\n": result.append(contentsOf: "\\n".unicodeScalars)
            case "\"" where quotes: result.append(contentsOf: "\\\"".unicodeScalars)
            default: result.append(scalar)
            }
        }
        return String(result)
    }
}
