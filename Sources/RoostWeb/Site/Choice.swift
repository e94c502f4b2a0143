/// One choice of several in a form.
struct Choice: ViewFields {
    let value, text: String
    let isChosen: Bool

    func field(_ name: String) -> Any? {
        switch name {
        case "choiceValue": value
        case "choiceText": text
        case "isChosen": isChosen
        default: nil
        }
    }
}
