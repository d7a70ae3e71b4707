import {
  type CheckResult,
  type DoctorCheck,
  fault,
  orOk,
  skipped,
  warning,
} from '../../faces/cli/doctor-check.ts';
import { isBehind, type WebhookState } from './tables/webhooks.ts';

/** The reasons why this receiver gets no events. */
function findingsOf(state: WebhookState): readonly CheckResult[] {
  const { id, goneAt, lastFault, waiting, oldestAt = 0, dead } = state;
  const findings: CheckResult[] = [];
  const again = `mend the receiver, and run 'tessera webhooks replay ${id}'`;
  if (goneAt !== undefined)
    findings.push(
      fault(`${id} answered 410 at ${new Date(goneAt).toISOString()}, and gets no events`, again),
    );
  const why = lastFault === undefined ? '' : ` (${lastFault.why})`;
  const since = new Date(oldestAt).toISOString();
  if (isBehind(state))
    findings.push(warning(`${waiting} deliveries to ${id} wait, the oldest since ${since}${why}`, again));
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
    const findings = states.flatMap(findingsOf);
    // Mail and other parts of the service are receivers, too.
    if (settings.webhooks === '' && findings.length === 0) return [skipped('none is set')];
    return orOk(findings, 'no receiver is behind');
  },
};
