extension SimulatedSite {
    package static let harbourGazette = SimulatedSite(
        host: "www.harbour-gazette.example", name: "The Harbour Gazette", language: "en",
        tagline: "News from the quay since 1887", layout: .news,
        sections: ["Town", "Harbour", "Science", "Culture", "Opinion"], accent: (38, 94, 116),
        articles: [wall, ferry, tides, ledger])

    private static let wall = SiteArticle(
        path: "/2026/10/the-wall-that-lets-the-sea-in", title: "The harbour wall that lets the sea in",
        author: "Maren Holt", published: "2026-10-14T07:30:00+01:00", section: "Harbour",
        summary:
            "For a century the town built its walls higher. The newest one has holes in it, and it is the "
            + "first that has not needed repair after a winter.",
        tags: ["Harbour", "Engineering"],
        text: #"""
            When the first autumn storm reached the outer mole last week, nobody stood on it to watch. There was
            nothing to see. The waves ran up to the new wall, went in through four hundred openings the size of a
            bread oven, and came out again a few seconds later as foam. On the quay behind it the puddles were
            still.

            The wall is the work of Ines Barrow, an engineer who came to the harbour office eight years ago to
            draw up a list of cracks. It took her a winter. At the end of it she had two thousand four hundred
            entries and a question that the office had not asked her: why are they all on the same side?

            ## Stone that pushes back

            A smooth wall throws a wave back almost whole. The wave that returns meets the one that follows, and
            where they meet the sea stands twice as high. What breaks the wall is not the open sea but its own
            echo. Barrow found the idea in the notes of a lighthouse builder, written in 1871 and never tried
            for want of cement that would set under water.

            Her wall does not throw the wave back. Each opening leads into a chamber four metres deep. The water
            rushes in, turns round, and leaves at the moment when the next trough passes. The two cancel each
            other out, as two voices do that sing the same note half a beat apart.

            > We stopped asking how strong the wall has to be and began to ask how much of the wave we could
            > persuade to leave by itself.

            ![A section through the new wall: the chamber is as deep as half a short wave](/pictures/plan-wall.png)

            ## What it cost, and what it saved

            The council had set aside eleven million for a higher wall. The one with the holes cost seven, since it
            is lower than the old one and needs less than half of the stone. Four things made the difference:

            - the chambers were cast on land, in a shed that once built fishing boats;
            - a crane ship was needed for nine days rather than for two summers;
            - the old wall stayed where it was and became the back of the new one;
            - nobody had to dig up the road.

            Last winter, the first with the whole wall in place, the harbour office counted no new cracks. In the
            ten winters before it there had been an average of 140. The insurers, who had raised the premium every
            year since 2011, have sent a letter that the harbour master keeps framed above her desk.

            ## The tenants

            Nobody had planned for what came next. By May the chambers had been found by crabs, by June by young
            cod, and in August a diver photographed an octopus that had furnished its chamber with scallop shells.
            The university now counts the animals every month. There are 61 species in the wall so far, of which
            nine had not been seen in the bay for thirty years.

            “An old wall is a desert that stands upright,” says Tomas Reyes, who leads the count. “This one is a
            cliff with flats to let.” He would like the next section to have chambers of three different sizes.
            Barrow is calculating what that would do to the waves.

            ## Not for every place

            Other towns have asked for the drawings, and most have been told to wait. The chambers fit the waves of
            this bay, which are short and come from the south-west. On a coast with a long swell they would have
            to be twenty metres deep, and in a river they would fill with mud within a year.

            “It is not an invention,” Barrow says, “it is a measurement. You have to listen to your own sea for a
            few years first.” She has put the buoys back where they were eight years ago. The next storm is
            expected on Thursday.
            """#,
        comments: [
            SiteComment(author: "Old Pier", text: "My grandfather always said that the wall was too proud."),
            SiteComment(
                author: "K. Lindqvist", text: "Does anybody know whether one can visit the chambers?"),
        ])

    private static let ferry = SiteArticle(
        path: "/2026/11/the-night-ferry-is-back", title: "The night ferry is back, and it is full",
        author: "Jonas Adeyemi", published: "2026-11-03T06:00:00+00:00", section: "Town",
        summary:
            "Nine years after the last sailing, a ship again leaves the east quay at half past ten in the evening.",
        tags: ["Ferries", "Transport"],
        text: #"""
            At twenty past ten on Sunday evening there was a queue on the east quay for the first time since 2017.
            It was an orderly queue: three hundred and eight people with bicycles, a brass band on its way home,
            two removal vans, and a family who had come only to wave.

            The *Corvina* left ten minutes later, on time, and with every cabin taken. According to the company
            she is booked out until the middle of January.

            ## Why it stopped

            The old line was not given up for want of passengers. In its last year it had carried 96,000 people, a
            little more than the year before. What ended it was fuel. The ship had been built to cross in four
            hours, and crossing fast costs far more than crossing slowly: whoever wants to be twice as quick
            needs about eight times the power.

            The new timetable turns that round. The Corvina takes nine hours for the same way and needs a third of
            the fuel. Nobody on board is in a hurry, the company found, as long as there is a bed.

            | | Old line | New line |
            |---|---|---|
            | Crossing | 4 h 10 min | 9 h |
            | Fuel per crossing | 21 t | 7 t |
            | Cabins | 40 | 164 |
            | Cheapest bed | 85 | 49 |
            | Breakfast | no | yes |

            ## Who sails

            A survey on the first three crossings, done by two students with a clipboard, found that four out of
            ten passengers would otherwise have flown, and three would have stayed at home. The rest would have
            gone by car, by way of the bridge, which takes seven hours without a break.

            “I have a meeting at ten in the morning,” said Priya Nair, who designs lifts. “If I fly I get up at
            four. Here I read, I sleep, and somebody makes me an egg.” She had booked the next six Sundays.

            The brass band played until the harbour lights were out of sight, and was then asked, kindly, to stop.

            ## What is still missing

            There is no bus to the quay after nine. The council says that it will look into the matter in the new
            year. Until then the company lends bicycles, of which on Sunday none was left.

            Freight is a second question. The hold has room for forty lorries, and takes eleven, because the ramp
            on the far side cannot bear more. A new one is to be ready in spring. When it is, the company wants to
            sail on six nights instead of four.

            The harbour master is content. A ship that comes at half past seven in the morning and leaves at half
            past ten in the evening, she says, is the quietest neighbour that one can have: *it is here all day, and
            you would hardly know it.*
            """#,
        comments: [
            SiteComment(author: "brass_player", text: "We were told after the fourth encore. Fair enough.")
        ])

    private static let tides = SiteArticle(
        path: "/interactive/2026/where-the-tide-reaches",
        title: "Where the tide reaches on the last day of the year",
        author: "Maren Holt", published: "2026-11-09T12:00:00+00:00", section: "Science",
        summary:
            "Street by street: what the highest tide in eighteen years will do, and what it will leave alone.",
        tags: ["Tides"],
        text: #"""
            On the last afternoon of the year the sun, the moon and the earth stand in a line, and the moon is as
            near as it ever comes. The harbour office expects a tide of six metres and eleven centimetres, the
            highest since 2008.

            In calm weather that is eleven centimetres below the edge of the quay. With a gale from the south-west
            it would be thirty above it. We have gone through the town with the office's map and a tape measure.

            ## Fish Street

            The pavement on the seaward side lies lowest. Four cellars will have water in them whatever the wind
            does; their owners know it and have moved the potatoes. The bakery has built a threshold of oak.

            ## The Customs House

            Dry in every case that the office has calculated. The builders of 1790 had seen such a tide the year
            before, and put the ground floor a metre and a half above the street.

            ## Chapel Gardens

            The lawn will be a pond for about two hours. The office asks that nobody tries to walk through it,
            since the drain in the middle is open. Ducks have been informed.

            ## What to do

            1. Move what stands on cellar floors in Fish Street and on the Old Slip.
            2. Leave the car elsewhere from noon until six in the evening.
            3. Fetch sandbags at the fire station, not more than ten for each door.
            4. Come to the quay at twenty to four, if the wind is kind, and look.

            ![Expected height of the tide hour by hour on 31 December](/pictures/chart-last-day.png)
            """#, isBuiltByScript: true)

    private static let ledger = SiteArticle(
        path: "/members/2026/the-keepers-ledger", title: "The keeper's ledger",
        author: "Ottoline Grey", published: "2026-09-20T09:00:00+01:00", section: "Culture",
        summary:
            "For thirty-one years a lighthouse keeper wrote down what he saw. Then he began to write down what "
            + "he did not see.",
        tags: ["History"],
        text: #"""
            The ledger weighs four kilograms and smells of paraffin. It was found in June behind the lamp room of
            the North Light, in a cupboard that had been papered over, and it has 11,315 entries, one for every
            night from March 1902 to the end of 1932.

            Most are as short as a keeper's should be. *Wind W, 5. Rain. Lamp lit 16.40. Nothing.* The word nothing
            occurs nine thousand times. But in the winter of 1911 Elias Moor begins to add a second line, in smaller
            letters, and that line is why the museum has put the book on a table of its own.

            ## The second line

            “No Danish barque,” it says on the fourth of January. “No smoke behind Gull Rock.” “The Mary Ann not
            at her mooring, and not expected.” Moor had begun to note what was absent. Over twenty years he made a
            complete list of ships that did not come.

            The historian Lena Fabry, who has read all of it, was puzzled until she compared the entries with the
            insurers' registers. Of the ships that Moor missed, one in five had been lost. In eleven cases his note
            is the only trace of the day on which somebody began to worry.

            > He wrote the history of the harbour from the other side: the side of those who wait.

            ## An ordinary man

            Nothing else is known that would make Moor remarkable. He kept hens. He ordered the same tobacco for
            three decades, and complained once, in 1926, about its price. When the lamp was electrified he signed
            for the last barrel of oil and wrote: *Lamp lit by a switch. It hums.*

            ## How it was hidden

            Why the cupboard was papered over nobody can say. The keeper's cottage was let to summer guests from 1933
            on, and it may be that somebody simply wanted a wall without doors. The wallpaper has sailing boats on it.
            When the museum's carpenter cut it open he found, on top of the ledger, a folded sheet with eleven names and
            a sum in pounds beside each: Moor had paid a little every month, for years, to families of ships that he had
            missed. The last payment is crossed out and marked *returned with thanks*.

            Fabry has found the descendants of seven of them. None had heard of the keeper. One had always wondered why
            there is a brass lamp on the family grave.

            The last entry is from New Year's Eve 1932. The second line reads: “Nobody missing.”

            The ledger is on show until Easter. On Thursdays Fabry reads from it, a single month each time, and
            leaves out the nothings.
            """#, isForMembers: true)
}
