import assert from 'node:assert/strict';
import { readFileSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { type TestContext, test } from 'node:test';
import { loadReceivers } from '../../../src/capabilities/webhooks/load.ts';
import { DocumentsFaulty } from '../../../src/core/documents/read-document.ts';
import { OTHER_SECRET, SECRET, webhooksDocument } from './receiver.ts';

const SIEM = { id: 'siem', url: 'https://siem.example.org/hook?source=tessera', secrets: [SECRET] };

async function faultsOf(t: TestContext, ...webhooks: readonly object[]): Promise<string> {
  const file = await webhooksDocument(t, ...webhooks);
  try {
    loadReceivers(file);
  } catch (error) {
    if (error instanceof DocumentsFaulty) return error.message.replaceAll(file, 'FILE');
    throw error;
  }
  return '';
}

test('members that a receiver leaves out have their defaults', async (t) => {
  const [receiver] = loadReceivers(await webhooksDocument(t, SIEM));
  assert.deepEqual(receiver, {
    ...SIEM,
    kinds: [],
    secrets: [Buffer.alloc(32, 7)],
    ca: undefined,
    deadline: 15_000,
  });
});

test('secrets stand in a file beside the document, one on each line', async (t) => {
  const { secrets, ...bare } = SIEM;
  const file = await webhooksDocument(t, { ...bare, secretFile: 'siem.secrets', kinds: ['lock'] });
  writeFileSync(join(dirname(file), 'siem.secrets'), `${OTHER_SECRET}\n${SECRET}\n`);
  const [receiver] = loadReceivers(file);
  assert.deepEqual(receiver?.secrets, [Buffer.alloc(24, 9), Buffer.alloc(32, 7)]);
  assert.deepEqual(receiver?.kinds, ['lock']);
});

test('http is for this machine only', async (t) => {
  for (const host of ['127.0.0.1:8088', 'localhost', '[::1]'])
    assert.equal(await faultsOf(t, { ...SIEM, url: `http://${host}/hook` }), '');
  const far = await faultsOf(t, { ...SIEM, url: 'http://10.0.0.7/hook' });
  assert.match(far, /^FILE:1 \/webhooks\/0\/url: is without https: others could read the events$/);
});

test('each fault is told with its place and its mend, and no secret is shown', async (t) => {
  const { secrets, ...bare } = SIEM;
  const cases: readonly (readonly [object, RegExp])[] = [
    [{ ...SIEM, url: 'siem' }, /\/url: is no URL: write it with https/],
    [{ ...SIEM, url: 'https://me:pw@siem.example.org/' }, /\/url: has a user name/],
    [{ ...SIEM, url: 'https://siem.example.org/#x' }, /\/url: has a fragment/],
    [{ ...SIEM, kinds: ['log-in'] }, /\/kinds\/0/],
    [{ ...SIEM, secrets: ['whsec_dG9vIHNob3J0'] }, /\/secrets\/0/],
    [bare, /\/webhooks\/0: needs its secrets: give secrets or secretFile, and not both/],
    [{ ...SIEM, secretFile: 'x' }, /give secrets or secretFile, and not both/],
    [{ ...bare, secretFile: 'missing' }, /\/secretFile: names a file that cannot be read/],
    [{ ...SIEM, caFile: 'webhooks.json' }, /\/caFile: names a file that holds no certificate/],
    [{ ...SIEM, id: 'SIEM' }, /\/id/],
    [{ ...SIEM, retries: 3 }, /\/retries: is no member/],
  ];
  for (const [written, told] of cases) {
    const faults = await faultsOf(t, written);
    assert.match(faults, told);
    assert.doesNotMatch(faults, /whsec_dG9v|me:pw/);
  }
  assert.match(
    await faultsOf(t, SIEM, { ...SIEM }),
    /\/webhooks\/1\/id: is that of receiver 1: each has its own/,
  );
});

test('a file of secrets that holds something else is refused without showing it', async (t) => {
  const { secrets, ...bare } = SIEM;
  const file = await webhooksDocument(t, { ...bare, secretFile: 'siem.secrets' });
  for (const [written, told] of [
    ['', /is empty: write a secret into it/],
    [`${SECRET}\nhunter2-hunter2\n`, /has no secret as number 2/],
  ] as const) {
    writeFileSync(join(dirname(file), 'siem.secrets'), written);
    assert.throws(
      () => loadReceivers(file),
      (error: Error) => told.test(error.message) && !error.message.includes('hunter2'),
    );
  }
});

test('the document on the page about webhooks is read without a fault', async (t) => {
  const page = readFileSync(new URL('../../../docs/how-to/webhooks.md', import.meta.url), 'utf8');
  const [, shown = ''] = /```json\n([\s\S]*?)```/.exec(page) ?? [];
  const file = await webhooksDocument(t);
  writeFileSync(file, shown);
  writeFileSync(join(dirname(file), 'siem.secret'), `${SECRET}\n`);
  assert.deepEqual(
    loadReceivers(file).map(({ id, kinds }) => [id, kinds.length]),
    [['siem', 5]],
  );
});
