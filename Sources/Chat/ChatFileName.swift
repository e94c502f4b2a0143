/// Makes names of sent files safe on all systems.
enum ChatFileName {
    /// In bytes; file systems allow 255. Longer names are cut before the extension.
    private static let maximumBytes = 120
    private static let maximumExtensionLength = 16
    /// Characters with a special meaning on Windows or in paths.
    private static let specialCharacters = "/\\:*?\"<>|"
    /// Reserved on Windows with any extension (learn.microsoft.com, "Naming Files, Paths, and Namespaces").
    private static let devices: Set<String> = ["con", "prn", "aux", "nul"]
    private static let numberedDevices: Set<String> = ["com", "lpt"]
    private static let extensions = [
        "image/png": ["png"], "image/jpeg": ["jpg", "jpeg"], "image/gif": ["gif"], "image/webp": ["webp"],
    ]

    /// Removes folders, control characters and bidirectional marks. An image gets the extension of its format, so that
    /// no program opens it as something else.
    static func safe(_ name: String, type: String) -> String {
        let last = name.utf8.count <= 4_096 ? name.splitBytes(at: "/").last.map(String.init) ?? "" : ""
        var plain = String.UnicodeScalarView()
        for scalar in (last.splitBytes(at: "\\").last.map(String.init) ?? "").sanitized.unicodeScalars {
            plain.append(specialCharacters.unicodeScalars.contains(scalar) ? "_" : scalar)
        }
        let (stem, fileExtension) = split(String(plain))
        let expected = extensions[type] ?? []
        let isExpected = expected.isEmpty || expected.contains(fileExtension.lowercased())
        let newExtension = isExpected ? fileExtension : expected[0]
        let newStem = isExpected || fileExtension.isEmpty ? stem : "\(stem)_\(fileExtension)"
        let start = cut(trimmed(newStem), newExtension.utf8.count + 1)
        let safeStem =
            start.isEmpty ? (expected.isEmpty ? "file" : "image") : isDevice(start) ? "_" + start : start
        return newExtension.isEmpty ? safeStem : "\(safeStem).\(newExtension)"
    }

    /// Splits "report.tar.gz" into "report.tar" and "gz". A name whose only dot is the first character has no
    /// extension.
    private static func split(_ name: String) -> (stem: String, fileExtension: String) {
        let name = trimmed(name)
        guard let dot = name.utf8.lastIndex(of: UInt8(ascii: ".")) else { return (name, "") }
        let fileExtension = name[name.utf8.index(after: dot)...]
        let isAlphanumeric = fileExtension.utf8.allSatisfy {
            (0x30...0x39).contains($0) || (0x61...0x7A).contains($0 | 0x20)
        }
        guard isAlphanumeric, (1...maximumExtensionLength).contains(fileExtension.utf8.count) else {
            return (name, "")
        }
        return (String(name[..<dot]), String(fileExtension))
    }

    /// Removes dots and spaces at both ends: they hide a file or are dropped by Windows.
    private static func trimmed(_ name: String) -> String {
        let isEdge = { (scalar: Unicode.Scalar) in scalar == "." || scalar.properties.isWhitespace }
        let start = name.unicodeScalars.drop(while: isEdge)
        let end = start.lastIndex { !isEdge($0) }.map { start.index(after: $0) } ?? start.startIndex
        return String(Substring(start[..<end]))
    }

    private static func cut(_ stem: String, _ reserved: Int) -> String {
        var bytes = 0
        let prefix = stem.unicodeScalars.prefix { scalar in
            bytes += UTF8.width(scalar)
            return bytes <= maximumBytes - reserved
        }
        return trimmed(String(Substring(prefix)))
    }

    private static func isDevice(_ stem: String) -> Bool {
        let name = (stem.splitBytes(at: ".").first ?? "").lowercased()
        if devices.contains(name) { return true }
        return name.utf8.count == 4 && name.utf8.last.map { (0x31...0x39).contains($0) } == true
            && numberedDevices.contains(String(name.dropLast()))
    }
}
