// Made by fitting, see `ExtractionTables`; not to be edited by hand.

/// Weights of words, of words in classes, and of signs of a kind of page.
enum WordTables {
    static let words = """
        ability:21 able:21 about:-6 above:13 accessibility:-16 accessible:16 accessories:-12 account:-10
        across:12 actual:23 actually:14 adaptable:31 adding:14 additional:10 adjustments:25 advantages:22
        advertise:-23 advertisement:-24 affiliate:-17 after:11 allow:18 allowing:33 allows:22 along:15
        already:11 also:15 always:9 among:24 amount:16 an:8 and:8 another:16 any:12 approach:13 archive:-17
        are:12 around:15 articles:-17 as:14 aspects:29 assess:20 at:8 attention:19 august:-17 automatically:15
        available:10 average:15 avoid:19 based:11 basic:13 be:12 because:21 before:14 begin:18 being:13 below:10
        benefit:16 better:8 between:19 beyond:11 blog:-21 blogs:-17 bluesky:-29 both:20 bring:13 broader:28
        budget:12 build:8 building:8 built:12 but:17 can:12 cancel:-14 capabilities:15 careers:-30 cart:-20
        center:-11 certain:16 challenges:13 challenging:30 changes:12 check:7 choose:9 clean:16 clear:9 close:-9
        com:-7 come:15 comes:16 comfortable:19 comment:-18 comments:-10 committing:33 common:14 community:-8
        company:-6 compared:18 complex:20 complexity:19 conclusion:21 conditions:-8 consent:-24 consider:22
        consistent:23 consuming:26 contact:-22 content:-11 contents:-16 control:11 cookie:-28 cookies:-28
        copyright:-30 cost:13 costly:25 costs:13 could:13 cover:13 creates:22 creating:14 credibility:34 cut:17
        dec:-17 december:-15 decide:19 decision:14 decisions:15 define:20 deliver:13 demo:-14 depending:23
        depends:23 designed:12 desired:25 detailed:15 determine:18 deutsch:-33 developing:19 difference:12
        different:16 directly:16 disclosures:-29 discrimination:-28 do:7 does:12 doesn’t:17 donate:-18 done:12
        don’t:13 down:14 driven:12 due:14 durable:20 during:19 each:20 easier:16 easily:15 easy:11 ebooks:-31
        effective:14 effectively:15 effectiveness:23 efficiency:17 efficient:16 either:22 elements:17 email:-15
        en:-21 enables:19 enabling:20 encourage:31 end:13 english:-12 enhance:15 enough:15 ensure:14 ensures:23
        ensuring:19 enter:-11 español:-27 especially:23 establish:25 etc:16 even:17 events:-11 every:11
        evolving:22 exactly:17 example:18 excellent:15 execute:27 expect:14 expensive:20 extra:13 facebook:-19
        factors:17 faq:-10 fast:11 featured:-15 feel:16 few:19 final:15 flexibility:19 flexible:15 focus:16
        focused:19 following:19 follows:27 footer:-29 for:6 forgot:-26 forum:-13 four:15 français:-22 from:8
        full:7 fully:13 functionality:16 future:10 generally:21 gift:-13 given:18 glossary:-18 goal:16 goals:14
        going:14 good:12 great:9 guides:-13 had:19 handle:15 handles:23 has:13 have:11 having:14 helps:13 here:7
        here’s:15 high:12 higher:16 highly:17 home:-9 how:5 however:21 huge:19 ideal:20 identify:22 if:14
        important:15 improved:19 improves:30 in:5 inbox:-19 inc:-18 include:23 includes:18 including:17
        increase:14 increasing:23 increasingly:26 info:-12 initial:24 instagram:-21 instead:18 interface:16
        into:13 is:10 isn’t:22 it:12 italiano:-30 its:14 itself:25 it’s:18 join:-12 just:12 keep:10 keeps:15
        key:12 kind:17 known:16 large:13 larger:23 latest:-7 least:19 legal:-12 less:13 lets:24 let’s:15
        level:12 levels:16 leverage:21 like:11 likely:29 linkedin:-19 links:-11 little:15 llc:-15 loading:-12
        log:-16 login:-22 long:15 longer:14 look:15 lot:20 lots:21 low:10 lower:18 main:-7 maintain:19
        maintaining:21 major:15 make:11 makes:15 making:13 many:17 mastodon:-30 materials:13 may:6 means:16
        measures:25 media:-8 menu:-22 might:14 million:16 min:-14 minimal:18 model:12 models:12 most:12 move:13
        much:13 multiple:19 must:11 natural:13 navigation:-13 need:10 needed:18 needs:15 news:-18 newsletter:-35
        newsletters:-23 newsroom:-32 no:7 not:8 note:13 notice:-11 objectives:26 of:7 offer:12 offering:17
        offers:8 often:24 on:6 once:18 one:11 ones:17 ongoing:21 only:10 oops:-32 option:15 options:8 or:10
        other:7 our:-4 out:6 over:12 overall:21 own:13 part:9 particularly:26 patterns:16 people:8 per:12
        performance:8 pinterest:-19 place:12 platforms:11 please:-9 podcast:-12 policy:-24 policyterms:-30
        português:-30 possible:19 posts:-16 potential:18 powerful:14 press:-15 prevent:15 primarily:30
        prioritize:20 privacy:-28 problems:15 processes:14 progress:15 proper:29 provide:13 provides:20
        providing:16 quality:12 quickly:17 range:15 rather:18 real:9 really:11 recalls:-30 reduce:14 reducing:24
        regardless:24 register:-13 regularly:31 related:-10 relevant:15 reliable:15 reply:-17 require:25
        requirements:13 requires:17 requiring:27 reserved:-31 resources:-11 result:18 right:9 rights:-29
        robust:22 rss:-29 run:12 running:12 same:18 scalable:15 scale:10 search:-16 set:12 setting:16 several:21
        share:-10 shipping:-12 shop:-12 short:11 should:11 sign:-19 significant:23 simple:13 single:11 site:-9
        sitemap:-43 skip:-26 slavery:-30 slightly:26 small:7 smaller:25 smooth:16 so:17 some:18 sometimes:28
        space:11 specific:17 speed:14 standard:10 statement:-14 step:11 still:15 stories:-11 strong:18
        structure:14 structured:20 submit:-13 subscribe:-27 subtotal:-30 such:23 suitable:27 supports:14 sure:11
        system:7 systems:9 take:13 taking:14 target:14 tasks:17 term:12 terms:-22 testimonials:-15 than:17
        that:15 that’s:23 the:8 their:16 them:16 then:20 there:17 these:15 they:19 they’re:18 think:13 this:6
        those:22 though:22 three:17 through:13 throughout:17 time:9 times:13 to:5 toggle:-24 too:13 topics:-12
        toward:18 traditional:13 trending:-14 tumblr:-28 twitter:-25 two:15 types:12 typical:19 typically:30
        understand:15 understanding:11 unique:14 unsubscribe:-24 ups:21 us:-16 use:6 used:13 users:10 using:11
        usually:20 value:12 variety:19 various:20 vast:27 versatile:22 very:15 view:-11 want:11 was:9 way:11
        webinars:-23 well:16 were:20 what:8 when:13 where:12 whether:18 which:15 while:16 who:9 wide:13 will:11
        wishlist:-33 with:8 within:12 without:14 work:7 working:11 works:9 would:11 you:7 yourself:14
        youtube:-15 you’ll:17 you’re:17 日本語:-21
        """

