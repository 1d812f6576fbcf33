// Transports and their endpoints; threads of the process.
import { change, get } from '../api.js';
import { announce } from '../announce.js';
import { count, span } from '../format.js';
import { html, useState } from '../lib.js';
import { useResource } from '../resource.js';
import { useMay } from '../settings.js';
import { Confirm, Empty, Head, Pill, ProblemNote } from '../components/parts.js';
import { Table } from '../components/table.js';

export function Transports() {
    const transports = useResource((signal) => get('transports', {}, signal), [], 3000);
    const threads = useResource((signal) => get('threads', {}, signal), [], 5000);
    const [asked, setAsked] = useState(null);
    const mayChange = useMay('ADMIN_WRITE');
    const turn = async (transport, on) => {
        await change('POST', `transports/${encodeURIComponent(transport.id)}/${on ? 'enable' : 'disable'}`);
        announce(`${transport.id} ${on ? 'takes connections again' : 'takes no new connections'}.`);
        transports.reload();
    };
    return html`
        <${Head} title="Transports" />
        <div class="stack">
            <${ProblemNote} problem=${transports.error} onRetry=${transports.reload} />
            ${transports.data && html`<${Table} name="Transports" rows=${transports.data.items} rowKey=${(row) => row.id} columns=${columns(mayChange, turn, setAsked)}
                empty=${html`<${Empty} title="No transports">The configuration names no endpoint (server.listen).<//>`} />`}
            <h2>Threads</h2>
            <${ProblemNote} problem=${threads.error} onRetry=${threads.reload} />
            ${threads.data && html`<${Table} name="Threads" rows=${threads.data.items} rowKey=${(row) => row.id} sort="-CPU time" columns=${THREAD_COLUMNS} />`}
        </div>
        ${asked && html`<${Confirm} title="Take no new connections?" text=${`${asked.id} refuses new connections until it is enabled again, or the broker starts anew. Those that are there go on.`} action="Disable" act=${() => turn(asked, false)} onClose=${() => setAsked(null)} />`}
    `;
}

function columns(mayChange, turn, setAsked) {
    return [
        { name: 'Transport', value: (row) => row.id },
        { name: 'State', value: (row) => row.enabled, show: (row) => html`<${Pill} tone=${row.enabled ? 'good' : 'warn'}>${row.enabled ? 'enabled' : 'disabled'}<//>` },
        { name: 'Endpoints', look: 'wrap mono', value: (row) => row.endpoints.join(' '), show: (row) => row.endpoints.join(' ') || html`<span class="quiet">none</span>` },
        { name: 'Connections', number: true, value: (row) => row.connections, show: (row) => count(row.connections) },
        { name: 'Refused', number: true, value: (row) => row.refused, show: (row) => count(row.refused) },
        {
            name: 'Actions',
            fixed: true,
            value: () => '',
            show: (row) => {
                if (!mayChange) {
                    return null;
                }
                return row.enabled
                    ? html`<button class="button small" aria-label=${`Disable ${row.id}`} onClick=${() => setAsked(row)}>Disable</button>`
                    : html`<button class="button small" aria-label=${`Enable ${row.id}`} onClick=${() => turn(row, true).catch((error) => announce(error.message))}>Enable</button>`;
            },
        },
    ];
}

const THREAD_COLUMNS = [
    { name: 'Thread', value: (row) => row.name },
    { name: 'Role', value: (row) => row.role, show: (row) => row.role ?? '' },
    { name: 'State', value: (row) => row.state, show: (row) => row.state.toLowerCase().replace('_', ' ') },
    { name: 'CPU time', number: true, value: (row) => row.cpuMs, show: (row) => (row.cpuMs < 1000 ? `${row.cpuMs} ms` : span(row.cpuMs)) },
    { name: 'CPU', number: true, value: (row) => row.cpu, show: (row) => row.cpu ?? 'any' },
    { name: 'Now in', look: 'wrap mono', value: (row) => row.stack[0], show: (row) => (row.stack.length > 1 ? html`<details><summary>${row.stack[0]}</summary>${row.stack.slice(1).map((frame) => html`<div>${frame}</div>`)}</details>` : row.stack[0] ?? '') },
];
