/// The imports of each script, so that a page can preload all modules. Otherwise a browser finds an import only after
/// it has loaded the importing script.
package struct ScriptImports: Sendable {
    /// Direct imports by script name ("pulls"), in order, without dynamic imports.
    private var imports: [String: [String]] = [:]

    /// Records the imports of a file such as "js/pulls.js"; ignores other files.
    package mutating func read(_ name: String, _ script: String) {
        guard name.hasPrefix("js/"), name.hasSuffix(".js") else { return }
        let lines = Array(script.utf8).split(separator: UInt8(ascii: "\n"))
        imports[String(name.dropFirst(3).dropLast(3))] = lines.compactMap { line in
            // import { Name } from "./file.js";
            guard line.starts(with: "import {".utf8) else { return nil }
            let parts = line.split(separator: UInt8(ascii: "\""))
            return parts.count == 3 ? String(decoding: parts[1].dropFirst(2).dropLast(3), as: UTF8.self) : nil
        }
    }

    /// Returns all direct and indirect imports of these scripts, each once, without the scripts themselves.
    package func modules(of scripts: [String]) -> [String] {
        var found = scripts
        var next = 0
        while next < found.count {
            found += (imports[found[next]] ?? []).filter { !found.contains($0) }
            next += 1
        }
        return Array(found.dropFirst(scripts.count))
    }
}
