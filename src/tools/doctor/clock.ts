import type { OpenedStore } from '../../core/storage/opened-store.ts';
import { type CheckResult, type DoctorCheck, fault, orOk, warning } from '../../faces/cli/doctor-check.ts';

/** How far two clocks may differ, in milliseconds. */
const TOLERANCE = 1_000;

const seconds = (milliseconds: number) => `${(Math.abs(milliseconds) / 1_000).toFixed(1)} s`;
const MEND = 'run a time service, such as chrony or systemd-timesyncd, on each machine';

/** Whether the clock of this machine was moved since this process began. */
function jump(): CheckResult | undefined {
  const moved = Date.now() - (performance.timeOrigin + performance.now());
  if (Math.abs(moved) < TOLERANCE) return undefined;
  return warning(`the clock of this machine was moved by ${seconds(moved)} while this command ran`, MEND);
}

/** Whether the clock of the database, by which tickets end, differs from that of this machine. */
function difference({ clock }: OpenedStore): CheckResult | undefined {
  const ahead = clock === undefined ? 0 : Date.now() - clock();
  if (Math.abs(ahead) < TOLERANCE) return undefined;
  return warning(
    `the clock of this machine is ${seconds(ahead)} ${ahead > 0 ? 'ahead of' : 'behind'} that of the database: tickets end by that of the database, and log lines here have other times`,
    MEND,
  );
}

/** Whether the newest event comes from the future: then the clock was set back. */
async function fromTheFuture({ store, clock = Date.now }: OpenedStore): Promise<CheckResult | undefined> {
  const [newest] = await store.read((unit) => unit.events.latest({ limit: 1 }));
  const ahead = (newest?.at ?? 0) - clock();
  if (ahead < TOLERANCE) return undefined;
  return fault(
    `the newest event is of ${new Date(newest?.at ?? 0).toISOString()}, ${seconds(ahead)} in the future: the clock was set back, so tickets and lock-outs of that time end later than they should`,
    `set the clock right; if it was ahead before, end all tickets with 'tessera tickets revoke --all'`,
  );
}

/** The clock of this machine, against that of the database and against the events. */
export const clockCheck: DoctorCheck = {
  name: 'clock',
  page: 'docs/how-to/several-machines.md',
  needsStore: true,
  async look({ store }) {
    const opened = await store();
    const findings = [jump(), difference(opened), await fromTheFuture(opened)].flatMap((each) => each ?? []);
    const compared = opened.clock === undefined ? '' : ', and agrees with that of the database';
    return orOk(findings, `it is past the newest event${compared}`);
  },
};
