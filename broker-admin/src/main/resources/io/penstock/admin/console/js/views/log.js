// The log of each shard, and its files.
import { get } from '../api.js';
import { bytes, count, exact } from '../format.js';
import { html } from '../lib.js';
import { useResource } from '../resource.js';
import { Empty, Head, Pill, ProblemNote } from '../components/parts.js';
import { Table } from '../components/table.js';

export function Log() {
    const log = useResource((signal) => get('log', {}, signal), [], 3000);
    return html`
        <${Head} title="Log and files" />
        <div class="stack">
            <${ProblemNote} problem=${log.error} onRetry=${log.reload} />
            ${log.data?.items.map((shard) => html`<${Shard} key=${shard.shard} shard=${shard} />`)}
        </div>
    `;
}

function Shard({ shard }) {
    const files = shard.files ?? [];
    const waiting = shard.journaled ? shard.lastSequence - (shard.durableSequence ?? 0) : 0;
    const title = `shard-${shard.shard}-${shard.journaled ? 'files' : 'memory'}`;
    return html`<section class="card stack" aria-labelledby=${title}>
        <h2 id=${title}>Shard ${shard.shard} <${Pill} tone=${{ ok: 'good', none: '' }[shard.status] ?? 'bad'}>${shard.journaled ? shard.status : 'in memory'}<//></h2>
        <dl class="facts">
            <dt>Last sequence</dt><dd>${exact(shard.lastSequence)}</dd>
            ${shard.journaled && html`
                <dt>Durable</dt><dd>${exact(shard.durableSequence)} <span class="quiet">(${exact(waiting)} records wait)</span></dd>
                <dt>Written</dt><dd>${exact(shard.writtenSequence)}; ${bytes(shard.bytesWritten)} in ${count(shard.syncs)} syncs since the start</dd>
                <dt>Snapshot</dt><dd>${shard.snapshotSequence > 0 ? html`of ${exact(shard.snapshotSequence)}, ${bytes(shard.snapshotBytes)}` : 'none yet'}</dd>
            `}
            <dt>Window</dt><dd>${bytes(shard.windowBytes)} <span class="quiet">(position ${exact(shard.publishedPosition)})</span></dd>
        </dl>
        ${shard.journaled && (files.length === 0
            ? html`<${Empty} title="No files">The log has none yet.<//>`
            : html`
                <p class="quiet">${exact(files.length)} ${files.length === 1 ? 'file' : 'files'}, from sequence ${exact(files[0].firstSequence)} on</p>
                <${Table} name=${`Files of shard ${shard.shard}`} rows=${files} rowKey=${(file) => file.name} columns=${FILE_COLUMNS} />
            `)}
    </section>`;
}

const FILE_COLUMNS = [
    { name: 'File', look: 'mono', value: (file) => file.name },
    { name: 'First sequence', number: true, value: (file) => file.firstSequence, show: (file) => exact(file.firstSequence) },
];
