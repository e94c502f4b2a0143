/// `/join/CODE`: an invited person makes an account.
struct JoinView: GuestPageView, Sendable {
    let layout: GuestLayoutView
    let code: String
    let inviter: String?
    let form: FormState
    let joinForm: FormView

    /// - Parameters:
    ///   - code: of the address; the form is posted back to it
    ///   - inviter: the name of the owner who made the link; nil where that account is gone
    ///   - form: fields username, displayName, email, password
    init(layout: GuestLayoutView, code: String, inviter: String?, form: FormState = .empty) {
        self.layout = layout
        self.code = code
        self.inviter = inviter
        self.form = form
        joinForm = FormView(
            [.newUsername(form), .displayName(form), .email(form), .newPassword(form)], form, isMain: true
        )
    }

    var joinCode: String { PathSegment(code).description }
}

/// `/join`: for a code that was told or written down.
struct JoinCodeView: GuestPageView, Sendable {
    let layout: GuestLayoutView
    let form: FormState
    let codeForm: FormView

    /// - Parameter form: field code
    init(layout: GuestLayoutView, form: FormState = .empty) {
        self.layout = layout
        self.form = form
        var code = FieldView.code(form)
        code.hint = "An owner of this Roost makes it. Case and hyphens do not matter."
        codeForm = FormView([code], form, isMain: true)
    }
}
