// Topics: what there is, how busy, how large.
import { change } from '../api.js';
import { announce } from '../announce.js';
import { bytes, count, exact, rate, visible } from '../format.js';
import { html, useState } from '../lib.js';
import { write } from '../route.js';
import { useMay } from '../settings.js';
import { Bar, Confirm, Dialog, Empty, Field, Head, ProblemNote, TextField } from '../components/parts.js';
import { Search, Table, matching } from '../components/table.js';
import { useTopics } from '../components/topics.js';

export function Topics() {
    const topics = useTopics(2000);
    const [search, setSearch] = useState('');
    const [dialog, setDialog] = useState(null);
    const mayWrite = useMay('CREATE_TOPIC');
    const mayDelete = useMay('DELETE_TOPIC');
    const mayRead = useMay('ADMIN_READ');
    const all = topics.data?.items ?? [];
    const rows = matching(all, search, (topic) => [topic.name, topic.format, topic.kind]);
    const most = Math.max(0, ...all.map((topic) => topic.messagesPerSecond ?? 0));
    return html`
        <${Head} title="Topics" note=${topics.data && `${exact(all.length)}${topics.data.more ? ' and more' : ''}`}>
            <${Search} label="Search topics" value=${search} onInput=${setSearch} />
            ${mayWrite && html`<button class="button main" onClick=${() => setDialog({ kind: 'declare' })}>Declare a topic</button>`}
        <//>
        <div class="stack">
            <${ProblemNote} problem=${topics.error} onRetry=${topics.reload} />
            ${topics.data && html`<${Table} name="Topics" rows=${rows} rowKey=${(topic) => topic.name} columns=${columns(most, mayRead, mayDelete, setDialog)}
                empty=${search ? html`<${Empty} title="No topic has this text">Search for something else.<//>` : html`<${Empty} title="No topics yet">A topic comes into being when a client publishes to it, or when it is declared.<//>`} />`}
        </div>
        ${dialog?.kind === 'declare' && html`<${Declare} onClose=${() => setDialog(null)} onDone=${topics.reload} />`}
        ${dialog?.kind === 'delete' && html`<${Confirm}
            title="Delete the topic?"
            text=${html`The topic <strong>${visible(dialog.topic.name)}</strong>, its ${exact(dialog.topic.rows ?? 0)} records and its subscriptions end. This cannot be undone.${dialog.topic.declared ? ' The configuration names it, so it is there again after the next start.' : ''}`}
            name=${dialog.topic.name}
            action="Delete"
            act=${async () => {
                await change('DELETE', `topics/${encodeURIComponent(dialog.topic.name)}`);
                announce(`Topic ${dialog.topic.name} was deleted.`);
                topics.reload();
            }}
            onClose=${() => setDialog(null)}
        />`}
    `;
}

function columns(most, mayRead, mayDelete, setDialog) {
    return [
        { name: 'Topic', look: 'wrap', value: (topic) => topic.name, show: (topic) => html`<a href=${topic.kind === 'messages' ? write('tail', { topic: topic.name }) : write('query', { topic: topic.name })}>${visible(topic.name)}</a>` },
        { name: 'Kind', value: (topic) => topic.kind },
        { name: 'Key', look: 'clip', value: (topic) => topic.key.join(', '), show: (topic) => visible(topic.key.join(', '), 80) },
        { name: 'Format', value: (topic) => topic.format },
        { name: 'Rate', number: true, value: (topic) => topic.messagesPerSecond ?? 0, show: (topic) => html`<${Bar} value=${topic.messagesPerSecond ?? 0} max=${most} text=${rate(topic.messagesPerSecond)} />` },
        { name: 'Messages', number: true, value: (topic) => topic.messages, show: (topic) => html`<span title=${exact(topic.messages)}>${count(topic.messages)}</span>` },
        { name: 'Rows', number: true, value: (topic) => topic.rows, show: (topic) => (mayRead && topic.rows !== undefined ? html`<a href=${write('columns', { topic: topic.name })} title=${`Columns of ${visible(topic.name)}`} aria-label=${`${count(topic.rows)} rows of ${topic.name}: their columns`}>${count(topic.rows)}</a>` : count(topic.rows)) },
        { name: 'Memory', number: true, value: (topic) => topic.memoryBytes, show: (topic) => bytes(topic.memoryBytes) },
        { name: 'Shard', number: true, value: (topic) => topic.shard },
        { name: 'Log', value: (topic) => (topic.journaled ? 'on disk' : 'memory') },
        {
            name: 'Actions',
            fixed: true,
            value: () => '',
            show: (topic) => html`<a class="button small" href=${write('tail', { topic: topic.name })} aria-label=${`Tail ${topic.name}`}>Tail</a>${' '}
                ${mayDelete && html`<button class="button small danger" aria-label=${`Delete ${topic.name}`} onClick=${() => setDialog({ kind: 'delete', topic })}>Delete</button>`}`,
        },
    ];
}

function Declare({ onClose, onDone }) {
    const [name, setName] = useState('');
    const [format, setFormat] = useState('');
    const [key, setKey] = useState('');
    const [expiration, setExpiration] = useState('');
    const [problem, setProblem] = useState(null);
    const [busy, setBusy] = useState(false);
    const submit = async (event) => {
        event.preventDefault();
        setBusy(true);
        try {
            await change('POST', 'topics', {
                name,
                ...(format && { format }),
                ...(key && { key }),
                ...(expiration && { expirationMs: Math.round(Number(expiration) * 1000) }),
            });
            announce(`Topic ${name} is there.`);
            onDone();
            onClose();
        } catch (error) {
            setProblem(error);
            setBusy(false);
        }
    };
    return html`<${Dialog} title="Declare a topic" onClose=${onClose}>
        <form onSubmit=${submit}>
            <${TextField} label="Name" value=${name} onInput=${setName} required autofocus />
            <${TextField} label="Key" value=${key} onInput=${setKey} hint="Fields with commas between, such as symbol or account, /order/id. Without a key the topic keeps no state." />
            <${TextField} label="Format" value=${format} onInput=${setFormat} hint="The broker's default unless given." />
            <${Field} label="Records expire after (seconds)">
                ${(id) => html`<input id=${id} type="number" min="0" step="any" value=${expiration} onInput=${(event) => setExpiration(event.target.value)} />`}
            <//>
            <${ProblemNote} problem=${problem} />
            <div class="row">
                <button type="button" class="button" onClick=${onClose}>Cancel</button>
                <button class="button main" disabled=${busy || !name}>Declare</button>
            </div>
        </form>
    <//>`;
}
