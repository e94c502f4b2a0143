/// `/setup`: the first visitor, who has the code that Roost printed, becomes the owner.
struct SetupView: GuestPageView, Sendable {
    let layout: GuestLayoutView
    let form: FormState
    let setupForm: FormView

    /// - Parameter form: fields code, username, displayName, email, password; a code that came with the
    ///   address goes into `typed["code"]` and is then not asked for, unless it is wrong
    init(layout: GuestLayoutView, form: FormState = .empty) {
        self.layout = layout
        self.form = form
        var fields = [
            FieldView.newUsername(form), .displayName(form), .email(form), .newPassword(form),
        ]
        if !Self.isKnown(form) {
            var code = FieldView.code(form)
            code.hint = "It stands in the address that Roost printed when it started."
            fields.insert(code, at: 0)
        }
        setupForm = FormView(fields, form, isMain: true)
    }

    var knownCode: String? { Self.isKnown(form) ? form.typed["code"] : nil }

    private static func isKnown(_ form: FormState) -> Bool {
        form.fieldErrors["code"] == nil && form.typed["code"]?.isEmpty == false
    }
}
