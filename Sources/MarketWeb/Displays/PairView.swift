import RoostWeb

/// `/display` on an unpaired screen: shows a pairing code.
struct PairView: WholePage, Sendable {
    let assets: String
    let code: String
    let link: SharedLink
    let linkCode: QRCode?

    /// - Parameters:
    ///   - code: "ABC-DEF"
    ///   - link: the page where the code is entered, with the code filled in
    init(assets: String, code: String, link: SharedLink) {
        self.assets = assets
        self.code = code
        self.link = link
        // An address too long for a QR code can still be typed.
        linkCode = try? QRCode(link.address)
    }

    var context: TemplateContext { TemplateContext(assets: assets) }
    var expectedBytes: Int { 8_192 }
    /// For example "http://192.168.1.20:8080/displays".
    var pairAddress: String { link.address.splitBytes(at: "?").first.map(String.init) ?? link.address }
}

struct PairFormView: Sendable {
    let code: String
    let name: String
    let displays: [SelectOption]
    let error: String?
    let field: String?

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
    var isPairing: Bool { error != nil || !code.isEmpty }
    var isCodeWrong: Bool { field == "code" }
}
