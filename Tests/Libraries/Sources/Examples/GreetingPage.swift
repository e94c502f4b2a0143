import HTMLTemplates

/// What all templates can use: `{{@language}}`.
struct TemplateContext {
    let language: String
}

/// HTMLTemplates: what `Templates/GreetingPage.mustache` shows. A name that is missing here fails the build.
struct GreetingPage {
    let name: String
    let friends: [Friend]

    static func html(for name: String) -> [UInt8] {
        let friends = [
            Friend(name: "Grace & Co.", address: "/people/Grace"),
            Friend(name: "Linus", address: "/people/Linus"),
        ]
        let page = GreetingPage(name: name, friends: friends.filter { $0.name != name })
        return page.html(in: TemplateContext(language: "en"))
    }
}

struct Friend {
    let name: String
    let address: String
}
