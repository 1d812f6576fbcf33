import assert from 'node:assert/strict';
import test from 'node:test';
import { csv, csvCell, fields, LongNumber, member, parse, paths, record, shortText, write } from './console/js/json.js';

test('numbers keep their digits', { skip: !sourceIsKnown() && 'this Node does not tell the source of a number' }, () => {
    for (const digits of ['12345678901234567890123', '9007199254740993', '0.1234567890123456789', '1e400']) {
        const value = parse(`{"a":${digits}}`).a;
        assert.ok(value instanceof LongNumber, digits);
        assert.equal(write({ a: value }, ''), `{"a":${digits}}`);
    }
    assert.equal(parse('1.5'), 1.5);
});

function sourceIsKnown() {
    let known = false;
    JSON.parse('1', (key, value, context) => {
        known = context?.source === '1';
    });
    return known;
}

test('what is no object is no record', () => {
    for (const text of ['', 'x', '1', '"a"', '[1]', 'null', '{"a":']) {
        assert.equal(record(text), null, text);
    }
    assert.deepEqual(record('{"a":[1]}'), { a: [1] });
});

test('a document is written as it was', () => {
    assert.equal(write({ a: [1, { b: 'x"y' }], c: {}, d: [], e: null }, ''), '{"a":[1,{"b":"x\\"y"}],"c":{},"d":[],"e":null}');
    assert.equal(write({ a: [1] }), '{\n  "a": [\n    1\n  ]\n}');
    assert.equal(shortText({ a: 1 }), '{"a":1}');
    assert.equal(shortText(undefined), '');
});

test('a member with a name of objects stays a member', () => {
    const value = record('{"__proto__":{"x":1},"constructor":2}');
    assert.deepEqual(fields([value]), ['__proto__', 'constructor']);
    assert.deepEqual(member(value, '__proto__'), { x: 1 });
    assert.equal(member({}, '__proto__'), undefined);
    assert.equal(csv([value, { a: 1 }]), '__proto__,constructor,a\r\n"{""x"":1}",2,\r\n,,1\r\n');
});

test('paths are as filters write them', () => {
    assert.deepEqual(paths([record('{"a":1,"order":{"id":2,"odd name":3},"and":4,"l":[1]}'), null]), ['a', '/order/id', '/order/"odd name"', '"and"', 'l']);
    assert.equal(paths([Object.fromEntries(Array.from({ length: 500 }, (_, i) => [`f${i}`, i]))], 10).length, 10);
});

test('cells of CSV are quoted, and never formulas', () => {
    assert.equal(csvCell('a,b'), '"a,b"');
    assert.equal(csvCell('a"b\n'), '"a""b\n"');
    assert.equal(csvCell('=1+1'), "'=1+1");
    assert.equal(csvCell('@x'), "'@x");
    assert.equal(csvCell(-5), '-5');
    assert.equal(csvCell(null), '');
    assert.equal(csv([{ a: 1 }, { b: 'x' }]), 'a,b\r\n1,\r\n,x\r\n');
});
