import CLibXML2

/// One reading of one document: libxml2 calls, Swift listens.
final class HTMLWalk {
    /// Once for the whole process, before the first thread parses ("Thread safety", xmlsoft.org).
    private static let isReady: Void = xmlInitParser()
    /// libxml2 looks for the start of each stray end tag through all open elements: what it may look at
    /// altogether.
    private static let maximumSteps = 50_000_000

    private let visit: (HTMLDocument.Piece) -> Bool
    private var context: htmlParserCtxtPtr?
    private var isOver = false
    private var isTangled = false
    private var steps = 0
    /// What has been shown as begun and not as ended, and how often each name is among it.
    private var open: [String] = []
    private var counts: [String: Int] = [:]

    init(_ visit: @escaping (HTMLDocument.Piece) -> Bool) { self.visit = visit }

    /// True when it had to be given up.
    func read(_ bytes: [UInt8]) -> Bool {
        _ = Self.isReady
        guard !bytes.isEmpty, let context = htmlNewParserCtxt() else { return false }
        self.context = context
        defer {
            self.context = nil
            // Nothing of ours builds a document; freed all the same if libxml2 ever does.
            if let document = context.pointee.myDoc { xmlFreeDoc(document) }
            context.pointee.myDoc = nil
            htmlFreeParserCtxt(context)
        }
        // The standard handlers would build a tree out of user data that is none of theirs: none of them
        // stays.
        context.pointee.sax.pointee = HTMLCallbacks.handlers
        // Unretained: the parser is freed before `self` can be.
        context.pointee.userData = Unmanaged.passUnretained(self).toOpaque()
        let options =
            Int32(HTML_PARSE_RECOVER.rawValue) | Int32(HTML_PARSE_NOERROR.rawValue)
            | Int32(HTML_PARSE_NOWARNING.rawValue) | Int32(HTML_PARSE_NONET.rawValue)
            | Int32(HTML_PARSE_IGNORE_ENC.rawValue) | Int32(XML_PARSE_HUGE.rawValue)
        bytes.withUnsafeBufferPointer { buffer in
            buffer.withMemoryRebound(to: CChar.self) { text in
                // At most 6 MB (three bytes for a wrong one): fits an Int32. There is never a document to
                // take.
                _ = htmlCtxtReadMemory(
                    context, text.baseAddress, Int32(text.count), nil, "UTF-8", options)
            }
        }
        while let last = open.last { end(last) }
        return isTangled
    }

    func start(_ element: HTMLDocument.Element) {
        show(.start(element))
        open.append(element.name)
        counts[element.name, default: 0] += 1
    }

    func text(_ text: String) { show(.text(text)) }

    /// libxml2 forgets the end of an element whose start tag the document's end cuts short: it comes before
    /// the next.
    func end(_ name: String) {
        guard counts[name, default: 0] > 0 else { return }
        while let last = open.popLast() {
            counts[last, default: 1] -= 1
            show(.end(last))
            if last == name { return }
        }
    }

    private func show(_ piece: HTMLDocument.Piece) {
        if !isOver, !visit(piece) { stop() }
    }

    /// libxml2 has found something wrong: it may have looked through all open elements to know.
    func noteError() {
        guard !isOver, let context else { return }
        steps += Int(context.pointee.nameNr)
        guard steps > Self.maximumSteps else { return }
        isTangled = true
        stop()
    }

    private func stop() {
        isOver = true
        context.map(xmlStopParser)
    }
}
