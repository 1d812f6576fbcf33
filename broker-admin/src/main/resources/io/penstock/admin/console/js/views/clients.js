// Clients: who is connected, how far behind, and ending a session.
import { change, list } from '../api.js';
import { announce } from '../announce.js';
import { bytes, count, exact, span, visible } from '../format.js';
import { html, useState } from '../lib.js';
import { useResource } from '../resource.js';
import { write } from '../route.js';
import { useMay, useTime } from '../settings.js';
import { Bar, Confirm, Empty, Head, Pill, ProblemNote } from '../components/parts.js';
import { Search, Table, matching } from '../components/table.js';

export function Clients({ parameters }) {
    const clients = useResource((signal) => list('clients', {}, 1000, signal), [], 2000);
    const [search, setSearch] = useState(parameters.search ?? '');
    const [kicked, setKicked] = useState(null);
    const mayKick = useMay('ADMIN_WRITE');
    const time = useTime();
    const all = clients.data?.items ?? [];
    const rows = matching(all, search, (client) => [client.id, client.name, client.user, client.peer, client.transport]);
    const most = Math.max(0, ...all.map((client) => client.lag));
    return html`
        <${Head} title="Clients" note=${clients.data && `${exact(all.length)}${clients.data.more ? ' and more' : ''}`}>
            <${Search} label="Search clients" value=${search} onInput=${setSearch} />
        <//>
        <div class="stack">
            <${ProblemNote} problem=${clients.error} onRetry=${clients.reload} />
            ${clients.data && html`<${Table} name="Clients" rows=${rows} rowKey=${(client) => client.id} sort="-Lag" columns=${columns(most, mayKick, setKicked, time)}
                empty=${search ? html`<${Empty} title="No client has this text">Search for something else.<//>` : html`<${Empty} title="No clients">Nobody is connected. Programs connect to the endpoints that the overview names.<//>`} />`}
        </div>
        ${kicked && html`<${Confirm}
            title="End this session?"
            text=${html`The session of <strong>${visible(kicked.name || kicked.peer)}</strong> ends. The client is told why, and may connect again.`}
            action="End the session"
            act=${async () => {
                await change('DELETE', `clients/${encodeURIComponent(kicked.id)}`);
                announce(`The session of ${kicked.name || kicked.peer} has ended.`);
                clients.reload();
            }}
            onClose=${() => setKicked(null)}
        />`}
    `;
}

function columns(most, mayKick, setKicked, time) {
    return [
        { name: 'Client', look: 'wrap', value: (client) => client.name, show: (client) => html`${visible(client.name || 'without a name')} <span class="quiet">#${client.id}</span>` },
        { name: 'Lag', number: true, value: (client) => client.lag, show: (client) => html`<${Bar} value=${client.lag} max=${most} />` },
        { name: 'State', value: (client) => client.state, show: (client) => html`<${Pill} tone=${client.state === 'active' ? 'good' : 'warn'}>${client.state.replace('_', ' ')}<//>` },
        { name: 'User', look: 'clip', value: (client) => client.user, show: (client) => visible(client.user) },
        { name: 'Subscriptions', number: true, value: (client) => client.subscriptions, show: (client) => html`<a href=${write('subscriptions', { client: client.id })} aria-label=${`${client.subscriptions} subscriptions of ${client.name || client.id}`}>${exact(client.subscriptions)}</a>${client.subscriptionsBehind > 0 && html` <span class="quiet">(${count(client.subscriptionsBehind)} behind)</span>`}` },
        { name: 'Published', number: true, value: (client) => client.messagesIn, show: (client) => count(client.messagesIn) },
        { name: 'Delivered', number: true, value: (client) => client.messagesOut, show: (client) => html`<span title=${bytes(client.bytesOut)}>${count(client.messagesOut)}</span>` },
        { name: 'Queued', number: true, value: (client) => client.queuedMessages, show: (client) => count(client.queuedMessages) },
        { name: 'In flight', number: true, value: (client) => client.inFlightBytes, show: (client) => bytes(client.inFlightBytes) },
        { name: 'Idle', number: true, value: (client) => client.idleMs, show: (client) => span(client.idleMs) },
        { name: 'Transport', value: (client) => client.transport, show: (client) => html`${client.transport}${client.encrypted ? ', encrypted' : client.local ? ', this machine' : html`, <span class="quiet">plain</span>`}` },
        { name: 'Peer', value: (client) => client.peer, show: (client) => visible(client.peer, 80) },
        { name: 'Since', value: (client) => client.connectedMs, show: (client) => time(client.connectedMs) },
        {
            name: 'Actions',
            fixed: true,
            value: () => '',
            show: (client) => mayKick && html`<button class="button small danger" aria-label=${`Kick ${client.name || client.id}`} onClick=${() => setKicked(client)}>Kick</button>`,
        },
    ];
}
