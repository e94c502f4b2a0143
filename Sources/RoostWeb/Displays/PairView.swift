/// `/display` on a screen that has no key: the code that makes it a display.
struct PairView: WholePage, Sendable {
    let assets: String
    let code: String
    let link: SharedLink
    let linkCode: QRCode?

    /// - Parameters:
    ///   - code: "ABC-DEF"
    ///   - link: where the code is typed, with the code in it
    init(assets: String, code: String, link: SharedLink) {
        self.assets = assets
        self.code = code
        self.link = link
        // An address too long for a QR code can still be typed.
        linkCode = try? QRCode(link.address)
    }

    var context: TemplateContext { TemplateContext(assets: assets) }
    var expectedBytes: Int { 8_192 }
    /// "http://192.168.1.20:8080/displays"
    var pairAddress: String { link.address.splitBytes(at: "?").first.map(String.init) ?? link.address }
}

/// The form that takes the code of a screen.
struct PairFormView: Sendable {
    let code: String
    let name: String
    let displays: [SelectOption]
    let error: String?
    /// The field that is wrong.
    let field: String?

    /// - Parameters:
    ///   - code: what was typed or scanned
    ///   - displays: those that the screen may become, by id
    ///   - chosen: the id that was chosen; "" for a new one
    init(
        code: String = "", name: String = "", displays: [(id: String, name: String)], chosen: String = "",
        error: String? = nil, field: String? = nil
    ) {
        self.code = code
        self.name = name
        self.displays = displays.map { SelectOption(value: $0.id, text: $0.name, isChosen: $0.id == chosen) }
        self.error = error
        self.field = field
    }
    var hasDisplays: Bool { !displays.isEmpty }
    /// Opened where there is something to see.
    var isPairing: Bool { error != nil || !code.isEmpty }
    var isCodeWrong: Bool { field == "code" }
}
