import Foundation
import TextFormats

/// A page's metadata in JSON-LD, with the vocabulary of schema.org.
struct LinkedData {
    /// Such as "NewsArticle", "Product" or "BreadcrumbList".
    private(set) var types: [String] = []
    private(set) var headline: String?
    private(set) var authors: [String] = []
    private(set) var published: String?
    private(set) var publisher: String?
    private(set) var description: String?
    private(set) var image: String?
    private(set) var language: String?
    private(set) var body: String?
    /// False if the text, or a part of it, is only for subscribers or for members.
    private(set) var isFree: Bool?
    private(set) var wordCount: Int?
    /// The CSS selectors of the parts that are not free.
    private(set) var paidSelectors: [String] = []

    private static let maximumBody = 1_000_000
    /// Limits for a page's things and a thing's names, because each takes many times its size in the page.
    private static let maximumThings = 1_000
    private static let maximumTexts = 100

    private struct Thing {
        var types: [String] = []
        var headline, name, published, publisher, description, image, language, body: String?
        var authors: [String] = []
        var isFree: Bool?
        var wordCount: Int?
        var paidSelectors: [String] = []
    }

    init(_ tree: PageTree) {
        for range in tree.linkedData {
            // Line breaks within strings are invalid JSON, but common.
            let bytes = tree.bytes[Int(range.lowerBound)..<Int(range.upperBound)].map {
                $0 < 0x20 ? 0x20 : $0
            }
            var reader = JSONReader(Data(bytes))
            // Keep what was read before the first invalid JSON.
            try? readThings(&reader)
        }
    }

    private mutating func readThings(_ reader: inout JSONReader) throws {
        var copy = reader
        if try copy.list({ try self.readThing(&$0) }) { return }
        try readThing(&reader)
    }

    private mutating func readThing(_ reader: inout JSONReader) throws {
        var thing = Thing()
        var graph: [Thing] = []
        try reader.object { reader, name in
            if name == "@graph" {
                try reader.list { reader in
                    var part = Thing()
                    try reader.object { try Self.read(&$0, $1, into: &part) }
                    if graph.count < Self.maximumThings { graph.append(part) }
                }
            } else {
                try Self.read(&reader, name, into: &thing)
            }
        }
        for thing in [thing] + graph { merge(thing) }
    }

    private static func read(_ reader: inout JSONReader, _ name: String, into thing: inout Thing) throws {
        switch name {
        case "@type": thing.types = try texts(&reader, within: "@id")
        case "headline": thing.headline = try reader.string()
        case "name": thing.name = try reader.string()
        case "datePublished", "uploadDate": thing.published = try reader.string()
        case "dateCreated": thing.published = try thing.published ?? reader.string()
        case "description": thing.description = try reader.string(atMost: 100_000)
        case "articleBody", "text": thing.body = try reader.string(atMost: maximumBody)
        case "inLanguage": thing.language = try texts(&reader, within: "name").first
        case "author", "creator": thing.authors = try texts(&reader, within: "name")
        case "publisher": thing.publisher = try texts(&reader, within: "name").first
        case "isAccessibleForFree": thing.isFree = try flag(&reader)
        case "wordCount": thing.wordCount = try count(&reader)
        case "hasPart": thing.paidSelectors = try paidSelectors(&reader)
        case "image": thing.image = try texts(&reader, within: "url").first
        case "mainEntity", "mainEntityOfPage":
            // A page about a single article or question has its data here.
            var part = Thing()
            try reader.object { try read(&$0, $1, into: &part) }
            thing.types += part.types
            thing.headline = thing.headline ?? part.headline
            thing.published = thing.published ?? part.published
            if thing.authors.isEmpty { thing.authors = part.authors }
        default: break
        }
    }

    /// Reads a Boolean, also as a text such as "False" or "https://schema.org/False".
    private static func flag(_ reader: inout JSONReader) throws -> Bool? {
        guard try reader.isString() else { return try reader.bool() }
        switch try reader.string()?.lowercased().splitBytes(at: "/").last {
        case "true": return true
        case "false": return false
        default: return nil
        }
    }

    private static func count(_ reader: inout JSONReader) throws -> Int? {
        try reader.number().flatMap { Int(exactly: $0.rounded()) }.flatMap {
            JSONReader.counts.contains($0) ? $0 : nil
        }
    }

    /// Reads an element of the page, or a list of them.
    private static func paidSelectors(_ reader: inout JSONReader) throws -> [String] {
        var all: [String] = []
        func readOne(_ reader: inout JSONReader) throws {
            var isFree: Bool?
            var selectors: [String] = []
            try reader.object { reader, name in
                switch name {
                case "isAccessibleForFree": isFree = try flag(&reader)
                case "cssSelector": selectors = try texts(&reader, within: "@value")
                default: break
                }
            }
            if isFree == false, all.count < maximumTexts { all += selectors }
        }
        var copy = reader
        if try copy.list({ try readOne(&$0) }) {
            reader = copy
        } else {
            try readOne(&reader)
        }
        return all
    }

    /// Reads a string, the string of that name in an object, or a list of either.
    private static func texts(_ reader: inout JSONReader, within name: String) throws -> [String] {
        var all: [String] = []
        func add(_ text: String) {
            if all.count < maximumTexts { all.append(text) }
        }
        func readOne(_ reader: inout JSONReader) throws {
            var copy = reader
            if let text = try copy.string(atMost: 2_000) {
                reader = copy
                add(text)
                return
            }
            try reader.object { reader, key in
                if key == name, let text = try reader.string(atMost: 2_000) { add(text) }
            }
        }
        var copy = reader
        if try copy.list({ try readOne(&$0) }) {
            reader = copy
        } else {
            try readOne(&reader)
        }
        return all
    }

    private mutating func merge(_ thing: Thing) {
        types += thing.types.prefix(max(0, Self.maximumThings - types.count))
        let isText = thing.types.contains { type in
            type.hasSuffix("Article") || type.hasSuffix("Posting") || type == "Question" || type == "Report"
                || type == "Review" || type == "Recipe" || type == "HowTo"
        }
        let isPage = thing.types.contains { $0.hasSuffix("Page") || $0 == "Product" || $0 == "VideoObject" }
        if isText || isPage {
            if isText || headline == nil { headline = thing.headline ?? headline ?? thing.name }
            if isText || description == nil { description = thing.description ?? description }
            if image == nil { image = thing.image }
            if language == nil { language = thing.language }
        }
        if isText || isPage {
            if isText || published == nil { published = thing.published ?? published }
            if isText || authors.isEmpty, !thing.authors.isEmpty { authors = thing.authors }
            if publisher == nil { publisher = thing.publisher }
            if thing.isFree == false || isFree == nil { isFree = thing.isFree ?? isFree }
            if isText { wordCount = thing.wordCount ?? wordCount }
            paidSelectors += thing.paidSelectors.prefix(max(0, Self.maximumTexts - paidSelectors.count))
            if let text = thing.body, text.utf8.count > body?.utf8.count ?? 0 { body = text }
        }
        if publisher == nil, thing.types.contains("WebSite") { publisher = thing.name }
    }
}
