import { own } from "./forms.js";

/** Copies what the link leads to. Where browsers let no page copy, as without HTTPS, the link brings it as a file. */
export async function copy(link) {
    const response = await fetch(own(link.getAttribute("href"))).catch(() => null);
    try {
        if (!response.ok) throw new Error("not there");
        await navigator.clipboard.writeText(await response.text());
        link.textContent = "Copied";
    } catch {
        location.assign(link.href);
    }
}
