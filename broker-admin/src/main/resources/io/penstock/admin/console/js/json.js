// JSON of records: numbers keep their digits, and a text that is no JSON stays a text.

/** A number that a double cannot hold, with its digits. */
export class LongNumber {
    constructor(digits) {
        this.digits = digits;
    }

    toString() {
        return this.digits;
    }

    valueOf() {
        return Number(this.digits);
    }
}

function keepDigits(key, value, context) {
    if (typeof value !== 'number' || !context || typeof context.source !== 'string') {
        return value;
    }
    const same = Number.isSafeInteger(value) || (Number.isFinite(value) && context.source.replace(/[-.eE+]/g, '').length <= 15);
    return same ? value : new LongNumber(context.source);
}

/** A member of a record; nothing if it has none of that name, whatever the name is. */
export const member = (value, name) => (value !== null && value !== undefined && Object.hasOwn(value, name) ? value[name] : undefined);

/** Whether a value is a number, or missing. */
export const isFigure = (value) => value === undefined || value === null || typeof value === 'number' || value instanceof LongNumber;

/** Reads a document, numbers with all their digits where the browser can; throws a SyntaxError as `JSON.parse` does. */
export function parse(text) {
    return JSON.parse(text, keepDigits);
}

/** The record as an object, or null if its text is none. */
export function record(text) {
    try {
        const value = parse(text);
        return value !== null && typeof value === 'object' && !Array.isArray(value) && !(value instanceof LongNumber) ? value : null;
    } catch {
        return null;
    }
}

/** A value in one line, as JSON writes it; texts without their quotes. */
export function shortText(value) {
    if (value === undefined) {
        return '';
    }
    if (value instanceof LongNumber) {
        return value.digits;
    }
    return typeof value === 'string' ? value : write(value, '');
}

/** A document as text. */
export function write(value, indent = '  ', lead = '') {
    if (value instanceof LongNumber) {
        return value.digits;
    }
    if (value === null || typeof value !== 'object') {
        return JSON.stringify(value) ?? 'null';
    }
    const array = Array.isArray(value);
    const inner = lead + indent;
    const items = array
        ? value.map((item) => write(item, indent, inner))
        : Object.keys(value).map((key) => `${JSON.stringify(key)}:${indent ? ' ' : ''}${write(value[key], indent, inner)}`);
    if (items.length === 0) {
        return array ? '[]' : '{}';
    }
    const [open, close] = array ? '[]' : '{}';
    return indent ? `${open}\n${inner}${items.join(`,\n${inner}`)}\n${lead}${close}` : open + items.join(',') + close;
}

/**
 * The fields of records, each once, in the order in which they come.
 *
 * @param records objects
 * @param limit the most fields
 */
export function fields(records, limit = 60) {
    const names = new Set();
    for (const value of records) {
        for (const name of Object.keys(value ?? {})) {
            if (names.size >= limit) {
                return [...names];
            }
            names.add(name);
        }
    }
    return [...names];
}

/** Paths of fields as filters write them, nested ones too, for the completion. */
export function paths(records, limit = 200) {
    const found = new Set();
    const visit = (value, path) => {
        if (found.size >= limit || value === null || typeof value !== 'object' || Array.isArray(value) || value instanceof LongNumber) {
            return;
        }
        for (const name of Object.keys(value)) {
            const next = `${path}/${part(name)}`;
            const inner = value[name];
            if (inner !== null && typeof inner === 'object' && !Array.isArray(inner) && !(inner instanceof LongNumber)) {
                visit(inner, next);
            } else if (found.size < limit) {
                found.add(path === '' ? next.slice(1) : next);
            }
        }
    };
    records.forEach((value) => visit(value, ''));
    return [...found];
}

const RESERVED = new Set(['AND', 'OR', 'NOT', 'BETWEEN', 'IN', 'LIKE', 'ESCAPE', 'IS', 'NULL', 'TRUE', 'FALSE']);
const plain = (name) => /^[\p{L}_$][\p{L}\p{N}_$]*$/u.test(name) && !RESERVED.has(name.toUpperCase());
const quoted = (name) => `"${name.replaceAll('"', '""')}"`;

/** A name as a part of a path. */
export const part = (name) => (plain(name) ? name : quoted(name));

/** One cell of CSV: quoted where it has to be, and never a formula to a spreadsheet. */
export function csvCell(value) {
    const number = typeof value === 'number' || value instanceof LongNumber;
    let text = value === null || value === undefined ? '' : shortText(value);
    if (!number && /^[=+\-@\t\r]/.test(text)) {
        text = `'${text}`;
    }
    return /[",\n\r]/.test(text) ? `"${text.replaceAll('"', '""')}"` : text;
}

/** Records as CSV with a line of names. */
export function csv(records) {
    const names = fields(records, 10000);
    const lines = records.map((value) => names.map((name) => csvCell(member(value, name))).join(','));
    return `${[names.map(csvCell).join(','), ...lines].join('\r\n')}\r\n`;
}
