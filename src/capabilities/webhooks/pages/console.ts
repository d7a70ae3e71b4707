import { isRefusal, refuse } from '../../../core/domain/refusal.ts';
import { answer } from '../../../core/operation.ts';
import { Type } from '../../../core/schema.ts';
import { addressWith } from '../../../faces/pages/console/addresses.ts';
import { changePages, inConsole } from '../../../faces/pages/console/change.ts';
import { consolePage, doneArgument, doneNotice } from '../../../faces/pages/console/layout.ts';
import { changeButton, isAdministrator, mendButton } from '../../../faces/pages/console/parts.ts';
import { html } from '../../../faces/pages/html.ts';
import type { Reader } from '../../../faces/pages/layout.ts';
import { type PageSent, page } from '../../../faces/pages/page.ts';
import replayPost from '../operations/admin/webhooks/replay.post.ts';
import webhooksGet from '../operations/admin/webhooks.get.ts';
import type { WebhookState } from '../tables/webhooks.ts';
import { outboxTable } from './outbox-table.ts';

const WEBHOOKS = '/portal/console/webhooks';

const NOTICES = { replay: 'console.webhooks.replayed', resume: 'console.webhooks.resumed' } as const;

function webhooksPage(
  reader: Reader,
  receivers: readonly WebhookState[],
  done: string | undefined,
): PageSent {
  const { say } = reader;
  const again = ({ id, goneAt }: WebhookState) => {
    const at = `${WEBHOOKS}/${encodeURIComponent(id)}`;
    return goneAt === undefined
      ? changeButton(reader, `${at}/replay`, say('console.outbox.again'), {}, id)
      : mendButton(reader, `${at}/resume`, say('console.webhooks.resume'), {});
  };
  const first = {
    heading: say('console.webhooks.receiver'),
    cell: ({ id, kinds }: WebhookState) =>
      html`${id}<div class="hint">${
        kinds.length === 0
          ? say('console.webhooks.allKinds')
          : say('console.webhooks.kinds', { count: kinds.length })
      }</div>`,
  };
  const whenEmpty = say('console.webhooks.none');
  const list = outboxTable(reader, say('console.webhooks'), receivers, {
    first,
    whenEmpty,
    ...(isAdministrator(reader) && { again }),
  });
  return consolePage(reader, {
    title: say('console.webhooks'),
    current: WEBHOOKS,
    done: doneNotice(reader, done, NOTICES),
    body: html`<p>${say('console.webhooks.what')}</p>${list}`,
  });
}

const list = page({
  id: 'org/service/repository/portal/console/webhooks.get',
  summary: 'List the receivers of webhooks, and how far each is behind.',
  method: 'GET',
  paths: ['/console/webhooks'],
  role: 'operator',
  input: { query: Type.Object(doneArgument) },
  async perform(context) {
    const { reader, run } = inConsole(context);
    const listed = await run(webhooksGet, {});
    if (isRefusal(listed)) return listed;
    return answer(webhooksPage(reader, listed.value as readonly WebhookState[], context.input.query.done));
  },
});

/** The button that sends again, and the one for a receiver that had answered 410: they differ in what the page says then. */
const buttons = (['replay', 'resume'] as const).flatMap((what) =>
  changePages({
    area: 'webhooks',
    what,
    summary: what === 'replay' ? 'Deliver to a receiver again.' : 'Resume a receiver that answered 410.',
    role: 'administrator',
    async find(run, name) {
      const listed = await run(webhooksGet, {});
      if (isRefusal(listed)) return listed;
      return listed.value.some(({ id }) => id === name) ? { name, state: {} } : refuse('receiver_not_found');
    },
    texts: {},
    isAlwaysMeant: true,
    perform: (run, id) => run(replayPost, { path: { id }, body: {} }),
    next: () => addressWith(WEBHOOKS, { done: what }),
    back: () => WEBHOOKS,
  }),
);

/** The pages of the console about webhooks. */
export const CONSOLE_PAGES = [list, ...buttons];
