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
  table,
  tableRows,
  tabs,
  totalRows,
} from '../../../src/faces/pages/parts/list.ts';
import { badge, copyText, notice } from '../../../src/faces/pages/parts/notice.ts';
import { sayIn } from '../../../src/faces/pages/texts/texts.ts';
import { attributeOf, elementsNamed, elementsOf, onlyElement, type ParsedElement, textOf } from './markup.ts';
import { readPage } from './read-page.ts';

const reader: Reader = { language: 'en', say: sayIn('en'), user: { name: 'anna' }, formToken: 'the token' };

test('each input has a label, and hint and fault describe it', () => {
  const field = { name: 'user', label: 'User name', hint: 'As in e-mails', fault: 'No such user' };
  const fields = [lineField(reader, field), choiceField({ ...field, choices: [] })];
  for (const markup of fields) {
    const input = elementsOf(markup).find(({ tagName }) => /input|select/.test(tagName)) as ParsedElement;
    assert.equal(attributeOf(onlyElement(markup, 'label'), 'for'), attributeOf(input, 'id'));
    assert.equal(attributeOf(input, 'aria-invalid'), 'true');
    const ids = attributeOf(input, 'aria-describedby')?.split(' ') ?? [];
    const described = ids.map((id) => elementsOf(markup).find((each) => attributeOf(each, 'id') === id));
    assert.deepEqual(
      described.map((each) => each && textOf(each)),
      ['As in e-mails', 'No such user'],
    );
  }
  const tick = tickField({ name: 'all', label: 'All', hint: 'Every one', isTicked: true });
  assert.equal(attributeOf(onlyElement(tick, 'label'), 'for'), attributeOf(onlyElement(tick, 'input'), 'id'));
  assert.equal(attributeOf(onlyElement(tick, 'input'), 'aria-describedby'), 'field-all-hint');
});

test('a field is required unless its label says that it is optional', () => {
  const required = lineField(reader, { name: 'a', label: 'A' });
  assert.equal(attributeOf(onlyElement(required, 'input'), 'required'), '');
  const optional = lineField(reader, { name: 'a', label: 'A', isOptional: true });
  assert.equal(attributeOf(onlyElement(optional, 'input'), 'required'), undefined);
  assert.equal(textOf(onlyElement(optional, 'label')), 'A (optional)');
});

test('a field for a new password has a place where its strength is told', () => {
  const markup = lineField(reader, {
    name: 'p',
    label: 'P',
    type: 'password',
    strengthUrl: '/portal/strength',
  });
  const id = attributeOf(onlyElement(markup, 'input'), 'data-strength');
  const status = elementsOf(markup).find((each) => attributeOf(each, 'id') === id);
  assert.equal(status && attributeOf(status, 'role'), 'status');
});

