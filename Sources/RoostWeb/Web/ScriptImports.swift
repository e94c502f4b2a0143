/// What each script imports, so that a page can preload all of its modules: otherwise a browser finds an import only
/// after it has loaded the script with it.
struct ScriptImports: Sendable {
    /// A page names its scripts within this many bytes.
    private static let headLength = 4_096

    /// By the script's name, "pulls": what it imports itself, in its order. What it loads when it is needed is not
    /// among them.
    private var imports: [String: [String]] = [:]

    /// Reads the file "js/pulls.js"; others are left out.
    mutating func read(_ name: String, _ script: String) {
        guard name.hasPrefix("js/"), name.hasSuffix(".js") else { return }
        let lines = Array(script.utf8).split(separator: UInt8(ascii: "\n"))
        imports[String(name.dropFirst(3).dropLast(3))] = lines.compactMap { line in
            // import { Name } from "./file.js";
            guard line.starts(with: "import {".utf8) else { return nil }
            let parts = line.split(separator: UInt8(ascii: "\""))
            return parts.count == 3 ? String(decoding: parts[1].dropFirst(2).dropLast(3), as: UTF8.self) : nil
        }
    }

    /// All that these scripts import, directly or not, each once; the scripts themselves are not among them.
    func modules(of scripts: [String]) -> [String] {
        var found = scripts
        var next = 0
        while next < found.count {
            found += (imports[found[next]] ?? []).filter { !found.contains($0) }
            next += 1
        }
        return Array(found.dropFirst(scripts.count))
    }

    /// Puts a link for each module that the page's scripts import before the first of the scripts.
    func preload(in page: inout [UInt8], assets: String) {
        let tag = "<script type=\"module\" src=\"\(assets)/js/"
        var scripts: [String] = []
        var first: Int?
        var place = 0
        while let start = Self.place(of: tag, in: page, from: place) {
            place = start + tag.utf8.count
            let name = page[place...].prefix { $0 != UInt8(ascii: ".") }
            scripts.append(String(decoding: name, as: UTF8.self))
            first = first ?? start
        }
        guard let first else { return }
        var links = ""
        for module in modules(of: scripts) {
            links += "<link rel=\"modulepreload\" href=\"\(assets)/js/\(module).js\">\n"
        }
        page.insert(contentsOf: links.utf8, at: first)
    }

    /// Where the text begins next in a page's head; nil where it does not.
    private static func place(of text: String, in page: [UInt8], from start: Int) -> Int? {
        var text = text
        return text.withUTF8 { text in
            page.withUnsafeBufferPointer { page in
                let end = min(page.count, headLength) - text.count
                guard start <= end else { return nil }
                return (start...end).first { place in
                    page[place] == text[0]
                        && text.elementsEqual(UnsafeBufferPointer(rebasing: page[place..<place + text.count]))
                }
            }
        }
    }
}
