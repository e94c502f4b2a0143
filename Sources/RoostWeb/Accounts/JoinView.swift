/// `/join/CODE`: an invited person makes an account.
package struct JoinView: GuestPageView, Sendable {
    package let layout: GuestLayoutView
    package let code: String
    package let inviter: String?
    package let form: FormState
    let joinForm: FormView

    /// - Parameters:
    ///   - code: of the address; the form is posted back to it
    ///   - inviter: the name of the owner who made the link; nil where that account is gone
    ///   - form: fields username, displayName, email, password
    package init(layout: GuestLayoutView, code: String, inviter: String?, form: FormState = .empty) {
        self.layout = layout
        self.code = code
        self.inviter = inviter
        self.form = form
        joinForm = FormView(
            [.newUsername(form), .displayName(form), .email(form), .newPassword(form)], form, isMain: true
        )
    }

    package static let sample = JoinView(
        layout: .sample, code: "7K3M-9QXA-PB2T-4WZH", inviter: "Ada Lovelace",
        form: FormState(
            typed: ["username": "grace", "displayName": "Grace Hopper"],
            fieldErrors: [
                "username": "Somebody here has this name already.",
                "password": "This password is one of the commonest: it would be guessed first.",
            ]))

    var joinCode: String { PathSegment(code).description }
}

/// `/join`: for a code that was told or written down.
package struct JoinCodeView: GuestPageView, Sendable {
    package let layout: GuestLayoutView
    package let form: FormState
    let codeForm: FormView

    /// - Parameter form: field code
    package init(layout: GuestLayoutView, form: FormState = .empty) {
        self.layout = layout
        self.form = form
        var code = FieldView.code(form)
        code.hint = "An owner of this Roost makes it. Case and hyphens do not matter."
        codeForm = FormView([code], form, isMain: true)
    }

    package static let sample = JoinCodeView(layout: .sample)
}
