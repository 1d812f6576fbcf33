// Requests to the admin API, whose document is at api/v1/openapi.json.
import { EventParser } from './sse.js';

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

async function send(method, path, { parameters, body, signal, accept = 'application/json' } = {}) {
    const headers = { Accept: accept, 'X-Penstock-Request': '1' };
    if (body !== undefined) {
        headers['Content-Type'] = 'application/json';
    }
    let response;
    try {
        response = await fetch(address(path, parameters), {
            method,
            headers,
            signal,
            credentials: 'same-origin',
            cache: 'no-store',
            redirect: 'error',
            body: body === undefined ? undefined : JSON.stringify(body),
        });
    } catch (error) {
        if (error.name === 'AbortError') {
            throw error;
        }
        throw new Problem(0, 'No answer', 'The broker does not answer. It may be stopped, or this machine has no way to it.');
    }
    // Readiness answers 503 with a body like any other.
    if (!response.ok && !(response.status === 503 && path === 'health/ready')) {
        throw await problemOf(response);
    }
    return response;
}

/** Gets a resource as an object. */
export async function get(path, parameters, signal) {
    const response = await send('GET', path, { parameters, signal });
    return response.json();
}

/** Changes something; gives the answer, or null if it has no body. */
export async function change(method, path, body) {
    const response = await send(method, path, { body });
    const text = await response.text();
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

async function* texts(response) {
    const reader = response.body.getReader();
    const decoder = new TextDecoder();
    try {
        for (;;) {
            const { done, value } = await reader.read();
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
export async function query(request, onLine, signal) {
    const response = await send('POST', 'query', { body: request, signal, accept: 'application/x-ndjson' });
    let rest = '';
    for await (const text of texts(response)) {
        const lines = (rest + text).split('\n');
        rest = lines.pop();
        lines.filter(Boolean).forEach((line) => onLine(JSON.parse(line)));
    }
    if (rest) {
        onLine(JSON.parse(rest));
    }
}

/**
 * Reads a stream of server-sent events until it ends.
 *
 * Not by EventSource, which hides why it was refused. Events are read at the pace of `onEvent`: as long as what it
 * returns is pending, nothing is read, and the broker's socket fills.
 *
 * @param lastId the id after which to go on, or none
 */
export async function events(path, parameters, { onOpen, onEvent, signal, lastId }) {
    const headers = { Accept: 'text/event-stream', 'X-Penstock-Request': '1' };
    if (lastId) {
        headers['Last-Event-ID'] = lastId;
    }
    let response;
    try {
        response = await fetch(address(path, parameters), { headers, signal, credentials: 'same-origin', cache: 'no-store', redirect: 'error' });
    } catch (error) {
        if (error.name === 'AbortError') {
            throw error;
        }
        throw new Problem(0, 'No answer', 'The broker does not answer.');
    }
    if (!response.ok) {
        throw await problemOf(response);
    }
    onOpen?.();
    const parser = new EventParser();
    try {
        for await (const text of texts(response)) {
            for (const event of parser.push(text)) {
                await onEvent(event);
            }
        }
    } catch (error) {
        if (error.name === 'AbortError' || error instanceof Problem) {
            throw error;
        }
        throw new Problem(0, 'Connection lost', 'The connection to the broker was lost.');
    }
}
