/// The messages that exist when the demo starts, oldest first.
enum DemoHistory {
    static let messages =
        (lastWeek + yesterday + longAgo + today).sorted { $0.minutesAgo > $1.minutesAgo }

    private static let day = 24 * 60

    private static let lastWeek: [DemoMessage] = [
        DemoMessage(
            "katherine", "katherine", 6 * day + 40,
            "I am away from tomorrow. The figures are in the shared folder."),
        DemoMessage("katherine", "ada", 6 * day + 35, "Enjoy it! We will manage."),
        DemoMessage(
            "team", "ada", 5 * day + 400,
            "Welcome, everyone. This is where we discuss the work on the engine."
        )
        .reacted("👋", "grace", "alan", "barbara"),
        DemoMessage(
            "team", "grace", 5 * day + 395,
            "Good morning! I have moved the notes here, so that they can be searched."),
        DemoMessage("team", "alan", 5 * day + 380, "Is there a list of what is **not** decided yet?")
            .labelled("list"),
        DemoMessage(
            "team", "ada", 5 * day + 371,
            "Three things: the carry, the card format, and who writes the tests. `carry.swift` is the oldest of them."
        ).answering("list"),
        DemoMessage("team", "barbara", 5 * day + 365, "I'll take the tests.").reacted("🎉", "ada", "grace"),
        DemoMessage("lunch", "alan", 4 * day + 300, "The new place by the canal, at half past twelve?"),
        DemoMessage("lunch", "barbara", 4 * day + 297, "Yes, please.").reacted("🍜", "alan"),
        DemoMessage(
            "release", "grace", 4 * day + 200,
            "I have opened this for the release. Margaret knows what must not go wrong."),
        DemoMessage(
            "release", "margaret", 4 * day + 120,
            "Everything that can be restarted must be restarted in the tests."),
    ]

    private static let yesterday: [DemoMessage] = [
        DemoMessage(
            "team", "alan", 2 * day + 500,
            """
            This is the smallest case that fails:
            ```swift
            let carry = digits.reduce(0) { $0 + $1 }
            assert(carry < 10, "the carry is lost")
            ```
            """
        ).labelled("case").reacted("👀", "ada", "grace"),
        DemoMessage(
            "team", "grace", 2 * day + 490, "It is the sum: it must be divided before the next digit."
        ).answering("case"),
        DemoMessage("team", "alan", 2 * day + 488, "Of course. Thank you!").reacted("👍", "grace"),
        DemoMessage("team", "CI", 2 * day + 470, "Build 128 of `main` passed: 3,117 tests in 6 minutes."),
        DemoMessage(
            "team", "barbara", 2 * day + 300, "These are the times since the change: lower is better."
        )
        .carrying(.picture(name: "times.png")).labelled("times").reacted("📈", "ada", "alan"),
        DemoMessage("team", "ada", 2 * day + 290, "That is a third of what it was.").answering("times"),
        DemoMessage("release", "alan", 2 * day + 200, "The date is the 12th.").edited(
            from: "The date is the 21st."),
        DemoMessage("release", "ada", 2 * day + 190, "@margaret does that leave you enough time?"),
        DemoMessage(
            "release", "margaret", 2 * day + 100, "It does, if no one changes the card format again."),
        DemoMessage("release", "alan", 2 * day + 95, "I never said that I would.").deleted(),
        DemoMessage("grace", "grace", day + 300, "Do you have yesterday's minutes?").labelled("minutes"),
        DemoMessage("grace", "ada", day + 296, "Here they are.").answering("minutes")
            .carrying(
                .text(
                    name: "minutes.txt",
                    content:
                        "1. The carry is fixed.\n2. The card format stays.\n3. Barbara writes the tests.\n")
            )
            .reacted("❤️", "grace"),
        DemoMessage("grace", "grace", day + 290, "Perfect, thank you."),
        DemoMessage("alan", "ada", day + 200, "Can you look at the tape reader before Friday?"),
        DemoMessage("alan", "alan", day + 180, "I can. It halts more often than one can prove."),
        DemoMessage("alan", "ada", day + 178, "😄").reacted("😄", "alan"),
    ]

    /// A long discussion to scroll back through.
    private static let longAgo: [DemoMessage] = (0..<120).map { number in
        let people = ["grace", "alan", "barbara", "ada"]
        let texts = [
            "Measured again: \(240 - number) ms, the same machine and the same cards.",
            "Card \(number + 1) of 120 is punched and checked.",
            "Note \(number + 1): what we call a *cycle* here is one turn of the main axis.",
            "That one went through without a jam.",
            "I have compared it with the table by hand: the digits agree.",
        ]
        return DemoMessage(
            "team", people[(number / 2) % people.count], 4 * day + 600 - number * 4,
            texts[number % texts.count])
    }

    private static let today: [DemoMessage] = [
        DemoMessage("katherine", "ada", 600, "When you are back: the orbit is off by two digits in table 7."),
        DemoMessage("margaret", "ada", 420, "Could you look over the restart plan?"),
        DemoMessage("margaret", "margaret", 400, "I will. Is it the one with three stages?"),
        DemoMessage("margaret", "ada", 395, "Yes, the third is new."),
        DemoMessage("lunch", "grace", 200, "Who's coming today?"),
        DemoMessage("lunch", "barbara", 199, "Me.").reacted("🍜", "grace"),
        DemoMessage("lunch", "alan", 197, "I do."),
        DemoMessage("lunch", "grace", 190, "Then a table for three, or four with @ada."),
        DemoMessage("grace", "grace", 65, "I have read your draft. Two comments, when you have a minute."),
        DemoMessage("team", "ada", 55, "The reader is fixed. I will open the pull request this afternoon.")
            .reacted("👍", "grace", "alan", "barbara"),
        DemoMessage("team", "grace", 30, "Then I'll look at it tonight."),
        DemoMessage("team", "alan", 28, "I have seen a jam at card 96, @ada: is that still the old reader?")
            .labelled("jam"),
        DemoMessage("team", "barbara", 25, "No, that was mine: a bent card.").answering("jam"),
    ]
}
