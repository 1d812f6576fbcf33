// Numbers with units, times with their zone, and texts of others made safe to look at. Pure functions.

const STEPS = ['', 'k', 'M', 'G', 'T', 'P', 'E'];
const BINARY_STEPS = ['B', 'KiB', 'MiB', 'GiB', 'TiB', 'PiB', 'EiB'];
const NOTHING = '–';

const isNumber = (value) => (typeof value === 'number' && Number.isFinite(value)) || typeof value === 'bigint';

/** Three figures that count: 0.12, 1.23, 12.3, 123. */
function figures(value) {
    const size = Math.abs(value);
    if (size === 0) {
        return '0';
    }
    return value.toFixed(size < 10 ? 2 : size < 100 ? 1 : 0);
}

/** A count, exact to 9,999 and with three figures above. */
export function count(value) {
    if (!isNumber(value)) {
        return NOTHING;
    }
    const number = Number(value);
    if (Math.abs(number) < 10000) {
        return Number.isInteger(number) ? number.toLocaleString('en') : figures(number);
    }
    let scaled = number;
    let step = 0;
    while (Math.abs(scaled) >= 999.5 && step < STEPS.length - 1) {
        scaled /= 1000;
        step++;
    }
    return `${figures(scaled)} ${STEPS[step]}`;
}

/** A count with all its digits. */
export function exact(value) {
    return isNumber(value) ? value.toLocaleString('en') : NOTHING;
}

/** Things a second. */
export function rate(value) {
    if (!isNumber(value)) {
        return NOTHING;
    }
    return value >= 100 && value < 10000 ? `${Math.round(value).toLocaleString('en')} /s` : `${count(value)}/s`.replace(/(\d)\/s$/, '$1 /s');
}

/** A length in bytes. */
export function bytes(value) {
    if (!isNumber(value)) {
        return NOTHING;
    }
    let scaled = Number(value);
    let step = 0;
    while (Math.abs(scaled) >= 1023.5 && step < BINARY_STEPS.length - 1) {
        scaled /= 1024;
        step++;
    }
    return `${step === 0 ? Math.round(scaled) : figures(scaled)} ${BINARY_STEPS[step]}`;
}

/** Bytes a second. */
export function byteRate(value) {
    return isNumber(value) ? `${bytes(value)}/s` : NOTHING;
}

/** A time span, from nanoseconds. */
export function nanos(value) {
    if (!isNumber(value)) {
        return NOTHING;
    }
    const ns = Number(value);
    if (ns < 1e3) {
        return `${Math.round(ns)} ns`;
    }
    if (ns < 1e6) {
        return `${figures(ns / 1e3)} µs`;
    }
    if (ns < 1e9) {
        return `${figures(ns / 1e6)} ms`;
    }
    return ns < 120e9 ? `${figures(ns / 1e9)} s` : span(ns / 1e6);
}

/** A longer time span in its two greatest units, from milliseconds. */
export function span(ms) {
    if (!isNumber(ms)) {
        return NOTHING;
    }
    const seconds = Math.max(0, Math.floor(Number(ms) / 1000));
    const parts = [
        [Math.floor(seconds / 86400), 'd'],
        [Math.floor(seconds / 3600) % 24, 'h'],
        [Math.floor(seconds / 60) % 60, 'min'],
        [seconds % 60, 's'],
    ];
    const first = parts.findIndex(([amount]) => amount > 0);
    if (first < 0) {
        return '0 s';
    }
    return parts
        .slice(first, first + 2)
        .filter(([amount], index) => index === 0 || amount > 0)
        .map(([amount, unit]) => `${amount} ${unit}`)
        .join(' ');
}

/** A share of one, in per cent. */
export function percent(share) {
    return isNumber(share) ? `${figures(share * 100)} %` : NOTHING;
}

const two = (value) => String(value).padStart(2, '0');

function zoneOf(date) {
    const minutes = -date.getTimezoneOffset();
    const size = Math.abs(minutes);
    return `${minutes < 0 ? '-' : '+'}${two(Math.floor(size / 60))}:${two(size % 60)}`;
}

/**
 * A point in time with its zone.
 *
 * @param value milliseconds since 1970, or a text of ISO 8601
 * @param utc whether in UTC, else in the zone of this machine
 */
export function time(value, utc = true) {
    const date = new Date(value);
    if (value === null || value === undefined || Number.isNaN(date.getTime())) {
        return NOTHING;
    }
    if (utc) {
        return date.toISOString().replace('T', ' ').replace('.000Z', 'Z');
    }
    const ms = date.getMilliseconds();
    return (
        `${date.getFullYear()}-${two(date.getMonth() + 1)}-${two(date.getDate())} ` +
        `${two(date.getHours())}:${two(date.getMinutes())}:${two(date.getSeconds())}` +
        `${ms === 0 ? '' : `.${String(ms).padStart(3, '0')}`}${zoneOf(date)}`
    );
}

// Characters that would change how their neighbours look, or that nobody sees.
const UNSEEN = /[\u0000-\u001f\u007f-\u009f\u061c\u200b-\u200f\u2028-\u202e\u2060-\u2069\ufeff\ufff9-\ufffb]|[\ud800-\udbff](?![\udc00-\udfff])|(?<![\ud800-\udbff])[\udc00-\udfff]/g;

const NAMES = { 0: 'NUL', 8: 'BS', 9: 'TAB', 10: 'LF', 13: 'CR', 27: 'ESC', 127: 'DEL' };

function seen(character) {
    const code = character.charCodeAt(0);
    return `\u27e8${NAMES[code] ?? `U+${code.toString(16).toUpperCase().padStart(4, '0')}`}\u27e9`;
}

/**
 * A text of others as it may be shown: control characters, marks of direction and lone surrogates are written out, and
 * what is beyond the limit is left out.
 *
 * @param limit in characters
 */
export function visible(text, limit = 400) {
    const whole = String(text);
    const shown = whole.length > limit ? whole.slice(0, limit) : whole;
    const safe = shown.replace(UNSEEN, seen);
    return whole.length > limit ? `${safe}… (${bytes(whole.length)} in all)` : safe;
}

/** A document of several lines: as above, but its lines stay. */
export function visibleLines(text, limit = 100000) {
    return String(text)
        .slice(0, limit)
        .split('\n')
        .map((line) => visible(line, limit))
        .join('\n');
}
