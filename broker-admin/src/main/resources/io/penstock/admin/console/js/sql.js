// Completion of filters and select lists. Pure functions.
import { part } from './json.js';

const KEYWORDS = ['AND', 'OR', 'NOT', 'BETWEEN', 'IN', 'LIKE', 'LIKE_REGEX', 'ESCAPE', 'IS NULL', 'IS NOT NULL', 'TRUE', 'FALSE', 'BEGINS WITH', 'ENDS WITH', 'CONTAINS'];
const WORD = /(?:\/|"[^"]*|[\p{L}\p{N}_$@])(?:[\p{L}\p{N}_$@/."]*)$/u;
const OPTION_COUNT_MAX = 12;

/** Whether a place of a text is within a literal in single quotes. */
export function withinText(text, at) {
    let within = false;
    for (let index = 0; index < at; index++) {
        if (text[index] === "'") {
            within = !within;
        }
    }
    return within;
}

/** The word that ends at a place of a text: where it begins, and what it is. */
export function wordBefore(text, at) {
    const match = WORD.exec(text.slice(0, at));
    return match === null ? { start: at, word: '' } : { start: match.index, word: match[0] };
}

/**
 * What may stand in place of the word before the cursor.
 *
 * @param names fields, as filters write them
 * @param keywords whether words of conditions are offered, too
 * @returns options, each with `text` and `note`
 */
export function completions(text, at, names, keywords = true) {
    if (withinText(text, at)) {
        return [];
    }
    const { word } = wordBefore(text, at);
    const begin = word.toLowerCase().replace(/^[/"]/, '');
    const fits = (name) => name.toLowerCase().replace(/^[/"]/, '').startsWith(begin);
    const exact = names.some((name) => name === word);
    const found = names.filter((name) => fits(name) && name !== word).map((name) => ({ text: name, note: 'field' }));
    if (keywords && word !== '' && !exact) {
        KEYWORDS.filter((name) => name.toLowerCase().startsWith(word.toLowerCase()) && name !== word.toUpperCase()).forEach((name) => found.push({ text: name, note: '' }));
    }
    return found.slice(0, OPTION_COUNT_MAX);
}

/** The text with an option in place of the word before the cursor, and where the cursor is then. */
export function complete(text, at, option) {
    const { start } = wordBefore(text, at);
    const after = text.slice(at);
    const space = after.startsWith(' ') ? '' : ' ';
    return { text: text.slice(0, start) + option + space + after, at: start + option.length + 1 };
}

const NAME = String.raw`("(?:[^"]|"")*"|[^\s"]+)`;
const JOIN = new RegExp(String.raw`^\s*(?:AS\s+${NAME}\s+)?(?:LEFT\s+|LEFT\s+OUTER\s+|INNER\s+)?JOIN\s+${NAME}(?:\s+AS\s+${NAME})?(?:\s|$)`, 'i');
const unquoted = (name) => (name.startsWith('"') ? name.slice(1, -1).replaceAll('""', '"') : name);

/**
 * The other topic of a join as far as it is written, and how expressions call the records of both.
 *
 * @param topic the query's own
 * @returns `other`, `left` and `right`; null before the other topic is named
 */
export function joined(text, topic) {
    const match = JOIN.exec(text);
    if (match === null) {
        return null;
    }
    const other = unquoted(match[2]);
    return { other, left: match[1] ? unquoted(match[1]) : topic, right: match[3] ? unquoted(match[3]) : other };
}

/** Fields of one side of a join, as expressions name them. */
export function fieldsOf(side, names) {
    return names.map((name) => `/${part(side)}${name.startsWith('/') ? '' : '/'}${name}`);
}

/** Where an error of the filter compiler says that the mistake is: a place from 0, or -1. */
export function mistakeAt(message) {
    const match = / at (\d+):/.exec(message);
    return match === null ? -1 : Number(match[1]) - 1;
}