    static let classes = """
        about:-19 absolute:-23 accept:-40 account:-28 action:-21 actions:-28 active:-15 add:-16 address:-18
        af:-11 akismet:-30 alert:-21 align:-13 all:-16 allowed:-31 alt:-19 am:-20 ancestor:-37 announcement:-33
        archive:-16 arrow:-18 articles:-16 aside:-23 author:-21 authors:-21 auto:-10 avatar:-15 ba:-10 back:-20
        backdrop:-23 badge:-17 banner:-16 bar:-24 base:-8 bc:-11 below:-14 between:-17 bg:-7 bio:-30 black:-14
        block:-5 blue:-12 bold:-10 border:-11 bottom:-18 box:-11 brand:-13 branding:-19 brands:-22
        breadcrumb:-18 breadcrumbs:-17 browser:-25 bt:-20 btn:-30 btns:-26 burger:-38 button:-22 buttons:-31
        by:-10 byline:-30 byuser:-27 call:-23 cancel:-35 canvas:-11 captcha:-31 caption:-16 card:-9 carousel:-15
        cart:-27 cat:-15 categories:-16 cb:-11 center:-11 checkbox:-18 checkout:-24 children:-29 clear:-12
        click:-16 close:-23 closed:-15 col:-4 collapse:-14 collapsed:-15 collections:-31 colophon:-37 color:-10
        cols:-9 column:-8 columns:-7 comment:-22 commentform:-35 comments:-18 community:-16 company:-23
        config:-29 confirm:-32 consent:-45 contact:-28 contacts:-25 contains:-25 content:6 contents:-9
        continue:-31 control:-16 cookie:-38 cookies:-20 copy:-12 copyright:-44 count:-20 country:-22 credit:-19
        cta:-22 ctas:-28 current:-26 cursor:-16 custom:-11 customer:-16 da:-11 dark:-9 date:-19 dc:-11 de:-12
        demo:-29 depth:-20 desc:-11 description:-10 desktop:-18 details:-9 df:-11 dialog:-18 disabled:-20
        disclaimer:-29 disclosure:-19 dismiss:-29 divider:-22 done:-22 down:-16 drawer:-27 drop:-15 dropdown:-28
        duration:-12 eb:-11 el:-16 element:-8 ellipsis:-21 email:-35 empty:-17 end:-22 entry:8 error:-27
        even:-16 events:-11 exit:-26 expand:-14 expanded:-21 explore:-19 external:-22 extra:-19 facebook:-31
        fade:-14 fail:-33 fc:-11 fe:-11 featured:-10 feedback:-32 field:-12 fields:-31 filter:-21 filters:-21
        first:-10 fixed:-14 flex:-10 float:-15 flyout:-26 focus:-11 folder:-26 follow:-16 font:-7 foot:-31
        footer:-29 form:-29 full:-6 gap:-8 gf:-14 gfield:-26 gform:-26 global:-10 gravity:-31 gray:-9 grid:-6
        group:-16 grow:-12 guest:-20 half:-15 hamburger:-22 handler:-26 has:-7 head:-14 header:-18 heading:-5
        help:-23 hentry:12 hidden:-15 hide:-14 holder:-21 home:-12 honeypot:-23 horizontal:-17 hover:-14 how:16
        icon:-19 iconic:-23 icons:-18 image:-8 in:-7 inactive:-23 info:-18 initial:-17 inline:-18 inner:-7
        input:-35 inset:-13 instagram:-31 invisible:-21 is:-7 item:-17 items:-16 jp:-19 js:-5 justification:-21
        justified:-33 justify:-14 label:-16 labels:-20 lang:-18 language:-18 large:-7 last:-14 latest:-21
        left:-12 legal:-33 level:-15 lg:-7 li:-14 light:-8 likes:-29 line:-12 link:-20 linkedin:-27 links:-29
        list:-11 loading:-21 localization:-29 locations:-25 login:-49 logo:-11 lower:-27 manage:-22 masthead:-29
        mb:-8 md:-6 me:-16 media:-14 medium:-8 mega:-28 megamenu:-30 menu:-31 menus:-33 message:-16 meta:-17
        metadata:-28 middle:-15 mini:-18 minicart:-30 ml:-14 mm:-18 mob:-19 mobile:-18 modal:-31 more:-16 mr:-14
        ms:-17 msg:-21 mt:-10 my:-12 name:-10 nav:-29 navbar:-33 navgroup:-33 navigation:-29 network:-17 new:-11
        news:-12 newsletter:-24 next:-11 no:-6 nocontent:-31 none:-11 not:-12 notes:-20 notice:-26 notices:-29
        notification:-21 nowrap:-20 object:-30 oc:-22 odd:-16 off:-11 offer:-23 offset:-10 on:-11 onetrust:-28
        only:-18 opacity:-15 open:-17 opt:-21 optin:-30 option:-17 options:-15 orange:-17 order:-12 ot:-20
        other:-13 out:-15 outer:-10 outline:-12 outlined:-31 overflow:-8 overlay:-16 pager:-29 pagination:-21
        pairs:-29 panel:-13 parent:-16 password:-29 phone:-22 picker:-27 pinterest:-31 pl:-10 placeholder:-17
        pointer:-25 policy:-29 pop:-27 popover:-33 popular:-17 popup:-34 position:-10 posts:-21 pr:-12
        preferences:-29 prev:-28 previous:-26 price:-8 primary:-12 print:-25 privacy:-30 products:-15
        profile:-15 promo:-16 prompt:-30 prose:14 pt:-8 publish:9 py:-10 quantity:-21 rating:-16 read:-12
        reader:-26 recaptcha:-28 recent:-26 recommended:-26 red:-18 register:-37 reject:-30 related:-23
        relative:-10 repeater:-19 reply:-12 required:-28 resources:-19 respond:-31 result:-17 reviews:-13
        right:-16 robots:-30 rounded:-12 row:-6 sale:-18 save:-22 screen:-12 scroll:-11 scrollbar:-17
        scroller:-21 sdk:-34 search:-27 searchbar:-27 searchform:-36 second:-17 secondary:-19 select:-11
        selected:-23 selector:-34 self:-11 semibold:-13 settings:-30 sf:-19 shadow:-14 share:-25 sharedaddy:-29
        sharing:-19 shipping:-17 shop:-21 shortcode:-19 show:-15 shrink:-13 side:-14 sidebar:-10 sidepanel:-28
        sign:-35 signature:-27 signin:-31 signup:-45 site:-6 size:-9 skip:-21 slide:-12 sm:-11 small:-11
        social:-29 socials:-34 sort:-21 source:-15 space:-8 spinner:-28 sr:-31 start:-12 sticky:-17 store:-22
        stretch:-19 structural:-22 style:-7 sub:-29 subheader:-19 sublabel:-25 submenu:-39 submit:-28 subnav:-28
        subscribe:-45 subscription:-24 subtitle:-11 success:-21 suggestions:-30 support:-13 swiper:-15
        switch:-17 switcher:-38 tab:-12 tablet:-15 tabs:-14 tagline:-17 tags:-17 taxonomy:-31 terms:-26
        tertiary:-13 text:-5 textarea:-27 textfield:-30 textwidget:-31 third:-17 title:-11 to:-6 toggle:-29
        toolbar:-30 tooltip:-19 top:-13 topbar:-27 topics:-23 topnav:-29 total:-21 totals:-31 transform:-21
        transition:-14 translate:-24 trending:-32 trigger:-21 twitter:-31 uc:-20 underline:-17 unstyled:-25
        up:-10 upper:-27 uppercase:-19 url:-24 us:-19 user:-13 utility:-31 validation:-28 vcard:-33 vertical:-12
        view:-7 views:-18 visibility:-21 visible:-18 visually:-35 warning:-17 what:13 whatsapp:-29 white:-11
        wide:-10 widget:-15 widgets:-17 widgettitle:-32 width:-6 window:-19 wishlist:-31 wrap:-7 wrapper:-6
        xb:-20 xs:-12 youtube:-27
        """

