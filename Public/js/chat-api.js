import { isSignedOut } from "./banner.js";
import { token } from "./forms.js";
import { retryAfter } from "./long-poll.js";

/** A lower-case UUID. Pages on http://192.168... lack crypto.randomUUID. */
export const uuid = () => "10000000-1000-4000-8000-100000000000".replace(/[018]/g, (digit) =>
    (digit ^ (crypto.getRandomValues(new Uint8Array(1))[0] & (15 >> (digit / 4)))).toString(16));

/**
 * Sends a request to the conversations API and returns its JSON. Throws Roost's message with `status` and the seconds
 * to wait if Roost refuses, or an error without a status if there is no response.
 */
export async function ask(method, path, body, options) {
    const headers = { ...token(), ...(body && { "Content-Type": "application/json" }) };
    const response = await fetch(`/api/v1/conversations${path && `/${path}`}`, {
        method, headers, body: body && JSON.stringify(body), cache: "no-store", ...options,
    });
    const json = await response.json().catch(() => null);
    if (response.ok) return json;
    isSignedOut(response);
    const message = json?.error?.message ?? "Roost could not do this.";
    throw Object.assign(new Error(message), { status: response.status, wait: retryAfter(response) });
}
