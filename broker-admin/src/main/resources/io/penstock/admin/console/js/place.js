// Places in the log as users write them.

const TIME = /^(\d{4}-\d\d-\d\d)(?:[T ](\d\d:\d\d(?::\d\d(?:\.\d{1,9})?)?))?\s*(Z|[+-]\d\d:\d\d)?$/i;
const BOOKMARK = /^\d+:\d+(,\d+:\d+)*$/;

/**
 * A place as the API takes it: a bookmark, `epoch`, `now`, or a time of ISO 8601 in UTC; empty for none.
 *
 * @param utc the zone of times that have none: UTC, or else that of this machine
 * @throws Error if it is no place, with what it has to be
 */
export function place(text, utc) {
    const wanted = text.trim();
    if (wanted === '' || wanted === 'epoch' || wanted === 'now' || BOOKMARK.test(wanted)) {
        return wanted;
    }
    const match = TIME.exec(wanted);
    const zone = match?.[3]?.toUpperCase() ?? (utc ? 'Z' : '');
    const date = match ? new Date(`${match[1]}T${match[2] ?? '00:00'}${zone}`) : null;
    if (date === null || Number.isNaN(date.getTime())) {
        throw new Error(`No place in the log: ${wanted} (use a time like 2026-05-01 09:30:00, or a bookmark like 0:1234).`);
    }
    return date.toISOString();
}
