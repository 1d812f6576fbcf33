// Charts: lines over time by uPlot, and a heat map of latencies.
import { html, useEffect, useRef, useState } from '../lib.js';
import { useContext } from '../lib.js';
import { Zone } from '../settings.js';
import { nanos } from '../format.js';

const colour = (name) => getComputedStyle(document.documentElement).getPropertyValue(name).trim();
const SECONDS_SHOWN = 300;
const AXIS_WIDTH = 74;
const GAP_MS = 5000;

/** Counts changes of the theme, so that what is drawn on a canvas is drawn anew. */
function useTheme() {
    const [theme, setTheme] = useState(0);
    useEffect(() => {
        const changed = () => setTheme((before) => before + 1);
        const system = matchMedia('(prefers-color-scheme: dark)');
        window.addEventListener('themechange', changed);
        system.addEventListener('change', changed);
        return () => {
            window.removeEventListener('themechange', changed);
            system.removeEventListener('change', changed);
        };
    }, []);
    return theme;
}

function useWidth(box) {
    const [width, setWidth] = useState(0);
    useEffect(() => {
        const observer = new ResizeObserver((entries) => setWidth(Math.floor(entries[0].contentRect.width)));
        observer.observe(box.current);
        return () => observer.disconnect();
    }, []);
    return width;
}

const clock = (utc) => (seconds) => {
    const date = new Date(seconds * 1000);
    return utc ? date.toISOString().slice(11, 19) : date.toTimeString().slice(0, 8);
};

/** `10.0 ms` as `10 ms`: the marks of an axis are round. */
const short = (text) => text.replace(/(\.\d*?)0+(?= )/, '$1').replace(/\.(?= )/, '');

const BINARY_STEPS = Array.from({ length: 50 }, (_, power) => 2 ** power);

function options({ lines, format, binary }, width, height, utc) {
    const axis = { stroke: colour('--quiet'), font: `11px ${colour('--sans')}`, grid: { stroke: colour('--line'), width: 1 }, ticks: { show: false } };
    return {
        width,
        height,
        legend: { show: false },
        cursor: { points: { size: 6 }, drag: { x: false, y: false } },
        padding: [8, 8, 0, 0],
        scales: { x: { time: true, range: (u, min, max) => [max - SECONDS_SHOWN, max] }, y: { range: (u, min, max) => [0, max > 0 ? max * 1.08 : 1] } },
        axes: [
            { ...axis, size: 24, space: 62, values: (u, splits) => splits.map(clock(utc)), grid: { show: false } },
            { ...axis, size: AXIS_WIDTH, space: 34, values: (u, splits) => splits.map((value) => short(format(value))), ...(binary && { incrs: BINARY_STEPS }) },
        ],
        series: [
            {},
            ...lines.map((line, index) => ({
                label: line.name,
                stroke: colour(index === 0 ? '--accent' : '--second'),
                width: 1.6,
                points: { show: false },
                spanGaps: false,
            })),
        ],
    };
}

/**
 * @param lines one or two, each with `name` and `value`, a function of a sample
 * @param format writes a value with its unit
 * @param binary whether its unit goes by powers of 1024
 */
export function Lines({ title, samples, lines, format, binary = false, height = 170 }) {
    const box = useRef(null);
    const chart = useRef(null);
    const width = useWidth(box);
    const theme = useTheme();
    const utc = useContext(Zone) === 'utc';
    const [at, setAt] = useState(null);
    useEffect(() => {
        if (width === 0) {
            return undefined;
        }
        const made = options({ lines, format, binary }, width, height, utc);
        made.hooks = { setCursor: [(u) => setAt(u.cursor.idx === null || u.cursor.idx === undefined ? null : u.data[0][u.cursor.idx] * 1000)] };
        chart.current = new window.uPlot(made, data(samples, lines), box.current);
        return () => {
            chart.current.destroy();
            chart.current = null;
        };
    }, [width, theme, utc]);
    useEffect(() => chart.current?.setData(data(samples, lines)), [samples]);
    const shown = (at === null ? undefined : samples.find((sample) => sample.timeMs >= at)) ?? samples[samples.length - 1];
    return html`<figure class="card">
        <figcaption>
            ${title}
            ${lines.map((line, index) => html`<span class=${index === 0 ? 'key' : 'key second'}><i></i>${line.name} <b>${shown ? format(line.value(shown)) : '–'}</b></span>`)}
        </figcaption>
        <div class="plot" ref=${box} role="img" aria-label=${summary(title, samples, lines, format)}>
            ${samples.length === 0 && html`<p class="none">Waiting for the first figures.</p>`}
        </div>
    </figure>`;
}

/** The samples as columns; where figures are missing, the line has a gap. */
function data(samples, lines) {
    const columns = [[], ...lines.map(() => [])];
    samples.forEach((sample, index) => {
        if (index > 0 && sample.timeMs - samples[index - 1].timeMs > GAP_MS) {
            columns[0].push(samples[index - 1].timeMs / 1000 + 1);
            lines.forEach((_, line) => columns[line + 1].push(null));
        }
        columns[0].push(sample.timeMs / 1000);
        lines.forEach((line, number) => columns[number + 1].push(line.value(sample) ?? null));
    });
    return columns;
}

