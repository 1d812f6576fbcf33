// How the broker is, at a glance.
import { get } from '../api.js';
import { byteRate, bytes, count, exact, rate, span } from '../format.js';
import { html } from '../lib.js';
import { useLive } from '../live.js';
import { useResource } from '../resource.js';
import { useTime } from '../settings.js';
import { Head, Pill } from '../components/parts.js';
import { HeatMap, Lines } from '../components/plot.js';

const LATENCY = (sample) => sample.latency;
const DELIVERY = (sample) => sample.times?.delivery;
const PERSIST = (sample) => sample.times?.persist;
const CYCLES = (sample) => sample.times?.dutyCycle;
const MESSAGES = [
    { name: 'in', value: (sample) => sample.messagesIn },
    { name: 'out', value: (sample) => sample.messagesOut },
];
const BYTES = [
    { name: 'in', value: (sample) => sample.bytesIn },
    { name: 'out', value: (sample) => sample.bytesOut },
];
const SYNCS = [{ name: 'syncs', value: (sample) => sample.journalSyncs }];
const WRITTEN = [{ name: 'written', value: (sample) => sample.journalBytes }];

export function Overview() {
    const live = useLive();
    const ready = useResource((signal) => get('health/ready', {}, signal), [], 5000);
    const now = live.samples[live.samples.length - 1];
    return html`
        <${Head} title="Overview">
            <${Health} ready=${ready} journal=${now?.journalStatus} />
        <//>
        <div class="stack">
            ${ready.data?.reasons?.length > 0 && html`<div class="notice bad" role="status"><p><strong>Not ready:</strong> ${ready.data.reasons.join('; ')}</p></div>`}
            <${Journal} status=${now?.journalStatus} />
            <${Figures} now=${now} />
            <div class="pair">
                <${Lines} title="Messages" samples=${live.samples} lines=${MESSAGES} format=${rate} />
                <${Lines} title="Payload" samples=${live.samples} lines=${BYTES} format=${byteRate} binary />
            </div>
            <div class="pair">
                <${HeatMap} title="From applying a record to its delivery" samples=${live.samples} pick=${DELIVERY} none="Nothing was measured yet." />
                <${HeatMap} title="Duty cycles of the broker's threads" samples=${live.samples} pick=${CYCLES} none="Nothing was measured yet." />
            </div>
            <${HeatMap} title="Time until I/O agents answer" samples=${live.samples} pick=${LATENCY} none="Nothing was measured yet." />
            ${now && now.journalStatus !== 'none' && html`<div class="pair">
                <${Lines} title="Log: syncs" samples=${live.samples} lines=${SYNCS} format=${rate} />
                <${Lines} title="Log: bytes" samples=${live.samples} lines=${WRITTEN} format=${byteRate} binary />
            </div>
            <${HeatMap} title="From applying a record to stable storage" samples=${live.samples} pick=${PERSIST} none="Nothing was measured yet." />`}
            <${Facts} info=${live.info} now=${now} />
        </div>
    `;
}

function Health({ ready, journal }) {
    if (ready.error || (ready.data === null && ready.loading)) {
        return html`<${Pill} tone=${ready.error ? 'bad' : ''}>${ready.error ? 'no answer' : 'asking'}<//>`;
    }
    const good = ready.data.status === 'ready';
    return html`
        <${Pill} tone=${good ? 'good' : 'bad'}>${good ? 'ready' : 'not ready'}<//>
        ${journal && journal !== 'none' && html`<${Pill} tone=${journal === 'ok' ? 'good' : 'bad'}>log ${journal}<//>`}
    `;
}

function Journal({ status }) {
    const text = {
        full: 'The disk of the log is full. Journaled topics take no messages until there is room again.',
        failed: 'The log cannot be written. Journaled topics take no messages. Read the log of the broker, mend the disk, and start the broker again.',
    }[status];
    return text ? html`<div class="notice bad" role="status"><p>${text}</p></div>` : null;
}

function Figures({ now }) {
    const figure = (name, value, note) => html`<div><dt>${name}</dt><dd>${value}${note && html` <small>${note}</small>`}</dd></div>`;
    return html`<dl class="figures" aria-label="Figures now">
        ${figure('Messages in', rate(now?.messagesIn))}
        ${figure('Messages out', rate(now?.messagesOut))}
        ${figure('Connections', count(now?.connections))}
        ${figure('Subscriptions', count(now?.subscriptions), now?.subscriptionsBehind > 0 ? `${count(now.subscriptionsBehind)} behind` : '')}
        ${figure('Not durable yet', count(now?.undurable))}
        ${figure('Refused', rate(now?.refused))}
        ${figure('Errors', count(now?.errors), 'since the start')}
        ${figure('Heap', bytes(now?.heapUsedBytes))}
    </dl>`;
}

function Facts({ info, now }) {
    const time = useTime();
    if (!info) {
        return null;
    }
    return html`<section class="card" aria-labelledby="facts-title">
        <h2 id="facts-title">This broker</h2>
        <dl class="facts">
            <dt>Version</dt><dd>${info.version} on Java ${info.jdk}, ${info.os}</dd>
            <dt>Started</dt><dd>${time(info.startedMs)}${now && html` <span class="quiet">(up ${span(now.timeMs - info.startedMs)})</span>`}</dd>
            <dt>Threads</dt><dd>${info.threading}, ${info.idle}; ${exact(info.ioAgents)} I/O, ${exact(info.shards)} ${info.shards === 1 ? 'shard' : 'shards'}, ${exact(info.cpus)} CPUs</dd>
            <dt>Listens on</dt><dd>${info.endpoints.join(', ') || 'no endpoint'}</dd>
            <dt>Heap</dt><dd>${bytes(now?.heapUsedBytes ?? info.heapUsedBytes)} of ${bytes(info.heapMaxBytes)}</dd>
        </dl>
    </section>`;
}

