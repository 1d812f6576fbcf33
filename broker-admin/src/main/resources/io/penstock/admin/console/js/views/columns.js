// Columns of topics with state: the fields that queries need not read from records, how far they are, and dropping them.
import { change, list } from '../api.js';
import { announce } from '../announce.js';
import { bytes, count, exact, percent, span, visible } from '../format.js';
import { html, useState } from '../lib.js';
import { useResource } from '../resource.js';
import { write } from '../route.js';
import { useMay } from '../settings.js';
import { Bar, Confirm, Empty, Head, Pill, ProblemNote } from '../components/parts.js';
import { Search, Table, matching } from '../components/table.js';
import { useTopics } from '../components/topics.js';

const KINDS = {
    named: { tone: 'good', text: 'named' },
    query: { tone: '', text: 'by queries' },
    going: { tone: 'warn', text: 'dropped, in use' },
};

export function Columns({ parameters }) {
    const topic = parameters.topic;
    const columns = useResource((signal) => list('columns', { topic }, 1000, signal), [topic], 2000);
    const topics = useTopics(5000);
    const [search, setSearch] = useState('');
    const [dropped, setDropped] = useState(null);
    const mayDrop = useMay('ADMIN_WRITE');
    const counts = new Map((topics.data?.items ?? []).map((each) => [each.name, each.rows]));
    const all = (columns.data?.items ?? []).map((column) => described(column, counts.get(column.topic)));
    const rows = matching(all, search, (column) => [column.topic, column.field, column.kind]);
    const staying = all.filter((column) => column.kind !== 'going');
    return html`
        <${Head} title="Columns" note=${columns.data && `${exact(all.length)}${columns.data.more ? ' and more' : ''}${topic ? ` of ${visible(topic, 80)}` : ''}`}>
            ${topic && html`<a class="button" href=${write('columns')}>Show those of all topics</a>`}
            <${Search} label="Search columns" value=${search} onInput=${setSearch} />
            ${topic && mayDrop && staying.length > 0 && html`<button class="button danger" onClick=${() => setDropped({ topic })}>Drop all of them</button>`}
        <//>
        <div class="stack">
            <${ProblemNote} problem=${columns.error} onRetry=${columns.reload} />
            ${columns.data && html`<${Table} name="Columns" rows=${rows} rowKey=${(column) => `${column.topic} ${column.shard} ${column.field} ${column.kind}`} columns=${shown(topic, mayDrop, setDropped)}
                empty=${search ? html`<${Empty} title="No column has this text">Search for something else.<//>` : html`<${Empty} title="No columns">A query that filters, groups or orders more than 4,096 records by a field makes one. The broker makes those by itself that topics.columns of its configuration names.<//>`} />`}
        </div>
        ${dropped && html`<${Confirm}
            title=${dropped.field === undefined ? 'Drop the columns of all fields?' : 'Drop the column?'}
            text=${html`The memory of ${dropped.field === undefined ? 'all columns' : html`the column <strong>${visible(dropped.field)}</strong>`} of <strong>${visible(dropped.topic)}</strong> is freed. Queries that run go on. The next one that wants the field reads the records again, which takes longer.${dropped.kind === 'named' ? ' The configuration names the field: its column is made ahead again after the next start, or when the topics of the configuration change.' : ''}`}
            action="Drop"
            act=${async () => {
                await change('DELETE', `columns/${encodeURIComponent(dropped.topic)}${dropped.field === undefined ? '' : `?field=${encodeURIComponent(dropped.field)}`}`);
                announce(dropped.field === undefined ? `The columns of ${dropped.topic} were dropped.` : `The column ${dropped.field} of ${dropped.topic} was dropped.`);
                columns.reload();
            }}
            onClose=${() => setDropped(null)}
        />`}
    `;
}

/** A column with its kind, and which part of the topic's records it has; undefined where the user may not see that. */
function described(column, topicRows) {
    const kind = column.going ? 'going' : column.named ? 'named' : 'query';
    const known = column.rows !== undefined && topicRows !== undefined;
    return { ...column, kind, share: !known ? undefined : topicRows === 0 ? 1 : Math.min(1, column.rows / topicRows) };
}

function shown(topic, mayDrop, setDropped) {
    const all = [
        { name: 'Field', look: 'clip', value: (column) => column.field, show: (column) => html`<span class="mono" title=${visible(column.field)}>${visible(column.field)}</span>` },
        { name: 'Topic', look: 'clip', value: (column) => column.topic, show: (column) => html`<a href=${write('columns', { topic: column.topic })}>${visible(column.topic, 80)}</a>` },
        { name: 'Kind', value: (column) => column.kind, show: (column) => html`<${Pill} tone=${KINDS[column.kind].tone}>${KINDS[column.kind].text}<//>` },
        { name: 'Progress', number: true, value: (column) => column.share, show: (column) => html`<${Bar} value=${column.share ?? 0} max=${1} text=${percent(column.share)} />` },
        { name: 'Rows', number: true, value: (column) => column.rows, show: (column) => html`<span title=${exact(column.rows)}>${count(column.rows)}</span>` },
        { name: 'Memory', number: true, value: (column) => column.bytes, show: (column) => bytes(column.bytes) },
        { name: 'Uses', number: true, value: (column) => column.scans, show: (column) => count(column.scans) },
        { name: 'Last use', number: true, value: (column) => column.idleMs, show: (column) => (column.idleMs === undefined ? 'never' : `${span(column.idleMs)} ago`) },
        { name: 'Texts', number: true, value: (column) => column.texts, show: (column) => count(column.texts) },
        { name: 'Shard', number: true, value: (column) => column.shard },
        {
            name: 'Actions',
            fixed: true,
            value: () => '',
            show: (column) => mayDrop && column.kind !== 'going' && html`<button class="button small danger" aria-label=${`Drop ${column.field} of ${column.topic}`} onClick=${() => setDropped(column)}>Drop</button>`,
        },
    ];
    return topic ? all.filter((column) => column.name !== 'Topic') : all;
}
