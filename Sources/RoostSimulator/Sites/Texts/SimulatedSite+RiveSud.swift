extension SimulatedSite {
    package static let riveSud = SimulatedSite(
        host: "www.rivesud.example", name: "Rive Sud", language: "fr",
        tagline: "Le journal du fleuve et de ses quartiers", layout: .news,
        sections: ["Quartiers", "Culture", "Sciences", "Cuisine", "Idées"], accent: (156, 74, 52),
        articles: [market, library, sundial, huts])

    private static let market = SiteArticle(
        path: "/quartiers/2026/10/le-marche-qui-remonte-le-fleuve", title: "Le marché qui remonte le fleuve",
        author: "Camille Besson", published: "2026-10-11T06:45:00+02:00", section: "Quartiers",
        summary:
            "Chaque samedi, une péniche chargée de légumes s’arrête dans six villages qui n’ont plus d’épicerie. "
            + "Histoire d’une idée que l’on disait trop lente.",
        tags: ["Marché", "Fleuve", "Agriculture"],
        text: #"""
            À cinq heures du matin, il fait encore nuit sur le quai de la Tannerie, et Nadia Ferrand compte ses
            cageots à la lampe frontale. Quarante-deux de pommes de terre, dix-huit de poireaux, six de ces petites
            poires que l’on appelle ici des « sanguinoles ». Dans une heure, la péniche *Patience* larguera ses
            amarres. Elle rentrera à la nuit tombée, vide.

            ## Six villages sans épicerie

            Entre l’écluse de Vaux et le pont de Saint-Alban, le fleuve traverse six communes. Toutes avaient une
            épicerie en 1990 ; la dernière a fermé en 2019. Pour acheter une salade, il faut désormais une voiture et
            quarante minutes. « On s’était habitués », dit Marcel Auger, 84 ans, qui attend sur le ponton de
            Vaux avec son cabas. « C’est terrible, comme on s’habitue. »

            L’idée de la péniche est née d’un calcul. Nadia Ferrand, maraîchère, passait chaque semaine onze heures au
            volant pour vendre sur quatre marchés. Elle a posé la question autrement : et si c’était le marché
            qui se déplaçait ?

            > On nous disait que c’était trop lent. Mais un poireau n’est pas pressé.

            ## Les comptes

            La coopérative réunit aujourd’hui neuf producteurs. Elle publie ses comptes sur la porte de la
            timonerie, à la craie, et les efface chaque mois.

            | Poste | Par la route | Par le fleuve |
            |---|---|---|
            | Carburant par semaine | 212 € | 64 € |
            | Heures de conduite | 44 | 9 |
            | Invendus | 14 % | 5 % |
            | Clients | 310 | 540 |

            La dernière ligne a surpris tout le monde. Les habitants des villages ne sont pas seuls à venir : des
            gens de la ville prennent le train du matin, montent à bord à Vaux et redescendent le fleuve en faisant
            leurs courses. La coopérative a dû ajouter des bancs.

            ## Ce qui ne va pas encore

            Tout n’est pas simple. L’écluse de Vaux ferme à dix-neuf heures, et le règlement ne prévoit pas qu’un
            bateau vende des légumes. Il a fallu :

            - une autorisation pour accoster, à renouveler chaque trimestre ;
            - une autre pour vendre, refusée deux fois ;
            - une balance homologuée qui supporte le roulis ;
            - et un chat, à cause des souris.

            En février, la crue a immobilisé la *Patience* pendant trois semaines. Les producteurs ont repris la route,
            sans enthousiasme. « C’est là que nous avons compris », raconte le marinier, Yann Le Goff. « Personne
            ne nous avait autant téléphoné. »

            ![La péniche et ses six escales](/pictures/plan-escales.png)

            ## Et après ?

            Trois autres vallées ont demandé à visiter le bateau. Une école voudrait y faire classe le vendredi. Nadia
            Ferrand, elle, rêve d’un four à pain dans la cale. Le calcul est en cours ; d’après le marinier, le bateau
            le porterait, mais il faudrait renoncer à la moitié des pommes de terre.

            À Saint-Alban, la nuit tombe. Il reste trois choux et une botte de radis. Une dame les prend « pour ne
            pas les laisser seuls », et la péniche fait demi-tour.
            """#,
        comments: [
            SiteComment(author: "Odile", text: "Le chat s’appelle Gouvernail, il fallait le dire."),
            SiteComment(author: "P. Marchand", text: "Et en hiver, les horaires changent ?"),
        ])

    private static let library = SiteArticle(
        path: "/culture/2026/11/une-bibliotheque-sans-murs", title: "Une bibliothèque sans murs",
        author: "Idriss Kanté", published: "2026-11-07T09:00:00+01:00", section: "Culture",
        summary:
            "Pendant les travaux, la bibliothèque du quartier a prêté ses 31 000 livres à ses lecteurs. Tous, d’un "
            + "coup. Ils sont presque tous revenus.",
        tags: ["Livres", "Quartier"],
        text: #"""
            Le problème était simple : le toit fuyait, les travaux dureraient quatorze mois, et il fallait mettre
            trente et un mille livres quelque part. Un garde-meuble aurait coûté le prix de deux mille livres neufs.
            C’est une stagiaire, Élise Dumas, qui a demandé à la fin d’une longue réunion : « Et si on les
            prêtait ? »

            ## Le grand prêt

            Le samedi 6 septembre 2025, les portes ont ouvert à neuf heures. La règle tenait en une phrase : chacun
            emporte autant de livres qu’il peut en loger, et les rapporte quand le toit est fini. À midi, la file
            faisait le tour de la place. On est venu avec des poussettes, des brouettes, un triporteur de fleuriste.

            Un homme a pris toute la lettre *B*. Une institutrice a emporté les quatre mètres de livres sur les
            volcans. Deux sœurs, qui ne se parlaient plus, se sont partagé une encyclopédie : l’une a pris A à K,
            l’autre L à Z.

            ## Lire chez les autres

            Le catalogue, en ligne, indiquait désormais une rue au lieu d’une cote. Pour lire un livre, il fallait sonner
            chez quelqu’un. La direction craignait les plaintes ; il y en eut trois. En revanche, on compta :

            1. 2 870 livres échangés entre voisins au cours du premier mois ;
            2. quatorze clubs de lecture, dont un sur un palier, au cinquième étage ;
            3. un mariage, dont les deux intéressés assurent qu’il n’a *aucun* rapport.

            > Nous pensions prêter des livres. Nous avons prêté des sonnettes.

            ## Le retour

            Le toit est fini depuis octobre. Depuis, les livres reviennent, par sacs et par brouettes. Il en manquait 412
            vendredi soir, soit un peu plus d’un sur cent ; c’est moins que les pertes d’une année ordinaire. Certains
            sont revenus plus nombreux qu’ils n’étaient partis : la lettre *B* compte neuf volumes de plus, et
            personne ne sait d’où ils viennent.

            Les deux sœurs ont rapporté l’encyclopédie ensemble. Elles avaient, paraît-il, une question dont la réponse
            était à cheval sur les deux moitiés.

            On a aussi retrouvé, entre les pages, ce que les gens y avaient laissé : des tickets de bus, une recette de
            gratin, quatre lettres d’amour et un bulletin scolaire de 1987. Tout est exposé dans l’entrée, sauf les
            lettres, que leurs auteurs sont venus rechercher sans un mot.

            La bibliothèque réfléchit maintenant à recommencer, un mois par an, sans travaux. Élise Dumas, qui n’est plus
            stagiaire, a déjà choisi la date.
            """#)

    private static let sundial = SiteArticle(
        path: "/sciences/2026/09/le-cadran-qui-dit-l-heure-des-marees",
        title: "Le cadran qui dit l’heure des marées", author: "Camille Besson",
        published: "2026-09-16T07:00:00+02:00", section: "Sciences",
        summary:
            "Sur la façade de l’ancienne douane, un cadran lunaire de 1743 fonctionne de nouveau. Il a fallu un "
            + "horloger, une astronome et beaucoup de nuits claires.",
        text: #"""
            On le prenait pour un cadran solaire mal orienté. Il regarde le nord-est, ne reçoit le soleil que deux
            heures par jour et porte vingt-neuf divisions et demie au lieu de douze. Le cadran de l’ancienne douane ne
            donne pas l’heure : il donne la mer.

            ## Lire la lune

            Le principe tient en peu de mots. La marée suit la lune, et la lune retarde chaque jour d’environ cinquante
            minutes. Qui connaît l’âge de la lune connaît donc l’heure de la pleine mer, à une constante près, que les
            marins appellent l’*établissement du port*. Ici, elle est de trois heures et quarante minutes.

            Le cadran de 1743 fait ce calcul avec une ombre. Les nuits de pleine lune, elle tombe sur la division du
            milieu ; les autres nuits, un disque que l’on tourne à la main corrige le retard.

            ## Deux siècles d’erreur

            Le disque avait disparu vers 1820. En 1903, un restaurateur bien intentionné l’a remplacé par un soleil en
            laiton, et plus personne n’a rien compris. C’est l’astronome Hélène Vasseur qui, en comptant les
            divisions, a eu un doute un soir de mars. L’horloger Bastien Roy a refait le disque d’après une gravure.

            - Précision mesurée cet été : dix-huit minutes en moyenne.
            - Nuits utilisables par mois : onze, s’il ne pleut pas.
            - Coût : celui d’une horloge de gare.

            ## Un outil de pêcheur

            Pourquoi avoir gravé sur un mur ce que chaque marin savait de tête ? Les archives de la douane donnent une
            réponse terre à terre. En 1741, trois barques chargées de sel s’étaient échouées le même mois dans le chenal,
            et les commis, venus de l’intérieur des terres, ne savaient pas à quelle heure les envoyer. Le cadran leur
            était destiné : il coûtait moins cher qu’un pilote, et il ne buvait pas.

            Les pêcheurs s’en moquaient, paraît-il, mais on a relevé au pied du mur, à hauteur d’épaule, une pierre usée
            par les mains. « On ne s’appuie pas pendant deux cents ans contre un mur que l’on ne regarde pas », observe
            Hélène Vasseur. Elle a demandé que la pierre ne soit pas nettoyée.

            Le soir de l’inauguration, le ciel était couvert. On a tourné le disque à la main, consulté un almanach, et
            attendu. La mer était à l’heure.
            """#, charset: .windows1252)

    private static let huts = SiteArticle(
        path: "/archives/2004/les-cabanes-de-la-pointe", title: "Les cabanes de la Pointe",
        author: "La rédaction", published: "2004-05-22T00:00:00+02:00", section: "Quartiers",
        summary: "Derrière la digue, vingt-trois cabanes de pêcheurs attendent que l’on décide de leur sort.",
        text: #"""
            Elles sont vingt-trois, alignées derrière la digue, peintes de couleurs que le sel a rendues semblables. La
            plus ancienne date de 1926. On y rangeait des filets, on y range des vélos, et l’été on y déjeune, portes
            ouvertes, à la même table que le voisin.

            La préfecture voudrait les démolir : elles n’ont jamais eu d’autorisation. La mairie voudrait les
            garder : elles figurent sur toutes ses cartes postales. Entre les deux, les familles repeignent.

            « Ma cabane n’existe pas », résume Jeanne Kerdoncuff, soixante-dix-neuf ans. « J’y vais tous les
            jours depuis 1931. » Elle a reçu en mars une lettre qui lui demandait de prouver le contraire. Elle a
            répondu par une photographie, un dessin d’enfant et trois kilos de coques.

            Une réunion est prévue à l’automne. D’ici là, les cabanes seront refaites en bleu, sauf une, qui restera verte
            pour des raisons que personne n’a voulu nous donner.
            """#, charset: .windows1252CalledUTF8)
}
