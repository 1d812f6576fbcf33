// Requests to the admin API, whose document is at api/v1/openapi.json.
import { EventParser } from './sse.js';

/** The broker sends something every 10 seconds at least. */
const SILENCE_MAX_MS = 25000;
const QUERY_MAX_MS = 75000;

const BASE = new URL('../api/v1/', new URL('.', document.baseURI));

/** An error that the API gave, or that kept a request from it. `status` is 0 when there was no answer. */
export class Problem extends Error {
    constructor(status, title, detail, code = '') {
        super(detail || title);
        this.status = status;
        this.title = title;
        this.code = code;
    }
}

async function problemOf(response) {
    try {
        const body = await response.json();
        return new Problem(response.status, body.title ?? response.statusText, body.detail ?? '', body.code ?? '');
    } catch {
        return new Problem(response.status, response.statusText || 'Error', `The broker answered ${response.status}.`);
    }
}

function address(path, parameters = {}) {
    const url = new URL(path, BASE);
    for (const [name, value] of Object.entries(parameters)) {
        if (value !== undefined && value !== null && value !== '') {
            url.searchParams.set(name, value);
        }
    }
    return url;
}

/** Ends a request when nothing was heard for too long, or when its asker gives up. */
class Patience {
    #limitMs;
    #asker;
    #own = new AbortController();
    #timer = 0;
    #end = () => this.#own.abort();

    constructor(asker, limitMs) {
        this.#asker = asker;
        this.#limitMs = limitMs;
        asker?.addEventListener('abort', this.#end);
        if (asker?.aborted) {
            this.#end();
        }
    }

    get signal() {
        return this.#own.signal;
    }

    /** Waits anew. */
    begin() {
        clearTimeout(this.#timer);
        this.#timer = setTimeout(this.#end, this.#limitMs);
    }

    /** Does not wait for the broker now. */
    pause() {
        clearTimeout(this.#timer);
    }

    close() {
        clearTimeout(this.#timer);
        this.#asker?.removeEventListener('abort', this.#end);
    }

    /** What an error of the request is to its asker. */
    problem(error) {
        if (error instanceof Problem || this.#asker?.aborted) {
            return error;
        }
        return error.name === 'AbortError'
            ? new Problem(0, 'No answer', `The broker has said nothing for ${this.#limitMs / 1000} seconds.`)
            : new Problem(0, 'No answer', 'The broker does not answer. It may be stopped, or this machine has no way to it.');
    }
}

/** Sends a request and has its answer read; an error is a Problem, unless the asker has given up. */
async function ask(method, path, { parameters, body, signal, accept = 'application/json', lastId, silenceMs = SILENCE_MAX_MS }, read) {
    const headers = { Accept: accept, 'X-Penstock-Request': '1' };
    if (body !== undefined) {
        headers['Content-Type'] = 'application/json';
    }
    if (lastId) {
        headers['Last-Event-ID'] = lastId;
    }
    const patience = new Patience(signal, silenceMs);
    try {
        patience.begin();
        const response = await fetch(address(path, parameters), {
            method,
            headers,
            signal: patience.signal,
            credentials: 'same-origin',
            cache: 'no-store',
            redirect: 'error',
            body: body === undefined ? undefined : JSON.stringify(body),
        });
        // Readiness answers 503 with a body like any other.
        if (!response.ok && !(response.status === 503 && path === 'health/ready')) {
            throw await problemOf(response);
        }
        return await read(response, patience);
    } catch (error) {
        throw patience.problem(error);
    } finally {
        patience.close();
    }
}

/** Gets a resource as an object. */
export function get(path, parameters, signal) {
    return ask('GET', path, { parameters, signal }, (response) => response.json());
}

/** Changes something; gives the answer, or null if it has no body. */
export async function change(method, path, body) {
    const text = await ask(method, path, { body }, (response) => response.text());
    return text ? JSON.parse(text) : null;
}

/** Gets the pages of a list up to a number of items: `items`, and whether there are `more`. */
export async function list(path, parameters, limit = 1000, signal) {
    const items = [];
    let cursor;
    do {
        const page = await get(path, { ...parameters, limit: Math.min(1000, limit - items.length), cursor }, signal);
        items.push(...page.items);
        cursor = page.next;
    } while (cursor && items.length < limit);
    return { items, more: Boolean(cursor) };
}

async function* texts(response, patience) {
    const reader = response.body.getReader();
    const decoder = new TextDecoder();
    try {
        for (;;) {
            patience.begin();
            const { done, value } = await reader.read();
            patience.pause();
            if (done) {
                return;
            }
            yield decoder.decode(value, { stream: true });
        }
    } finally {
        reader.cancel().catch(() => {});
    }
}

/** Sends a query; calls `onLine` with each line of the answer. */
export function query(request, onLine, signal) {
    return ask('POST', 'query', { body: request, signal, accept: 'application/x-ndjson', silenceMs: QUERY_MAX_MS }, async (response, patience) => {
        let rest = '';
        for await (const text of texts(response, patience)) {
            const lines = (rest + text).split('\n');
            rest = lines.pop();
            lines.filter(Boolean).forEach((line) => onLine(JSON.parse(line)));
        }
        if (rest) {
            onLine(JSON.parse(rest));
        }
    });
}

/**
 * Reads a stream of server-sent events until it ends.
 *
 * Not by EventSource, which hides why it was refused. Events are read at the pace of `onEvent`: as long as what it
 * returns is pending, nothing is read, and the broker's socket fills.
 *
 * @param lastId the id after which to go on, or none
 */
export function events(path, parameters, { onOpen, onEvent, signal, lastId }) {
    return ask('GET', path, { parameters, signal, lastId, accept: 'text/event-stream', silenceMs: SILENCE_MAX_MS }, async (response, patience) => {
        onOpen?.();
        const parser = new EventParser();
        for await (const text of texts(response, patience)) {
            for (const event of parser.push(text)) {
                await onEvent(event);
            }
        }
    });
}
