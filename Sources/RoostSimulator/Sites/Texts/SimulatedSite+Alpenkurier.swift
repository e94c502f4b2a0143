extension SimulatedSite {
    package static let alpenkurier = SimulatedSite(
        host: "www.alpenkurier.example", name: "Alpenkurier", language: "de",
        tagline: "Zeitung für Berg und Tal", layout: .news,
        sections: ["Region", "Wissen", "Verkehr", "Kultur", "Meinung"], accent: (58, 110, 72),
        articles: [glacier, nightTrain, cableCar])

    private static let glacier = SiteArticle(
        path: "/wissen/2026/11/die-frau-die-den-gletscher-misst", title: "Die Frau, die den Gletscher misst",
        author: "Johanna Ebner", published: "2026-11-05T05:30:00+01:00", section: "Wissen",
        summary:
            "Seit 34 Jahren steigt Verena Tschurtschenthaler jeden September zum selben Stein hinauf. In diesem "
            + "Jahr hat sie ihn zum ersten Mal nicht mehr gebraucht.",
        tags: ["Gletscher", "Klima", "Forschung"],
        text: #"""
            Der Stein ist so groß wie ein Kleinwagen und trägt eine rote Zahl: 1992. Damals hat ihn Verena
            Tschurtschenthaler mit Lack und Pinsel beschriftet, und damals lag er unmittelbar vor der Zunge des
            Gletschers. Wer heute neben ihm steht, muss ein Fernglas nehmen, um das Eis zu sehen.

            Es ist ein klarer Morgen Mitte September, z. B. so einer, wie ihn sich Messtrupps wünschen. Um sechs Uhr
            ist die Gruppe von der Hütte aufgebrochen, sieben Personen mit Maßband, GPS-Empfänger und belegten
            Broten. „Das Maßband nehmen wir nur noch aus Höflichkeit mit“, sagt die 61-Jährige. „Aber wer mit ihm
            anfängt, der schaut genauer hin.“

            ## Eine Zahl pro Jahr

            Gemessen wird an vierzehn Punkten. Von jedem führt eine festgelegte Richtung zum Eisrand, und die Strecke
            dazwischen wird auf zehn Zentimeter genau bestimmt. Das Mittel der vierzehn Werte ist die Zahl des
            Jahres. Sie steht in einem Heft mit Wachstuchumschlag, das inzwischen der Universität gehört und
            trotzdem jeden Herbst wieder mit hinauf darf.

            | Jahrzehnt | Rückgang im Mittel pro Jahr |
            |---|---|
            | 1992 bis 2001 | 7,4 m |
            | 2002 bis 2011 | 15,9 m |
            | 2012 bis 2021 | 24,3 m |
            | seit 2022 | 61,0 m |

            Die Zahlen sind nicht neu, und doch hat die letzte Zeile auch erfahrene Leute im Trupp schweigen lassen.
            Der Grund ist einfach: Unter der Zunge hat sich ein Hohlraum gebildet. Was im Frühjahr noch wie Eis
            aussah, war ein Dach, und im August ist es eingestürzt.

            ## Was der Gletscher freigibt

            Wo das Eis verschwindet, kommt etwas anderes zum Vorschein. In den vergangenen Jahren waren das ein
            Ski aus Eschenholz, ein Maultierhuf, drei Konservendosen und der Stamm einer Zirbe, die vor rund 6.700
            Jahren hier gewachsen ist. „Damals stand an dieser Stelle ein Wald“, sagt die Biologin Dr. Mira Kofler,
            die den Stamm untersucht hat. „Das tröstet mich nicht. Der Wald hatte zweitausend Jahre Zeit, um zu
            kommen.“

            Schon jetzt wachsen zwischen den Steinen die ersten Pflanzen. Kofler zählt sie auf Flächen von einem
            Quadratmeter:

            - im ersten Jahr nach dem Eis: nichts, das man ohne Lupe sieht;
            - nach fünf Jahren: Moose, ein Steinbrech, gelegentlich ein Alpen-Leinkraut;
            - nach zwanzig Jahren: elf Arten, darunter die erste Weide;
            - nach hundert Jahren: ein Rasen, in dem Murmeltiere graben.

            ![Die vierzehn Messpunkte und der Eisrand von 1992 bis 2026](/pictures/plan-gletscher.png)

            ## Der letzte Gang

            In diesem Jahr haben die Messpunkte 1 bis 5 zum ersten Mal keinen Wert mehr. Die Linien, die von ihnen
            ausgehen, treffen auf keinen Rand, nur noch auf Fels. Tschurtschenthaler hat deshalb oben, auf 2.840
            Metern, neue Punkte angelegt, mit demselben roten Lack. Dass sie selbst sie noch lange brauchen wird,
            glaubt sie nicht. In zwei Jahren geht sie in Pension, und ihr Nachfolger misst mit der Drohne.

            > Man wird nicht traurig, wenn man misst. Traurig wird man erst beim Ausrechnen.

            Am Nachmittag sitzt der Trupp auf dem alten Stein von 1992 und isst die letzten Brote. Jemand hat vorgeschlagen,
            ihn hinunterzutragen und vor das Museum zu stellen. Er wiegt etwa neun Tonnen. „Er soll bleiben, wo er
            ist“, sagt Tschurtschenthaler. „Irgendwo muss ja stehen, wo der Gletscher war.“
            """#,
        comments: [
            SiteComment(
                author: "Bergfex48",
                text: "Ich war 1985 mit meinem Vater dort. Man konnte hören, wie er arbeitet."),
            SiteComment(author: "Luise K.", text: "Ein sehr schöner Text, danke."),
        ])

    private static let nightTrain = SiteArticle(
        path: "/verkehr/2026/10/nachtzug-mit-werkstatt", title: "Der Nachtzug, der unterwegs repariert wird",
        author: "Anton Moser", published: "2026-10-19T11:00:00+02:00", section: "Verkehr",
        summary:
            "Auf der Strecke über den Pass fährt seit dem Sommer ein Wagen mit, in dem geschraubt wird. Die "
            + "Verspätungen sind seither auf ein Drittel gesunken.",
        tags: ["Bahn", "Nachtzug"],
        text: #"""
            Um 2.14 Uhr, irgendwo zwischen zwei Tunneln, beginnt für Hatice Demir die eigentliche Arbeit. Im Wagen 7
            ist eine Klimaanlage ausgefallen, im Wagen 11 klemmt eine Tür, und im Speisewagen macht der Kaffee-Automat
            ein Geräusch, „das nicht im Handbuch steht“. Demir ist Mechatronikerin. Ihr Arbeitsplatz ist acht Meter
            lang, hat eine Werkbank, ein Lager mit 312 Teilen und fährt 140 Kilometer in der Stunde.

            ## Warum im Fahren?

            Nachtzüge kommen selten pünktlich an, und das liegt nur zum kleineren Teil an der Strecke. Eine Auswertung
            von 1.900 Fahrten hat gezeigt, dass 58 Prozent aller Verspätungen vor der Abfahrt entstehen: Ein Wagen
            hat einen Schaden, die Werkstatt ist nicht besetzt, es wird rangiert, getauscht, gewartet. Dabei sind
            die Schäden meist klein. Neun von zehn lassen sich in weniger als einer Stunde beheben, wenn jemand da
            ist, der es kann, und wenn das Teil zur Hand ist.

            „Die Zeit haben wir doch“, sagt Betriebsleiter Georg Anrather. „Der Zug fährt elf Stunden. In elf Stunden
            kann man sehr viel schrauben.“ Die Idee kam von Demir selbst, in einer Mail mit drei Sätzen. Den
            Werkstattwagen hat das Unternehmen aus einem alten Postwagen gebaut, für weniger, als ein neuer
            Schlafwagen kostet.

            ## Die Bilanz nach hundert Nächten

            - Verspätung bei der Ankunft: im Mittel 9 statt 31 Minuten
            - ausgefallene Wagen: 4 statt 37
            - Reparaturen unterwegs: 612, davon 201 Türen
            - verbrannte Finger: 1

            Nicht alles geht. An Bremsen und Achsen darf im Fahren niemand arbeiten, und auch aufs Dach steigt keiner.
            Für solche Fälle meldet der Wagen den Schaden voraus, damit am Ziel schon jemand mit dem passenden Teil
            am Bahnsteig steht. Früher erfuhr die Werkstatt davon, wenn der Zug da war.

            ## Die Nacht als Werkzeug

            Für die Fahrgäste ist von all dem wenig zu bemerken. Wer im Wagen 7 schlief, weiß am Morgen nur, dass es
            irgendwann wieder kühl wurde. Demir arbeitet leise; sie hat sich abgewöhnt, den Schraubenschlüssel
            abzulegen, und trägt ihn stattdessen am Gürtel.

            Nur einmal gab es Aufregung. In einer Nacht im August blieb der Zug vor dem Scheiteltunnel stehen, weil eine
            Kuh auf dem Gleis lag. Demir war die Einzige an Bord, die mit einem Seil umgehen konnte, und so steht in der
            Liste der Reparaturen unter Nummer 388 seither: „Kuh, versetzt, 12 Minuten“.

            Andere Bahnen haben sich den Wagen angesehen. Eine hat gefragt, ob man ihn kaufen könne. „Den Wagen schon“,
            hat Anrather geantwortet. „Die Frau nicht.“ Im Frühjahr soll ein zweiter fahren, und Demir bildet gerade
            vier Leute aus, die dann ebenfalls nachts um zwei wissen, welches Geräusch nicht im Handbuch steht.

            Der Kaffee-Automat, nebenbei, war nur falsch entkalkt.
            """#)

    private static let cableCar = SiteArticle(
        path: "/region/2026/09/die-letzte-fahrt-der-hinterauer-bahn",
        title: "Die letzte Fahrt der Hinterauer Bahn",
        author: "Johanna Ebner", published: "2026-09-27T18:00:00+02:00", section: "Region",
        summary:
            "71 Jahre lang hat eine Materialseilbahn fünf Höfe mit dem Tal verbunden. Nun gibt es eine Straße, und "
            + "nicht alle sind froh darüber.",
        tags: ["Region"],
        text: #"""
            Die letzte Fracht war ein Klavier. Nicht weil es jemand hinaufbringen wollte, sondern weil es 1958 mit der
            Bahn gekommen war und Rosa Unterweger fand, es solle auch mit ihr wieder hinunter. Zwanzig Minuten
            schwebte es über dem Graben, in Decken gewickelt, und unten stand das halbe Dorf und hielt den Atem an.

            ## Ein Seil für fünf Höfe

            Als die Bahn 1955 gebaut wurde, gab es in Hinterau weder Strom noch Telefon. Alles, was man nicht auf dem
            Rücken trug, kam von da an durch die Luft: Mehl, Kälber, Fensterscheiben, die Post, einmal eine
            Wöchnerin samt Hebamme, obwohl auf dem Schild *Personenbeförderung verboten* stand.

            Das Schild hängt noch. Ernst genommen hat es der alte Maschinist nur, wenn der Inspektor kam. „Der hat sich
            vorher angemeldet“, erzählt sein Sohn, „er musste ja mit der Bahn herauf.“

            ## Die Straße

            Seit August führt eine Straße zu den Höfen, vier Kilometer lang, mit elf Kehren und drei Lawinendächern. Der
            Milchwagen kommt nun bis vor die Tür. Der Schulbus auch. Niemand in Hinterau möchte das wieder hergeben,
            und trotzdem sagen alle fünf Familien denselben Satz: Es sei stiller gewesen.

            1. Im Juni wurde das Tragseil zum letzten Mal geprüft.
            2. Im August fuhr der erste Milchwagen.
            3. Am 26. September kam das Klavier herunter.
            4. Im Oktober wird das Seil abgenommen; die Stützen bleiben stehen.

            ## Was bleibt

            Die Talstation wird ein Museum, jedenfalls am Sonntagnachmittag. Das Herzstück ist ein Buch, in das seit 1955
            jede Fahrt eingetragen wurde, 48.212 insgesamt. Man kann darin lesen, wann der erste Kühlschrank kam (12.
            Mai 1963) und wann das erste Kalb auf dem Weg geboren wurde (am 3. März 1971, „beide wohlauf“).

            ## Wer die Stille vermisst

            Am deutlichsten sagt es der Jüngste. Matthias Unterweger, neun Jahre alt, ist bis zum Sommer jeden Morgen eine
            Stunde zu Fuß zur Schule gegangen und hat unterwegs, wie er genau weiß, vierzehn Arten von Vögeln gehört. Im
            Bus hört er das Radio des Fahrers. Er hat deshalb mit der Lehrerin ausgemacht, dass er am Freitag zu Fuß
            kommen darf, auch wenn es regnet.

            Sein Vater ist der Letzte, der die Seilbahn noch bedienen kann. Er hat die Handgriffe aufgeschrieben, auf
            zwei karierten Seiten, für den Fall, dass die Straße einmal länger gesperrt ist. „Drei Lawinendächer sind
            gut“, sagt er, „aber der Berg hat vier Gräben.“ Die Gemeinde hat die Seiten kopiert und in den Tresor gelegt.

            Rosa Unterweger hat das Klavier der Schule geschenkt. Es ist verstimmt, aber nicht mehr als vorher.
            """#)
}
