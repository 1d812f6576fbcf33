// Tables that are sorted by their heads and searched by a text.
import { html, useState } from '../lib.js';
import { Empty } from './parts.js';
import { exact } from '../format.js';

const ROW_COUNT_MAX = 500;

function compare(left, right) {
    if (left === right) {
        return 0;
    }
    if (left === undefined || left === null) {
        return 1;
    }
    if (right === undefined || right === null) {
        return -1;
    }
    return typeof left === 'number' && typeof right === 'number' ? left - right : String(left).localeCompare(String(right), 'en', { numeric: true });
}

/**
 * @param name what a screen reader calls it
 * @param columns each with `name`, `value` (what it is sorted by), `show` (what stands there, `value` unless given) and
 *     `number`; the first one names the row
 * @param sort name of the column that it is sorted by at first, with a minus for the greatest first
 * @param rowKey gives the key of a row
 */
export function Table({ name, columns, rows, rowKey, sort = columns[0].name, chosen, empty }) {
    const [order, setOrder] = useState(sort);
    if (rows.length === 0) {
        return html`<div class="card">${empty ?? html`<${Empty} title="Nothing here" />`}</div>`;
    }
    const falling = order.startsWith('-');
    const by = columns.find((column) => column.name === order.replace(/^-/, '')) ?? columns[0];
    const sorted = rows.slice().sort((left, right) => (falling ? -1 : 1) * compare(by.value(left), by.value(right)));
    const shown = sorted.slice(0, ROW_COUNT_MAX);
    return html`<div class="scroll" role="region" aria-label=${name} tabindex="0">
        <table>
            <caption class="unseen">${name}</caption>
            <thead>
                <tr>
                    ${columns.map((column) => html`<${Title} column=${column} order=${order} onOrder=${setOrder} />`)}
                </tr>
            </thead>
            <tbody>
                ${shown.map((row) => {
                    const key = rowKey(row);
                    return html`<tr key=${key} class=${key === chosen ? 'chosen' : ''}>
                        ${columns.map((column, index) => {
                            const content = column.show ? column.show(row) : column.value(row);
                            const look = column.number ? 'number' : column.fixed ? 'actions' : column.look ?? '';
                            return index === 0 ? html`<th scope="row" class=${look}>${content}</th>` : html`<td class=${look}>${content}</td>`;
                        })}
                    </tr>`;
                })}
            </tbody>
        </table>
        ${sorted.length > shown.length && html`<p class="empty">The first ${exact(shown.length)} of ${exact(sorted.length)}. Search for the others.</p>`}
    </div>`;
}

function Title({ column, order, onOrder }) {
    const rising = order === column.name;
    const falling = order === `-${column.name}`;
    if (column.fixed) {
        return html`<th scope="col" class="actions"><span class="unseen">${column.name}</span></th>`;
    }
    const next = rising ? `-${column.name}` : falling ? column.name : column.number ? `-${column.name}` : column.name;
    return html`<th scope="col" class=${column.number ? 'number' : ''} aria-sort=${rising ? 'ascending' : falling ? 'descending' : undefined}>
        <button onClick=${() => onOrder(next)}>${column.name}<span aria-hidden="true">${rising ? ' ↑' : falling ? ' ↓' : ''}</span></button>
    </th>`;
}

/** Rows whose texts have what was searched for, upper and lower case alike. */
export function matching(rows, search, texts) {
    const wanted = search.trim().toLowerCase();
    return wanted === '' ? rows : rows.filter((row) => texts(row).some((text) => String(text ?? '').toLowerCase().includes(wanted)));
}

export function Search({ label, value, onInput }) {
    return html`<input type="search" class="search" aria-label=${label} placeholder=${label} value=${value} onInput=${(event) => onInput(event.target.value)} />`;
}
