import type { TestContext } from 'node:test';
import { Client } from 'pg';

/** Locks tables; returns a function that releases them, which is called after the test at the latest. */
export async function hold(t: TestContext, url: string, tables: string): Promise<() => Promise<void>> {
  const client = new Client({ connectionString: url });
  client.on('error', () => undefined);
  await client.connect();
  t.after(() => client.end());
  await client.query(`BEGIN; LOCK TABLE ${tables}`);
  return () => client.end();
}
