import { StoreUnavailable } from '../../../core/storage/store.ts';
import type { LastIds, TransferTarget } from '../../../core/storage/transfer-sides.ts';
import { escaped, type PostgresConnection } from '../connection.ts';
import { COPY_KEY } from '../keys.ts';
import { migrate } from '../migrate.ts';
import { onServer } from '../servers.ts';
import { type PostgresOptions, targetOf } from '../target.ts';
import { identityOf, type Mark, markOf } from './mark.ts';
import { answerOf, change, rowsOn } from './rows.ts';

/** How long a server may take to release the copy's lock before the connection is cut, in milliseconds. */
const RELEASE_DEADLINE = 1_000;

/** The nodes that the migrations add. */
const FRESH = "'company-home', 'data-dictionary', 'guest-home', 'user-homes', 'sites'";
/** Tells whether the database has anything that a fresh one does not have. */
const USED = `SELECT EXISTS (SELECT FROM users) OR EXISTS (SELECT FROM tickets) OR EXISTS (SELECT FROM ticket_origins) OR EXISTS (SELECT FROM attempts)
  OR EXISTS (SELECT FROM clients) OR EXISTS (SELECT FROM applications) OR EXISTS (SELECT FROM provider_entries)
  OR EXISTS (SELECT FROM signing_keys) OR EXISTS (SELECT FROM groups) OR EXISTS (SELECT FROM api_keys)
  OR EXISTS (SELECT FROM profiles) OR EXISTS (SELECT FROM user_roles) OR EXISTS (SELECT FROM group_users)
  OR EXISTS (SELECT FROM external_identities) OR EXISTS (SELECT FROM app_passwords) OR EXISTS (SELECT FROM passkeys)
  OR EXISTS (SELECT FROM external_ids) OR EXISTS (SELECT FROM totp_secrets) OR EXISTS (SELECT FROM recovery_codes)
  OR EXISTS (SELECT FROM group_groups) OR EXISTS (SELECT FROM removed_names) OR EXISTS (SELECT FROM freed_names)
  OR EXISTS (SELECT FROM password_links) OR EXISTS (SELECT FROM ticket_parents)
  OR EXISTS (SELECT FROM webhook_receivers) OR EXISTS (SELECT FROM webhook_deliveries)
  OR EXISTS (SELECT FROM events) OR EXISTS (SELECT FROM familiar_addresses)
  OR EXISTS (SELECT FROM server WHERE generation > 0) OR EXISTS (SELECT FROM nodes WHERE id NOT IN (${FRESH})) AS used`;

const quoted = (text: string) => `'${escaped(text).replaceAll("'", "''")}'`;

/** Marks the database as the copy of this source, unless it has this mark already. */
async function claim(connection: PostgresConnection, source: Mark): Promise<void> {
  const { rows } = await connection.text(`SELECT pg_try_advisory_lock(${COPY_KEY}) AS held`);
  if (!rows[0]?.held) throw new StoreUnavailable('another copy into it is under way');
  const mark = await markOf(connection);
  if (mark?.identity === source.identity) return;
  if (mark !== undefined)
    throw new StoreUnavailable(
      `it is the half-done copy of ${mark.source}: make the database anew, or name another one`,
    );
  await migrate(connection);
  if ((await connection.text(USED)).rows[0]?.used)
    throw new StoreUnavailable('it is not empty: make a new database for the copy');
  await connection.text(`BEGIN; CREATE TABLE tessera_copy (identity text NOT NULL, source text NOT NULL);
    INSERT INTO tessera_copy VALUES (${quoted(source.identity)}, ${quoted(source.source)}); COMMIT`);
}

async function finish(connection: PostgresConnection, { users, events }: LastIds): Promise<void> {
  const next = (table: string, column: string, last: string) =>
    `setval(pg_get_serial_sequence('${table}', '${column}'), greatest(${last}, 1), ${last} > 0)`;
  const stores = '(SELECT coalesce(max(number), 0) FROM node_stores)';
  const groups = '(SELECT coalesce(max(id), 0) FROM groups)';
  await connection.text(
    `SELECT ${next('users', 'id', String(users))}, ${next('events', 'id', String(events))}, ${next('node_stores', 'number', stores)},
      ${next('groups', 'id', groups)}`,
  );
  // The disk then has all earlier commits as well.
  await connection.text('SET synchronous_commit = on');
  await connection.text('ANALYZE');
  await connection.text('DROP TABLE tessera_copy');
}

/** Releases the lock for the next copy at once: the server notices only later that a connection was closed. */
async function release(connection: PostgresConnection): Promise<void> {
  const cut = setTimeout(() => connection.destroy('closed'), RELEASE_DEADLINE);
  await connection.text('SELECT pg_advisory_unlock_all()').catch(() => undefined);
  clearTimeout(cut);
  await connection.close();
}

/** Opens the database of `url` to copy this source into. A mark keeps services out until the copy is finished. */
export async function postgresTarget(
  url: string,
  source: Mark,
  options?: PostgresOptions,
): Promise<TransferTarget> {
  const target = targetOf(url, options);
  return onServer(target, async (servers) => {
    const connection = await servers.connect(0);
    try {
      if ((await identityOf(connection)) === source.identity)
        throw new StoreUnavailable('it cannot be copied into itself');
      await claim(connection, source);
      // A crash of the server may lose commits: the copy goes on from what is left.
      await connection.text('SET synchronous_commit = off');
      return {
        ...rowsOn(connection),
        change: (part, removed, added) => change(connection, part, removed, added),
        finish: (lastIds) => answerOf(finish(connection, lastIds)),
        close: () => release(connection),
      };
    } catch (error) {
      await release(connection);
      throw error;
    }
  });
}
