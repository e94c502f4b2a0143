import RoostWeb

struct SetupView: GuestPageView, Sendable {
    let layout: GuestLayoutView
    let form: FormState
    let setupForm: FormView

    /// - Parameter form: fields code, username, displayName, email, password; the form has no field for a code from the
    ///   address, `typed["code"]`, unless it is wrong
    init(layout: GuestLayoutView, form: FormState = .empty) {
        self.layout = layout
        self.form = form
        var fields = [
            FieldView.newUsername(form), .displayName(form), .email(form), .newPassword(form),
        ]
        if !Self.hasPrefilledCode(form) {
            var code = FieldView.code(form)
            code.hint = "You’ll find it in the terminal where Roost started."
            fields.insert(code, at: 0)
        }
        setupForm = FormView(fields, form, isMain: true)
    }

    var prefilledCode: String? { Self.hasPrefilledCode(form) ? form.typed["code"] : nil }

    private static func hasPrefilledCode(_ form: FormState) -> Bool {
        form.fieldErrors["code"] == nil && form.typed["code"]?.isEmpty == false
    }
}
