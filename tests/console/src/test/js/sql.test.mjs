import assert from 'node:assert/strict';
import test from 'node:test';
import { complete, completions, fieldsOf, joined, mistakeAt, wordBefore } from './console/js/sql.js';

const NAMES = ['price', 'product', '/order/id', '"odd name"', 'side'];
const texts = (text, at = text.length, keywords = true) => completions(text, at, NAMES, keywords).map((option) => option.text);

test('fields and words are offered for the word before the cursor', () => {
    assert.deepEqual(texts('pr'), ['price', 'product']);
    assert.deepEqual(texts('price > 1 AND PRO'), ['product']);
    assert.deepEqual(texts('/ord'), ['/order/id']);
    assert.deepEqual(texts('odd'), ['"odd name"']);
    assert.deepEqual(texts('side = 1 be'), ['BETWEEN', 'BEGINS WITH']);
    assert.deepEqual(texts('be', 2, false), []);
});

test('nothing is offered within a literal', () => {
    assert.deepEqual(texts("side = 'pr"), []);
    assert.deepEqual(texts("side = 'it''s' AND pr"), ['price', 'product']);
});

test('after a space all fields are offered', () => {
    assert.deepEqual(texts('price > '), NAMES);
});

test('an option takes the place of the word', () => {
    assert.deepEqual(complete('a = 1 AND pr > 2', 12, 'price'), { text: 'a = 1 AND price > 2', at: 16 });
    assert.deepEqual(complete('pr', 2, 'price'), { text: 'price ', at: 6 });
    assert.deepEqual(wordBefore('x AND /a/b', 10), { start: 6, word: '/a/b' });
});

test('the place of a mistake is found in the error', () => {
    assert.equal(mistakeAt('filter: expected a value at 9: price > AND'), 8);
    assert.equal(mistakeAt('filter: no place'), -1);
});

test('the topics of a join are known by their names there', () => {
    assert.equal(joined('', 'orders'), null);
    assert.equal(joined('LEFT JOIN', 'orders'), null);
    assert.deepEqual(joined('join customers ON', 'orders'), { other: 'customers', left: 'orders', right: 'customers' });
    assert.deepEqual(joined('LEFT OUTER JOIN customers AS c ON /o', 'orders'), { other: 'customers', left: 'orders', right: 'c' });
    assert.deepEqual(joined('AS a INNER JOIN "odd ""name" AS b ON', 'orders'), { other: 'odd "name', left: 'a', right: 'b' });
    assert.deepEqual(fieldsOf('orders', ['price', '/size/bid']), ['/orders/price', '/orders/size/bid']);
    assert.deepEqual(fieldsOf('odd-name', ['id']), ['/"odd-name"/id']);
});
