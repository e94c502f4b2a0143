import CLibXML2

/// One reading of one document: libxml2 calls, Swift listens.
final class HTMLWalk {
    /// Once for the whole process, before the first thread parses ("Thread safety", xmlsoft.org).
    private static let isReady: Void = xmlInitParser()
    /// libxml2 looks for the start of each stray end tag through all open elements: what it may look at
    /// altogether.
    private static let maximumSteps = 50_000_000
    /// Of elements: HTML and SVG have some 250. Each one is kept until the end, in 200 bytes.
    private static let maximumNames = 10_000

    private let visitor: any HTMLVisitor
    private var context: htmlParserCtxtPtr?
    private var isOver = false
    private var isTangled = false
    private var steps = 0
    /// What has been shown as begun and not as ended, by number, and how often each number is among it.
    private var open: [Int] = []
    private var counts: [Int] = []
    private var names: [UnsafeBufferPointer<UInt8>] = []
    private var numbers: [[UInt8]: Int] = [:]
    /// libxml2 keeps a name where it is until the parser is freed.
    private var numbersByPlace: [UnsafePointer<xmlChar>: Int] = [:]

    init(_ visitor: any HTMLVisitor) { self.visitor = visitor }

    /// True when it had to be given up.
    func read(_ bytes: [UInt8]) -> Bool {
        _ = Self.isReady
        guard !bytes.isEmpty, let context = htmlNewParserCtxt() else { return false }
        self.context = context
        defer {
            self.context = nil
            names = []
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
                // At most three bytes for each of the limit's: fits an Int32. There is never a document to
                // take.
                _ = htmlCtxtReadMemory(
                    context, text.baseAddress, Int32(text.count), nil, "UTF-8", options)
            }
        }
        while let last = open.popLast() { showEnd(last) }
        return isTangled
    }

    func start(_ name: UnsafePointer<xmlChar>, _ attributes: HTMLDocument.Attributes) {
        let number = number(name)
        if names.count > Self.maximumNames, !isOver {
            isTangled = true
            stop()
        }
        if !isOver {
            visitor.start(.init(number: number, bytes: names[number]), attributes)
            if visitor.isDone { stop() }
        }
        open.append(number)
        counts[number] += 1
    }

    func text(_ bytes: UnsafeBufferPointer<UInt8>) {
        guard !isOver else { return }
        visitor.text(bytes)
        if visitor.isDone { stop() }
    }

    /// libxml2 forgets the end of an element whose start tag the document's end cuts short: it comes before
    /// the next.
    func end(_ name: UnsafePointer<xmlChar>) {
        let number = number(name)
        guard counts[number] > 0 else { return }
        while let last = open.popLast() {
            counts[last] -= 1
            showEnd(last)
            if last == number { return }
        }
    }

    private func showEnd(_ number: Int) {
        guard !isOver else { return }
        visitor.end(.init(number: number, bytes: names[number]))
        if visitor.isDone { stop() }
    }

    private func number(_ name: UnsafePointer<xmlChar>) -> Int {
        if let number = numbersByPlace[name] { return number }
        let bytes = UnsafeBufferPointer(start: name, count: Int(xmlStrlen(name)))
        let number = numbers[Array(bytes), default: names.count]
        if number == names.count {
            names.append(bytes)
            counts.append(0)
            numbers[Array(bytes)] = number
        }
        numbersByPlace[name] = number
        return number
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
