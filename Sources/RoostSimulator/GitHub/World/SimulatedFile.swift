/// A changed file of a simulated pull request.
struct SimulatedFile: Sendable, Hashable {
    enum Status: String, Sendable {
        case added, removed, modified, renamed
    }

    let path: String
    var previousPath: String?
    let status: Status
    let additions: Int
    let deletions: Int
    /// Nil for pictures, renames, and files that are too large.
    var patch: String?

    /// Changes with the content, not with every head.
    var blob: String {
        let digits = Fingerprint.text(Array("\(path)/\(additions)/\(deletions)".utf8))
        return digits + digits.prefix(8)
    }

    /// The file after the change: what the patch shows of it, and other lines around that. Nil without a patch.
    var text: String? {
        guard let patch, status != .removed else { return nil }
        var lines: [Substring] = []
        for line in patch.split(separator: "\n", omittingEmptySubsequences: false) {
            if line.hasPrefix("@@") {
                let new = line.split(separator: " ").first { $0.hasPrefix("+") }
                let start = new.flatMap { Int($0.dropFirst().prefix { $0 != "," }) } ?? 1
                while lines.count < start - 1 { lines.append("// Line \(lines.count + 1)") }
            } else if !line.hasPrefix("-"), !line.hasPrefix("\\") {
                lines.append(line.dropFirst())
            }
        }
        if status != .added { lines.append("// The end") }
        return lines.joined(separator: "\n") + "\n"
    }

    /// The number of a line that was added, with the diff from its hunk's header to it. Nil without added lines.
    ///
    /// - Parameter index: which of the added lines, from 0 on; starts again after the last
    func addedLine(_ index: Int) -> (number: Int, hunk: String)? {
        var number = 0
        var found: [(number: Int, hunk: String)] = []
        var hunk: [Substring] = []
        for line in patch?.split(separator: "\n", omittingEmptySubsequences: false) ?? [] {
            if line.hasPrefix("@@") {
                let new = line.split(separator: " ").first { $0.hasPrefix("+") }
                number = new.flatMap { Int($0.dropFirst().prefix { $0 != "," }) } ?? 1
                hunk = [line]
                continue
            }
            hunk.append(line)
            if line.hasPrefix("+") { found.append((number, hunk.joined(separator: "\n"))) }
            if !line.hasPrefix("-") { number += 1 }
        }
        return found.isEmpty ? nil : found[index % found.count]
    }
}

extension SimulatedPull {
    /// From this number of files on, a pull request has a renamed file, a picture and a large generated file.
    private static let manyFiles = 8
    /// A generated file with more lines has no patch.
    private static let largestPatch = 300

    /// As many files and lines as the pull request counts.
    var files: [SimulatedFile] {
        let count = max(1, changedFiles)
        var files: [SimulatedFile] = []
        var (additions, deletions) = (additions - largeLines, deletions)
        if count >= Self.manyFiles { files = [Self.picture, Self.rename] }
        if largeLines > 0 { files.append(readings("data/tides.csv", seed: 0, largeLines, 0)) }
        for file in PatchBank.all {
            guard file.additions <= additions, file.deletions <= deletions else { continue }
            let isLast = files.count == count - 1
            // The last file has what is left.
            guard !isLast || file.additions == additions && file.deletions == deletions,
                files.count < count
            else { continue }
            files.append(file)
            additions -= file.additions
            deletions -= file.deletions
        }
        var left = count - files.count
        if left > 0, additions + deletions > Self.largestPatch {
            let share = left == 1 ? 1 : 2
            files.append(
                SimulatedFile(
                    path: "package-lock.json", status: .modified, additions: additions / share,
                    deletions: deletions / share))
            additions -= additions / share
            deletions -= deletions / share
            left -= 1
        }
        for index in 0..<left {
            let (added, removed) = (additions / (left - index), deletions / (left - index))
            files.append(generated(index, added, removed))
            additions -= added
            deletions -= removed
        }
        return files.sorted { $0.path < $1.path }
    }

    /// Readings of a tide gauge.
    private func generated(_ index: Int, _ additions: Int, _ deletions: Int) -> SimulatedFile {
        guard additions + deletions > 0 else {
            return SimulatedFile(
                path: "docs/guide/page-\(index + 1).md", previousPath: "docs/page-\(index + 1).md",
                status: .renamed, additions: 0, deletions: 0)
        }
        let path = "fixtures/readings-\(index + 1).csv"
        guard additions + deletions <= Self.largestPatch else {
            return SimulatedFile(path: path, status: .modified, additions: additions, deletions: deletions)
        }
        return readings(path, seed: index, additions, deletions)
    }

    private func readings(_ path: String, seed: Int, _ additions: Int, _ deletions: Int) -> SimulatedFile {
        let dice = SeededRandom(seed: UInt64(id) &+ UInt64(seed))
        let reading = { (line: Int, part: UInt64) in
            let height = 400 + dice.index(UInt64(line), part, below: 300)
            let minute = 10 + dice.index(UInt64(line), part + 1, below: 50)
            let time = "2026-03-\(10 + line % 20)T\(10 + line % 13):\(minute)"
            return "\(time),\(height / 100).\(String(height % 100 + 100).dropFirst())"
        }
        var lines = ["@@ -40,\(6 + deletions) +40,\(6 + additions) @@"]
        lines += (0..<3).map { " " + reading($0, 1) }
        lines += (0..<deletions).map { "-" + reading($0 + 3, 3) }
        lines += (0..<additions).map { "+" + reading($0 + 3, 5) }
        lines += (0..<3).map { " " + reading($0 + 300, 7) }
        return SimulatedFile(
            path: path, status: .modified, additions: additions, deletions: deletions,
            patch: lines.joined(separator: "\n"))
    }

    private static let picture = SimulatedFile(
        path: "docs/images/wheel.png", status: .modified, additions: 0, deletions: 0)
    private static let rename = SimulatedFile(
        path: "docs/history.md", previousPath: "HISTORY.md", status: .renamed, additions: 0, deletions: 0)
}
