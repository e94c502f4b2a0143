import Testing

/// A strict parser of Prometheus' text format, version 0.0.4. It refuses what Prometheus would read only by luck.
struct MetricText {
    struct Sample: Equatable {
        let name: String
        let labels: [String: String]
        let value: Double
    }

    struct Family {
        let name: String
        var kind = ""
        var samples: [Sample] = []
    }

    struct Fault: Error { let line: Substring }

    private(set) var families: [Family] = []

    init(_ text: String) throws {
        guard text.hasSuffix("\n") else { throw Fault(line: text[...]) }
        for line in text.dropLast().split(separator: "\n", omittingEmptySubsequences: false) {
            try add(line)
        }
        for family in families { try check(family) }
    }

    /// By name, with the ends of histograms.
    var samples: [Sample] { families.flatMap(\.samples) }

    func value(_ name: String, _ labels: [String: String] = [:]) -> Double? {
        samples.first { $0.name == name && $0.labels == labels }?.value
    }

    /// Every name that a query can use.
    var names: Set<String> {
        Set(
            families.flatMap { family in
                family.kind == "histogram"
                    ? ["_bucket", "_sum", "_count"].map { family.name + $0 } : [family.name]
            })
    }

    private mutating func add(_ line: Substring) throws {
        if let match = line.wholeMatch(of: /# HELP ([a-zA-Z_:][a-zA-Z0-9_:]*) (\S.*)/) {
            let name = String(match.1)
            guard families.last?.kind != "", !families.contains(where: { $0.name == name }) else {
                throw Fault(line: line)
            }
            families.append(Family(name: name))
        } else if let match = line.wholeMatch(of: /# TYPE (\S+) (counter|gauge|histogram)/) {
            guard let family = families.last, family.name == match.1, family.kind.isEmpty else {
                throw Fault(line: line)
            }
            families[families.count - 1].kind = String(match.2)
        } else {
            try addSample(line)
        }
    }

    private mutating func addSample(_ line: Substring) throws {
        guard let name = line.prefixMatch(of: /[a-zA-Z_:][a-zA-Z0-9_:]*/), let family = families.last,
            !family.kind.isEmpty
        else { throw Fault(line: line) }
        var rest = line[name.range.upperBound...]
        var labels: [String: String] = [:]
        if rest.hasPrefix("{") {
            // By scalars: a quotation mark with a combining mark is another Character.
            let pattern = /([a-zA-Z_][a-zA-Z0-9_]*)="((?:[^"\\]|\\\\|\\"|\\n)*)"/.matchingSemantics(
                .unicodeScalar)
            repeat {
                rest = rest.dropFirst()
                guard let label = rest.prefixMatch(of: pattern), labels[String(label.1)] == nil else {
                    throw Fault(line: line)
                }
                labels[String(label.1)] = Self.unescaped(label.2)
                rest = rest[label.range.upperBound...]
            } while rest.hasPrefix(",")
            guard rest.hasPrefix("}") else { throw Fault(line: line) }
            rest = rest.dropFirst()
        }
        guard let value = rest.wholeMatch(of: /\ (-?[0-9]+(?:\.[0-9]+)?(?:e[+-]?[0-9]+)?)/),
            let number = Double(value.1)
        else { throw Fault(line: line) }
        let suffixes = family.kind == "histogram" ? ["_bucket", "_sum", "_count"] : [""]
        let sample = Sample(name: String(name.output), labels: labels, value: number)
        guard suffixes.contains(where: { family.name + $0 == sample.name }),
            !family.samples.contains(where: { $0.name == sample.name && $0.labels == labels }),
            (sample.labels["le"] != nil) == sample.name.hasSuffix("_bucket")
        else { throw Fault(line: line) }
        families[families.count - 1].samples.append(sample)
    }

    private static func unescaped(_ text: Substring) -> String {
        var result = ""
        var isEscaped = false
        for scalar in text.unicodeScalars {
            if isEscaped {
                result.unicodeScalars.append(scalar == "n" ? "\n" : scalar)
                isEscaped = false
            } else if scalar == "\\" {
                isEscaped = true
            } else {
                result.unicodeScalars.append(scalar)
            }
        }
        return result
    }

    private func check(_ family: Family) throws {
        guard !family.kind.isEmpty, (family.kind == "counter") == family.name.hasSuffix("_total") else {
            throw Fault(line: family.name[...])
        }
        guard family.kind == "histogram" else { return }
        let series = Dictionary(grouping: family.samples) { sample in
            sample.labels.filter { $0.key != "le" }
        }
        for (_, samples) in series {
            let buckets = samples.filter { $0.name.hasSuffix("_bucket") }
            let bounds = buckets.map { $0.labels["le"].flatMap { Double($0 == "+Inf" ? "inf" : $0) } ?? -1 }
            let counts = buckets.map(\.value)
            guard bounds == bounds.sorted(), Set(bounds).count == bounds.count, bounds.last == .infinity,
                bounds.allSatisfy({ $0 > 0 }), counts == counts.sorted(),
                samples.first(where: { $0.name == family.name + "_count" })?.value == counts.last,
                samples.count(where: { $0.name == family.name + "_sum" }) == 1
            else { throw Fault(line: family.name[...]) }
        }
    }
}
