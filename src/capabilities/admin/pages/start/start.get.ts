import { isRefusal, type Refusal } from '../../../../core/domain/refusal.ts';
import { suffices } from '../../../../core/domain/role.ts';
import { answer } from '../../../../core/operation.ts';
import { inConsole, type RunOperation } from '../../../../faces/pages/console/change.ts';
import { page } from '../../../../faces/pages/page.ts';
import countsGet from '../../operations/admin/events/counts.get.ts';
import eventsGet from '../../operations/admin/events.get.ts';
import statusGet from '../../operations/admin/status.get.ts';
import { someLockOuts } from '../lock-outs/rows.ts';
import type { SignInCounts } from './plots.ts';
import { type Overview, startPage } from './start-view.ts';

/** Rows of the lists on the page. The pages behind them have the rest. */
const ROWS = 5;

async function countsBy(run: RunOperation, step: SignInCounts['step']): Promise<SignInCounts | Refusal> {
  const found = await run(countsGet, { query: { kinds: 'login,login-refused', step } });
  if (isRefusal(found)) return found;
  const { times, kinds } = found.value;
  const of = (name: string) => kinds.find(({ kind }) => kind === name)?.counts ?? [];
  return { step, times, signIns: of('login'), refusals: of('login-refused') };
}

/** The values that only operators may see. */
async function forOperators(run: RunOperation): Promise<Overview['forOperators'] | Refusal> {
  const status = await run(statusGet, {});
  if (isRefusal(status)) return status;
  const lockOuts = await someLockOuts(run, undefined, ROWS);
  if (isRefusal(lockOuts)) return lockOuts;
  return { status: status.value, lockOuts: lockOuts.items.slice(0, ROWS) };
}

/** The overview of the console (specification, section 19). */
export default page({
  id: 'org/service/repository/portal/console/start.get',
  summary: 'Show what the service does.',
  method: 'GET',
  paths: ['/console'],
  role: 'auditor',
  input: {},
  async perform(context) {
    const { reader, run } = inConsole(context);
    const hours = await countsBy(run, 'hour');
    if (isRefusal(hours)) return hours;
    const days = await countsBy(run, 'day');
    if (isRefusal(days)) return days;
    const refused = await run(eventsGet, { query: { kind: 'login-refused', limit: String(ROWS) } });
    if (isRefusal(refused)) return refused;
    const more = suffices(reader.user?.role, 'operator') ? await forOperators(run) : undefined;
    if (more !== undefined && isRefusal(more)) return more;
    const overview = { hours, days, refused: refused.value.items, forOperators: more };
    return answer(await startPage(reader, overview));
  },
});
