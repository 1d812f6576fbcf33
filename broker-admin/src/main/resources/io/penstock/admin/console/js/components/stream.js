// What the views of live and of past messages have in common.
import { exact } from '../format.js';
import { html, useEffect, useState } from '../lib.js';
import { ROW_COUNT_MAX } from '../follow.js';
import { Empty, Pill, ProblemNote, download } from './parts.js';
import { RecordCard, Records, payloadOf, useMessageColumns } from './records.js';

const SAID = {
    idle: ['', 'not started'],
    connecting: ['', 'connecting'],
    following: ['good', 'following'],
    paused: ['warn', 'paused'],
    lost: ['bad', 'connection lost, trying again'],
    ended: ['', 'ended'],
};

/** Buttons that start, pause and stop a stream. */
export function StreamButtons({ stream, start, ready }) {
    const running = ['connecting', 'following', 'paused', 'lost'].includes(stream.status);
    return html`
        <button class="button main" disabled=${!ready}>${running ? `${start} anew` : start}</button>
        ${stream.status === 'following' && html`<button type="button" class="button" onClick=${stream.pause}>Pause</button>`}
        ${stream.status === 'paused' && html`<button type="button" class="button" onClick=${stream.resume}>Resume</button>`}
        ${running && html`<button type="button" class="button" onClick=${stream.stop}>Stop</button>`}
        ${stream.rows.length > 0 && html`<button type="button" class="button" onClick=${stream.clear}>Clear</button>`}
        ${stream.rows.length > 0 && html`<button type="button" class="button" onClick=${() => download('messages.ndjson', 'application/x-ndjson', lines(stream.rows))}>Save as JSON</button>`}
    `;
}

const lines = (rows) => `${rows.map((row) => JSON.stringify({ topic: row.topic, bookmark: row.bookmark, timeMs: row.timeMs, kind: row.kind, key: row.key, payload: payloadOf(row) })).join('\n')}\n`;

/** The messages of a stream. */
export function StreamRows({ stream, name, showTopic, none }) {
    const [chosen, setChosen] = useState(null);
    const [atEnd, setAtEnd] = useState(true);
    const columns = useMessageColumns(showTopic);
    useEffect(() => {
        if (stream.rows.length === 0) {
            setChosen(null);
        }
    }, [stream.rows.length === 0]);
    const [tone, text] = SAID[stream.status];
    return html`
        <p class="row"><span role="status"><${Pill} tone=${tone}>${text}<//></span> <span>${exact(stream.taken)} messages${stream.dropped > 0 ? html`, <span class="quiet">the last ${exact(ROW_COUNT_MAX)} at most are kept</span>` : ''}</span>
        ${!atEnd && stream.status === 'following' && html`<button class="link" onClick=${() => setAtEnd(true)}>Go to the end</button>`}</p>
        <${ProblemNote} problem=${stream.problem} />
        ${stream.rows.length === 0
            ? html`<div class="card"><${Empty} title=${stream.status === 'following' ? 'No message yet' : 'No messages'}>${none}<//></div>`
            : html`<div class=${chosen ? 'split' : 'stack'}>
                <${Records} name=${name} rows=${stream.rows} columns=${columns} chosen=${chosen} onChoose=${setChosen} follow=${atEnd && stream.status === 'following'} onFollow=${setAtEnd} />
                ${chosen && html`<${RecordCard} row=${chosen} onClose=${() => setChosen(null)} />`}
            </div>`}
    `;
}
