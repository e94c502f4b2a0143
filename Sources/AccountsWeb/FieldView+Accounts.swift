import RoostWeb

extension FieldView {
    static func code(_ state: FormState) -> FieldView {
        var field = FieldView("code", "Code", in: state)
        field.placeholder = "XXXX-XXXX-XXXX-XXXX"
        field.limit = 64
        return field
    }

    static func newUsername(_ state: FormState) -> FieldView {
        var field = FieldView("username", "User name", in: state)
        field.hint = "You sign in with it and others see it. Any name without “@”."
        field.autocomplete = "username"
        field.limit = 128
        return field
    }

    static func displayName(_ state: FormState) -> FieldView {
        var field = FieldView("displayName", "Display name", in: state)
        field.hint = "Shown instead of the user name."
        field.autocomplete = "name"
        field.isRequired = false
        field.limit = 128
        return field
    }

    static func email(_ state: FormState) -> FieldView {
        var field = FieldView("email", "E-mail", .email, in: state)
        field.hint = "Only for signing in. Roost sends no e-mail."
        field.autocomplete = "email"
        field.isRequired = false
        return field
    }

    static func newPassword(_ state: FormState, label: String = "Password", form: String = "") -> FieldView {
        var field = FieldView("password", label, .password, in: state, form: form)
        field.hint =
            "At least 10 characters, and not a common password. Several random words are easy to remember."
        field.autocomplete = "new-password"
        field.minimum = 10
        field.limit = 2_048
        return field
    }

    static func currentPassword(
        _ state: FormState, name: String = "password", label: String = "Password", form: String = ""
    ) -> FieldView {
        var field = FieldView(name, label, .password, in: state, form: form)
        field.autocomplete = "current-password"
        field.limit = 2_048
        return field
    }
}
