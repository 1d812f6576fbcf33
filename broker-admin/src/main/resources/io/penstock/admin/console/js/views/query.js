// The state of a topic: browsed, and asked by SQL-92.
import { query } from '../api.js';
import { announce } from '../announce.js';
import { exact } from '../format.js';
import { csv } from '../json.js';
import { html, useEffect, useMemo, useRef, useState } from '../lib.js';
import { go } from '../route.js';
import { fieldsOf, joined, mistakeAt } from '../sql.js';
import { Editor } from '../components/editor.js';
import { Empty, Field, Head, ProblemNote, TextField, download } from '../components/parts.js';
import { RecordCard, Records, fieldColumns, numbered } from '../components/records.js';
import { TopicField, useFields, useTopics } from '../components/topics.js';

const LIMITS = [100, 1000, 10000];
const PARTS = ['topic', 'join', 'filter', 'select', 'orderBy', 'groupBy', 'having', 'limit', 'asOf'];

export function Query({ parameters }) {
    const topics = useTopics();
    const [asked, setAsked] = useState(() => ({ limit: '100', ...parameters }));
    const [more, setMore] = useState(Boolean(parameters.join || parameters.groupBy || parameters.having || parameters.asOf));
    const answer = useAnswer();
    const withState = (topics.data?.items ?? []).filter((topic) => topic.kind !== 'messages');
    const own = useFields(withState, asked.topic ?? '');
    const pair = joined(asked.join ?? '', asked.topic ?? '');
    const others = useFields(withState, pair?.other ?? '');
    const names = pair ? [...fieldsOf(pair.left, own), ...fieldsOf(pair.right, others)] : own;
    const set = (name) => (value) => setAsked((before) => ({ ...before, [name]: value }));
    const run = (event, explain = false) => {
        event?.preventDefault();
        const kept = Object.fromEntries(PARTS.map((part) => [part, asked[part]]).filter(([, value]) => value));
        go('query', kept, true);
        answer.run(explain ? { ...kept, explain } : kept);
    };
    useEffect(() => {
        if (parameters.topic) {
            setAsked({ limit: '100', ...parameters });
            answer.run({ limit: '100', ...parameters });
        }
    }, [parameters.topic]);
    return html`
        <${Head} title="State" note="What topics with a key hold now." />
        <div class="stack">
            <form class="card stack" onSubmit=${run}>
                <div class="row">
                    <${TopicField} topics=${withState} value=${asked.topic ?? ''} onInput=${set('topic')} />
                    <${Editor} label="Filter" placeholder="price > 100 AND side = 'B'" value=${asked.filter ?? ''} onInput=${set('filter')} names=${names} invalid=${answer.problem?.status === 400} />
                </div>
                <div class="row">
                    <${Editor} label="Select" placeholder="all fields" value=${asked.select ?? ''} onInput=${set('select')} names=${names} keywords=${false} />
                    <${Editor} label="Order by" placeholder="price DESC" value=${asked.orderBy ?? ''} onInput=${set('orderBy')} names=${names} keywords=${false} />
                    <${Field} label="Records at most">${(id) => html`<select id=${id} value=${asked.limit} onChange=${(event) => set('limit')(event.target.value)}>${LIMITS.map((limit) => html`<option value=${limit}>${exact(limit)}</option>`)}</select>`}<//>
                </div>
                ${more && html`<div class="row">
                    <${Editor} label="Join" placeholder="LEFT JOIN customers AS c ON /orders/customer = /c/id" value=${asked.join ?? ''} onInput=${set('join')} names=${names} keywords=${false} />
                </div>
                <div class="row">
                    <${Editor} label="Group by" placeholder="market" value=${asked.groupBy ?? ''} onInput=${set('groupBy')} names=${names} keywords=${false} />
                    <${Editor} label="Having" placeholder="n > 10" value=${asked.having ?? ''} onInput=${set('having')} names=${names} />
                    <${TextField} label="As of" placeholder="0:1234 or 2026-05-01T09:30:00Z" value=${asked.asOf ?? ''} onInput=${set('asOf')} />
                </div>`}
                <div class="row">
                    <button class="button main" disabled=${!asked.topic}>Run the query</button>
                    <button type="button" class="button" disabled=${!asked.topic} onClick=${() => run(null, true)}>Run with its plan</button>
                    ${answer.busy && html`<button type="button" class="button" onClick=${answer.stop}>Stop</button>`}
                    ${!more && html`<button type="button" class="button" onClick=${() => setMore(true)}>Joins, groups and past states</button>`}
                    <${Exports} rows=${answer.rows} topic=${answer.topic} />
                </div>
                <${ProblemNote} problem=${topics.error} onRetry=${topics.reload} />
                <${Refused} problem=${answer.problem} filter=${asked.filter ?? ''} />
            </form>
            <${Answer} answer=${answer} none=${topics.data !== null && withState.length === 0} />
        </div>
    `;
}

