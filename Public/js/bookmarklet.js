// What the bookmarklet does on the page that is to be saved; Roost puts its own address in the place of ROOST and
// offers all of it as one line. Each line ends so that the next may follow it.
(() => {
    const { href } = location;
    const { title } = document;
    const roost = "ROOST";
    const place = roost + "/reading/save?from=bookmarklet&url=" + encodeURIComponent(href) + "&title=" + encodeURIComponent(title);
    const shown = open(place, "_blank", "popup,width=520,height=640");
    if (!shown) return void (location.href = place);
    addEventListener("message", function hear({ source, origin, data }) {
        if (source !== shown || origin !== roost || data !== "roost-save-ready") return;
        removeEventListener("message", hear);
        shown.postMessage({ url: href, title, html: document.documentElement.outerHTML.slice(0, 5e6) }, roost);
    });
})();