function summary(title, samples, lines, format) {
    if (samples.length === 0) {
        return `${title}: no figures yet.`;
    }
    const parts = lines.map((line) => {
        const values = samples.map((sample) => line.value(sample) ?? 0);
        return `${line.name} now ${format(values[values.length - 1])}, at most ${format(Math.max(...values))}`;
    });
    return `${title}, the last ${samples.length} seconds: ${parts.join('; ')}.`;
}

/** Shares of a bucket's count as colour, over time and latency. `pick` gives the buckets of a sample. */
export function HeatMap({ title, samples, pick, none }) {
    const box = useRef(null);
    const canvas = useRef(null);
    const width = useWidth(box);
    const theme = useTheme();
    const measured = samples.filter((sample) => pick(sample));
    const last = measured.length > 0 ? pick(measured[measured.length - 1]) : null;
    useEffect(() => {
        if (last && width > 0) {
            draw(canvas.current, samples, pick, last.leUs, width, 210);
        }
    }, [samples, width, theme]);
    const recent = last ? total(measured.slice(-10).map(pick)) : null;
    const text = recent ? [0.5, 0.99, 1].map((share) => quantile(recent, share)) : null;
    return html`<figure class="card">
        <figcaption>
            ${title}
            ${text && html`<span class="key">half within <b>${text[0]}</b></span><span class="key">99 % within <b>${text[1]}</b></span><span class="key">all within <b>${text[2]}</b></span>`}
            ${text && html`<span class="key">few <span class="scale"></span> many</span>`}
        </figcaption>
        <div class="plot heat" ref=${box} role="img" aria-label=${text ? `${title} of the last 10 seconds: half within ${text[0]}, 99 per cent within ${text[1]}, all within ${text[2]}.` : `${title}: not measured.`}>
            ${last ? html`<canvas ref=${canvas}></canvas>` : html`<p class="none">${samples.length === 0 ? 'Waiting for the first figures.' : none}</p>`}
        </div>
    </figure>`;
}

function total(all) {
    const counts = all[0].counts.map((_, index) => all.reduce((sum, buckets) => sum + (buckets.counts[index] ?? 0), 0));
    return { leUs: all[0].leUs, counts };
}

/** The upper bound below which a share of the counts lies, as text. */
export function quantile({ leUs, counts }, share) {
    const all = counts.reduce((sum, value) => sum + value, 0);
    if (all === 0) {
        return '–';
    }
    let sum = 0;
    for (let index = 0; index < leUs.length; index++) {
        sum += counts[index];
        if (sum >= all * share) {
            return nanos(leUs[index] * 1000);
        }
    }
    return `over ${nanos(leUs[leUs.length - 1] * 1000)}`;
}

function draw(canvas, samples, pick, leUs, width, height) {
    const ratio = window.devicePixelRatio || 1;
    canvas.width = width * ratio;
    canvas.height = height * ratio;
    const pen = canvas.getContext('2d');
    pen.scale(ratio, ratio);
    const bottom = 20;
    const rows = leUs.length + 1;
    const rowHeight = (height - bottom) / rows;
    const columnWidth = (width - AXIS_WIDTH) / SECONDS_SHOWN;
    const low = colour('--heat-low').split(/\s+/).map(Number);
    const high = colour('--heat-high').split(/\s+/).map(Number);
    const newest = samples[samples.length - 1].timeMs;
    samples.forEach((sample, index) => {
        const buckets = pick(sample);
        const all = buckets ? buckets.counts.reduce((sum, value) => sum + value, 0) : 0;
        if (all === 0) {
            return;
        }
        const x = width - ((newest - sample.timeMs) / 1000 + 1) * columnWidth;
        if (x < AXIS_WIDTH) {
            return;
        }
        const before = samples[index - 1];
        const wide = before && sample.timeMs - before.timeMs < 3000 ? Math.max(columnWidth, ((sample.timeMs - before.timeMs) / 1000) * columnWidth) : columnWidth;
        buckets.counts.forEach((value, row) => {
            if (value > 0) {
                // The root makes the rare seen beside the many.
                const share = Math.sqrt(value / all);
                pen.fillStyle = `rgb(${low.map((from, part) => Math.round(from + (high[part] - from) * share)).join(' ')})`;
                pen.fillRect(x - wide + columnWidth, height - bottom - (row + 1) * rowHeight, wide + 0.5, rowHeight - 1);
            }
        });
    });
    scale(pen, leUs, width, height, bottom, rowHeight);
}

function scale(pen, leUs, width, height, bottom, rowHeight) {
    pen.fillStyle = colour('--quiet');
    pen.font = `11px ${colour('--sans')}`;
    pen.textAlign = 'right';
    pen.textBaseline = 'middle';
    const every = Math.max(1, Math.ceil(26 / rowHeight));
    leUs.forEach((bound, row) => {
        if (row % every === 0) {
            pen.fillText(short(nanos(bound * 1000)), AXIS_WIDTH - 10, height - bottom - (row + 1) * rowHeight);
        }
    });
    pen.textBaseline = 'bottom';
    pen.textAlign = 'left';
    pen.fillText('5 min ago', AXIS_WIDTH, height - 2);
    pen.textAlign = 'right';
    pen.fillText('now', width, height - 2);
}
