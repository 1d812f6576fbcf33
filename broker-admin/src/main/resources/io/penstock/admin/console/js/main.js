// The frame: who is logged on, which view is shown, and whether the broker is there.
import { Problem, change, get } from './api.js';
import { announce } from './announce.js';
import { html, render, useEffect, useErrorBoundary, useState } from './lib.js';
import { retry, start, stop, useLive } from './live.js';
import { useRoute, write } from './route.js';
import { Session, Zone, applyTheme, store, stored, useTime } from './settings.js';
import { ICONS } from './icons.js';
import { Empty, Head, ProblemNote } from './components/parts.js';
import { Clients } from './views/clients.js';
import { Columns } from './views/columns.js';
import { Log } from './views/log.js';
import { Logon } from './views/logon.js';
import { Overview } from './views/overview.js';
import { Permissions } from './views/permissions.js';
import { Query } from './views/query.js';
import { Replay } from './views/replay.js';
import { Settings } from './views/settings.js';
import { Subscriptions } from './views/subscriptions.js';
import { Tail } from './views/tail.js';
import { Topics } from './views/topics.js';
import { Transports } from './views/transports.js';

const GROUPS = [
    { title: '', views: [['overview', 'Overview', Overview]] },
    { title: 'Data', views: [['topics', 'Topics', Topics], ['query', 'State', Query], ['columns', 'Columns', Columns], ['tail', 'Live tail', Tail], ['replay', 'Replay', Replay]] },
    { title: 'Who', views: [['clients', 'Clients', Clients], ['subscriptions', 'Subscriptions', Subscriptions], ['permissions', 'Permissions', Permissions]] },
    { title: 'Broker', views: [['log', 'Log and files', Log], ['transports', 'Transports', Transports], ['settings', 'Settings', Settings]] },
];
const VIEWS = new Map(GROUPS.flatMap((group) => group.views).map(([name, , view]) => [name, view]));

function Console() {
    const [session, setSession] = useState(null);
    const [problem, setProblem] = useState(null);
    const [logon, setLogon] = useState(false);
    const [paths, setPaths] = useState([]);
    const [zone, setZone] = useState(stored('zone', 'utc'));
    const ask = async () => {
        try {
            setSession(await get('session'));
            setProblem(null);
        } catch (error) {
            setProblem(error);
        }
    };
    useEffect(() => void ask(), []);
    useEffect(() => {
        if (!session) {
            return undefined;
        }
        start();
        get('openapi.json').then((document) => setPaths(Object.keys(document.paths))).catch(() => setPaths([]));
        return stop;
    }, [session]);
    const done = (next) => {
        setLogon(false);
        setProblem(null);
        setSession(next);
        announce(`Logged on as ${next.user}.`);
    };
    if (logon || problem?.status === 401) {
        return html`<${Logon} onDone=${done} onCancel=${logon && session ? () => setLogon(false) : undefined} reason=${logon ? '' : 'This broker shows itself to its users alone.'} />`;
    }
    if (!session) {
        return html`<main class="logon" id="main"><h1>Penstock</h1>${problem ? html`<${ProblemNote} problem=${problem} onRetry=${ask} />` : html`<p class="boot">Asking the broker.</p>`}</main>`;
    }
    const leave = async () => {
        await change('DELETE', 'session').catch(() => {});
        setSession(null);
        ask();
    };
    const chooseZone = (next) => {
        store('zone', next);
        setZone(next);
    };
    return html`<${Session.Provider} value=${session}><${Zone.Provider} value=${zone}>
        <${Frame} session=${session} paths=${paths} zone=${zone} onZone=${chooseZone} onLogon=${() => setLogon(true)} onLogoff=${leave} onExpired=${() => setProblem(new Problem(401, 'Logged off', ''))} />
    <//><//>`;
}

