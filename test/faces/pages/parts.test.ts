import assert from 'node:assert/strict';
import { test } from 'node:test';
import { html } from '../../../src/faces/pages/html.ts';
import { pageText, type Reader } from '../../../src/faces/pages/layout.ts';
import {
  changeForm,
  choiceField,
  confirmation,
  faultSummary,
  filterForm,
  lineField,
  tickField,
} from '../../../src/faces/pages/parts/form.ts';
import {
  facts,
  figures,
  pager,
  rowCount,
  table,
  tableRows,
  tabs,
} from '../../../src/faces/pages/parts/list.ts';
import { badge, copyText, notice } from '../../../src/faces/pages/parts/notice.ts';
import { sayIn } from '../../../src/faces/pages/texts/texts.ts';
import { attributeOf, elementsOf, textOf } from './markup.ts';

const reader: Reader = { language: 'en', say: sayIn('en'), user: { name: 'anna' }, formToken: 'the token' };

const only = (tag: string, markup: Parameters<typeof elementsOf>[0]) => {
  const found = elementsOf(markup).filter(({ tagName }) => tagName === tag);
  assert.equal(found.length, 1, `one ${tag} in ${markup}`);
  return found[0] as (typeof found)[number];
};

test('each input has a label, and hint and fault describe it', () => {
  const field = { name: 'user', label: 'User name', hint: 'As in e-mails', fault: 'No such user' };
  const fields = [lineField(reader, field), choiceField({ ...field, choices: [] })];
  for (const markup of fields) {
    const input = elementsOf(markup).find(({ tagName }) => /input|select/.test(tagName)) as ReturnType<
      typeof only
    >;
    assert.equal(attributeOf(only('label', markup), 'for'), attributeOf(input, 'id'));
    assert.equal(attributeOf(input, 'aria-invalid'), 'true');
    const ids = attributeOf(input, 'aria-describedby')?.split(' ') ?? [];
    const described = ids.map((id) => elementsOf(markup).find((each) => attributeOf(each, 'id') === id));
    assert.deepEqual(
      described.map((each) => each && textOf(each)),
      ['As in e-mails', 'No such user'],
    );
  }
  const tick = tickField({ name: 'all', label: 'All', hint: 'Every one', isTicked: true });
  assert.equal(attributeOf(only('label', tick), 'for'), attributeOf(only('input', tick), 'id'));
  assert.equal(attributeOf(only('input', tick), 'aria-describedby'), 'field-all-hint');
});

test('a field is required unless its label says that it is optional', () => {
  const required = lineField(reader, { name: 'a', label: 'A' });
  assert.equal(attributeOf(only('input', required), 'required'), '');
  const optional = lineField(reader, { name: 'a', label: 'A', isOptional: true });
  assert.equal(attributeOf(only('input', optional), 'required'), undefined);
  assert.equal(textOf(only('label', optional)), 'A (optional)');
});

test('a field for a new password has a place where its strength is told', () => {
  const markup = lineField(reader, {
    name: 'p',
    label: 'P',
    type: 'password',
    strengthUrl: '/portal/strength',
  });
  const id = attributeOf(only('input', markup), 'data-strength');
  const status = elementsOf(markup).find((each) => attributeOf(each, 'id') === id);
  assert.equal(status && attributeOf(status, 'role'), 'status');
});

test('a form that changes something is a POST with the token of the page', () => {
  const markup = changeForm(reader, { action: '/portal/x', submit: 'Save', hidden: { ticket: 'T"1' } });
  assert.equal(attributeOf(only('form', markup), 'method'), 'post');
  const inputs = elementsOf(markup).filter(({ tagName }) => tagName === 'input');
  assert.deepEqual(
    inputs.map((input) => [attributeOf(input, 'name'), attributeOf(input, 'value')]),
    [
      ['formToken', 'the token'],
      ['ticket', 'T"1'],
    ],
  );
});

test('a confirmation names what it is about, and has a way back', () => {
  const markup = confirmation(reader, {
    ...{
      sentence: html`Ends <b>3</b> tickets.`,
      action: '/portal/x',
      submit: 'Remove',
      cancel: '/portal/users',
    },
  });
  assert.equal(textOf(only('p', markup)), 'Ends 3 tickets.');
  assert.equal(attributeOf(only('a', markup), 'href'), '/portal/users');
});

test('a filter is a GET, and htmx replaces the element that it filters', () => {
  const markup = filterForm(reader, { action: '/portal/users', fields: undefined, results: 'results' });
  const form = only('form', markup);
  assert.equal(attributeOf(form, 'method'), 'get');
  assert.equal(attributeOf(form, 'action'), attributeOf(form, 'hx-get'));
  assert.equal(attributeOf(form, 'hx-target'), '#results');
});

