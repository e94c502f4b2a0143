// Runs on the page to save. Roost replaces ROOST with its own address and joins the lines to one, so each line must
// be complete.
(() => {
    const { href } = location;
    const { title } = document;
    const roost = "ROOST";
    const address = roost + "/reading/save?from=bookmarklet&url=" + encodeURIComponent(href) + "&title=" + encodeURIComponent(title);
    const popup = open(address, "_blank", "popup,width=520,height=640");
    if (!popup) return void (location.href = address);
    addEventListener("message", function receive({ source, origin, data }) {
        if (source !== popup || origin !== roost || data !== "roost-save-ready") return;
        removeEventListener("message", receive);
        popup.postMessage({ url: href, title, html: document.documentElement.outerHTML.slice(0, 5e6) }, roost);
    });
})();
