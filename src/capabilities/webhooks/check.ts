import {
  type CheckResult,
  type DoctorCheck,
  fault,
  orOk,
  skipped,
  warning,
} from '../../faces/cli/doctor-check.ts';
import type { WebhookState } from './tables/webhooks.ts';

/** How long a delivery may wait before it is worth a warning, in milliseconds: several attempts have failed then. */
const LATE = 3_600_000;

/** The reasons why this receiver gets no events. */
function findingsOf({ id, goneAt, lastFault, oldestAt, dead }: WebhookState): readonly CheckResult[] {
  const findings: CheckResult[] = [];
  const again = `mend the receiver, and run 'tessera webhooks replay ${id}'`;
  if (goneAt !== undefined)
    findings.push(
      fault(`${id} answered 410 at ${new Date(goneAt).toISOString()}, and gets no events`, again),
    );
  const hours = oldestAt === undefined ? 0 : Math.floor((Date.now() - oldestAt) / LATE);
  const why = lastFault === undefined ? '' : ` (${lastFault.why})`;
  if (hours > 0) findings.push(warning(`an event has been waiting for ${id} for ${hours} h${why}`, again));
  if (dead > 0)
    findings.push(
      warning(
        `${dead} deliveries to ${id} were given up${why}`,
        `mend the receiver, and run 'tessera webhooks replay ${id} --dead'`,
      ),
    );
  return findings;
}

/** The receivers of webhooks: whether events reach them. Their document is looked at with the others. */
export const webhooksCheck: DoctorCheck = {
  name: 'webhooks',
  page: 'docs/how-to/webhooks.md',
  needsStore: true,
  async look({ settings, store }) {
    const { store: opened } = await store();
    const states = await opened.read(({ webhooks }) => webhooks.list());
    if (settings.webhooks === '' && states.length === 0) return [skipped('none is set')];
    return orOk(states.flatMap(findingsOf), `no receiver is behind (${states.length} are set)`);
  },
};
