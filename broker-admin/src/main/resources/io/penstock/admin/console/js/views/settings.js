// The configuration of the broker without its secrets, its counters, and what this browser is set to.
import { get, list } from '../api.js';
import { exact, visible } from '../format.js';
import { html, useState } from '../lib.js';
import { useResource } from '../resource.js';
import { applyTheme, stored } from '../settings.js';
import { Empty, Field, Head, ProblemNote } from '../components/parts.js';
import { Search, Table, matching } from '../components/table.js';

export function Settings({ zone, onZone }) {
    const config = useResource((signal) => get('config', {}, signal), []);
    const counters = useResource((signal) => list('counters', {}, 2000, signal), [], 5000);
    const [search, setSearch] = useState('');
    const [counterSearch, setCounterSearch] = useState('');
    const [theme, setTheme] = useState(stored('theme', 'system'));
    const keys = matching(config.data?.items ?? [], search, (item) => [item.key, item.value]);
    const counted = matching(counters.data?.items ?? [], counterSearch, (item) => [`${item.owner}.${item.name}`]);
    const choose = (value) => {
        setTheme(value);
        applyTheme(value);
    };
    return html`
        <${Head} title="Settings" />
        <div class="stack">
            <section class="card row" aria-label="This browser">
                <${Field} label="Theme">${(id) => html`<select id=${id} value=${theme} onChange=${(event) => choose(event.target.value)}><option value="system">as the system</option><option value="light">light</option><option value="dark">dark</option></select>`}<//>
                <${Field} label="Times in">${(id) => html`<select id=${id} value=${zone} onChange=${(event) => onZone(event.target.value)}><option value="utc">UTC</option><option value="local">the zone of this machine</option></select>`}<//>
            </section>
            <div class="head"><h2>Configuration</h2><span class="grow"></span><${Search} label="Search the configuration" value=${search} onInput=${setSearch} /></div>
            <${ProblemNote} problem=${config.error} onRetry=${config.reload} />
            ${config.data && html`<${Table} name="Configuration" rows=${keys} rowKey=${(item) => item.key} columns=${CONFIG_COLUMNS} empty=${html`<${Empty} title="No key has this text">Search for something else.<//>`} />`}
            <div class="head"><h2>Counters</h2><span class="grow"></span><${Search} label="Search counters" value=${counterSearch} onInput=${setCounterSearch} /></div>
            <${ProblemNote} problem=${counters.error} onRetry=${counters.reload} />
            ${counters.data && html`<${Table} name="Counters" rows=${counted} rowKey=${(item) => `${item.owner}.${item.name}`} columns=${COUNTER_COLUMNS} empty=${html`<${Empty} title="No counter has this text">Search for something else.<//>`} />`}
        </div>
    `;
}

const CONFIG_COLUMNS = [
    { name: 'Key', look: 'mono', value: (item) => item.key },
    { name: 'Value', look: 'wrap mono', value: (item) => item.value, show: (item) => (item.value === '***' ? html`<span class="quiet">a secret, not shown</span>` : visible(item.value)) },
];

const COUNTER_COLUMNS = [
    { name: 'Counter', look: 'mono', value: (item) => `${item.owner}.${item.name}` },
    { name: 'Value', number: true, value: (item) => Number(item.value), show: (item) => exact(item.value) },
];
