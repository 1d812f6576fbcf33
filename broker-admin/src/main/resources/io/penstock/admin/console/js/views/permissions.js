// What users may do, and why.
import { get } from '../api.js';
import { visible } from '../format.js';
import { html, useEffect, useState } from '../lib.js';
import { go } from '../route.js';
import { useResource } from '../resource.js';
import { Empty, Field, Head, ProblemNote, TextField } from '../components/parts.js';

/** The actions, in the order in which a client meets them. */
const ACTIONS = ['CONNECT', 'PUBLISH', 'CREATE_TOPIC', 'SUBSCRIBE', 'SUBSCRIBE_PATTERN', 'DELETE', 'DELIVER', 'LIST_TOPICS', 'STAT', 'RESET_PUBLISHER', 'DELETE_TOPIC', 'ADMIN_READ', 'ADMIN_WRITE'];

export function Permissions({ parameters, paths }) {
    const listed = paths.includes('/api/v1/permissions');
    const known = useResource(async (signal) => (listed ? get('permissions', {}, signal) : {}), [listed]);
    const actions = known.data?.actions ?? ACTIONS;
    const users = (known.data?.users ?? []).map((user) => user.user ?? user.name);
    const [user, setUser] = useState(parameters.user ?? '');
    const [topic, setTopic] = useState(parameters.topic ?? '');
    const [asked, setAsked] = useState(parameters.user ? { user: parameters.user, topic: parameters.topic ?? '' } : null);
    const submit = (event) => {
        event.preventDefault();
        go('permissions', { user, topic }, true);
        setAsked({ user, topic });
    };
    return html`
        <${Head} title="Permissions" note="What a user may do, and why." />
        <div class="stack">
            <form class="card row" onSubmit=${submit}>
                ${users.length > 0
                    ? html`<${Field} label="User">${(id) => html`<select id=${id} value=${user} onChange=${(event) => setUser(event.target.value)}><option value="">choose</option>${users.map((name) => html`<option value=${name}>${visible(name, 60)}</option>`)}</select>`}<//>`
                    : html`<${TextField} label="User" value=${user} onInput=${setUser} required />`}
                <${TextField} label="Topic" value=${topic} onInput=${setTopic} placeholder="any" />
                <button class="button main" disabled=${user === ''}>Explain</button>
            </form>
            <${ProblemNote} problem=${known.error} onRetry=${known.reload} />
            ${asked ? html`<${Matrix} asked=${asked} actions=${actions} />` : html`<div class="card"><${Empty} title="Nobody chosen">Name a user and a topic to see what the user may do, and which rule says so.<//></div>`}
        </div>
    `;
}

function Matrix({ asked, actions }) {
    const [rows, setRows] = useState([]);
    const [problem, setProblem] = useState(null);
    useEffect(() => {
        const ended = new AbortController();
        setRows([]);
        setProblem(null);
        Promise.all(actions.map((action) => get('permissions/explain', { user: asked.user, action, topic: asked.topic }, ended.signal).then((answer) => ({ ...answer, action }))))
            .then(setRows)
            .catch((error) => ended.signal.aborted || setProblem(error));
        return () => ended.abort();
    }, [asked]);
    if (problem) {
        return html`<${ProblemNote} problem=${problem} />`;
    }
    return html`<div class="scroll" role="region" aria-label="Permissions" tabindex="0"><table>
        <caption class="unseen">Permissions of ${asked.user}${asked.topic && ` for ${asked.topic}`}</caption>
        <thead><tr><th scope="col">Action</th><th scope="col">Allowed</th><th scope="col">Why</th><th scope="col">Rows and fields</th></tr></thead>
        <tbody>${rows.map((row) => html`<tr>
            <th scope="row">${row.action}</th>
            <td>${row.allowed ? html`<strong class="yes">✓ yes</strong>` : html`<span class="no">✕ no</span>`}</td>
            <td class="wrap">${visible(row.reason ?? [row.role, row.rule].filter(Boolean).join(': '))}</td>
            <td class="wrap mono">${row.filter ? visible(row.filter) : ''}${row.mask?.length > 0 && html` <span class="quiet">without ${visible(row.mask.join(', '))}</span>`}</td>
        </tr>`)}</tbody>
    </table></div>`;
}
