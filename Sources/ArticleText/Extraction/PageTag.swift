/// The elements that the extraction distinguishes.
enum PageTag: String, CaseIterable {
    case a, abbr, address, article, aside, audio, b, base, blockquote, body, br, button, canvas, caption,
        center, cite
    case code, col, colgroup, data, dd, del, details, dfn, dialog, div, dl, dt, em, embed, fieldset,
        figcaption, figure
    case font, footer, form, h1, h2, h3, h4, h5, h6, head, header, hr, html, i, iframe, img, input, ins, kbd,
        label
    case legend, li, link, main, mark, math, menu, meta, nav, noscript, object, ol, optgroup, option, p,
        picture, pre, q
    case rp, rt, ruby, s, samp, script, section, select, small, source, span, strike, strong, style, sub,
        summary, sup
    case svg, table, tbody, td, template, textarea, tfoot, th, thead, time, title, tr, tt, u, ul, `var`, video
    case text = "#text"
    /// A custom element, whose name contains a hyphen.
    case custom = "#custom"
    case other = "#other"

    private static let byName: [UInt64: PageTag] = Dictionary(
        uniqueKeysWithValues: allCases.map { (PageHash.of($0.rawValue.utf8), $0) })

    init(_ name: some Collection<UInt8>) {
        self = Self.byName[PageHash.of(name)] ?? (name.contains(UInt8(ascii: "-")) ? .custom : .other)
    }

    /// True if browsers begin a new line before and after it.
    var isBlock: Bool {
        switch self {
        case .address, .article, .aside, .blockquote, .body, .button, .caption, .center, .custom, .dd,
            .details,
            .dialog, .div, .dl, .dt, .fieldset, .figcaption, .figure, .footer, .form, .h1, .h2, .h3, .h4, .h5,
            .h6,
            .header, .hr, .html, .legend, .li, .main, .menu, .nav, .noscript, .ol, .optgroup, .option, .p,
            .pre,
            .section, .select, .summary, .table, .tbody, .td, .tfoot, .th, .thead, .tr, .ul:
            true
        default: false
        }
    }

    /// True if its content is not text of the page.
    var isSkipped: Bool {
        switch self {
        case .audio, .canvas, .embed, .iframe, .math, .object, .style, .svg, .template, .textarea, .video:
            true
        default: false
        }
    }

    /// 1 to 6, or 0 for other elements.
    var headingLevel: Int {
        switch self {
        case .h1: 1
        case .h2: 2
        case .h3: 3
        case .h4: 4
        case .h5: 5
        case .h6: 6
        default: 0
        }
    }
}

enum PageAttribute: String, CaseIterable {
    case `class`, id, href, src, srcset, alt, rel, itemprop, itemtype, role, style, hidden, datetime, name,
        property
    case content, type, lang, dir, colspan, rowspan, start, title, value, width, height, scope, open, reversed
    case ariaHidden = "aria-hidden"
    case ariaModal = "aria-modal"
    case dataSrc = "data-src"
    case dataLazySrc = "data-lazy-src"
    case dataOriginal = "data-original"
    case dataSrcset = "data-srcset"
    case dataLazySrcset = "data-lazy-srcset"
    case dataTestid = "data-testid"
    case xmlLang = "xml:lang"
    case ariaLabel = "aria-label"
    case cite, data, videoid
    case dataVideoid = "data-videoid"
    case dataHref = "data-href"
    case dataPermalink = "data-instgrm-permalink"
    /// Any `data-` attribute with the address of a picture, which a script uses.
    case dataPicture = "data-*"
    case httpEquiv = "http-equiv"

    private static let byName: [UInt64: PageAttribute] = Dictionary(
        uniqueKeysWithValues: allCases.map { (PageHash.of($0.rawValue.utf8), $0) })

    init?(_ name: some Collection<UInt8>) {
        guard let attribute = Self.byName[PageHash.of(name)] else { return nil }
        self = attribute
    }

    /// - Parameter value: of the attribute with the name
    init?(
        picture value: some BidirectionalCollection<UInt8>, named name: some Collection<UInt8>,
        of tag: PageTag
    ) {
        guard [.img, .span, .div, .figure, .a, .custom, .source].contains(tag),
            name.starts(with: "data-".utf8),
            (5...2_000).contains(value.count), !value.contains(where: PageText.isSpace),
            value.first != UInt8(ascii: "{"), value.first != UInt8(ascii: "[")
        else { return nil }
        let path = value.prefix { $0 != UInt8(ascii: "?") && $0 != UInt8(ascii: "#") }.suffix(5)
        guard
            [".jpg", ".jpeg", ".png", ".webp", ".gif", ".avif"].contains(where: { ending in
                path.suffix(ending.utf8.count).map(PageText.lower).elementsEqual(ending.utf8)
            })
        else { return nil }
        self = .dataPicture
    }
}

/// FNV-1a with 64 bits. Unlike Swift's hashes, it is the same in every process.
package enum PageHash {
    static let seed: UInt64 = 0xcbf2_9ce4_8422_2325

    package static func of(_ bytes: some Sequence<UInt8>) -> UInt64 {
        var hash = seed
        for byte in bytes { hash = add(byte, to: hash) }
        return hash
    }

    @inline(__always)
    static func add(_ byte: UInt8, to hash: UInt64) -> UInt64 { (hash ^ UInt64(byte)) &* 0x100_0000_01b3 }
}
