/// One choice of several in a form.
struct SelectOption {
    let value, text: String
    let isChosen: Bool
    /// The name of the form's field, if the template does not write it.
    var name = ""
    var choiceText: String { text }
}
