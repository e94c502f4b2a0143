/// A name under which any system can save a file that somebody has sent.
enum ChatFileName {
    /// Longer names are cut before their ending; in bytes, of which file systems take 255.
    private static let maximumBytes = 120
    private static let maximumEnding = 16
    /// What Windows or a path would read as something else.
    private static let signs = "/\\:*?\"<>|"
    /// Devices, whatever ending follows (learn.microsoft.com, "Naming Files, Paths, and Namespaces").
    private static let devices: Set<String> = ["con", "prn", "aux", "nul"]
    private static let numberedDevices: Set<String> = ["com", "lpt"]
    private static let endings = [
        "image/png": ["png"], "image/jpeg": ["jpg", "jpeg"], "image/gif": ["gif"], "image/webp": ["webp"],
    ]

    /// Without folders, control characters and marks that turn letters around. A picture has its format's ending, so that
    /// nothing opens it as something else.
    static func safe(_ name: String, type: String) -> String {
        let last = name.utf8.count <= 4_096 ? name.splitBytes(at: "/").last.map(String.init) ?? "" : ""
        var plain = String.UnicodeScalarView()
        for scalar in (last.splitBytes(at: "\\").last.map(String.init) ?? "").sanitized.unicodeScalars {
            plain.append(signs.unicodeScalars.contains(scalar) ? "_" : scalar)
        }
        let (stem, ending) = split(String(plain))
        let known = endings[type] ?? []
        let isKnown = known.isEmpty || known.contains(ending.lowercased())
        let newEnding = isKnown ? ending : known[0]
        let newStem = isKnown || ending.isEmpty ? stem : "\(stem)_\(ending)"
        let start = cut(trimmed(newStem), newEnding.utf8.count + 1)
        let safeStem =
            start.isEmpty ? (known.isEmpty ? "file" : "image") : isDevice(start) ? "_" + start : start
        return newEnding.isEmpty ? safeStem : "\(safeStem).\(newEnding)"
    }

    /// "report.tar" and "gz"; a name that begins with its only point has no ending.
    private static func split(_ name: String) -> (stem: String, ending: String) {
        let name = trimmed(name)
        guard let dot = name.utf8.lastIndex(of: UInt8(ascii: ".")) else { return (name, "") }
        let ending = name[name.utf8.index(after: dot)...]
        let isPlain = ending.utf8.allSatisfy {
            (0x30...0x39).contains($0) || (0x61...0x7A).contains($0 | 0x20)
        }
        guard isPlain, (1...maximumEnding).contains(ending.utf8.count) else { return (name, "") }
        return (String(name[..<dot]), String(ending))
    }

    /// Without points and blanks at both ends: a hidden file, and what Windows takes away.
    private static func trimmed(_ name: String) -> String {
        let isEdge = { (scalar: Unicode.Scalar) in scalar == "." || scalar.properties.isWhitespace }
        let start = name.unicodeScalars.drop(while: isEdge)
        let end = start.lastIndex { !isEdge($0) }.map { start.index(after: $0) } ?? start.startIndex
        return String(Substring(start[..<end]))
    }

    private static func cut(_ stem: String, _ reserved: Int) -> String {
        var bytes = 0
        let fitting = stem.unicodeScalars.prefix { scalar in
            bytes += UTF8.width(scalar)
            return bytes <= maximumBytes - reserved
        }
        return trimmed(String(Substring(fitting)))
    }

    private static func isDevice(_ stem: String) -> Bool {
        let word = (stem.splitBytes(at: ".").first ?? "").lowercased()
        if devices.contains(word) { return true }
        return word.utf8.count == 4 && word.utf8.last.map { (0x31...0x39).contains($0) } == true
            && numberedDevices.contains(String(word.dropLast()))
    }
}
