// Logging on.
import { change } from '../api.js';
import { html, useState } from '../lib.js';
import { Field, ProblemNote, TextField } from '../components/parts.js';

export function Logon({ onDone, onCancel, reason }) {
    const [user, setUser] = useState('');
    const [password, setPassword] = useState('');
    const [problem, setProblem] = useState(null);
    const [busy, setBusy] = useState(false);
    const submit = async (event) => {
        event.preventDefault();
        setBusy(true);
        try {
            onDone(await change('POST', 'session', { user, password }));
        } catch (error) {
            setProblem(error);
            setBusy(false);
        }
    };
    return html`<main class="logon" id="main">
        <p class="brand"><img src="icon.svg" alt="" />Penstock</p>
        <h1 tabindex="-1" id="title">Log on</h1>
        <form class="card" onSubmit=${submit}>
            ${reason && html`<p>${reason}</p>`}
            <${TextField} label="User" value=${user} onInput=${setUser} autocomplete="username" autocapitalize="off" required autofocus />
            <${Field} label="Password">${(id) => html`<input id=${id} type="password" autocomplete="current-password" value=${password} onInput=${(event) => setPassword(event.target.value)} required />`}<//>
            <${ProblemNote} problem=${problem} />
            <div class="row">
                <button class="button main" disabled=${busy}>Log on</button>
                ${onCancel && html`<button type="button" class="button" onClick=${onCancel}>Go on without</button>`}
            </div>
        </form>
    </main>`;
}
