import assert from 'node:assert/strict';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { TestContext } from 'node:test';
import type { PostgresStore } from '../../../src/engines/postgres/open.ts';
import { addUser, aTicket, issue } from '../../core/storage/conformance/samples.ts';
import { openUntilEnd } from '../../engines/postgres/opened.ts';
import { serve } from '../../main/first-start/serve.ts';
import { type Postgres, testsOnPostgres } from '../../service/postgres.ts';
import { PASSWORD, temporaryFolder } from '../../service/start.ts';
import { run } from './command.ts';

const test = await testsOnPostgres();
const HOUR = 60 * 60_000;
/** Loaded into Node: sets its clock two hours ahead. */
const AHEAD = `--import=data:text/javascript,const{now}=Date;Date.now=()=>now()+${2 * HOUR}`;

/** A new database, and the environment of a machine whose clock is ahead. */
async function aheadOf(t: TestContext, server: Postgres) {
  const [data, url] = [await temporaryFolder(t), await server.freshSchema()];
  const store = await openUntilEnd(t, url);
  const keyFile = join(data, 'key');
  writeFileSync(keyFile, 'ab'.repeat(32));
  const env = {
    TESSERA_DATA: data,
    TESSERA_DATABASE: url,
    TESSERA_THROTTLE_KEY_FILE: keyFile,
    NODE_OPTIONS: AHEAD,
  };
  const tessera = async (words: string, stdin = '') => {
    const { stdout, stderr, code } = await run('tessera', words.split(' '), { env, stdin });
    assert.equal(code, 0, stderr);
    return stdout;
  };
  return { store, env, tessera };
}

/** The kinds of the events, each of which has to be from just now. */
async function eventsOfNow(store: PostgresStore): Promise<string[]> {
  const events = await store.read((unit) => unit.events.list({}));
  for (const { at, kind } of events) assert.ok(Math.abs(at - store.clock()) < HOUR, kind);
  return events.map(({ kind }) => kind);
}

test('what the command line changes is recorded by the clock of the database', async (t, server) => {
  const { store, tessera } = await aheadOf(t, server);
  await tessera('users add ana --no-password');
  await tessera('users passwd ana --password-stdin', `${PASSWORD}\n`);
  await tessera('users import - --without-hash', '{"name":"ben","disabled":true}\n');
  await tessera('users import - --without-hash --update', '{"name":"ben","disabled":false}\n');
  await tessera('users disable ana');
  await tessera('tickets revoke --user ana');
  await tessera('tickets revoke --all');
  await tessera('clients add gateway');
  await tessera('clients remove gateway');
  await tessera('users remove ana');
  assert.deepEqual(await eventsOfNow(store), [
    'user-added',
    'password-changed',
    'user-added',
    'user-enabled',
    'user-disabled',
    'tickets-revoked',
    'tickets-revoked',
    'client-added',
    'client-removed',
    'user-removed',
  ]);
});

test('what the command line lists is judged by the clock of the database', async (t, server) => {
  const { store, tessera } = await aheadOf(t, server);
  const now = store.clock();
  const ada = await addUser(store, 'ada', { lockedUntil: now + HOUR });
  const ben = await addUser(store, 'ben');
  await issue(store, aTicket(1, ben, { issuedAt: now, usedAt: now }));
  await store.write((unit) => unit.events.append({ at: now, kind: 'lock', user: ada.name }));
  const [{ state: user }] = JSON.parse(await tessera('users list --json'));
  const [{ state: ticket }] = JSON.parse(await tessera('tickets list --json'));
  assert.match(user, /^locked until /);
  assert.equal(ticket, 'valid');
  assert.equal(JSON.parse(await tessera('events --since PT1H --json')).length, 1);
});

test('the first administrator is recorded by the clock of the database', async (t, server) => {
  const { store, env } = await aheadOf(t, server);
  await serve(t, { env }).url;
  assert.deepEqual(await eventsOfNow(store), ['user-added']);
});
