import { notice } from "./banner.js";
import { own } from "./forms.js";

/** Copies the content of the link. If the browser forbids copying, as without HTTPS, downloads it as a file. */
export async function copy(link) {
    const response = await fetch(own(link.getAttribute("href"))).catch(() => null);
    try {
        if (!response.ok) throw new Error("not there");
        await navigator.clipboard.writeText(await response.text());
        // Not in the link: an update of the page would remove it.
        notice("Copied as Markdown.");
        document.querySelector("#notice > .trouble").classList.remove("trouble");
    } catch {
        location.assign(link.href);
    }
}
