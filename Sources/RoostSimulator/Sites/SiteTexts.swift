/// The texts around a site's articles, in its language.
struct SiteTexts {
    let cookies: String
    let accept: String
    let settings: String
    let share: String
    let related: String
    let comments: String
    let newsletter: String
    let subscribe: String
    let by: String
    let imprint: String
    let privacy: String
    let logIn: String
    let wall: String
    let contents: String
    let notFound: String

    static func of(_ language: String) -> SiteTexts {
        switch language {
        case "de": german
        case "fr": french
        default: english
        }
    }

    private static let english = SiteTexts(
        cookies: "We and our 214 partners use cookies to make this site work and to show you advertisements.",
        accept: "Accept all", settings: "Manage choices", share: "Share this", related: "More like this",
        comments: "Comments", newsletter: "The best of the week, every Friday in your mailbox.",
        subscribe: "Subscribe", by: "By", imprint: "About us", privacy: "Privacy", logIn: "Log in",
        wall: "This is for members. Log in to go on reading.", contents: "On this page",
        notFound: "This page is not here any more.")

    private static let german = SiteTexts(
        cookies: "Wir und unsere 187 Partner verwenden Cookies, um Inhalte und Anzeigen zu personalisieren.",
        accept: "Alle akzeptieren", settings: "Einstellungen", share: "Artikel teilen",
        related: "Das könnte Sie auch interessieren", comments: "Kommentare",
        newsletter: "Das Beste der Woche, jeden Freitag in Ihrem Postfach.", subscribe: "Abonnieren",
        by: "Von", imprint: "Impressum", privacy: "Datenschutz", logIn: "Anmelden",
        wall: "Dieser Artikel ist für Mitglieder. Bitte melden Sie sich an.", contents: "Auf dieser Seite",
        notFound: "Diese Seite gibt es nicht mehr.")

    private static let french = SiteTexts(
        cookies: "Nos 163 partenaires et nous utilisons des cookies pour mesurer l’audience et la publicité.",
        accept: "Tout accepter", settings: "Paramétrer", share: "Partager cet article",
        related: "À lire aussi",
        comments: "Commentaires", newsletter: "Le meilleur de la semaine, chaque vendredi dans votre boîte.",
        subscribe: "S’abonner", by: "Par", imprint: "Mentions légales", privacy: "Vie privée",
        logIn: "Se connecter", wall: "Cet article est réservé aux membres. Connectez-vous pour continuer.",
        contents: "Sommaire", notFound: "Cette page n’existe plus.")
}
