import RoostSimulator

/// The visitor's reading list when the demo starts, oldest first.
enum DemoLibrary {
    static let articles = older + recent

    private static let day = 24 * 60

    /// Two finished articles of a category make Roost suggest others of it.
    private static let older: [DemoArticle] = [
        DemoArticle(.alpenkurier, "/region/2026/09/die-letzte-fahrt-der-hinterauer-bahn", 20 * day)
            .tagged("Berge", in: "Weekend").archived(),
        DemoArticle(.riveSud, "/sciences/2026/09/le-cadran-qui-dit-l-heure-des-marees", 16 * day)
            .tagged("tides", "history", in: "Science").archived().withGist()
            .highlighted("il ne buvait pas", "For the talk on instruments."),
        DemoArticle(.tidewrightBlog, "/posts/measure-twice-mend-once", 12 * day)
            .tagged("performance", in: "Work").archived().favorite().withGist()
            .highlighted(
                "Before we looked, each of us wrote a guess on a card",
                "We could do that with the tape reader."),
        DemoArticle(.tidewrightBlog, "/posts/tide-tables-in-forty-lines", 9 * day)
            .tagged("swift", "tides", in: "Work").read(to: 0.4),
        DemoArticle(.keelhouseForum, "/threads/4127-mooring-lines-that-wear-through", 8 * day)
            .tagged("boats", in: "Weekend").archived(),
        DemoArticle(SiteSimulation.SpecialURL.missing, 7 * day).tagged("to check"),
    ]

    private static let recent: [DemoArticle] = [
        DemoArticle(.tidewrightDocumentation, "/guide/calibrating-a-gauge", 5 * day)
            .tagged("tides", in: "Work"),
        DemoArticle(SiteSimulation.SpecialURL.pdf, 4 * day + 30).tagged("tides", in: "Work"),
        DemoArticle(.riveSud, "/culture/2026/11/une-bibliotheque-sans-murs", 4 * day)
            .tagged("books", in: "Weekend").favorite(),
        DemoArticle(.alpenkurier, "/verkehr/2026/10/nachtzug-mit-werkstatt", 3 * day)
            .tagged("trains", in: "Weekend").withGist(),
        DemoArticle(.harbourGazette, "/2026/11/the-night-ferry-is-back", 2 * day)
            .tagged("trains", "boats", in: "Weekend").shared(with: "grace", "barbara"),
        DemoArticle(.riveSud, "/quartiers/2026/10/le-marche-qui-remonte-le-fleuve", day + 300)
            .tagged("boats").withGist()
            .highlighted("On nous disait que c’était trop lent. Mais un poireau n’est pas pressé.", ""),
        DemoArticle(.alpenkurier, "/wissen/2026/11/die-frau-die-den-gletscher-misst", day)
            .tagged("Berge", "climate", in: "Science").favorite().withGist().read(to: 0.25)
            .highlighted(
                "Man wird nicht traurig, wenn man misst. Traurig wird man erst beim Ausrechnen.",
                "Der Satz für die Einleitung."),
        DemoArticle(.tidewrightBlog, "/posts/a-queue-that-survives-the-plug", 200)
            .tagged("sqlite", "reliability", in: "Work").read(to: 0.55)
            .withGist(
                .edited(
                    "A queue is a table. Write the job in the transaction of the thing that wants it.\n"
                        + "At least once, with a receiver that remembers. For us: the card reader's queue.")
            )
            .highlighted("Write the job in the same transaction as the thing that wants it.", "This!")
            .highlighted("Exactly once is at least once, plus a receiver with a memory."),
        DemoArticle(.harbourGazette, "/2026/10/the-wall-that-lets-the-sea-in", 45)
            .tagged("engineering", in: "Science").withGist()
            .highlighted(
                "We stopped asking how strong the wall has to be and began to ask how much of the wave we could "
                    + "persuade to leave by itself.", "As with rounding: do not resist, let it out."),
    ]

    /// Articles shared with the visitor.
    static let shared: [(by: String, address: String, title: String, minutesAgo: Int)] = [
        (
            "alan", SimulatedSite.harbourGazette.address(of: "/members/2026/the-keepers-ledger"),
            "The keeper's ledger", 90
        )
    ]

    /// A page linked in the chat. The visitor has saved it, so the message shows a card.
    static let linked = SimulatedSite.alpenkurier.address(
        of: "/wissen/2026/11/die-frau-die-den-gletscher-misst")
}
