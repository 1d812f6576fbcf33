// The format of server-sent events, read by hand.

const LINE_END = /\r\n|\n|\r/;

/** Turns pieces of text into events. Owned by one stream. */
export class EventParser {
    #rest = '';
    #data = [];
    #type = '';
    #id = '';

    /** @returns the events that this piece completes, each with `type`, `data` and `id`. */
    push(text) {
        const found = [];
        let whole = this.#rest + text;
        // A carriage return at the end may be half of a line's end.
        let held = '';
        if (whole.endsWith('\r')) {
            held = '\r';
            whole = whole.slice(0, -1);
        }
        const lines = whole.split(LINE_END);
        this.#rest = lines.pop() + held;
        for (const line of lines) {
            this.#line(line, found);
        }
        return found;
    }

    #line(line, found) {
        if (line === '') {
            if (this.#data.length > 0) {
                found.push({ type: this.#type || 'message', data: this.#data.join('\n'), id: this.#id });
            }
            this.#data = [];
            this.#type = '';
            return;
        }
        const colon = line.indexOf(':');
        if (colon === 0) {
            return;
        }
        const name = colon < 0 ? line : line.slice(0, colon);
        const value = colon < 0 ? '' : line.slice(colon + 1).replace(/^ /, '');
        if (name === 'data') {
            this.#data.push(value);
        } else if (name === 'event') {
            this.#type = value;
        } else if (name === 'id') {
            this.#id = value;
        }
    }
}
