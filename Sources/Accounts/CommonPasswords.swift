/// Commonly used passwords, which attackers try first. Lists only long ones, since shorter passwords are refused
/// anyway.
enum CommonPasswords {
    /// True for a common password, and for one made of common words plus digits and signs: "p@ssw0rd2024!".
    static func contains(_ text: PlainText) -> Bool {
        if whole.contains(text.key) { return true }
        let rest = text.without(words)
        return rest.count < text.count && !rest.hasLetters
    }

    private static let whole = Set(texts(phrases).map(\.key))
    private static let words = texts(parts)

    private static func texts(_ list: String) -> [PlainText] {
        list.split { $0 == " " || $0 == "\n" }.map { PlainText(String($0)) }
    }

    private static let parts = """
        abc abcd abc123 access account adidas admin administrator alexander alexandra amanda amazing amazon
        america amsterdam andrea andrew android angel angela angels anthony apple april arsenal asdf asdfgh
        asdfghjkl asdasd ashley august autumn awesome azerty baby babygirl badboy bailey banana bandit
        barcelona baseball basketball batman beautiful benjamin berlin bigdaddy bismillah blink blessed
        bonjour boomer boston brandon brooklyn buddy bulldog butter butterfly buster california campeon
        canada captain cassie changeme charles charlie cheese chelsea chester chicago chicken chocolate
        christ christian christmas christopher coffee computer cookie corvette cowboy cristina crystal daddy
        dallas daniel danielle database david december default demo denver diamond dolphin donald dragon
        eagles elephant elizabeth eminem england enter facebook family february ferrari fernando flower
        football forever francis freedom friday friend friends fuckoff fuckyou gabriel galaxy gandalf
        garfield george ginger girls google guest guitar hahaha hallo hammer hannah happy hardcore harley
        hello hockey home house hunter iloveyou imissyou incorrect india internet isabella iwantu jackson
        jasmine jennifer jessica jesus jesuschrist johnny jonathan jordan joseph joshua justin justinbieber
        killer king kitty knight ladybug letmein letmeinnow liberty linkinpark liverpool login london love
        lovely loveme lover loveyou lucky madison maggie manager manchester manutd marina marine mario
        marlboro martin marvel master matrix matthew melissa merlin metallica mexico michael michelle mickey
        microsoft minecraft mobilemail monday money monkey monster morgan mother mustang myspace mynoob
        naruto natasha nelson newyork nicholas nicole ninja nintendo nirvana november october oliver orange
        pakistan pass passat passw passwd passwort password pamela panther patrick peanut pepper phoenix
        pikachu playboy please pokemon police porsche power precious prince princess private purple qazwsx
        qazwsxedc qwert qwerty qwertyuiop qwertz rachel raiders rainbow random ranger realmadrid rebecca
        remember robert root rocket ronaldo samantha samsung samuel santiago saturday scooby scorpion secret
        september server service sexy shadow shalom shannon silver simple skywalker slipknot smokey snoopy
        soccer softball sophie spain spider spiderman spring startrek starwars steelers stephanie steven
        summer sunday sunshine superman superstar supervisor support survivor swordfish sydney system taylor
        teacher temp tennis tequiero test tester testing thailand thomas thunder tiffany tigger timothy
        tinkerbell today toor transformers trustno1 turtle twitter united unknown user vanessa vampire
        victoria victory viking virginia warrior welcome whatever william willow windows winner winter
        wizard wonderful yamaha yankees yellow youtube you zaq xsw zxcv zxcvbn zxcvbnm
        """

