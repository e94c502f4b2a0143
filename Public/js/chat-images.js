import { uuid } from "./chat-api.js";
import { token } from "./forms.js";
import { make } from "./element.js";

const LIMIT = 10 * 1024 * 1024; // bytes; the limit of Roost
const [THUMBNAIL, PREVIEW] = [640, 320]; // pixels of the longer side
const NO_ANSWER = "Roost does not answer.";

/** Draws a picture at most this large, upright by its EXIF orientation. Null if the browser cannot draw it. */
async function draw(file, side) {
    const image = await createImageBitmap(file).catch(() => null);
    if (!image) return null;
    const scale = Math.min(1, side / Math.max(image.width, image.height));
    const canvas = document.createElement("canvas");
    canvas.width = Math.max(1, Math.round(image.width * scale));
    canvas.height = Math.max(1, Math.round(image.height * scale));
    canvas.getContext("2d").drawImage(image, 0, 0, canvas.width, canvas.height);
    return { canvas, isSmaller: scale < 1 };
}

/** Attachments of the next message: uploaded in advance, shown above the text with their progress. */
export class Attachments {
    #address;
    #form;
    #list = make("ul", { className: "attachments", role: "list", ariaLabel: "Attachments" });
    #items = [];
    #isSendPending = false;

    constructor(chat, form) {
        this.#address = `/api/v1/conversations/${chat}/files`;
        this.#form = form;
        this.#list.dataset.owned = "";
        form.querySelector(".box").before(this.#list);
    }

    /** Returns the attachments, or null during an upload; the message is then sent when it ends. */
    collect() {
        this.#isSendPending = this.#items.some(({ fileId }) => !fileId);
        for (const item of this.#items) {
            if (item.refusal) this.#refuse(item, item.refusal, item.retry, " Remove it to send the message.");
        }
        if (this.#isSendPending) return null;
        const items = this.#items;
        this.#items = [];
        this.#list.replaceChildren();
        return items.map(({ fileId, fileName, picture }) => ({ fileId, fileName, picture }));
    }

    add(files) {
        for (const file of files) {
            const item = { id: uuid(), file, fileName: file.name || "image.png", row: make("li") };
            this.#items.push(item);
            this.#list.append(item.row);
            this.#render(item, item.fileName);
            if (file.size > LIMIT) this.#refuse(item, `${item.fileName} is larger than 10 MB.`);
            else this.#send(item);
        }
    }

    #refuse(item, refusal, retry, advice = "") {
        Object.assign(item, { refusal, retry });
        this.#render(item, refusal + advice, retry);
        item.row.querySelector(".name").role = "alert";
    }

    /** Shows an attachment with preview, text, progress and buttons. */
    #render(item, text, retry) {
        const remove = () => this.#remove(item);
        const parts = [make("span", { className: "name", dir: "auto" }, text)];
        if (item.picture) parts.unshift(make("img", { src: item.picture, alt: "" }));
        if (item.progress) parts.push(item.progress);
        if (retry) parts.push(this.#button("Try again", retry));
        item.row.replaceChildren(...parts, this.#button("Remove", remove, item.fileName));
        item.row.classList.toggle("refused", !!item.refusal);
    }

    #button(textContent, onclick, about) {
        const button = make("button", { type: "button", className: "subtle", onclick }, textContent);
        if (about) button.ariaLabel = `${textContent} ${about}`;
        return button;
    }

    #remove(item) {
        item.request?.abort();
        item.row.remove();
        this.#items = this.#items.filter((each) => each !== item);
        this.#form.elements.text.focus();
    }

    async #send(item) {
        const { file } = item;
        item.refusal = null;
        const isImage = file.type.startsWith("image/");
        const body = new FormData();
        body.append("id", item.id);
        if (isImage && !item.picture) {
            item.picture = (await draw(file, PREVIEW))?.canvas.toDataURL("image/webp", .7);
        }
        item.progress = make("progress", { max: 1, value: 0, ariaLabel: "Upload progress" });
        this.#render(item, item.fileName);
        // A single frame is a poor preview of an animation, so GIFs are shown unchanged.
        const small = isImage && file.type !== "image/gif" && await draw(file, THUMBNAIL);
        if (small?.isSmaller) {
            const type = file.type === "image/jpeg" ? "image/jpeg" : "image/webp";
            const thumbnail = await new Promise((resolve) => small.canvas.toBlob(resolve, type, .82));
            if (thumbnail) body.append("thumbnail", thumbnail, "thumbnail");
        }
        body.append("file", file, item.fileName);
        if (item.row.isConnected) this.#post(item, body);
    }

    /** Only XMLHttpRequest reports upload progress. */
    #post(item, body) {
        const request = item.request = new XMLHttpRequest();
        const retry = () => this.#send(item);
        request.open("POST", this.#address);
        for (const [name, value] of Object.entries(token())) request.setRequestHeader(name, value);
        request.responseType = "json";
        request.upload.onprogress = ({ loaded, total }) => {
            item.progress.value = loaded / total;
        };
        request.onload = () => {
            item.progress = null;
            const { status, response } = request;
            if (status >= 300) return this.#refuse(item, response?.error?.message ?? NO_ANSWER, retry);
            item.fileId = response.id;
            this.#render(item, item.fileName);
            if (this.#isSendPending && this.#items.every(({ fileId }) => fileId)) this.#form.requestSubmit();
        };
        request.onerror = () => {
            item.progress = null;
            this.#refuse(item, `${item.fileName}: ${NO_ANSWER}`, retry);
        };
        request.send(body);
    }
}
