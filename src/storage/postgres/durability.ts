import { type Reading, statement } from './statement.ts';

const SETTINGS = statement(
  'durability',
  'settings',
  `SELECT current_setting('synchronous_standby_names') AS standbys, current_setting('synchronous_commit') AS level`,
);

/**
 * Why the promotion of a standby could lose what was acknowledged, with the mend; nothing when it cannot. What one
 * server acknowledged it keeps through a crash in any case.
 */
export async function lossAtPromotion(db: Reading): Promise<string | undefined> {
  const [row] = await db.rows(SETTINGS);
  if (row?.standbys === '')
    return 'no standby is synchronous: when one is promoted, the last logins and log-outs can be lost; name it in synchronous_standby_names';
  if (row?.level !== 'on' && row?.level !== 'remote_apply')
    return `synchronous_commit is ${row?.level}: when a standby is promoted, the last logins and log-outs can be lost; set it to on`;
  return undefined;
}
