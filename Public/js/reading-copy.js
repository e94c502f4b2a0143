import { own } from "./forms.js";

/** Copies the content of the link. If the browser forbids copying, as without HTTPS, downloads it as a file. */
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
