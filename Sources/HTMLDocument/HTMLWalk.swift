import CLibXML2

final class HTMLWalk {
    /// Runs once per process, before the first thread parses or writes ("Thread safety", xmlsoft.org).
    static let isReady: Void = xmlInitParser()
    /// For each stray end tag libxml2 searches all open elements. A limit on these steps in total.
    private static let maximumSteps = 50_000_000
    /// Distinct element names, each kept in 200 bytes until the end. HTML and SVG have about 250.
    private static let maximumNames = 10_000

    private let visitor: any HTMLVisitor
    private var context: htmlParserCtxtPtr?
    private var isOver = false
    private var isTooComplex = false
    private var steps = 0
    /// The numbers of the open elements, and how often each occurs.
    private var open: [Int] = []
    private var counts: [Int] = []
    private var names: [UnsafeBufferPointer<UInt8>] = []
    private var numbers: [[UInt8]: Int] = [:]
    /// libxml2 keeps a name at the same address until the parser is freed.
    private var numbersByAddress: [UnsafePointer<xmlChar>: Int] = [:]

    init(_ visitor: any HTMLVisitor) { self.visitor = visitor }

    func read(_ bytes: [UInt8]) -> Bool {
        _ = Self.isReady
        guard !bytes.isEmpty, let context = htmlNewParserCtxt() else { return false }
        self.context = context
        defer {
            self.context = nil
            names = []
            // Our handlers build no document; free it in case libxml2 ever does.
            if let document = context.pointee.myDoc { xmlFreeDoc(document) }
            context.pointee.myDoc = nil
            htmlFreeParserCtxt(context)
        }
        // Replace all of the standard handlers, which would treat the walk as libxml2's own data and build a tree.
        context.pointee.sax.pointee = HTMLCallbacks.handlers
        // Unretained: the parser is freed before `self` can be.
        context.pointee.userData = Unmanaged.passUnretained(self).toOpaque()
        let options =
            Int32(HTML_PARSE_RECOVER.rawValue) | Int32(HTML_PARSE_NOERROR.rawValue)
            | Int32(HTML_PARSE_NOWARNING.rawValue) | Int32(HTML_PARSE_NONET.rawValue)
            | Int32(HTML_PARSE_IGNORE_ENC.rawValue) | Int32(XML_PARSE_HUGE.rawValue)
        bytes.withUnsafeBufferPointer { buffer in
            buffer.withMemoryRebound(to: CChar.self) { text in
                // At most three times the limit, which fits into an Int32. No document is returned.
                _ = htmlCtxtReadMemory(
                    context, text.baseAddress, Int32(text.count), nil, "UTF-8", options)
            }
        }
        while let last = open.popLast() { showEnd(last) }
        return isTooComplex
    }

    func start(_ name: UnsafePointer<xmlChar>, _ attributes: HTMLDocument.Attributes) {
        let number = number(name)
        if names.count > Self.maximumNames, !isOver {
            isTooComplex = true
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

    /// At the document's end libxml2 may omit the end of an element whose start tag is cut off; add it before the next
    /// end.
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
        if let number = numbersByAddress[name] { return number }
        let bytes = UnsafeBufferPointer(start: name, count: Int(xmlStrlen(name)))
        let number = numbers[Array(bytes), default: names.count]
        if number == names.count {
            names.append(bytes)
            counts.append(0)
            numbers[Array(bytes)] = number
        }
        numbersByAddress[name] = number
        return number
    }

    /// Called for each error. libxml2 may have searched all open elements to detect it.
    func noteError() {
        guard !isOver, let context else { return }
        steps += Int(context.pointee.nameNr)
        guard steps > Self.maximumSteps else { return }
        isTooComplex = true
        stop()
    }

    private func stop() {
        isOver = true
        context.map(xmlStopParser)
    }
}
