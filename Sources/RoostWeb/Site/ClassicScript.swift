import Foundation

/// Joins a script with the modules that it imports into one classic script.
///
/// TV and tablet browsers of 2018 to 2020 cannot parse current modules, so the scripts of displays and all their
/// imports are written in ES2017 and served like this. Each module becomes a function that returns its exports. Imports
/// and exports must be on lines of their own: `import { a, b } from "./file.js";`, `export const a`, `export function
/// a`, `export class A`.
enum ClassicScript {
    package static let names: Set = ["js/display.js", "js/display-pair.js"]

    /// Throws if a file cannot be read.
    package static func joined(_ name: String, in folder: String) throws -> String {
        var modules: [String] = []
        var seen: Set<String> = []
        func add(_ path: String) throws {
            guard seen.insert(path).inserted else { return }
            let module = Module(try String(contentsOfFile: path, encoding: .utf8))
            let directory = path.prefix(upTo: path.lastIndex(of: "/") ?? path.startIndex)
            for file in module.imports { try add("\(directory)/\(file)") }
            modules.append(module.function)
        }
        try add("\(folder)/\(name)")
        return "(() => {\n\"use strict\";\n\(modules.joined())})();\n"
    }

    private struct Module {
        /// File names in the same folder: "clock.js".
        private(set) var imports: [String] = []
        private var exports: [String] = []
        private var body = ""
        private static let keywords: Set<Substring> = ["async", "class", "const", "function"]

        package init(_ script: String) {
            for line in script.split(separator: "\n", omittingEmptySubsequences: false) {
                // import { a } from "./file.js"; without regexes, which took two thirds of a start's processor time.
                if line.utf8.starts(with: "import {".utf8),
                    let file = line.split(separator: "\"").dropFirst().first
                {
                    imports.append(String(file.dropFirst(2)))
                } else if line.utf8.starts(with: "export ".utf8) {
                    let declaration = line.dropFirst("export ".count)
                    let words = declaration.split { !$0.isLetter && !$0.isNumber && $0 != "_" }
                    exports += words.first { !Self.keywords.contains($0) }.map { [String($0)] } ?? []
                    body += "\(declaration)\n"
                } else {
                    body += "\(line)\n"
                }
            }
        }

        package var function: String {
            guard !exports.isEmpty else { return "(() => {\n\(body)})();\n" }
            let names = exports.joined(separator: ", ")
            return "const { \(names) } = (() => {\n\(body)return { \(names) };\n})();\n"
        }
    }
}
