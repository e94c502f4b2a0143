import { isSignedOut } from "./banner.js";
import { morph, parse } from "./morph.js";

const PAUSE = 120; // milliseconds after the last key

/** Shows the results of the search's own page while typing. */
class SearchPage {
    #form = document.querySelector(".search-form");
    #found = document.getElementById("found");
    #timer;
    #request;

    start() {
        this.#form.addEventListener("input", this.#type);
    }

    #type = () => {
        clearTimeout(this.#timer);
        this.#request?.abort();
        this.#timer = setTimeout(this.#search, PAUSE);
    };

    #search = async () => {
        const request = (this.#request = new AbortController());
        const address = `/search?${new URLSearchParams(new FormData(this.#form))}`;
        try {
            const response = await fetch(address, { signal: request.signal, cache: "no-store" });
            if (isSignedOut(response) || !response.ok) return;
            const page = parse(await response.text());
            if (request.signal.aborted) return;
            morph(this.#found, page.getElementById("found"));
            document.title = page.title;
            history.replaceState(history.state, "", address);
        } catch {
            // The results of the former text stay; the button tries again.
        }
    };
}

new SearchPage().start();
