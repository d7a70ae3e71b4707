import assert from 'node:assert/strict';
import { test } from 'node:test';
import { formatsOf } from '../../../src/core/representations/representation.ts';
import { nameOf, pathsOf } from '../../../src/faces/description/name.ts';
import { operations } from '../../../src/main/operations.ts';
import { openMemory } from '../../engines/memory/open.ts';
import { startTestService } from '../../service/start.ts';
import { ask } from '../../service/talk.ts';

interface Group {
  readonly name: string;
  readonly operations: readonly { readonly operation: string; readonly id: string }[];
}

async function groupsBy(url: string, grouping: string): Promise<readonly Group[]> {
  const { status, text } = await ask(`${url}/index/${grouping}?format=json`);
  assert.equal(status, 200, text);
  return JSON.parse(text).data.groups;
}

const names = ({ operations: members }: Group) => members.map(({ operation }) => operation);

test('the index lists every operation by family, by lifecycle and by each of its paths', async (t) => {
  const { url } = await startTestService(t, { TESSERA_INDEX: 'public' }, openMemory);
  const expected = {
    family: operations.map((each) => [each.family, nameOf(each)]),
    lifecycle: operations.map((each) => [each.lifecycle, nameOf(each)]),
    uri: operations.flatMap((each) => pathsOf(each).map((path) => [path, nameOf(each)])),
  };
  for (const [grouping, pairs] of Object.entries(expected)) {
    const groups = await groupsBy(url, grouping);
    const listed = groups.flatMap((group) => names(group).map((name) => [group.name, name]));
    assert.deepEqual(listed.map(String).sort(), pairs.map(String).sort());
    assert.equal(new Set(groups.map(({ name }) => name)).size, groups.length);
  }
  assert.deepEqual(
    JSON.parse((await ask(`${url}/index?format=json`)).text).data.groups,
    await groupsBy(url, 'family'),
  );
});

test('every link of the index leads to a page, below the base path that the caller used', async (t) => {
  const { url } = await startTestService(t, { TESSERA_INDEX: 'public' }, openMemory);
  for (const base of ['', '/alfresco/service']) {
    const { text } = await ask(`${url}${base}/index/uri`);
    const targets = new Set([...text.matchAll(/href="([^"]*)"/g)].map(([, target]) => target as string));
    assert.equal(targets.size, 5);
    for (const target of targets) {
      assert.ok(target.startsWith(`${base}/`), target);
      assert.equal((await ask(url + target)).status, 200, target);
    }
  }
});

test('pages need no script, load nothing, tell their language and have one first heading', async (t) => {
  const { url } = await startTestService(t, { TESSERA_INDEX: 'public' }, openMemory);
  for (const path of ['/index', '/index/lifecycle', '/nothing']) {
    const { text, headers } = await ask(url + path, { headers: { accept: 'text/html' } });
    assert.match(text, /^<!doctype html>\n<html lang="en">/);
    assert.match(text, /<meta name="viewport" content="width=device-width">/);
    assert.equal([...text.matchAll(/<h1>/g)].length, 1);
    assert.doesNotMatch(text, /<script|<link|<img|\son\w+=| style=/);
    for (const [table] of text.matchAll(/<thead>.*?<\/thead>/gs)) assert.match(table, /<th scope="col">/);
    const policy = headers.get('content-security-policy') ?? '';
    assert.match(policy, /^default-src 'none';style-src 'sha256-[\w+/=]+';/);
    assert.doesNotMatch(policy, /script-src|unsafe/);
  }
});

test('the index shows every attribute of every operation', async (t) => {
  const { url } = await startTestService(t, { TESSERA_INDEX: 'public' }, openMemory);
  const groups = await groupsBy(url, 'family');
  const entries = new Map(groups.flatMap((group) => group.operations.map((each) => [each.id, each])));
  const { text } = await ask(`${url}/index`, { headers: { accept: 'text/html' } });
  for (const operation of operations) {
    const { id, summary, lifecycle, family, method, authentication, transaction } = operation;
    const { formatStyle, defaultFormat, output, answers = 200, alsoAnswers } = operation;
    const name = nameOf(operation);
    const attributes = {
      operation: name,
      id,
      summary,
      lifecycle,
      family,
      method,
      authentication,
      transaction,
    };
    const more = { formatStyle, defaultFormat, formats: formatsOf(output), answers };
    const also = alsoAnswers === undefined ? {} : { alsoAnswers };
    assert.deepEqual(entries.get(id), { ...attributes, ...more, ...also, paths: pathsOf(operation) });
    const [, row = assert.fail(name)] = text.split(`<td><code>${name.replaceAll('/', '/<wbr>')}</code><br>`);
    const [shown = ''] = row.split('</tr>');
    for (const value of [lifecycle, family, authentication, transaction, formatStyle, defaultFormat, answers])
      assert.ok(shown.includes(String(value)), `${name}: ${value}`);
  }
});
