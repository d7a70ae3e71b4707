import type { TestContext } from 'node:test';
import type { Postgres } from '../service/postgres.ts';
import { until } from '../service/until.ts';

/** A standby without which the primary commits nothing, as zero loss asks for; gone after the test. */
export async function synchronousStandby(t: TestContext, primary: Postgres): Promise<Postgres> {
  const standby = await primary.standby('second');
  t.after(() => standby.remove());
  primary.configure(`synchronous_standby_names = 'second'`, 'synchronous_commit = on');
  await primary.ask('SELECT pg_reload_conf()');
  await until('the standby is synchronous', async () => {
    const there = await primary.ask(`SELECT FROM pg_stat_replication WHERE sync_state = 'sync'`);
    return there.length === 1;
  });
  return standby;
}

/** Makes the standby the primary; resolves once it commits what is written to the database of `url`. */
export async function promoted(standby: Postgres, url: string): Promise<void> {
  await standby.promote();
  await standby.ask('CREATE TABLE probe (); DROP TABLE probe', standby.url(new URL(url).pathname.slice(1)));
}
