import type { Finding } from '../../core/domain/finding.ts';
import { type Reading, statement } from '../sql/statement.ts';

/** The version of a server, and the findings about its settings. */
export interface PostgresReport {
  /** Such as `17.2`. */
  readonly version: string;
  readonly findings: readonly Finding[];
}

const SETTINGS = statement(
  'durability',
  'settings',
  `SELECT current_setting('server_version') AS version, current_setting('fsync') AS fsync,
  current_setting('full_page_writes') AS pages, current_setting('autovacuum') AS autovacuum,
  current_setting('synchronous_standby_names') AS standbys,
  (SELECT reset_val FROM pg_settings WHERE name = 'synchronous_commit') AS level`,
);

const finding = (level: Finding['level'], what: string, mend: string): Finding => ({ level, what, mend });

/** Settings by which a crash of the server itself loses or damages data. */
function crashFindings(fsync: unknown, pages: unknown): readonly Finding[] {
  const faults: Finding[] = [];
  if (fsync !== 'on')
    faults.push(
      finding(
        'fault',
        'fsync is off: a crash of the database server can damage the whole database, and lose logins and log-outs that were answered',
        'set it to on',
      ),
    );
  if (pages !== 'on')
    faults.push(
      finding(
        'fault',
        'full_page_writes is off: a crash of the database server can leave pages half written, which damages the database',
        'set it to on, unless the file system writes pages as a whole',
      ),
    );
  return faults;
}

/** Settings by which the promotion of a standby loses an acknowledged write. `level` is `synchronous_commit`. */
function promotionFinding(standbys: unknown, level: unknown): Finding | undefined {
  if (standbys === '')
    return finding(
      'warning',
      'no standby is synchronous: when one is promoted, the last logins and log-outs can be lost',
      'name it in synchronous_standby_names',
    );
  if (level === 'on' || level === 'remote_apply') return undefined;
  return finding(
    'warning',
    `synchronous_commit is ${level}: when a standby is promoted, the last logins and log-outs can be lost`,
    'set it to on',
  );
}

function vacuumFinding(autovacuum: unknown): Finding | undefined {
  if (autovacuum === 'on') return undefined;
  return finding(
    'warning',
    'autovacuum is off: the tables of tickets and events grow without end, and get slower',
    'set it to on',
  );
}

/**
 * Asks the server for its version and for the settings by which acknowledged writes survive a crash or the promotion of a
 * standby. The service itself never commits with `synchronous_commit = off`.
 */
export async function postgresReport(db: Reading): Promise<PostgresReport> {
  const [{ version, fsync, pages, autovacuum, standbys, level } = {}] = await db.rows(SETTINGS);
  const others = [promotionFinding(standbys, level), vacuumFinding(autovacuum)];
  return {
    version: String(version).split(' ')[0] as string,
    findings: [...crashFindings(fsync, pages), ...others.flatMap((each) => each ?? [])],
  };
}
