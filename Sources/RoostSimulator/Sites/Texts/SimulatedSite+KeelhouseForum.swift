extension SimulatedSite {
    package static let keelhouseForum = SimulatedSite(
        host: "forum.keelhouse.example", name: "Keelhouse Forum", language: "en",
        tagline: "Where small boats are mended", layout: .forum,
        sections: ["Ropes and rigging", "Engines", "Varnish", "For sale"], accent: (122, 84, 46),
        articles: [mooringLines])

    private static let mooringLines = SiteArticle(
        path: "/threads/4127-mooring-lines-that-wear-through",
        title: "Mooring lines that wear through in one winter",
        author: "saltmarsh", published: "2026-10-02T19:12:00+01:00", section: "Ropes and rigging",
        summary:
            "My bow lines were new in April and are down to half their thickness. What am I doing wrong?",
        text: #"""
            My bow lines were new in April, 14 mm polyester, three strands. When I looked yesterday both were down to
            about half their thickness where they go through the fairlead. The boat is 8.5 m and 3 tons, on a
            swinging pontoon that sees some swell from the ferry.

            I have always tied up like this and never had it so bad. Is it the rope, the fairlead, or me?
            """#,
        comments: [
            SiteComment(
                author: "Bosun Tilly",
                text: #"""
                    It is the fairlead. Run your thumbnail along the inside: if it catches anywhere, so does the rope,
                    a few thousand times a day. A bit of fine emery paper and ten minutes will do more than any
                    expensive line.
                    """#),
            SiteComment(
                author: "harald_n",
                text: #"""
                    I agree, and would add leather. I sew a sleeve of old belt leather round the line where it passes
                    the fairlead, with the smooth side out. Mine are on their fifth winter.

                    - leather, 3 mm, about 25 cm long
                    - waxed thread
                    - two seizings so that it cannot wander
                    """#),
            SiteComment(
                author: "saltmarsh",
                text: #"""
                    There is indeed a ridge, on the port side, where the casting was never cleaned up. I feel foolish.
                    But to starboard it is smooth and the line looks the same.
                    """#),
            SiteComment(
                author: "Dr Knot",
                text: #"""
                    Then look at the angle. If the line leaves the fairlead by more than about 30 degrees it works
                    across an edge, and a smooth edge is still an edge. Can you move the cleat on the pontoon a metre
                    forward? I wrote the numbers down once, for a line under the same load:

                    | Angle | Life of the line |
                    |---|---|
                    | 0 to 15 degrees | 4 years and more |
                    | 15 to 30 degrees | 2 years |
                    | above 30 degrees | one winter |
                    """#),
            SiteComment(
                author: "Bosun Tilly",
                text:
                    "> above 30 degrees: one winter\n\nThat is what I see in the yard, too. People buy thicker rope, "
                    + "and then it does not even fit through the fairlead any more."),
            SiteComment(
                author: "ferrywatcher",
                text: #"""
                    Nobody has mentioned the ferry. Since the night boat came back it turns off our pontoon at half
                    past seven with both thrusters on. A spring line that is a little slack, or a rubber snubber, takes
                    the jerk out of it. The jerk is what melts the strands inside: cut one open and you will find
                    them glazed.
                    """#),
            SiteComment(
                author: "saltmarsh",
                text: #"""
                    Report after two weeks: ridge filed away, cleat moved (thank you, harbour office, for the spanner),
                    leather on both lines, one snubber each. I have marked the spot with a pen and **nothing** has
                    changed since, through two gales. I did cut the old line open, and it is glazed inside, as
                    ferrywatcher said.
                    """#),
            SiteComment(
                author: "harald_n",
                text:
                    "Well done. Please tell the boat beside mine, whose owner believes in blue plastic hose."),
        ])
}
