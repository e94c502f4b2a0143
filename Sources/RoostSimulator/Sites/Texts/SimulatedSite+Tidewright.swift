extension SimulatedSite {
    package static let tidewrightBlog = SimulatedSite(
        host: "blog.tidewright.example", name: "Tidewright Notes", language: "en",
        tagline: "How we keep small servers afloat", layout: .blog, sections: ["Posts", "Tools", "About"],
        accent: (52, 88, 160), articles: [queues, tables, measuring])

    package static let tidewrightDocumentation = SimulatedSite(
        host: "docs.tidewright.example", name: "Tidewright Documentation", language: "en",
        tagline: "Everything about the gauge", layout: .documentation, sections: ["Guide", "Reference"],
        accent: (52, 88, 160), articles: [calibrating])

    private static let queues = SiteArticle(
        path: "/posts/a-queue-that-survives-the-plug", title: "A queue that survives the plug",
        author: "Wendel Aoki", published: "2026-10-21T10:00:00Z", section: "Posts",
        summary:
            "You do not need a message broker to do work later. You need a table, two columns and the courage to "
            + "pull the plug.",
        tags: ["sqlite", "reliability"],
        text: #"""
            Every server that we look after has a sentence in its code that begins with “do this later”. Send the
            mail later. Fetch the page later. Later is where data goes to die, because later is usually a list in
            memory, and memory is what you lose when somebody trips over the cable.

            This post describes the queue that we have ended up with after ten years. It is a table. It has no
            process of its own, no port, and no cluster. We have pulled the plug on it several thousand times.

            ## The table

            ```sql
            CREATE TABLE jobs (
                id INTEGER PRIMARY KEY AUTOINCREMENT,
                payload TEXT NOT NULL,
                attempts INTEGER NOT NULL DEFAULT 0,
                next_try_at REAL NOT NULL,
                error TEXT,
                done_at REAL
            );
            CREATE INDEX jobs_due ON jobs (next_try_at) WHERE done_at IS NULL;
            ```

            Three columns do the work. `next_try_at` says when a job may be tried; `attempts` says how often it has
            been; `done_at` says that it never has to be again. The index covers only what is still open, so it
            stays small however long the history grows.

            ## The one rule

            Write the job in the *same transaction* as the thing that wants it. If the order is saved, so is the
            mail that confirms it. If the transaction rolls back, neither has happened. There is no moment between
            the two at which a plug could be pulled.

            ```swift
            try await database.write { db in
                try order.insert(db)
                try Job(payload: .confirmation(order.id), nextTryAt: clock.now).insert(db)
            }
            worker.wake()
            ```

            The call to `wake` is a courtesy. If it is lost, the worker finds the job a little later by itself,
            because it looks at the table and at nothing else.

            ## Trying again

            A job that fails is not put back by hand. It was never taken out. The worker writes down the reason and
            a later time, and goes on with the next one.

            | Attempt | Wait | What it forgives |
            |---|---|---|
            | 1 | none | nothing |
            | 2 | 30 s | a restart at the other end |
            | 3 | 2 min | a deployment |
            | 4 | 10 min | a full disk and an attentive colleague |
            | 5 | 1 h | a full disk and a colleague at lunch |

            After the fifth attempt the job stays where it is, with its error, and a person is told. Endless retries
            are a way of not telling anybody.

            ## At least once

            The worker does the job and then marks it as done. If the plug is pulled between the two, the job is
            done again after the restart. You cannot avoid that, and you should distrust those who say that they
            can. What you can do is make doing it twice harmless: give the job a key that the other side
            remembers, or write the result with `INSERT ... ON CONFLICT DO NOTHING`.

            > Exactly once is at least once, plus a receiver with a memory.

            ## Pulling the plug

            We test this the crude way. A script starts the server, gives it work, and kills it with `SIGKILL` at a
            random moment, again and again. It keeps a list of what the server has acknowledged. In the end every
            acknowledged job must be done, and none may be done in a way that shows twice.

            ```sh
            for round in $(seq 1 500); do
                ./server --data /tmp/queue & pid=$!
                ./client --until-killed >> acknowledged.log &
                sleep "0.$((RANDOM % 900))"
                kill -9 "$pid"; wait
            done
            ./check /tmp/queue acknowledged.log
            ```

            The first version failed in round three. The one that you have just read has not failed since 2019.

            ## When not to do this

            If you have ten thousand jobs a second, or ten machines that must share them, use something else. We
            have forty a minute, on one machine with one disk, like nearly everybody. The table is enough, and
            when something goes wrong at three in the morning you can open it and read what it says.
            """#,
        comments: [
            SiteComment(
                author: "Petra", text: "We had the list in memory. We had it for six years. Thank you."),
            SiteComment(author: "anonymous", text: "What about clock changes? next_try_at is wall time."),
            SiteComment(
                author: "Wendel Aoki", text: "A clock that jumps back delays a retry. We can live with that."),
        ])

    private static let tables = SiteArticle(
        path: "/posts/tide-tables-in-forty-lines", title: "Tide tables in forty lines",
        author: "Sunniva Dahl", published: "2026-09-08T08:15:00Z", section: "Posts",
        summary:
            "A tide is a sum of a few cosines. With a year of measurements and a little linear algebra you can "
            + "print your own table.",
        tags: ["swift", "mathematics"],
        text: #"""
            The tide table on the harbour office's door costs four and a half each year and is right to within ten
            centimetres. This summer I wanted to know how it is made. The answer fits on a page, and the page fits
            in a pocket.

            ## Gears

            Lord Kelvin predicted tides with a machine of wheels: one for each of the rhythms that the moon and the
            sun impose on the sea. Each wheel turns at its own known speed. What differs from harbour to harbour is
            how large each wheel is, and where it stood when the clock was started.

            In other words, the height of the water at a time *t* is a sum:

            ```text
            h(t) = mean + sum of A(i) cos(w(i) t - p(i))
            ```

            The speeds w are astronomy, the same everywhere. The sizes A and the phases p are what you have to find
            out for your own pier.

            ## The wheels that matter

            There are several hundred. These five give you nine tenths of the tide on most Atlantic coasts:

            | Name | Period in hours | Comes from |
            |---|---|---|
            | M2 | 12.4206 | the moon |
            | S2 | 12.0000 | the sun |
            | N2 | 12.6583 | the moon's changing distance |
            | K1 | 23.9345 | moon and sun, their height in the sky |
            | O1 | 25.8193 | the moon's height in the sky |

            ## Finding the sizes

            A cosine with a phase is a cosine plus a sine without one, so the unknowns become plain factors, and
            the whole thing becomes least squares. With hourly heights of one year that is 8,760 equations with
            eleven unknowns. A laptop does it before your finger has left the key.

            ```swift
            let speeds = [12.4206, 12.0, 12.6583, 23.9345, 25.8193].map { 2 * Double.pi / $0 }

            func row(at hour: Double) -> [Double] {
                [1] + speeds.flatMap { [cos($0 * hour), sin($0 * hour)] }
            }

            func predict(_ factors: [Double], at hour: Double) -> Double {
                zip(factors, row(at: hour)).reduce(0) { $0 + $1.0 * $1.1 }
            }
            ```

            The part that is missing here, solving the normal equations, is twenty lines of Gauss elimination that
            you have written before or can find in any library.

            ![How far the prediction and the gauge were apart, by month](/pictures/chart-residuals.png)

            ## How good is it

            With five wheels my table is within 22 cm of the gauge on nine days out of ten. With twelve it is 14 cm.
            The rest is not astronomy but weather: a low above the sea lifts it by about a centimetre for each
            hectopascal, and no wheel turns for that.

            ### Three mistakes that I made

            1. I used local time. The sea does not know of daylight saving, and in the last week of March my
               prediction was an hour late.
            2. I used a month of data. M2 and N2 drift apart only within four weeks; before that they cannot be told
               from each other.
            3. I forgot that the gauge had been moved in 2024, by eight centimetres. The mean knew.

            The whole program is forty lines, with the elimination and the printing. The table hangs on my door,
            and my neighbour has asked for one, for which I have charged him nothing.
            """#)

    private static let measuring = SiteArticle(
        path: "/posts/measure-twice-mend-once", title: "Measure twice, mend once",
        author: "Wendel Aoki", published: "2026-08-30T16:40:00Z", section: "Posts",
        summary: "A page took nine seconds. Everybody knew why. Everybody was wrong.",
        tags: ["performance"],
        text: #"""
            On a Monday in June our customers' overview took nine seconds to appear. By noon there were four
            explanations in the chat, each of them convincing: the database lacked an index, the new images were
            too large, the network was slow again, and JavaScript.

            Nobody had measured anything. This is the story of how we did, in the order in which it hurt.

            ## Write down the guess

            Before we looked, each of us wrote a guess on a card, with a number: *how many of the nine seconds is it?*
            The cards went into a tin. This costs a minute, and it is the only way I know of to learn how good your
            guesses are. Mine said: index, eight seconds.

            ## Look at the whole first

            A profiler shows you the inside of one process. We began outside, with a stopwatch for every station on
            the way:

            | Station | Time |
            |---|---|
            | Name look-up | 4 ms |
            | Connection and TLS | 31 ms |
            | Waiting for the first byte | 190 ms |
            | The page itself | 60 ms |
            | Until anything is drawn | 8,700 ms |

            The database, the network and the images were acquitted in one line. The page had arrived after a
            quarter of a second and then sat there.

            ## The culprit

            The style sheet loaded a font from a server that no longer existed. The browser waited for it, politely,
            for as long as browsers wait, and then drew the page in another font that was perfectly good. The
            server had been switched off on the Friday before. None of us used a browser without the font in its
            cache.

            ```css
            @font-face {
                font-family: "Harbour Sans";
                src: url("https://fonts.old-supplier.example/harbour.woff2");
                font-display: swap;
            }
            ```

            The last line but one was the illness, and the last line is the medicine: with `swap` the text is drawn
            at once. Then we deleted all three.

            ## What was in the tin

            Index, eight seconds. Images, five. Network, all of it. JavaScript, *obviously*. Not one of the cards
            had the right culprit, and together they would have cost a week of mending what was whole.

            We still have the tin. There are sixty-one cards in it by now, of which nine were right. It is the most
            expensive piece of tin in the office, and it has paid for itself every month.
            """#)

    private static let calibrating = SiteArticle(
        path: "/guide/calibrating-a-gauge", title: "Calibrating a gauge",
        author: "Tidewright", published: "2026-07-01T00:00:00Z", section: "Guide",
        summary: "How to set a new gauge to the local datum, check it, and keep it right.",
        tags: ["gauge"],
        text: #"""
            A gauge measures the distance from its sensor down to the water. To make a height of it, the gauge has to
            know how high the sensor itself hangs above the local datum. This page describes how to find that out,
            how to check it, and how often to do so again.

            You need a levelling staff, a helper, and an hour of calm weather around low water.

            ## Before you begin

            - Read the benchmark's height from the plate nearest to the pier. The office has a list.
            - Clean the sensor's face with fresh water and a soft cloth. Do not use a scraper.
            - Let the gauge run for at least thirty minutes, so that its electronics are warm.

            ## Set the height

            1. Stand the staff on the benchmark and read it. Call the reading *a*.
            2. Stand the staff on the gauge's reference bolt and read it again. Call the reading *b*.
            3. The bolt's height is the benchmark's height plus *a* minus *b*.
            4. Enter it:

            ```sh
            tidewright set-height --gauge north-pier 4.372
            tidewright status --gauge north-pier
            ```

            The second command answers with the present height of the water. Compare it with the staff held into
            the water beside the pier. A difference of up to two centimetres is usual while there are waves.

            ## Settings

            | Setting | Standard | Meaning |
            |---|---|---|
            | `interval` | 60 | Seconds between two measurements |
            | `average` | 12 | Measurements of which the middle one is taken |
            | `datum` | `chart` | `chart` or `national` |
            | `limit` | 0.5 | Metres between two values above which the later one is refused |

            Settings live in `/etc/tidewright/gauge.conf` and take effect with the next measurement:

            ```ini
            [north-pier]
            interval = 60
            average = 12
            datum = chart
            ```

            ## Check it

            Check a new gauge after a week, then every three months, and after every storm in which a wave has
            reached the sensor. Note the result in the log, even when nothing was wrong: a row of unremarkable
            checks is what tells a drift from an accident.

            ```sh
            tidewright check --gauge north-pier --staff 1.94 --note "calm, after cleaning"
            ```

            ## If the values jump

            Values that jump by a metre or more and come back are usually spiders. They like the warm housing, and
            they spin in front of the sensor. Clean it, and hang a sprig of mint beside it. Nobody knows why that
            helps; since we do it the number of refused values has gone down by half.

            Values that drift by a few millimetres a day mean that the bolt moves, or the pier. Measure the bolt
            again from a second benchmark before you touch the gauge.
            """#)
}
