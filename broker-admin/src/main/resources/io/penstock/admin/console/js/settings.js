// What a user chooses for this browser: theme and zone.
import { createContext, useContext } from './lib.js';
import { time } from './format.js';

const memory = new Map();

export function stored(name, otherwise) {
    try {
        return localStorage.getItem(`penstock.${name}`) ?? otherwise;
    } catch {
        return memory.get(name) ?? otherwise;
    }
}

export function store(name, value) {
    memory.set(name, value);
    try {
        localStorage.setItem(`penstock.${name}`, value);
    } catch {
        // Kept until the page is left.
    }
}

/** `light`, `dark`, or `system` for what the system says. */
export function applyTheme(theme) {
    store('theme', theme);
    if (theme === 'system') {
        delete document.documentElement.dataset.theme;
    } else {
        document.documentElement.dataset.theme = theme;
    }
    window.dispatchEvent(new Event('themechange'));
}

/** `utc` or `local`. */
export const Zone = createContext('utc');

/** A function that writes times in the zone that the user has chosen. */
export function useTime() {
    const zone = useContext(Zone);
    return (value) => time(value, zone === 'utc');
}

/** The session: `user`, `permissions` and the like; see the API's schema Session. */
export const Session = createContext({ user: '', anonymous: true, roles: [], permissions: [] });

/** Whether the user may do something. */
export function useMay(action) {
    return useContext(Session).permissions.includes(action);
}
