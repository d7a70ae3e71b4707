import type { Settings } from '../../core/settings/table.ts';
import { examineSqlite } from '../../engines/embedded-store.ts';
import { migrationsOf } from '../../engines/store.ts';
import {
  type CheckResult,
  type DoctorCheck,
  fault,
  ok,
  orOk,
  skipped,
  warning,
} from '../../faces/cli/doctor-check.ts';

const MIB = 1_048_576;
/** A log of this size means that it is never written back: a program has read for too long. */
const LONG_LOG = 512 * MIB;

async function schemaResult(settings: Settings): Promise<CheckResult> {
  const migrations = await migrationsOf(settings);
  const missing = migrations.filter(({ done }) => !done);
  if (missing.length === 0) return ok(`it has the schema of this version (${migrations.at(-1)?.name})`);
  return skipped(
    `its schema lacks ${missing.map(({ name }) => name).join(', ')}: 'tessera upgrade-check' tells what that takes`,
  );
}

/** The damage and the log of the embedded database. */
function filesResult({ data }: Settings): readonly CheckResult[] {
  const { bytes, logBytes, damage } = examineSqlite(data);
  const findings: CheckResult[] = [];
  if (damage !== undefined)
    findings.push(
      fault(`it is damaged (${damage})`, 'stop the service, and restore the newest backup that is whole'),
    );
  if (logBytes > LONG_LOG)
    findings.push(
      warning(
        `its log has grown to ${Math.floor(logBytes / MIB)} MiB, since a program keeps it from being written back`,
        'end the program that has had the database open for long',
      ),
    );
  return orOk(findings, `it is whole (SQLite's quick check over ${(bytes / MIB).toFixed(1)} MiB)`);
}

/** The database: its schema, and of the embedded one its structure. */
export const databaseCheck: DoctorCheck = {
  name: 'database',
  page: 'docs/how-to/back-up.md',
  async look({ settings }) {
    const files =
      settings.database === undefined
        ? filesResult(settings)
        : [skipped('PostgreSQL checks its own files: see pg_amcheck')];
    return [await schemaResult(settings), ...files];
  },
};

/** The oldest Node that the service runs on. */
const NODE = { major: 24, minor: 2 };

/** The versions of what the service runs on. A database or a Redis that is too old is refused when it is opened. */
export const versionsCheck: DoctorCheck = {
  name: 'versions',
  page: 'README.md',
  async look({ settings, store }) {
    const [major = 0, minor = 0] = process.versions.node.split('.').map(Number);
    const isOld = major < NODE.major || (major === NODE.major && minor < NODE.minor);
    const node = isOld
      ? fault(
          `Node ${process.versions.node} is older than ${NODE.major}.${NODE.minor}`,
          'install a newer Node',
        )
      : ok(`Node ${process.versions.node}`);
    if (settings.database === undefined && settings.tickets === undefined)
      return [node, ok(`SQLite ${process.versions.sqlite}`)];
    const report = await store().then(
      (opened) => opened.report?.(),
      () => undefined,
    );
    return [node, ...(report?.servers ?? []).map(ok)];
  },
};

/** Settings of PostgreSQL and Redis by which an accident loses what was acknowledged. */
export const durabilityCheck: DoctorCheck = {
  name: 'durability',
  page: 'docs/how-to/several-machines.md',
  needsStore: true,
  async look({ store }) {
    const { report } = await store();
    if (report === undefined)
      return [ok('the embedded store writes each change to the disk before it answers')];
    const { findings } = await report();
    return orOk(findings, 'a crash or the promotion of a standby loses nothing that was acknowledged');
  },
};

/** Whether the store can be opened, as every command opens it. */
export const storeCheck: DoctorCheck = {
  name: 'store',
  page: 'docs/how-to/run.md',
  async look({ settings, store }) {
    await store();
    const tickets = settings.tickets === undefined ? '' : ', and the tickets in Redis';
    return [
      ok(
        settings.database === undefined
          ? `the embedded store can be opened${tickets}`
          : `the database can be opened${tickets}`,
      ),
    ];
  },
};
