import HTMLTemplates

struct TemplateContext {
    var token: String?
    var place = "here"
}

struct Frame {
    var site = "A & B"
    var isLong = false
}

struct Page {
    var frame = Frame()
    let heading: String
}

struct EmptyPage {
    let frame: Frame
}

/// The result of an upper-casing writer.
struct Shouting: TrustedHTML {
    let html: String
}

struct Texts {
    enum Direction: String, HTMLText {
        case up, down
    }

    var text = "", part: Substring = "", missing: String?
    var number = -1_000, missingNumber: Int?, large: Int64 = 9_007_199_254_740_993
    var flag = true
    var direction = Direction.up
    var trusted = Shouting(html: "<B>&amp;</B>"), missingTrusted: Shouting?
}

struct Person {
    let name: String
    var isOld = false
    var nick: String?
    var friends: [Person] = []
}

struct Sections {
    var name = "the page"
    var isOn = true
    var word: String?
    var words: [String] = []
    var person: Person?
    var always = Person(name: "Ada")
    var people: [Person] = []
}

struct Lines {
    var isOn = true
    var name = "name"
}

final class Nest {
    let depth: Int
    let inner: Nest?

    init(depth: Int, of whole: Int) {
        self.depth = depth
        inner = depth < whole ? Nest(depth: depth + 1, of: whole) : nil
    }
}

extension HTMLView where Context == TemplateContext {
    func text(_ context: TemplateContext = TemplateContext()) -> String {
        String(decoding: html(in: context, capacity: 0), as: UTF8.self)
    }
}