test('the summary of faults leads to each input', () => {
  const markup = faultSummary([{ field: 'user', sentence: 'No such user' }, { sentence: 'Try again' }]);
  assert.equal(attributeOf(only('a', markup), 'href'), '#field-user');
  assert.equal(attributeOf(only('div', markup), 'role'), 'alert');
});

const columns = [
  { heading: 'Name', cell: (row: { name: string; count: number }) => row.name },
  { heading: 'Count', cell: (row: { name: string; count: number }) => row.count, isNumber: true },
];

test('a table names its columns and rows, and scrolls with the keyboard', () => {
  const markup = table({
    caption: 'Users',
    columns,
    rows: [{ name: '<anna>', count: 2 }],
    whenEmpty: 'None',
  });
  const box = only('div', markup);
  assert.deepEqual(
    [attributeOf(box, 'tabindex'), attributeOf(box, 'role'), attributeOf(box, 'aria-label')],
    ['0', 'region', 'Users'],
  );
  const heads = elementsOf(markup).filter(({ tagName }) => tagName === 'th');
  assert.deepEqual(
    heads.map((head) => [textOf(head), attributeOf(head, 'scope')]),
    [
      ['Name', 'col'],
      ['Count', 'col'],
      ['<anna>', 'row'],
    ],
  );
  assert.equal(textOf(only('td', markup)), '2');
});

test('without rows there is a sentence in place of a table, unless new rows arrive', () => {
  assert.equal(
    String(table({ caption: 'Users', columns, rows: [], whenEmpty: 'None' })),
    '<p class="empty">None</p>',
  );
  const tail = { url: '/portal/tail', say: reader.say };
  const markup = table({ caption: 'Users', columns, rows: [], whenEmpty: 'None', tail });
  assert.equal(attributeOf(only('tbody', markup), 'data-tail-url'), '/portal/tail');
  assert.equal(attributeOf(only('tbody', markup), 'data-pause'), 'Pause');
});

test('the rows of a table can be made alone', () => {
  const rows = [{ name: 'anna', count: 2 }];
  const whole = String(table({ caption: 'Users', columns, rows, whenEmpty: 'None' }));
  assert.ok(whole.includes(String(tableRows({ columns, rows }))));
});

test('a list of one page has no pager', () => {
  assert.equal(pager(reader, {}), undefined);
  assert.match(String(pager(reader, { next: '?cursor=2' })), /href="\?cursor=2" rel="next">Next page</);
});

test('texts that count say one and many as the language does', () => {
  const german: Reader = { ...reader, language: 'de', say: sayIn('de') };
  assert.equal(String(rowCount(reader, 1)), '<p class="hint">1 entry</p>');
  assert.equal(String(rowCount(reader, 1_234)), '<p class="hint">1,234 entries</p>');
  assert.equal(String(rowCount(german, 1_234)), '<p class="hint">1.234 Einträge</p>');
  assert.equal(String(rowCount(german, 0)), '<p class="hint">0 Einträge</p>');
  assert.throws(() => reader.say('list.count'), /lacks its value count/);
});

test('facts that are not known are left out', () => {
  const markup = String(
    facts([
      ['Name', 'anna'],
      ['E-mail', undefined],
      ['State', [' ', false]],
    ]),
  );
  assert.match(markup, /<dt>Name<\/dt><dd>anna<\/dd>/);
  assert.doesNotMatch(markup, /E-mail|State/);
});

test('numbers, tabs, notices, badges and texts to copy say what they are', () => {
  assert.match(
    String(figures([{ label: 'Tickets', value: 3, to: '/portal/t' }])),
    /<dt><a href="\/portal\/t">Tickets<\/a><\/dt>/,
  );
  assert.match(
    String(tabs('User', [{ to: '/a', text: 'A' }], '/a')),
    /aria-label="User"><a href="\/a" aria-current="page">A</,
  );
  assert.match(String(notice('bad', 'x')), /role="alert"/);
  assert.match(String(notice('good', 'x')), /role="status"/);
  assert.equal(String(badge('good', 'live')), '<span class="badge good">live</span>');
  assert.match(String(copyText(reader, 'tsk_1')), /<code>tsk_1<\/code>/);
});

test('htmx is loaded by pages that use it alone, without style of its own', () => {
  const page = { title: 'x', body: html`<h1>x</h1>` };
  assert.doesNotMatch(pageText(reader, page), /htmx/);
  const text = pageText(reader, { ...page, usesHtmx: true });
  assert.match(text, /<meta name="htmx-config" content="{&quot;includeIndicatorCSS&quot;:false/);
  assert.match(text, /src="\/portal\/assets\/htmx\.js\?tag=/);
});
