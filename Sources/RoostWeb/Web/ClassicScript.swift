import Foundation

/// Joins a script with the modules that it imports into one classic script.
///
/// The browsers of TVs and tablets of 2018 to 2020 cannot parse modules of today, so the scripts of screens and all that
/// they import are written in ES2017 and served like this. Each module becomes a function that returns its exports.
/// Imports and exports stand on lines of their own: `import { a, b } from "./file.js";`, `export const a`,
/// `export function a`, `export class A`.
enum ClassicScript {
    /// The files that are served like this.
    static let names: Set = ["js/display.js", "js/display-pair.js"]

    /// Throws if a file cannot be read.
    ///
    /// - Parameter name: "js/display.js"; its imports are in the same folder
    static func joined(_ name: String, in folder: String) throws -> String {
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
        /// "clock.js"
        private(set) var imports: [String] = []
        private var exports: [String] = []
        private var body = ""

        init(_ script: String) {
            for line in script.split(separator: "\n", omittingEmptySubsequences: false) {
                if let imported = line.wholeMatch(of: /import \{.*\} from "\.\/([\w-]+\.js)";/) {
                    imports.append(String(imported.1))
                } else if let exported = line.prefixMatch(
                    of: /export (?:const|(?:async )?function|class) (\w+)/)
                {
                    exports.append(String(exported.1))
                    body += "\(line.dropFirst("export ".count))\n"
                } else {
                    body += "\(line)\n"
                }
            }
        }

        var function: String {
            guard !exports.isEmpty else { return "(() => {\n\(body)})();\n" }
            let names = exports.joined(separator: ", ")
            return "const { \(names) } = (() => {\n\(body)return { \(names) };\n})();\n"
        }
    }
}