function Frame({ session, paths, zone, onZone, onLogon, onLogoff, onExpired }) {
    const route = useRoute();
    const live = useLive();
    const [open, setOpen] = useState(false);
    useEffect(() => {
        setOpen(false);
        document.getElementById('title')?.focus({ preventScroll: true });
        window.scrollTo(0, 0);
    }, [route.view]);
    useEffect(() => {
        if (live.problem?.status === 401) {
            onExpired();
        }
    }, [live.problem]);
    const View = VIEWS.get(route.view);
    return html`
        <a class="skip" href="#main" onClick=${skip}>Skip to the view</a>
        <div class="frame">
            <header class=${open ? 'side open' : 'side'}>
                <div class="bar">
                    <a class="brand" href=${write('overview')}><img src="icon.svg" alt="" />Penstock</a>
                    <button class="button toggle-menu" aria-expanded=${open ? 'true' : 'false'} aria-controls="views" onClick=${() => setOpen(!open)}>Menu</button>
                </div>
                <nav id="views" aria-label="Views">
                    ${GROUPS.map((group) => html`${group.title && html`<h2>${group.title}</h2>`}<ul>
                        ${group.views.map(([name, title]) => html`<li key=${name}>
                            <a href=${write(name)} aria-current=${name === route.view ? 'page' : undefined}><${Icon} name=${name} />${title}</a>
                        </li>`)}
                    </ul>`)}
                </nav>
                <div class="foot">
                    <div class="who"><span>${session.user}</span>${session.anonymous
                        ? html`<button class="link" onClick=${onLogon}>Log on</button>`
                        : html`<button class="link" onClick=${onLogoff}>Log off</button>`}</div>
                    <${ThemeSwitch} />
                </div>
            </header>
            <main id="main">
                <${Connection} live=${live} />
                <${Guard} key=${route.view}>
                    ${View ? html`<${View} parameters=${route.parameters} paths=${paths} zone=${zone} onZone=${onZone} />` : html`<${Head} title="No such view" /><div class="card"><${Empty} title="No such view">The address names a view that this console does not have. Choose one from the list.<//></div>`}
                <//>
            </main>
        </div>`;
}

function skip(event) {
    event.preventDefault();
    document.getElementById('title')?.focus();
}

function Icon({ name }) {
    return html`<svg viewBox="0 0 16 16" aria-hidden="true"><path d=${ICONS[name]} /></svg>`;
}

function ThemeSwitch() {
    const dark = () => (document.documentElement.dataset.theme ?? (matchMedia('(prefers-color-scheme: dark)').matches ? 'dark' : 'light')) === 'dark';
    const [now, setNow] = useState(dark);
    useEffect(() => {
        const changed = () => setNow(dark());
        const system = matchMedia('(prefers-color-scheme: dark)');
        window.addEventListener('themechange', changed);
        system.addEventListener('change', changed);
        return () => {
            window.removeEventListener('themechange', changed);
            system.removeEventListener('change', changed);
        };
    }, []);
    return html`<div class="who"><span>${now ? 'Dark' : 'Light'}</span><button class="link" onClick=${() => applyTheme(now ? 'light' : 'dark')}>${now ? 'Light theme' : 'Dark theme'}</button></div>`;
}

/** Says when the broker is away, and when it was restarted. */
function Connection({ live }) {
    const time = useTime();
    const [seen, setSeen] = useState(0);
    if (live.status === 'lost') {
        return html`<div class="notice bad" id="connection"><p><strong>No connection to the broker</strong> since ${time(live.lostAt)}. What is shown is from before. The console tries again by itself.</p>
            <button class="button small" onClick=${retry}>Try now</button></div>`;
    }
    if (live.status === 'refused') {
        return html`<div class="notice warn" id="connection"><p><strong>No live figures:</strong> ${live.problem.message}</p></div>`;
    }
    if (live.restartedAt > seen) {
        return html`<div class="notice" id="connection"><p>The broker was restarted at ${time(live.restartedAt)}. Live figures began anew.</p>
            <button class="button small" onClick=${() => setSeen(live.restartedAt)}>Close</button></div>`;
    }
    return null;
}

/** Keeps an error of one view from the others. */
function Guard({ children }) {
    const [error, again] = useErrorBoundary((caught) => console.error(caught));
    return error ? html`<${Head} title="This view failed" /><${ProblemNote} problem=${{ title: 'The console has a mistake', message: String(error.message) }} onRetry=${again} />` : children;
}

const speech = document.createElement('div');
speech.id = 'announcements';
speech.className = 'unseen';
speech.setAttribute('role', 'status');
document.body.append(speech);
const app = document.getElementById('app');
app.textContent = '';
render(html`<${Console} />`, app);
