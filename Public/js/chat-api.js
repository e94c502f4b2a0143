import { isSignedOut } from "./banner.js";
import { token } from "./forms.js";
import { retryAfter } from "./long-poll.js";

/** A lower-case UUID; pages on http://192.168... have no crypto.randomUUID. */
export const uuid = () => "10000000-1000-4000-8000-100000000000".replace(/[018]/g, (digit) =>
    (digit ^ (crypto.getRandomValues(new Uint8Array(1))[0] & (15 >> (digit / 4)))).toString(16));

/**
 * Asks the API about conversations; answers its JSON. Throws where Roost refuses, with its words, its `status` and the
 * seconds to wait, and where nobody answers, without a status.
 */
export async function ask(method, path, body, options) {
    const headers = { ...token(), ...(body && { "Content-Type": "application/json" }) };
    const response = await fetch(`/api/v1/conversations${path && `/${path}`}`, {
        method, headers, body: body && JSON.stringify(body), cache: "no-store", ...options,
    });
    const json = await response.json().catch(() => null);
    if (response.ok) return json;
    isSignedOut(response);
    const words = json?.error?.message ?? "Roost could not do this.";
    throw Object.assign(new Error(words), { status: response.status, wait: retryAfter(response) });
}
