import assert from 'node:assert/strict';
import { execFile } from 'node:child_process';
import { test } from 'node:test';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { newGroup } from '../../src/core/domain/group.ts';
import { userKey } from '../../src/core/domain/user.ts';
import { PATIENCE } from '../service/patience.ts';
import { PASSWORD, startTestService } from '../service/start.ts';
import { whyNoClients } from './installed.ts';

interface Told {
  readonly value?: unknown;
  readonly status?: number;
  readonly message?: string;
}

const run = promisify(execFile);
const SESSION = fileURLToPath(new URL('session.ts', import.meta.url));
const ADF_CLI = fileURLToPath(new URL('node_modules/@alfresco/adf-cli/bin/adf-cli', import.meta.url));
const GENERATIONS = { 'js-api-10': 'fetch', 'js-api-7': 'superagent', 'js-api-3': 'superagent, the oldest' };
const TICKET = /^TICKET_[0-9a-f]{40}$/;
const why = whyNoClients();

/** Plays a whole session in a process of its own: the clients leave promises behind that nobody waits for. */
async function session(library: string, url: string, name: string): Promise<(label: string) => Told> {
  const words = ['--unhandled-rejections=none', SESSION, library, url, name, PASSWORD];
  const { stdout } = await run(process.execPath, words, { timeout: PATIENCE });
  // The clients print errors of their own before it.
  const told: Record<string, Told> = JSON.parse(stdout.slice(stdout.lastIndexOf('{"log in"')));
  return (label) => told[label] ?? assert.fail(`"${label}" is missing in ${stdout}`);
}

function summaryIn({ message = '' }: Told): string {
  return JSON.parse(message).error.briefSummary;
}

for (const [library, how] of Object.entries(GENERATIONS)) {
  test(`${library} (${how}) logs in, uses its ticket, logs out, and is told what is refused`, async (t) => {
    if (why !== undefined) return t.skip(why);
    const service = await startTestService(t);
    await service.addUser('Zoë');
    await service.store.write(async ({ users, profiles, groups }) => {
      const user = await users.findByKey(userKey('Zoë'));
      const group = await groups.add(newGroup('clerks', { displayName: 'All clerks' }));
      assert.ok(user && group);
      await profiles.put(user.id, { firstName: 'Zoë', email: 'zoe@example.org' });
      await groups.addUser(group.id, user.id);
    });
    const told = await session(library, service.url, 'Zoë');
    const ticket = told('log in').value as string;
    assert.match(ticket, TICKET);
    assert.equal(told('log in with the ticket').value, ticket);

    const { entry: discovered } = told('repository').value as { entry: { repository: { edition: string } } };
    assert.equal(discovered.repository.edition, 'Tessera');
    const own = told('own groups').value as { list: { entries: { entry: { id: string } }[] } };
    assert.ok(
      own.list?.entries.some(({ entry }) => entry.id === 'GROUP_clerks'),
      JSON.stringify(own),
    );
    const { entry: person } = told('own person').value as { entry: Record<string, unknown> };
    const { id, firstName, displayName, email, capabilities } = person;
    assert.deepEqual([id, firstName, displayName, email], ['Zoë', 'Zoë', 'Zoë', 'zoe@example.org']);
    assert.equal((capabilities as { isAdmin: boolean }).isAdmin, false);
    assert.equal(told('nobody').status, 404);

    const { list } = told('list').value as { list: { pagination: object; entries: { entry: object }[] } };
    const pagination = { count: 2, hasMoreItems: true, totalItems: 18, skipCount: 1, maxItems: 2 };
    assert.deepEqual({ ...list.pagination }, pagination);
    assert.equal(list.entries.length, 2);
    const root = told('list for the root').value as { list: { entries: unknown[] } };
    assert.equal(root.list.entries.length, 12);
    const one = told('one').value as { entry: { id: string; parameterDefinitions: unknown[] } };
    assert.equal(one.entry.id, 'mail');
    assert.notEqual(one.entry.parameterDefinitions.length, 0);
    for (const label of ['use the ticket', 'made with the ticket'])
      assert.deepEqual(told(label).value, told('one').value, label);

    const script = told('web script').value as { data: unknown[] };
    assert.equal(script.data?.length, 18, JSON.stringify(told('web script')));

    for (const [label, status, summary] of [
      ['list for no node', 404, 'Node not found: nothing'],
      ['none', 404, 'Action definition not found: nothing'],
      ['wrong password', 403, 'Login failed'],
    ] as const) {
      assert.equal(told(label).status, status, label);
      assert.equal(summaryIn(told(label)), summary);
    }
    assert.ok('value' in told('log out'), JSON.stringify(told('log out')));
    assert.equal(told('is logged in').value, false);
    for (const label of ['use the dead ticket', 'log in with the dead ticket', 'made with the dead ticket'])
      assert.equal(told(label).status, 401, label);
    assert.match(told('log in again').value as string, TICKET);
  });
}

const PEOPLE_SESSION = fileURLToPath(new URL('people-session.ts', import.meta.url));

for (const library of ['js-api-10', 'js-api-7'])
  test(`${library} administers people and groups`, async (t) => {
    if (why !== undefined) return t.skip(why);
    const service = await startTestService(t);
    const words = ['--unhandled-rejections=none', PEOPLE_SESSION, library, service.url, PASSWORD];
    const { stdout } = await run(process.execPath, words, { timeout: PATIENCE });
    const { told } = JSON.parse(stdout.slice(stdout.lastIndexOf('{"told"')));
    const shown = told.map((each: { entry?: object; list?: { entries: { entry: object }[] } } | null) =>
      each?.list
        ? each.list.entries.map(({ entry }) => Object.values(entry)[0])
        : Object.values(each?.entry ?? {})[0],
    );
    const groups = ['GROUP_ALFRESCO_ADMINISTRATORS', 'GROUP_bakers'];
    const made = ['dora', 'dora', ['admin', 'dora'], 'GROUP_bakers', 'GROUP_bakers', 'dora'];
    assert.deepEqual(shown, [...made, ['dora'], groups, undefined, undefined]);
  });

test("adf-cli's check of an environment signs in, and says so by its exit code", async (t) => {
  if (why !== undefined) return t.skip(why);
  const service = await startTestService(t);
  const check = (password: string) => {
    const words = ['--host', service.url, '--username', 'admin', '--password', password, '--retry', '1'];
    return run(process.execPath, [ADF_CLI, 'check-cs-env', ...words], { timeout: PATIENCE });
  };
  await check(PASSWORD);
  await assert.rejects(check('wrong'), { code: 1 });
});
