// What users may do, and why.
import { get, list } from '../api.js';
import { visible } from '../format.js';
import { html, useState } from '../lib.js';
import { go } from '../route.js';
import { useResource } from '../resource.js';
import { Empty, Head, ProblemNote, TextField } from '../components/parts.js';

const LIST_MAX = 1000;

export function Permissions({ parameters }) {
    const roles = useResource((signal) => list('roles', {}, LIST_MAX, signal), []);
    const users = useResource((signal) => list('users', {}, LIST_MAX, signal), []);
    const [user, setUser] = useState(parameters.user ?? '');
    const [given, setGiven] = useState(parameters.roles ?? '');
    const [topic, setTopic] = useState(parameters.topic ?? '');
    const [asked, setAsked] = useState(parameters.user ? { user: parameters.user, roles: parameters.roles ?? '', topic: parameters.topic ?? '' } : null);
    const submit = (event) => {
        event.preventDefault();
        const next = { user, roles: given, topic };
        go('permissions', next, true);
        setAsked(next);
    };
    const known = users.data?.items ?? [];
    if (roles.data?.items.length === 0) {
        return html`
            <${Head} title="Permissions" note="What a user may do, and why." />
            <div class="card"><${Empty} title="This broker has no permissions">It is given them as roles with rules, by permissions.file. Until then everyone who is let in may do what security says.<//></div>
        `;
    }
    return html`
        <${Head} title="Permissions" note="What a user may do, and why." />
        <div class="stack">
            <form class="card row" onSubmit=${submit}>
                <${TextField} label="User" value=${user} onInput=${setUser} required list="known-users" />
                <datalist id="known-users">${known.map((each) => html`<option value=${each.user} />`)}</datalist>
                <${TextField} label="Roles" value=${given} onInput=${setGiven} placeholder="those of the user" />
                <${TextField} label="Topic" value=${topic} onInput=${setTopic} placeholder="none" />
                <button class="button main" disabled=${user === ''}>Explain</button>
            </form>
            ${asked ? html`<${Matrix} asked=${asked} />` : html`<div class="card"><${Empty} title="Nobody chosen">Name a user and a topic to see what the user may do, and which rules say so.<//></div>`}
            <${ProblemNote} problem=${roles.error ?? users.error} onRetry=${() => (roles.reload(), users.reload())} />
            ${roles.data && html`<${Roles} roles=${roles.data} />`}
            ${known.length > 0 && html`<${Users} users=${users.data} />`}
        </div>
    `;
}

function Matrix({ asked }) {
    const answer = useResource((signal) => get('permissions/explain', asked, signal), [asked]);
    if (!answer.data) {
        return html`<${ProblemNote} problem=${answer.error} onRetry=${answer.reload} />`;
    }
    const { user, topic, roles, items } = answer.data;
    return html`<div class="card stack">
        <h2>What may ${visible(user, 60)} do${topic && ` with ${visible(topic, 60)}`}?</h2>
        <p class="quiet">${roles.length > 0 ? `Roles: ${visible(roles.join(', '), 200)}` : 'No roles.'}</p>
        <div class="scroll" role="region" aria-label="Permissions" tabindex="0"><table>
            <caption class="unseen">Permissions of ${visible(user, 60)}</caption>
            <thead><tr><th scope="col">Action</th><th scope="col">Allowed</th><th scope="col">Messages</th><th scope="col">Why</th></tr></thead>
            <tbody>${items.map((row) => html`<tr key=${row.action}>
                <th scope="row">${row.action}</th>
                <td>${row.allowed ? html`<strong class="yes">✓ yes</strong>` : html`<span class="no">✕ no</span>`}</td>
                <td class="wrap mono">${row.condition ? visible(row.condition) : row.allowed ? 'all' : ''}</td>
                <td class="wrap">${row.rules.length > 0 ? row.rules.map((rule) => html`<div>${visible(rule)}</div>`) : 'no rule allows it'}</td>
            </tr>`)}</tbody>
        </table></div>
    </div>`;
}

function Roles({ roles }) {
    return html`<div class="card stack">
        <h2>Roles</h2>
        ${roles.items.map((role) => html`<details key=${role.role}>
            <summary>${visible(role.role, 80)} (${role.rules.length === 1 ? '1 rule' : `${role.rules.length} rules`})</summary>
            <ol>${role.rules.map((rule) => html`<li class="mono wrap">${visible(rule)}</li>`)}</ol>
        </details>`)}
        ${roles.more && html`<p class="quiet">The first ${LIST_MAX}.</p>`}
    </div>`;
}

function Users({ users }) {
    return html`<div class="card stack">
        <h2>Users</h2>
        <div class="scroll" role="region" aria-label="Users" tabindex="0"><table>
            <caption class="unseen">Users of the broker's file</caption>
            <thead><tr><th scope="col">User</th><th scope="col">Roles</th><th scope="col">Attributes</th><th scope="col">Known by</th></tr></thead>
            <tbody>${users.items.map((user) => html`<tr key=${user.user}>
                <th scope="row">${visible(user.user, 60)}${user.disabled && html` <span class="quiet">(disabled)</span>`}</th>
                <td class="wrap">${visible(user.roles.join(', '), 200)}</td>
                <td class="wrap mono">${visible(Object.entries(user.attributes).map(([name, value]) => `${name}=${value}`).join(', '), 200)}</td>
                <td class="wrap">${[user.password && 'password', user.certificates > 0 && 'certificate', user.uids > 0 && 'uid'].filter(Boolean).join(', ')}</td>
            </tr>`)}</tbody>
        </table></div>
        ${users.more && html`<p class="quiet">The first ${LIST_MAX}.</p>`}
    </div>`;
}