    static let kinds = """
        * 102 54 9 -43 -162 102 -62
        articles:1 94 0 0 0 0 0 0
        articles:4 0 0 0 0 0 22 0
        body:format 63 0 0 0 0 0 0
        body:layout -19 0 0 0 0 0 0
        body:page 0 0 16 0 0 -3 0
        body:post 76 0 0 0 0 0 0
        body:product -41 0 0 0 79 0 0
        body:template 0 0 15 0 0 0 0
        code:0 0 -84 0 0 0 0 0
        code:4 0 103 0 0 0 0 0
        dashes:1 -93 0 0 0 0 0 0
        dashes:2 -25 0 0 0 0 0 0
        dashes:4 8 0 0 0 0 0 0
        dashes:5 69 0 0 0 0 0 0
        dashes:6 128 0 -31 106 15 -20 0
        gen:discourse 0 0 0 204 0 0 0
        host:docs 0 86 0 0 0 0 0
        host:www 0 0 0 -27 0 0 0
        images:0 0 0 0 0 0 -10 0
        images:1 0 40 0 0 0 0 0
        images:3 41 0 0 0 0 12 0
        images:4 12 0 0 0 0 -4 0
        images:5 0 0 0 0 0 29 0
        ld:Article 62 0 0 0 0 0 0
        ld:BreadcrumbList -4 0 0 0 0 0 0
        ld:NewsArticle 84 0 0 0 0 0 0
        ld:Organization -27 0 0 0 0 0 0
        ld:Product -5 0 0 0 195 0 0
        ld:WebSite -63 0 0 0 0 0 0
        links:0 10 0 0 0 0 -121 -21
        links:1 0 0 0 0 0 -9 0
        links:6 0 0 0 0 0 24 0
        main:1 29 0 0 -10 0 0 0
        meta:article:published_time 48 0 0 19 0 0 0
        meta:author 46 0 0 0 0 0 0
        og:article 109 0 0 0 0 0 0
        og:product 0 0 0 0 231 0 0
        og:website 0 0 12 0 0 0 0
        prose:0 -79 0 -18 0 0 98 76
        prose:1 -56 0 0 0 0 6 0
        prose:2 -58 0 2 0 0 0 0
        prose:3 0 0 0 0 0 -12 0
        prose:5 50 0 0 0 0 -4 0
        prose:6 25 0 -2 0 0 0 0
        prose:7 38 0 0 0 0 0 0
        steps:0 -38 0 141 0 0 0 0
        steps:1 -3 0 16 0 0 0 0
        steps:2 0 0 0 0 4 0 0
        steps:3 0 0 -11 83 0 0 0
        url:2000 20 0 0 0 0 0 0
        url:9 0 0 -48 75 143 -31 0
        url:? 0 0 0 0 0 0 13
        url:blog 211 0 0 0 0 0 0
        url:docs 0 71 0 0 0 0 0
        url:html 0 45 0 0 0 0 0
        url:services 0 0 142 0 0 0 0
        w:about 0 0 11 -47 0 0 0
        w:accessibility 32 0 0 0 0 -19 0
        w:accessories 0 0 -58 0 25 0 52
        w:account -23 0 0 0 0 0 16
        w:add 0 0 0 0 87 0 0
        w:advertise 0 0 0 0 0 8 0
        w:advertising 0 0 0 0 0 15 0
        w:all 0 0 0 0 9 0 15
        w:and 0 0 24 0 0 -12 0
        w:answer 0 0 0 5 0 0 0
        w:answers 0 0 0 54 0 0 0
        w:articles 34 0 0 0 0 0 0
        w:audio 0 0 0 0 23 0 0
        w:author 14 0 0 0 0 0 0
        w:available 0 0 0 0 9 0 0
        w:awards 27 0 0 0 0 0 0
        w:back 17 0 0 0 0 0 0
        w:best 0 0 -22 0 0 0 0
        w:better 0 0 0 0 12 0 0
        w:black 0 0 0 0 0 0 33
        w:blog 0 0 0 0 0 10 0
        w:brands 0 0 0 0 0 0 49
        w:budget 4 0 0 0 0 0 0
        w:building 0 0 6 0 0 0 0
        w:business 0 0 0 0 0 20 0
        w:buy 0 0 0 0 52 0 0
        w:calendar 45 0 0 0 0 0 0
        w:call 0 0 41 0 0 0 0
        w:card 0 0 0 0 0 0 38
        w:cards 0 0 0 0 26 0 0
        w:care 14 0 0 0 0 0 0
        w:careers 0 0 10 0 0 0 0
        w:cart 0 0 0 0 23 0 0
        w:categories -10 0 -7 0 0 0 0
        w:center 0 0 0 0 0 0 -16
        w:clear 0 0 0 0 0 40 0
        w:close 0 0 20 0 0 0 0
        w:collection 0 0 0 0 0 0 19
        w:color 0 0 0 0 16 0 0
        w:comment 16 0 0 0 0 0 0
        w:community -37 0 0 0 0 0 -12
        w:company 0 0 22 0 0 0 0
        w:configuration 0 65 0 0 0 0 0
        w:contact 0 -41 41 0 0 0 0
        w:content -4 0 0 9 0 0 -9
        w:contents 11 52 -3 0 0 0 0
        w:corporate -6 0 34 0 0 0 0
        w:cpu 0 0 0 0 32 0 0
        w:credit 20 0 0 0 0 0 0
        w:customer 0 0 8 0 0 0 1
        w:data 0 39 0 0 0 6 0
        w:december 10 0 0 0 0 0 0
        w:description 0 0 0 0 44 0 0
        w:details 0 0 0 0 44 0 0
        w:documentation 0 11 0 0 0 0 0
        w:documents 0 0 32 0 0 0 0
        w:education 9 0 0 0 0 0 0
        w:email 2 0 0 0 0 -27 0
        w:empty 0 0 0 0 0 0 10
        w:english 0 0 0 0 8 0 0
        w:example 0 7 0 0 0 0 0
        w:experience 0 0 15 0 0 0 0
        w:explore 0 0 4 0 0 0 0
        w:featured -1 0 0 0 0 0 11
        w:features 0 0 0 0 56 0 0
        w:filter 0 0 0 0 0 0 14
        w:filters 0 0 0 0 0 0 73
        w:for 0 0 11 0 0 0 0
        w:forum 0 0 0 131 0 0 0
        w:forums -41 0 0 142 0 0 0
        w:free 0 0 0 -19 0 0 0
        w:general -24 0 0 0 0 0 0
        w:get 12 0 0 0 0 -17 0
        w:gift 0 0 0 0 0 0 69
        w:guides 0 0 -4 0 0 0 0
        w:health 20 0 0 0 0 0 0
        w:help -29 0 0 0 0 0 0
        w:how 9 0 24 0 0 -4 -10
        w:introduction 0 41 0 0 0 0 0
        w:key 43 0 0 0 0 0 0
        w:language 0 0 0 0 9 4 0
        w:learn 0 0 0 0 0 -24 0
        w:learning 0 0 0 0 0 7 0
        w:locations 0 0 17 0 0 0 0
        w:log 0 0 0 12 0 0 0
        w:main 0 18 0 0 0 0 0
        w:marketing 0 0 15 0 0 0 0
        w:material 0 0 0 0 6 0 0
        w:medium 4 0 0 0 0 0 0
        w:mobile -14 0 0 0 0 0 0
        w:monitoring 6 0 0 0 0 0 0
        w:more -9 -25 0 0 6 0 0
        w:national 22 0 0 0 0 0 0
        w:navigation 0 0 0 0 0 12 0
        w:news 0 0 0 0 0 25 0
        w:newsletter 0 0 -16 0 0 0 0
        w:newsletters 0 0 0 0 0 103 0
        w:now -10 0 2 0 0 0 0
        w:online 0 0 4 0 0 0 0
        w:open 0 0 0 0 0 8 0
        w:our 0 0 4 0 0 0 0
        w:out 0 0 21 0 0 0 0
        w:overview -10 22 18 0 0 0 0
        w:packages 0 0 8 0 0 0 0
        w:page 0 28 0 0 0 4 0
        w:pay 15 0 0 0 0 0 0
        w:phone 0 0 0 0 0 -22 0
        w:plans 0 0 60 0 0 0 0
        w:policy 27 0 0 0 0 0 0
        w:popular 0 0 -13 0 0 0 0
        w:post 0 0 0 44 0 0 0
        w:posts 8 0 0 88 0 0 0
        w:power 0 0 0 0 0 0 7
        w:price 0 0 0 0 0 0 21
        w:pricing 0 0 17 0 0 0 0
        w:privacy 0 0 0 0 0 34 0
        w:products 0 0 0 0 21 0 2
        w:program 0 0 29 0 0 0 0
        w:programming -1 0 0 0 0 9 0
        w:question 0 0 0 8 0 0 0
        w:questions 0 0 36 0 0 0 0
        w:read 4 0 0 0 0 0 -10
        w:reference 0 116 0 0 0 0 0
        w:register -5 0 0 0 0 0 0
        w:related 37 0 0 0 0 0 0
        w:replies 0 0 0 41 0 0 0
        w:reply 0 0 0 81 0 0 0
        w:research 66 0 0 0 0 0 0
        w:resources 42 0 0 -17 0 -21 0
        w:return 0 0 0 0 0 0 35
        w:returns 0 0 0 0 48 0 6
        w:review 0 0 0 0 21 0 0
        w:reviews 0 0 0 0 78 0 0
        w:rss 0 0 0 14 0 0 0
        w:rules 0 0 0 101 0 0 0
        w:run 0 10 0 0 0 0 0
        w:sale 0 0 0 0 0 0 21
        w:sales 0 0 4 0 0 0 0
        w:save 0 0 0 0 0 0 37
        w:science 0 0 0 0 0 34 0
        w:search 0 0 -22 0 0 0 0
        w:security 0 0 0 0 0 8 0
        w:see -12 0 6 0 4 -7 0
        w:select 0 0 7 0 0 0 0
        w:services 19 0 54 0 0 0 0
        w:settings 0 0 0 33 0 0 0
        w:share 38 0 0 77 0 0 -41
        w:shipping 0 0 0 0 27 0 0
        w:shop 0 0 -34 0 94 0 168
        w:shopping 0 0 0 0 0 0 17
        w:show 0 0 0 0 0 0 24
        w:sign -8 0 -17 0 0 5 0
        w:solutions 0 0 78 0 0 0 0
        w:sort 0 0 0 0 0 57 56
        w:spanish 0 0 0 0 0 14 0
        w:specs 0 0 0 0 47 0 0
        w:start 0 0 9 0 0 0 0
        w:started 0 65 34 0 0 0 0
        w:stock 0 0 0 0 0 0 71
        w:store 0 0 0 0 16 0 0
        w:stories 4 0 0 0 0 0 0
        w:strategy 0 0 49 0 0 0 0
        w:subscribe 26 0 -25 0 0 24 0
        w:system 0 0 0 0 6 0 0
        w:table 0 16 -15 0 0 0 0
        w:this 0 0 -39 0 0 0 -21
        w:tips 23 0 0 0 0 0 0
        w:top 6 0 -30 0 0 0 0
        w:topic 0 0 0 37 0 0 0
        w:topics 0 0 -10 0 0 0 0
        w:transportation 0 0 9 0 0 0 0
        w:trusted 0 0 4 0 0 0 0
        w:tutorials 0 18 0 0 0 0 0
        w:under 0 0 0 0 0 0 16
        w:users 0 0 0 70 0 0 0
        w:using 0 82 0 0 0 0 0
        w:view -13 0 0 0 5 0 0
        w:visit 0 0 12 0 0 0 0
        w:what 0 0 0 0 0 -35 0
        w:why 13 0 0 0 0 0 0
        w:with 0 0 18 0 0 0 0
        w:written 41 0 0 0 0 0 0
        w:your 0 0 8 0 0 -6 27
        w:youtube 6 0 -8 0 0 0 0
        words:10 0 0 5 0 0 0 0
        words:11 37 0 0 0 0 0 0
        words:9 0 0 0 -10 0 0 0
        """
}

/// How much a word speaks for text (positive) or for what surrounds it (negative).
struct TokenWeights {
    private let weights: [UInt64: Float]

    /// - Parameter table: "share:-21 said:14 ...", in tenths
    init(table: String) {
        var weights: [UInt64: Float] = [:]
        for entry in table.split(whereSeparator: \.isWhitespace) {
            let parts = entry.split(separator: ":")
            guard parts.count == 2, let weight = Float(parts[1]) else { continue }
            weights[PageHash.of(parts[0].utf8)] = weight / 10
        }
        self.weights = weights
    }

    subscript(_ hash: UInt64) -> Float { weights[hash] ?? 0 }
}
