/// `/join/CODE`: an invited person makes an account.
package struct JoinView: TemplateView {
    package static let template = "accounts/join"

    package let front: FrontView
    package let code: String
    package let inviter: String?
    package let form: FormState
    private let formPart: Part

    /// - Parameters:
    ///   - code: of the address; the form is posted back to it
    ///   - inviter: the name of the owner who made the link; nil where that account is gone
    ///   - form: fields username, displayName, email, password
    package init(front: FrontView, code: String, inviter: String?, form: FormState = .empty) {
        self.front = front
        self.code = code
        self.inviter = inviter
        self.form = form
        formPart = Part(
            FormView(
                [.newUsername(form), .displayName(form), .email(form), .newPassword(form)], form, isMain: true
            ))
    }

    package static let sample = JoinView(
        front: .sample, code: "7K3M-9QXA-PB2T-4WZH", inviter: "Ada Lovelace",
        form: FormState(
            typed: ["username": "grace", "displayName": "Grace Hopper"],
            fieldErrors: [
                "username": "Somebody here has this name already.",
                "password": "This password is one of the commonest: it would be guessed first.",
            ]))

    package func field(_ name: String) -> Any? {
        switch name {
        case "joinForm": formPart
        case "joinCode": PathSegment(code).description
        case "inviter": inviter
        default: front.field(name)
        }
    }
}

/// `/join`: for a code that was told or written down.
package struct JoinCodeView: TemplateView {
    package static let template = "accounts/join-code"

    package let front: FrontView
    package let form: FormState
    private let formPart: Part

    /// - Parameter form: field code
    package init(front: FrontView, form: FormState = .empty) {
        self.front = front
        self.form = form
        var code = FieldView.code(form)
        code.hint = "An owner of this Roost makes it. Case and hyphens do not matter."
        formPart = Part(FormView([code], form, isMain: true))
    }

    package static let sample = JoinCodeView(front: .sample)

    package func field(_ name: String) -> Any? {
        switch name {
        case "codeForm": formPart
        default: front.field(name)
        }
    }
}
