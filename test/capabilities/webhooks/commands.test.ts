import assert from 'node:assert/strict';
import { execFile } from 'node:child_process';
import { join } from 'node:path';
import { type TestContext, test } from 'node:test';
import { fileURLToPath } from 'node:url';
import { temporaryFolder } from '../../service/start.ts';
import { openSqlite } from '../../service/stores.ts';
import { isSigned, readingOf, SECRET, startReceiver, TAKES_ALL, webhooksDocument } from './receiver.ts';

const TESSERA = fileURLToPath(new URL('../../../bin/tessera', import.meta.url));
// Not older than events are kept.
const AT = Date.now() - 3_600_000;

/** Runs the command in a data folder, with this document. */
function run(data: string, document: string, ...words: string[]) {
  const env = { PATH: process.env.PATH, TESSERA_DATA: data, TESSERA_WEBHOOKS: document };
  return new Promise<{ code: number; stdout: string; stderr: string }>((resolve) => {
    execFile(TESSERA, words, { env }, (error, stdout, stderr) =>
      resolve({ code: error ? Number(error.code) : 0, stdout, stderr }),
    );
  });
}

/** More than one call adds again. */
const EVENTS = 502;

/** A data folder with a receiver, of whose deliveries one is dead, one is made, and the others wait. */
async function filled(t: TestContext): Promise<string> {
  const data = join(await temporaryFolder(t), 'data');
  const store = openSqlite(data);
  await store.write(({ webhooks }) => webhooks.setReceivers([{ id: 'siem', kinds: ['lock'] }]));
  await store.write(async ({ events }) => {
    for (let n = 0; n < EVENTS; n += 1) await events.append({ at: AT + n, kind: 'lock', user: `user ${n}` });
  });
  const [made, dead] = await store.write(({ webhooks }) => webhooks.take('siem', AT + 1, AT + 60_000, 2));
  await store.write(async ({ webhooks, events }) => {
    if (made) await webhooks.delivered(made);
    if (dead) await webhooks.giveUp(dead, AT);
    await webhooks.noteDelivered('siem', AT);
    await webhooks.noteFault('siem', AT, 'answered 410');
    await webhooks.noteGone('siem', AT);
    await events.append({ at: AT + EVENTS, kind: 'login' });
  });
  await store.close();
  return data;
}

test('the list shows waiting and dead deliveries with the fault; a replay delivers them again', async (t) => {
  const data = await filled(t);
  const document = await webhooksDocument(t);
  const list = async () => JSON.parse((await run(data, document, 'webhooks', 'list', '--json')).stdout)[0];
  const { waiting, dead, delivered, lastFault, state } = await list();
  const at = new Date(AT).toISOString();
  assert.deepEqual([waiting, dead, delivered, lastFault], [EVENTS - 2, 1, at, 'answered 410']);
  assert.match(state, /^gone since /);
  const onlyDead = await run(data, document, 'webhooks', 'replay', 'siem', '--dead');
  const [delivers, again, missing, bring = ''] = onlyDead.stdout.split('\n');
  assert.equal(delivers, 'The service delivers 1 events to "siem" now.', onlyDead.stderr);
  assert.equal(again, '"siem" gets new events again: it had answered 410.');
  assert.equal(missing, 'Events that happened meanwhile are not among these. Bring them with');
  assert.deepEqual(
    [(await list()).waiting, (await list()).dead, (await list()).state],
    [EVENTS - 1, 0, 'on'],
  );
  const all = await run(data, document, 'webhooks', 'replay', 'siem', '--since', 'PT2H');
  assert.equal(all.stdout, `The service delivers ${EVENTS} events to "siem" now.\n`, all.stderr);
  assert.equal((await list()).waiting, EVENTS);
  const brought = await run(data, document, ...bring.trim().split(' ').slice(1));
  assert.equal(brought.stdout, `The service delivers ${EVENTS} events to "siem" now.\n`, brought.stderr);
  const none = await run(data, document, 'webhooks', 'replay', 'other');
  assert.deepEqual(
    [none.code, none.stderr],
    [1, 'There is no receiver "other": \'tessera webhooks list\' names all.\n'],
  );
});

test('a test message is signed, and the answer is told with its mend', async (t) => {
  const data = await temporaryFolder(t);
  const good = await startReceiver(t, TAKES_ALL);
  const bad = await startReceiver(t, (_n, _request, response) => void response.writeHead(401).end());
  const document = await webhooksDocument(
    t,
    { id: 'good', url: good.url, secrets: [SECRET] },
    { id: 'bad', url: bad.url, secrets: [SECRET] },
  );
  const taken = await run(data, document, 'webhooks', 'test', 'good');
  assert.deepEqual([taken.code, taken.stdout], [0, '"good" took it: answered 204.\n'], taken.stderr);
  const [message = assert.fail()] = good.received;
  assert.ok(isSigned(message, SECRET));
  assert.equal(readingOf(message).type, 'webhook.test');
  const refused = await run(data, document, 'webhooks', 'test', 'bad');
  assert.equal(refused.code, 1);
  assert.match(
    refused.stderr,
    /^"bad" did not take it: answered 401\. Mend: see that it has the same secret/,
  );
  const unknown = await run(data, document, 'webhooks', 'test', 'other');
  assert.match(unknown.stderr, /^The document has no receiver "other"/);
});
