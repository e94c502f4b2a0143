/// `/login`: signing in with user name or e-mail.
struct LoginView: GuestPageView, Sendable {
    /// What has just happened to the visitor.
    enum Occasion: String, Sendable, CaseIterable {
        case none
        /// A page was asked for that only members may see.
        case needed
        /// Signed out, by choice.
        case signedOut
        /// A reset link has given a new password.
        case passwordChanged
        /// The own account has been deleted.
        case deleted
    }

    let layout: GuestLayoutView
    let next: String?
    let occasion: Occasion
    let form: FormState
    let loginForm: FormView

    /// - Parameters:
    ///   - next: the path to go on to; nil for the home page
    ///   - form: fields username, password; "Wrong user name or password." is its `error`, as is how
    ///     long to wait
    init(
        layout: GuestLayoutView, next: String? = nil, occasion: Occasion = .none, form: FormState = .empty
    ) {
        self.layout = layout
        self.next = next
        self.occasion = occasion
        self.form = form
        var name = FieldView("username", "User name or e-mail", in: form)
        name.autocomplete = "username"
        loginForm = FormView([name, .currentPassword(form)], form, isMain: true)
    }

    var occasionWords: String? { form == .empty ? sentence : nil }

    private var sentence: String? {
        switch occasion {
        case .none: nil
        case .needed: "Sign in to see that page."
        case .signedOut: "You are signed out."
        case .passwordChanged: "Your password was changed. Sign in with the new one."
        case .deleted: "Your account and everything in it was deleted."
        }
    }
}
