import { readdirSync, statSync } from 'node:fs';
import { join, resolve } from 'node:path';
import {
  type CheckResult,
  type DoctorCheck,
  fault,
  orOk,
  skipped,
  warning,
} from '../../faces/cli/doctor-check.ts';

/** A nightly backup is at most this old, with two hours to make it. */
const NIGHTLY = 26 * 3_600_000;

interface BackupFile {
  readonly file: string;
  readonly at: number;
  readonly bytes: number;
  readonly mode: number;
}

/** The newest file at this place, or in this folder. Throws if the place is not there. */
function newestAt(place: string): BackupFile | undefined {
  const files = statSync(place).isDirectory() ? readdirSync(place).map((name) => join(place, name)) : [place];
  const found = files
    .map((file) => ({ file, stats: statSync(file) }))
    .filter(({ stats }) => stats.isFile())
    .map(({ file, stats: { mtimeMs: at, size: bytes, mode } }) => ({ file, at, bytes, mode }));
  return found.sort((a, b) => b.at - a.at)[0];
}

function findingsOf({ file, at, bytes, mode }: BackupFile): readonly CheckResult[] {
  const findings: CheckResult[] = [];
  const hours = Math.floor((Date.now() - at) / 3_600_000);
  if (bytes === 0) findings.push(fault(`the newest backup, ${file}, is empty`, 'make another one'));
  if (Date.now() - at > NIGHTLY)
    findings.push(
      warning(
        `the newest backup, ${file}, is ${hours} hours old`,
        'make one each night, and look why none came',
      ),
    );
  if ((mode & 0o077) !== 0)
    findings.push(
      warning(
        `other users of this machine may read ${file}, which holds password hashes`,
        `close it with chmod 600 '${file}'`,
      ),
    );
  return orOk(findings, `the newest is ${file}, ${hours} hours old`);
}

/** The age of the newest backup. The service does not know where backups are: the operator says so. */
export const backupsCheck: DoctorCheck = {
  name: 'backups',
  page: 'docs/how-to/back-up.md',
  async look({ backups }) {
    if (backups === undefined) return [skipped('say with --backups where they are')];
    const place = resolve(backups);
    const newest = newestAt(place);
    return newest === undefined
      ? [fault(`there is no backup in ${place}`, 'make one each night')]
      : findingsOf(newest);
  },
};