test('a form that changes something is a POST with the token of the page', () => {
  const markup = changeForm(reader, { action: '/portal/x', submit: 'Save', hidden: { ticket: 'T"1' } });
  assert.equal(attributeOf(onlyElement(markup, 'form'), 'method'), 'post');
  assert.deepEqual(
    elementsNamed(markup, 'input').map((input) => [attributeOf(input, 'name'), attributeOf(input, 'value')]),
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
  assert.equal(textOf(onlyElement(markup, 'p')), 'Ends 3 tickets.');
  assert.equal(attributeOf(onlyElement(markup, 'a'), 'href'), '/portal/users');
});

test('a filter is a GET, and htmx replaces the element that it filters', () => {
  const markup = filterForm(reader, { action: '/portal/users', fields: undefined, results: 'results' });
  const form = onlyElement(markup, 'form');
  assert.equal(attributeOf(form, 'method'), 'get');
  assert.equal(attributeOf(form, 'action'), attributeOf(form, 'hx-get'));
  assert.equal(attributeOf(form, 'hx-target'), '#results');
});

test('the summary of faults leads to each input', () => {
  const markup = faultSummary([{ field: 'user', sentence: 'No such user' }, { sentence: 'Try again' }]);
  assert.equal(attributeOf(onlyElement(markup, 'a'), 'href'), '#field-user');
  assert.equal(attributeOf(onlyElement(markup, 'div'), 'role'), 'alert');
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
  const box = onlyElement(markup, 'div');
  assert.deepEqual(
    [attributeOf(box, 'tabindex'), attributeOf(box, 'role'), attributeOf(box, 'aria-label')],
    ['0', 'region', 'Users'],
  );
  assert.deepEqual(
    elementsNamed(markup, 'th').map((head) => [textOf(head), attributeOf(head, 'scope')]),
    [
      ['Name', 'col'],
      ['Count', 'col'],
      ['<anna>', 'row'],
    ],
  );
  assert.equal(textOf(onlyElement(markup, 'td')), '2');
});

test('without rows there is a sentence in place of a table, unless new rows arrive', () => {
  assert.equal(
    String(table({ caption: 'Users', columns, rows: [], whenEmpty: 'None' })),
    '<p class="empty">None</p>',
  );
  const tail = { url: '/portal/tail', say: reader.say };
  const markup = table({ caption: 'Users', columns, rows: [], whenEmpty: 'None', tail });
  assert.equal(attributeOf(onlyElement(markup, 'tbody'), 'data-tail-url'), '/portal/tail');
  assert.equal(attributeOf(onlyElement(markup, 'tbody'), 'data-pause'), 'Pause');
});

test('the rows of a table can be made alone', () => {
  const rows = [{ name: 'anna', count: 2 }];
  const whole = String(table({ caption: 'Users', columns, rows, whenEmpty: 'None' }));
  assert.ok(whole.includes(String(tableRows({ columns, rows }))));
});

test('a list of one page has no pager', () => {
  assert.equal(pager(reader, '/list', {}, { next: undefined }), undefined);
});

test('the pages of a list lead forward, and back to each page that the reader came from', () => {
  const linksAt = (address: string, next: string | undefined) => {
    const { cursor, before } = Object.fromEntries(new URL(address, 'http://x').searchParams);
    const links = elementsNamed(String(pager(reader, '/list', { find: 'a' }, { cursor, before, next })), 'a');
    return Object.fromEntries(links.map((link) => [textOf(link), attributeOf(link, 'href') ?? '']));
  };
  const addresses = ['/list?find=a'];
  for (let page = 2; page <= 60; page += 1)
    addresses.push(linksAt(addresses.at(-1) as string, `c${page}`)['Next page'] as string);
  assert.equal(addresses[1], '/list?find=a&cursor=c2');
  assert.equal(addresses[2], '/list?find=a&cursor=c3&before=c2');
  assert.deepEqual(linksAt(addresses[0] as string, undefined), {});
  assert.deepEqual(linksAt(addresses[1] as string, undefined), {
    'First page': '/list?find=a',
    'Previous page': '/list?find=a',
  });
  assert.equal(linksAt(addresses[30] as string, undefined)['Previous page'], addresses[29]);
  let [address, back] = [addresses[59] as string, 0];
  for (let previous: string | undefined = address; previous; back += 1) {
    address = previous;
    previous = linksAt(address, undefined)['Previous page'];
    assert.ok(address.length < 400, 'an address stays short');
  }
  assert.equal(new URL(address, 'http://x').searchParams.get('cursor'), `c${61 - back}`);
});

test('texts that count say one and many as the language does', () => {
  const german: Reader = { ...reader, language: 'de', say: sayIn('de') };
  const total = (who: Reader, count: number, isExact = true) => String(totalRows(who, { count, isExact }));
  assert.equal(total(reader, 1), '<p class="hint">1 entry</p>');
  assert.equal(total(reader, 1_234), '<p class="hint">1,234 entries</p>');
  assert.equal(total(german, 1_234), '<p class="hint">1.234 Einträge</p>');
  assert.equal(total(reader, 10_000, false), '<p class="hint">More than 10,000 entries</p>');
  assert.equal(totalRows(reader, undefined), undefined);
  assert.throws(() => reader.say('list.count'), /lacks its value count/);
});

test('facts that are not known are left out', () => {
  const markup = facts([
    ['Name', 'anna'],
    ['E-mail', undefined],
    ['State', [' ', false]],
  ]);
  assert.deepEqual([...readPage(String(markup)).facts], [['Name', 'anna']]);
});

test('numbers, tabs, notices, badges and texts to copy say what they are', () => {
  const number = onlyElement(figures([{ label: 'Tickets', value: 3, to: '/portal/t' }]), 'dt');
  assert.equal(textOf(onlyElement(number, 'a', { href: '/portal/t' })), 'Tickets');
  const tab = onlyElement(tabs('User', [{ to: '/a', text: 'A' }], '/a'), 'nav', { 'aria-label': 'User' });
  assert.equal(textOf(onlyElement(tab, 'a', { href: '/a', 'aria-current': 'page' })), 'A');
  onlyElement(notice('bad', 'x'), 'div', { role: 'alert' });
  onlyElement(notice('good', 'x'), 'div', { role: 'status' });
  assert.equal(textOf(onlyElement(badge('good', 'live'), 'span', { class: 'badge good' })), 'live');
  assert.equal(textOf(onlyElement(copyText(reader, 'tsk_1'), 'code')), 'tsk_1');
});

test('htmx is loaded by pages that use it alone, without style of its own', () => {
  const page = { title: 'x', body: html`<h1>x</h1>` };
  assert.doesNotMatch(pageText(reader, page), /htmx/);
  const text = pageText(reader, { ...page, usesHtmx: true });
  const config = attributeOf(onlyElement(text, 'meta', { name: 'htmx-config' }), 'content');
  assert.equal(JSON.parse(config ?? '').includeIndicatorCSS, false);
  const scripts = elementsNamed(text, 'script').map((script) => attributeOf(script, 'src') ?? '');
  assert.ok(scripts.some((source) => source.startsWith('/portal/assets/htmx.js?tag=')));
});