    /// Passwords of ten or more characters that are not built from those words.
    private static let phrases = """
        1q2w3e4r5t 1q2w3e4r5t6y 1qaz2wsx3edc q1w2e3r4t5 zaq12wsxcde3 a1b2c3d4e5 a1b2c3d4e5f6 aa12345678
        a123456789 a1234567890 q123456789 z123456789 123456789a 123456789q 1234567890a 1234567890q
        0123456789 9876543210 1029384756 1357924680 2468013579 1122334455 5544332211 1212121212 3141592653
        31415926535 2718281828 1618033988 1414213562 0192837465 6574839201 1472583690 7894561230 1478963250
        3692581470 9638527410 1597534862 7539514862 1230984567 1231231230 1234512345 1234554321 9999999999
        asdf1234asdf qwer1234asdf 1234qwerasdf qwerasdfzxcv asdfqwerzxcv asdfjkl;asdf abcd1234abcd
        abc123abc123 aaaaabbbbb everythingisok ihateyou123 iamthebest iamtheking iamthequeen ilovejesus
        ilovemyself ilovemyfamily ilovemymom ilovemydad ilovemusic iloveallah lovelovelove loveisblind
        loveforever mypassword mysecretpassword thisismypassword thisisapassword notapassword yourpassword
        newpassword oldpassword nopassword nopasswords passwordless passphrase mypassphrase
        correcthorsebatterystaple correcthorse correcthorsebattery opensesame opensesame123 youshallnotpass
        maytheforcebewithyou lordoftherings harrypotter harrypotter1 gameofthrones winteriscoming
        starwars1977 hogwartsexpress expelliarmus expectopatronum alohomora12 avadakedavra hakunamatata
        supercalifragilisticexpialidocious abracadabra abracadabra1 hocuspocus1 rumpelstiltskin
        onceuponatime thequickbrownfox helloworld helloworld1 helloworld123 hellokitty hellothere hellohello
        goodbyeworld goodmorning goodnight1 bonjourmonde ichliebedich ichliebedich1 passwort123 passwort1234
        hallowelt123 schatzi1234 motdepasse motdepasse1 jetaimejetaime jetaime1234 azertyuiop azertyuiop1
        contrasena contrasena1 contraseña teamomucho teamomucho1 tequieromucho barcelona1 realmadrid1
        minhasenha senha12345 wachtwoord wachtwoord1 haslo12345 parola1234 salasana123 losenord123
        lösenord123 kodeord123 password123456 changeit123 changethis changeme123 letmeinplease letmein1234
        pleaseletmein administrator1 administrator123 superuser12 rootpassword rootroot12 adminadmin
        adminadmin1 adminpassword useruser12 guestguest testtest12 testpassword defaultpassword temporary1
        temporary123 temppassword raspberry1 raspberrypi selfhosted dashboard1 dashboard123 homeassistant
        homeserver homelab123 localhost12 localhost123 127.0.0.1:8080 192.168.1.1 companyname
        companypassword manchesterunited liverpoolfc chelseafc1 arsenal1886 juventus1897 galatasaray
        fenerbahce1 besiktas1903 liverpool1892 dallascowboys greenbaypackers losangeles newyorkcity
        sanfrancisco cristianoronaldo lionelmessi michaeljordan justinbieber1 onedirection taylorswift
        backstreetboys greenday123 linkinpark1 metallica1981 blackmetal1 nevermind12 dontforget ineedajob1
        whatislove whatisthis whoareyou1 whatever123 nothing123 something1 anything123 everything1
        forgetmenot remember123 idontknow idontknow1 idontcare1 nevergiveup carpediem1 carpe-diem godisgood1
        godislove1 godblessyou jesussaves jesuslovesme inshallah1 alhamdulillah mashallah1 bismillah786
        allahuakbar krishna108 hareKrishna omnamahshivaya jaishreeram mercedesbenz lamborghini
        harleydavidson volkswagen mitsubishi1 chevrolet1 chocolate1 strawberry strawberry1 blueberry1
        watermelon pineapple1 peanutbutter cheesecake icecream12 cupcake123 marshmallow butterfly1
        sunflower1 dandelion1 snowflake1 moonlight1 starlight1 firefighter basketball1 volleyball skateboard
        snowboard1 swimming123 technology information university college123 highschool elementary philosophy
        psychology mathematics engineering architect1 accounting management marketing1 production
        development programmer javascript postgresql kubernetes cloudflare bluetooth1 motorcycle helicopter
        submarine1 spaceship1
        """
}
