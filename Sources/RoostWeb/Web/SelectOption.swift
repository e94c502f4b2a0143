/// One choice of several in a form.
struct SelectOption {
    let value, text: String
    let isChosen: Bool
    /// Of the form's field, where the template does not say it.
    var name = ""

    var choiceValue: String { value }
    var choiceText: String { text }
}
