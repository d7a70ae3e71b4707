import { existsSync, readdirSync, type StatsFs, statfsSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { initialPasswordIn } from '../../core/first-start.ts';
import { inFolder, isServed, mendOfOwner, warningOfOthers } from '../../engines/embedded-store.ts';
import {
  type CheckResult,
  type DoctorCheck,
  fault,
  ok,
  orOk,
  sentence,
  skipped,
  warning,
} from '../../faces/cli/doctor-check.ts';

/** File systems by the number that Linux gives them (statfs(2)). */
const OVER_A_NETWORK: Readonly<Record<number, string>> = {
  26985: 'NFS',
  20859: 'SMB',
  4283649346: 'CIFS',
  4266872130: 'SMB',
  16914839: '9P',
  12805120: 'Ceph',
  1397113167: 'AFS',
  1937076805: 'Coda',
};
const IN_MEMORY: Readonly<Record<number, string>> = { 16914836: 'tmpfs', 2240043254: 'ramfs' };
const OF_A_CONTAINER = 0x794c7630;

/** What is wrong with the kind of file system that a data folder is on. */
export function fileSystemFinding(type: number, folder: string): CheckResult | undefined {
  const network = OVER_A_NETWORK[type];
  if (network !== undefined)
    return fault(
      `${folder} is on a network file system (${network}), whose locks can fail: two programs can then damage the database`,
      'move the data folder to a local disk, or use PostgreSQL',
    );
  const memory = IN_MEMORY[type];
  if (memory !== undefined)
    return warning(
      `${folder} is in memory (${memory}): all users are lost when the machine stops`,
      'move the data folder to a disk',
    );
  if (type !== OF_A_CONTAINER) return undefined;
  return warning(
    `${folder} is on an overlay file system, as inside of a container: all users are lost with the container`,
    'mount a volume there',
  );
}

const MIB = 1_048_576;
const FULL = 100 * MIB;
const LITTLE = 1_024 * MIB;

/** What is wrong with the room that is left on the disk. */
export function roomFinding({ bavail, bsize }: Pick<StatsFs, 'bavail' | 'bsize'>): CheckResult | undefined {
  const free = bavail * bsize;
  if (free >= LITTLE) return undefined;
  const what = `${Math.floor(free / MIB)} MiB are free on the disk of the data folder`;
  return free < FULL
    ? fault(`${what}: a full disk fails every login and log-out with 503`, 'free some space')
    : warning(what, 'free some space before the disk is full');
}

function ownerFinding(folder: string): CheckResult | undefined {
  const mend = process.getuid?.() === 0 ? undefined : mendOfOwner(folder);
  return mend === undefined ? undefined : sentence('fault', `${folder} cannot be shared: ${mend}`);
}

/** The files beside a database that an operator forgot there, with the reason to remove them. */
const LEFTOVERS: readonly (readonly [name: RegExp, why: string])[] = [
  [/^tessera\.db\.replaced/, 'the database that a restore replaced'],
  [/^tessera\.db\.restore-/, 'an unfinished restore'],
  [/^tessera\.db\.copy-/, 'an unfinished copy'],
];

function leftovers(folder: string): CheckResult[] {
  const found = readdirSync(folder).flatMap((name) => {
    const [, why] = LEFTOVERS.find(([pattern]) => pattern.test(name)) ?? [];
    return why === undefined
      ? []
      : [
          warning(
            `${join(folder, name)} is ${why}, with password hashes`,
            'remove it once you do not need it',
          ),
        ];
  });
  const password = initialPasswordIn(folder);
  if (!existsSync(password)) return found;
  const first = warning(
    `${password} still holds the first password of admin`,
    "change that password with 'tessera users passwd admin --permanent', which removes the file",
  );
  return [...found, first];
}

/** The data folder: its owner, its mode, its disk, what lies in it, and whether a service uses it. */
export const dataFolderCheck: DoctorCheck = {
  name: 'data folder',
  page: 'docs/how-to/run.md',
  async look({ settings: { data, database } }) {
    const folder = resolve(data);
    if (!existsSync(folder)) return [skipped(`there is none at ${folder}`)];
    const others = warningOfOthers(folder);
    const shared = [ownerFinding(folder), others === undefined ? undefined : sentence('warning', others)];
    const disk = statfsSync(folder);
    const embedded = database === undefined ? [fileSystemFinding(disk.type, folder), roomFinding(disk)] : [];
    const findings = [...shared, ...embedded, ...inFolder(folder, () => leftovers(folder))].flatMap(
      (each) => each ?? [],
    );
    const isInUse = database === undefined && isServed(folder);
    return [
      ...orOk(findings, `${folder} is on a local disk with room, and closed to other users`),
      ...(isInUse ? [ok('a service uses it, so another one is refused there')] : []),
    ];
  },
};
