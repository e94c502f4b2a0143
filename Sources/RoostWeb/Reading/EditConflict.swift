/// Two versions of what two tabs, or two programs, have changed.
struct EditConflict: Sendable {
    struct Field: Sendable {
        let fieldTitle, yours, current: String

        /// - Parameters:
        ///   - title: what the field is called
        ///   - yours: as it was typed
        ///   - current: as it is stored now
        init(_ title: String, yours: String, current: String) {
            fieldTitle = title
            self.yours = yours
            self.current = current
        }
    }

    let fields: [Field]

    init(_ fields: [Field]) { self.fields = fields }
}