function Refused({ problem, filter }) {
    if (!problem) {
        return null;
    }
    const at = problem.message.startsWith('filter') ? mistakeAt(problem.message) : -1;
    return html`
        <${ProblemNote} problem=${problem} />
        ${at >= 0 && at <= filter.length && html`<p class="mono" aria-hidden="true">${filter.slice(0, at)}<mark>${filter.slice(at, at + 1) || ' '}</mark>${filter.slice(at + 1)}</p>`}
    `;
}

function Exports({ rows, topic }) {
    if (rows.length === 0) {
        return null;
    }
    const name = topic.replace(/[^\w.-]+/g, '_').slice(0, 80);
    const lines = () => rows.map((row) => (row.encoding === 'base64' ? JSON.stringify(row.payload) : row.payload)).join('\n');
    const asCsv = () => csv(rows.map((row) => row.value ?? { key: row.key, message: row.payload }));
    return html`
        <button type="button" class="button" onClick=${() => download(`${name}.csv`, 'text/csv', asCsv())}>Save as CSV</button>
        <button type="button" class="button" onClick=${() => download(`${name}.ndjson`, 'application/x-ndjson', `${lines()}\n`)}>Save as JSON</button>
    `;
}

function Answer({ answer, none }) {
    const [chosen, setChosen] = useState(null);
    useEffect(() => setChosen(null), [answer.rows.length === 0]);
    const columns = useMemo(() => fieldColumns(answer.rows), [answer.rows]);
    if (!answer.done && answer.rows.length === 0) {
        const text = answer.busy ? 'The query runs.' : none ? 'No topic of this broker has a key, so none keeps state.' : 'Choose a topic and run a query. Fields are completed while you write; Ctrl and space shows them.';
        return html`<div class="card"><${Empty} title=${answer.busy ? 'Wait' : 'Nothing asked yet'}>${text}<//></div>`;
    }
    const done = answer.done;
    const summary = done ? `${exact(done.returned)} of ${exact(done.matches)} that match, of ${exact(done.topicMatches)} in the topic, in ${done.elapsedMs < 10 ? done.elapsedMs.toFixed(2) : Math.round(done.elapsedMs)} ms` : `${exact(answer.rows.length)} so far`;
    return html`
        <p role="status">${summary}</p>
        ${done?.explanation && html`<section class="card stack" aria-label="Plan"><h2>Plan</h2><pre class="mono">${done.explanation}</pre></section>`}
        ${answer.rows.length === 0
            ? html`<div class="card"><${Empty} title="No record matches">Change the filter, or leave it out to see all records.<//></div>`
            : html`<div class=${chosen ? 'split' : 'stack'}>
                <${Records} name="Records" rows=${answer.rows} columns=${columns} chosen=${chosen} onChoose=${setChosen} />
                ${chosen && html`<${RecordCard} row=${chosen} onClose=${() => setChosen(null)} />`}
            </div>`}
    `;
}

/** The answer to the last query; one that runs is given up when another begins. */
function useAnswer() {
    const [state, setState] = useState({ rows: [], done: null, problem: null, busy: false, topic: '' });
    const running = useRef(null);
    useEffect(() => () => running.current?.abort(), []);
    const run = async (asked) => {
        running.current?.abort();
        const own = new AbortController();
        running.current = own;
        const rows = [];
        let done = null;
        let problem = null;
        setState({ rows: [], done: null, problem: null, busy: true, topic: asked.topic });
        const onLine = (line) => {
            if (line.record) {
                rows.push(numbered(line.record, rows.length));
            } else if (line.error) {
                problem = Object.assign(new Error(line.error.detail), line.error);
            } else {
                done = line.done;
            }
        };
        try {
            await query({ ...asked, limit: Number(asked.limit || 100) }, onLine, own.signal);
        } catch (error) {
            if (error.name === 'AbortError') {
                if (running.current === own) {
                    setState((before) => ({ ...before, busy: false }));
                }
                return;
            }
            problem = error;
        }
        if (running.current === own) {
            announce(problem ? 'The query was refused.' : `The query gave ${rows.length} records.`);
            setState({ rows, done, problem, busy: false, topic: asked.topic });
        }
    };
    return { ...state, run, stop: () => running.current?.abort() };
}
