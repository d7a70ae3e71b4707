import { isRefusal, type Refusal } from '../../../../core/domain/refusal.ts';
import { answer } from '../../../../core/operation.ts';
import { Type } from '../../../../core/schema.ts';
import { inConsole, type RunOperation } from '../../../../faces/pages/console/change.ts';
import { downloadLinks } from '../../../../faces/pages/console/download-links.ts';
import { consolePage, doneArgument, doneNotice } from '../../../../faces/pages/console/layout.ts';
import { html } from '../../../../faces/pages/html.ts';
import { page } from '../../../../faces/pages/page.ts';
import { filterForm, lineField } from '../../../../faces/pages/parts/form.ts';
import { pager, placeArguments, table } from '../../../../faces/pages/parts/list.ts';
import lockOutGet from '../../operations/admin/lockout.get.ts';
import { LOCK_OUTS, lockOutColumns, someLockOuts } from './rows.ts';

/** Lock-outs that a page has, about. */
const ENOUGH = 50;

const NOTICES = { unlocked: 'console.lockOuts.unlocked' } as const;

type Found = Exclude<Awaited<ReturnType<typeof someLockOuts>>, Refusal>;

async function ofUser(run: RunOperation, userName: string): Promise<Found | Refusal> {
  const found = await run(lockOutGet, { path: { userName } });
  return isRefusal(found) ? found : { items: found.value, next: undefined };
}

/** Lists the users who are locked out or have to wait (specification, section 19). */
export default page({
  id: 'org/service/repository/portal/console/lock-outs.get',
  summary: 'Show who is locked out or has to wait.',
  method: 'GET',
  paths: ['/console/lock-outs'],
  role: 'operator',
  input: {
    query: Type.Object({
      user: Type.Optional(Type.String({ description: 'The name of a user.' })),
      ...placeArguments,
      ...doneArgument,
    }),
  },
  async perform(context) {
    const { user, done, ...place } = context.input.query;
    const { reader, run } = inConsole(context);
    const { say } = reader;
    const found = user ? await ofUser(run, user) : await someLockOuts(run, place.cursor, ENOUGH);
    const isUnknown = isRefusal(found) && found.refused === 'user_not_found';
    if (isRefusal(found) && !isUnknown) return found;
    const { items, next } = isRefusal(found) ? { items: [], next: undefined } : found;
    const field = {
      name: 'user',
      label: say('console.lockOuts.user'),
      value: user,
      isOptional: true,
      fault: isUnknown ? say('console.userUnknown') : undefined,
    };
    const list = table({
      caption: say('console.lockOuts'),
      columns: lockOutColumns(reader),
      rows: items,
      whenEmpty: say(user ? 'console.lockOuts.noneOfUser' : 'console.lockOuts.none'),
    });
    return answer(
      consolePage(reader, {
        title: say('console.lockOuts'),
        current: LOCK_OUTS,
        done: doneNotice(reader, done, NOTICES),
        body: html`<p class="hint">${say('console.lockOuts.hint')}</p>
${filterForm(reader, { action: LOCK_OUTS, fields: lineField(reader, field), results: 'results' })}
<div id="results">${list}${pager(reader, LOCK_OUTS, {}, { ...place, next })}${!user && downloadLinks(reader, 'lock-outs')}</div>`,
        usesHtmx: true,
      }),
    );
  },
});
