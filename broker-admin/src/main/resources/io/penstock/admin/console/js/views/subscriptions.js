// Subscriptions by what they cost, and queries that run.
import { change, list } from '../api.js';
import { announce } from '../announce.js';
import { count, exact, visible } from '../format.js';
import { html, useState } from '../lib.js';
import { useResource } from '../resource.js';
import { write } from '../route.js';
import { useMay } from '../settings.js';
import { Bar, Empty, Head, Pill, ProblemNote } from '../components/parts.js';
import { Search, Table, matching } from '../components/table.js';

const TONES = { live: 'good', behind: 'warn', paused: '', starting: '', ended: '' };

export function Subscriptions({ parameters }) {
    const client = parameters.client;
    const subscriptions = useResource((signal) => list('subscriptions', { client }, 1000, signal), [client], 2000);
    const queries = useResource((signal) => list('queries', {}, 200, signal), [], 2000);
    const [search, setSearch] = useState('');
    const mayCancel = useMay('ADMIN_WRITE');
    const all = subscriptions.data?.items ?? [];
    const rows = matching(all, search, (row) => [row.topic, row.filter, row.clientName, row.user, row.state]);
    return html`
        <${Head} title="Subscriptions" note=${subscriptions.data && `${exact(all.length)}${subscriptions.data.more ? ' and more' : ''}`}>
            ${client && html`<a class="button" href=${write('subscriptions')}>Show those of all clients</a>`}
            <${Search} label="Search subscriptions" value=${search} onInput=${setSearch} />
        <//>
        <div class="stack">
            <${ProblemNote} problem=${subscriptions.error} onRetry=${subscriptions.reload} />
            ${subscriptions.data && html`<${Table} name="Subscriptions" rows=${rows} rowKey=${(row) => row.id} sort="-Lag" columns=${columns(all)}
                empty=${search ? html`<${Empty} title="No subscription has this text">Search for something else.<//>` : html`<${Empty} title="No subscriptions">${client ? 'This client has none, or is gone.' : 'No client follows a topic.'}<//>`} />`}
            <h2>Queries that run</h2>
            <${ProblemNote} problem=${queries.error} onRetry=${queries.reload} />
            ${queries.data && html`<${Table} name="Queries that run" rows=${queries.data.items} rowKey=${(row) => row.id} sort="-Found" columns=${queryColumns(mayCancel, queries.reload)}
                empty=${html`<${Empty} title="No query runs">Queries that take a while are listed here, and can be cancelled.<//>`} />`}
        </div>
    `;
}

function columns(all) {
    const mostLag = Math.max(0, ...all.map((row) => row.lag));
    const most = Math.max(0, ...all.map((row) => row.deliveries));
    return [
        { name: 'Topic', look: 'wrap', value: (row) => row.topic, show: (row) => html`${visible(row.topic)}${row.pattern && html` <span class="quiet">(pattern)</span>`}` },
        { name: 'Filter', look: 'wrap mono', value: (row) => row.filter, show: (row) => (row.filter ? visible(row.filter) : html`<span class="quiet">all</span>`) },
        { name: 'State', value: (row) => row.state, show: (row) => html`<${Pill} tone=${TONES[row.state]}>${row.state}<//>` },
        { name: 'Lag', number: true, value: (row) => row.lag, show: (row) => html`<${Bar} value=${row.lag} max=${mostLag} />` },
        { name: 'Delivered', number: true, value: (row) => row.deliveries, show: (row) => html`<${Bar} value=${row.deliveries} max=${most} />` },
        { name: 'Kind', value: (row) => row.kind },
        { name: 'Feeds', number: true, value: (row) => row.feeds },
        { name: 'Client', look: 'clip', value: (row) => row.clientName, show: (row) => html`<a href=${write('clients', { search: row.clientName || row.client })}>${visible(row.clientName || `#${row.client}`, 80)}</a>` },
        { name: 'User', look: 'clip', value: (row) => row.user, show: (row) => visible(row.user) },
    ];
}

function queryColumns(mayCancel, reload) {
    const cancel = async (row) => {
        try {
            await change('DELETE', `queries/${encodeURIComponent(row.id)}`);
            announce('The query was cancelled.');
        } catch (error) {
            announce(`The query was not cancelled: ${error.message}`);
        }
        reload();
    };
    return [
        { name: 'Client', look: 'wrap', value: (row) => row.clientName, show: (row) => visible(row.clientName || `#${row.client}`) },
        { name: 'User', value: (row) => row.user, show: (row) => visible(row.user) },
        { name: 'Topics', number: true, value: (row) => row.topics },
        { name: 'Found', number: true, value: (row) => row.found, show: (row) => count(row.found) },
        { name: 'Sent', number: true, value: (row) => row.sent, show: (row) => count(row.sent) },
        { name: 'For', value: (row) => (row.forSubscription ? 'a subscription' : 'a query') },
        {
            name: 'Actions',
            fixed: true,
            value: () => '',
            show: (row) => mayCancel && !row.forSubscription && html`<button class="button small danger" aria-label=${`Cancel the query of ${row.clientName || row.client}`} onClick=${() => cancel(row)}>Cancel</button>`,
        },
    ];
}
