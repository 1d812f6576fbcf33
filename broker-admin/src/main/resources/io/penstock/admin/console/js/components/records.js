// Records of others: rows of which only those in view are in the page, and one in full.
import { html, useEffect, useRef, useState } from '../lib.js';
import { bytes, exact, visible, visibleLines } from '../format.js';
import { fields, isFigure, member, record, shortText, write } from '../json.js';
import { useTime } from '../settings.js';

const ROW_HEIGHT = 30;
const ROWS_AROUND = 12;
const CELL_LENGTH = 200;
const SAMPLE_COUNT = 200;

/** The payload as text; bytes that are no text as their base64. */
export const payloadOf = (row) => (row.encoding === 'base64' ? `base64:${row.payload}` : row.payload);

/**
 * @param columns each with `name`, `text` (of a row), `show` (elements in its place) and `look`
 * @param follow whether it stays at its end
 * @param onFollow is told when the user scrolls away from the end, and back to it
 */
export function Records({ name, rows, columns, chosen, onChoose, follow = false, onFollow }) {
    const box = useRef(null);
    const [top, setTop] = useState(0);
    const [height, setHeight] = useState(600);
    useEffect(() => {
        const observer = new ResizeObserver((entries) => setHeight(entries[0].contentRect.height));
        observer.observe(box.current);
        return () => observer.disconnect();
    }, []);
    useEffect(() => {
        if (follow) {
            box.current.scrollTop = box.current.scrollHeight;
        }
    }, [rows, follow]);
    const first = Math.max(0, Math.floor(top / ROW_HEIGHT) - ROWS_AROUND);
    const last = Math.min(rows.length, Math.ceil((top + height) / ROW_HEIGHT) + ROWS_AROUND);
    const scrolled = () => {
        if (!box.current) {
            return;
        }
        const { scrollTop, scrollHeight, clientHeight } = box.current;
        setTop(scrollTop);
        onFollow?.(scrollTop + clientHeight >= scrollHeight - ROW_HEIGHT);
    };
    const show = (index) => {
        const { scrollTop, clientHeight } = box.current;
        const at = index * ROW_HEIGHT;
        if (at < scrollTop) {
            box.current.scrollTop = at;
        } else if (at + 2 * ROW_HEIGHT > scrollTop + clientHeight) {
            box.current.scrollTop = at + 2 * ROW_HEIGHT - clientHeight;
        }
    };
    const onKeyDown = (event) => {
        const step = { ArrowDown: 1, ArrowUp: -1, PageDown: 15, PageUp: -15, Home: -Infinity, End: Infinity }[event.key];
        if (step === undefined || rows.length === 0) {
            return;
        }
        event.preventDefault();
        const now = rows.indexOf(chosen);
        const next = Math.min(rows.length - 1, Math.max(0, now < 0 ? (step > 0 ? first : last - 1) : now + step));
        onChoose(rows[next]);
        show(next);
    };
    return html`<div class="records" ref=${box} role="table" tabindex="0" aria-label=${name} aria-rowcount=${rows.length + 1} aria-colcount=${columns.length} onScroll=${scrolled} onKeyDown=${onKeyDown}>
        <div role="rowgroup" class="top">
            <div role="row" aria-rowindex="1" class="line" style=${{ position: 'static' }}>
                ${columns.map((column) => html`<span role="columnheader" class=${`cell ${column.look ?? ''}`} title=${column.name}>${visible(column.name, 60)}</span>`)}
            </div>
        </div>
        <div role="rowgroup" class="pad" style=${{ height: `${rows.length * ROW_HEIGHT}px` }}>
            ${rows.slice(first, last).map((row, offset) => {
                const index = first + offset;
                return html`<div key=${row.number} role="row" aria-rowindex=${index + 2} class=${row === chosen ? 'line chosen' : 'line'} style=${{ top: `${index * ROW_HEIGHT}px` }} onClick=${() => onChoose(row)}>
                    ${columns.map((column) => html`<span role="cell" class=${`cell ${column.look ?? ''}`}>${column.show ? column.show(row) : visible(column.text(row), CELL_LENGTH)}</span>`)}
                </div>`;
            })}
        </div>
    </div>`;
}

/** Columns of messages as they come. */
export function useMessageColumns(showTopic) {
    const time = useTime();
    return [
        { name: 'Time', look: 'time', text: (row) => time(row.timeMs), show: (row) => html`<span class="day">${time(row.timeMs).slice(0, 11)}</span>${time(row.timeMs).slice(11)}` },
        { name: 'Bookmark', look: 'mark', text: (row) => row.bookmark ?? '' },
        ...(showTopic ? [{ name: 'Topic', text: (row) => row.topic }] : []),
        { name: 'Kind', look: 'kind', text: (row) => row.kind },
        { name: 'Message', look: 'payload', text: payloadOf },
    ];
}

/** Columns of records of state: their fields if they have any; figures are aligned. */
export function fieldColumns(rows) {
    const values = rows.slice(0, SAMPLE_COUNT).map((row) => row.value);
    const names = fields(values);
    if (names.length === 0) {
        return [
            { name: 'Key', text: (row) => row.key ?? '' },
            { name: 'Message', look: 'payload', text: payloadOf },
        ];
    }
    return names.map((name, index) => ({
        name,
        look: values.every((value) => isFigure(member(value, name))) ? 'figure' : '',
        // What is cut or no object has no fields: it stands as it is.
        text: (row) => (row.value === null && index === 0 ? payloadOf(row) : shortText(member(row.value, name))),
    }));
}

/** Gives records their number and what their payload says. */
export function numbered(row, number) {
    return { ...row, number, value: row.encoding === 'base64' ? null : record(row.payload) };
}

/** One record with all it has. */
export function RecordCard({ row, onClose }) {
    const time = useTime();
    const [copied, setCopied] = useState(null);
    const text = row.value ? write(row.value) : payloadOf(row);
    const copy = async () => {
        try {
            await navigator.clipboard.writeText(row.payload);
            setCopied(row);
        } catch {
            setCopied(null);
        }
    };
    return html`<aside class="card" aria-label="Chosen record">
        <h2>Record <span class="quiet">${visible(row.bookmark ?? row.key ?? '', 80)}</span></h2>
        <div class="stack">
            <dl class="facts">
                <dt>Topic</dt><dd>${visible(row.topic)}</dd>
                ${row.key !== undefined && html`<dt>Key</dt><dd class="mono">${visible(row.key)}</dd>`}
                ${row.timeMs !== undefined && html`<dt>Time</dt><dd>${time(row.timeMs)}</dd>`}
                ${row.bookmark !== undefined && html`<dt>Bookmark</dt><dd class="mono">${row.bookmark}</dd>`}
                <dt>Length</dt><dd>${bytes(row.bytes)} <span class="quiet">(${exact(row.bytes)} bytes)</span></dd>
            </dl>
            <pre class="document" tabindex="0" aria-label="Message">${visibleLines(text)}</pre>
            ${row.truncated && html`<p class="quiet">The message is longer: only its beginning is here.</p>`}
            <div class="row">
                <button class="button small" onClick=${copy}>${copied === row ? 'Copied' : 'Copy'}</button>
                <button class="button small" onClick=${onClose}>Close</button>
            </div>
        </div>
    </aside>`;
}
