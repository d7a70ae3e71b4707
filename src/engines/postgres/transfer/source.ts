import { setTimeout as pause } from 'node:timers/promises';
import { PARTS } from '../../../core/storage/transfer.ts';
import type { TransferSource } from '../../../core/storage/transfer-sides.ts';
import type { PostgresConnection } from '../connection.ts';
import { assertCurrent } from '../migrate.ts';
import { onServer } from '../servers.ts';
import { type PostgresOptions, shownTarget, targetOf } from '../target.ts';
import { identityOf, refuseHalfCopy } from './mark.ts';
import { answerOf, lastIdsOf, rowsOn } from './rows.ts';

/**
 * Finds sessions that could be an instance or a command; monitoring usually has a user of its own. The kind and address of
 * another user's session are shown to some users only.
 */
const OTHERS = `SELECT count(*) AS sessions, string_agg(DISTINCT coalesce(host(client_addr),
    CASE WHEN client_port IS NULL THEN 'where this user may not see' ELSE 'a socket' END), ', ') AS places
  FROM pg_stat_activity
  WHERE datname = current_database() AND pid <> pg_backend_pid()
    AND coalesce(backend_type, 'client backend') = 'client backend'
    AND (usename = current_user OR application_name = 'tessera')`;
/** How often to look for other sessions: a session that was closed takes a moment to go. */
const LOOKS = 5;
/** How long to wait between two looks, in milliseconds. */
const BETWEEN_LOOKS = 200;

async function others(connection: PostgresConnection): Promise<string | undefined> {
  for (let left = LOOKS - 1; ; left--) {
    const { sessions, places } = (await connection.text(OTHERS)).rows[0] ?? {};
    if (sessions === 0) return undefined;
    if (left === 0) return `${sessions} other sessions are open on it, from ${places}`;
    await pause(BETWEEN_LOOKS);
  }
}

/** Opens the database of `url` to copy from. Locks it if no process has it open, and otherwise reads it as it is now. */
export async function postgresSource(url: string, options?: PostgresOptions): Promise<TransferSource> {
  const target = targetOf(url, options);
  return onServer(target, async (servers) => {
    const connection = await servers.connect(0);
    try {
      await refuseHalfCopy(connection);
      await assertCurrent(connection);
      const identity = await identityOf(connection);
      const inUse = await others(connection);
      await connection.text('BEGIN ISOLATION LEVEL REPEATABLE READ');
      await connection.text(
        'SET LOCAL idle_in_transaction_session_timeout = 0; SET LOCAL lock_timeout = 5000',
      );
      // Locked before the first read, which takes the snapshot.
      if (inUse === undefined)
        await connection.text(`LOCK TABLE ${PARTS.map(({ name }) => name).join(', ')} IN SHARE MODE`);
      return {
        identity,
        label: `the database ${shownTarget(target)}`,
        inUse,
        ...rowsOn(connection),
        lastIds: () => answerOf(lastIdsOf(connection)),
        close: () => connection.close(),
      };
    } catch (error) {
      void connection.close();
      throw error;
    }
  });
}
