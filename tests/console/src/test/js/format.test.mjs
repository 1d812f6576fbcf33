import assert from 'node:assert/strict';
import test from 'node:test';
import { byteRate, bytes, count, exact, nanos, percent, rate, span, time, visible, visibleLines } from './console/js/format.js';

test('counts have three figures above 9,999', () => {
    assert.deepEqual([0, 7, 9999, 10000, 12345, 999499, 999500, 1234567, 2e9].map(count), ['0', '7', '9,999', '10.0 k', '12.3 k', '999 k', '1.00 M', '1.23 M', '2.00 G']);
    assert.equal(count(-12345), '-12.3 k');
    assert.equal(exact(1234567), '1,234,567');
});

test('what is no number is a dash', () => {
    for (const write of [count, exact, rate, bytes, byteRate, nanos, span, percent, time]) {
        assert.deepEqual([write(undefined), write(null), write(NaN)], ['–', '–', '–'], write.name);
    }
});

test('rates have their unit', () => {
    assert.deepEqual([0, 0.5, 12, 1500.4, 84000, 1.5e6].map(rate), ['0 /s', '0.50 /s', '12 /s', '1,500 /s', '84.0 k/s', '1.50 M/s']);
    assert.equal(byteRate(1536), '1.50 KiB/s');
});

test('lengths go by powers of 1024', () => {
    assert.deepEqual([0, 1023, 1024, 1536, 1048576, 1.5 * 2 ** 40].map(bytes), ['0 B', '1023 B', '1.00 KiB', '1.50 KiB', '1.00 MiB', '1.50 TiB']);
});

test('time spans have the unit that fits', () => {
    assert.deepEqual([999, 1500, 2.5e6, 3e9, 7200e9].map(nanos), ['999 ns', '1.50 µs', '2.50 ms', '3.00 s', '2 h']);
    assert.deepEqual([0, 999, 61000, 3600000, 90061000].map(span), ['0 s', '0 s', '1 min 1 s', '1 h', '1 d 1 h']);
});

test('times have their zone', () => {
    assert.equal(time(0), '1970-01-01 00:00:00Z');
    assert.equal(time('2026-05-01T09:30:00.250Z'), '2026-05-01 09:30:00.250Z');
    assert.match(time(0, false), /^19(69|70)-\d\d-\d\d \d\d:\d\d:\d\d[+-]\d\d:\d\d$/);
    assert.equal(time('no time'), '–');
});

test('characters that nobody sees are written out', () => {
    assert.equal(visible('a\u0000b\u001bc\nd\te'), 'a⟨NUL⟩b⟨ESC⟩c⟨LF⟩d⟨TAB⟩e');
    assert.equal(visible('\u202egnp.exe\u2066'), '⟨U+202E⟩gnp.exe⟨U+2066⟩');
    assert.equal(visible('\ud800x\udc00'), '⟨U+D800⟩x⟨U+DC00⟩');
    assert.equal(visible('grüße 漢字 😀 שלום'), 'grüße 漢字 😀 שלום');
    assert.equal(visible('<img onerror>'), '<img onerror>');
    assert.equal(visibleLines('a\r\nb'), 'a⟨CR⟩\nb');
});

test('long texts are cut, and say how long they are', () => {
    const shown = visible('x'.repeat(1048576));
    assert.ok(shown.length < 450);
    assert.match(shown, /… \(1\.00 MiB in all\)$/);
});
