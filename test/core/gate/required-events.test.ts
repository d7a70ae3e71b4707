import assert from 'node:assert/strict';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { type TestContext, test } from 'node:test';
import type { Store } from '../../../src/core/storage/store.ts';
import { testsOnPostgres } from '../../service/postgres.ts';
import { PASSWORD, startTestService, type TestService } from '../../service/start.ts';
import { openPostgres } from '../../service/stores.ts';

const onPostgres = await testsOnPostgres();

/** Has the database refuse events from now on, or accept them again. */
type Break = (broken: boolean) => Promise<unknown>;

const logIn = ({ url }: TestService, username = 'admin', password = PASSWORD) =>
  fetch(`${url}/alfresco/service/api/login`, {
    method: 'POST',
    body: JSON.stringify({ username, password }),
  });
const ticketIn = async (response: Response) =>
  ((await response.json()) as { data: { ticket: string } }).data.ticket;
const ticketCall = ({ url }: TestService, ticket: string, method = 'GET') =>
  fetch(`${url}/alfresco/service/api/login/ticket/${ticket}?alf_ticket=${ticket}`, { method });
const live = ({ store }: TestService) =>
  store.read(async (unit) => (await unit.tickets.page(undefined, 10)).length);

async function holdToEvents(service: TestService, breakEvents: Break): Promise<void> {
  await service.addUser('guest', { password: undefined });
  const ticket = await ticketIn(await logIn(service));
  await breakEvents(true);
  for (const login of [await logIn(service), await logIn(service, 'guest', '')]) {
    assert.equal(login.status, 503);
    assert.equal(login.headers.get('retry-after'), '1');
  }
  const logout = await ticketCall(service, ticket, 'DELETE');
  assert.equal(logout.status, 503);
  assert.equal(await live(service), 1, 'no ticket was issued, and none ended');
  assert.equal((await ticketCall(service, ticket)).status, 200);
  assert.equal((await logIn(service, 'admin', 'wrong')).status, 403, 'a refusal stays one');
  assert.match(service.lines.join('\n'), /an event cannot be written, and TESSERA_AUDIT=required/);
  await breakEvents(false);
  assert.equal((await ticketCall(service, ticket, 'DELETE')).status, 200);
  assert.equal((await logIn(service)).status, 200);
}

/** Breaks the events of an embedded store. */
const breakSqlite =
  ({ data }: TestService): Break =>
  async (broken) => {
    using db = new DatabaseSync(join(data, 'tessera.db'), { timeout: 5_000 });
    db.exec(
      broken
        ? "CREATE TRIGGER broken BEFORE INSERT ON events BEGIN SELECT RAISE(ABORT, 'no events'); END"
        : 'DROP TRIGGER broken',
    );
  };

const started = (t: TestContext, audit: string, makeStore?: () => Store) =>
  startTestService(t, { TESSERA_AUDIT: audit }, makeStore);

test('with TESSERA_AUDIT=required no login and no log-out happens without its event', async (t) => {
  const service = await started(t, 'required');
  await holdToEvents(service, breakSqlite(service));
});

test('by default a login and a log-out happen without their events, which is logged', async (t) => {
  const service = await started(t, 'best-effort');
  await breakSqlite(service)(true);
  const login = await logIn(service);
  assert.equal(login.status, 200);
  assert.equal((await ticketCall(service, await ticketIn(login), 'DELETE')).status, 200);
  assert.match(service.lines.join('\n'), /no events/);
});

onPostgres('on PostgreSQL it is the same', async (t, server) => {
  const database = await server.freshSchema();
  const store = await openPostgres(database);
  const service = await started(t, 'required', () => store);
  await holdToEvents(service, (broken) =>
    server.ask(
      broken
        ? `CREATE FUNCTION break() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN RAISE EXCEPTION 'no events'; END $$;
           CREATE TRIGGER broken BEFORE INSERT ON events FOR EACH ROW EXECUTE FUNCTION break()`
        : 'DROP TRIGGER broken ON events',
      database,
    ),
  );
});
