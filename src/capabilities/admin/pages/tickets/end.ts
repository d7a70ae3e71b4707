import { isRefusal } from '../../../../core/domain/refusal.ts';
import { type AnyOperation, answer } from '../../../../core/operation.ts';
import { addressWith } from '../../../../faces/pages/console/addresses.ts';
import { changedThen, inConsole } from '../../../../faces/pages/console/change.ts';
import { consolePage } from '../../../../faces/pages/console/layout.ts';
import { form, page } from '../../../../faces/pages/page.ts';
import { confirmation } from '../../../../faces/pages/parts/form.ts';
import ticketsDelete from '../../operations/admin/tickets.delete.ts';
import { countSignedIn } from './live.ts';
import { TICKETS } from './tickets-view.ts';

const common = { paths: ['/console/tickets/end'], role: 'operator' } as const;

const ask = page({
  ...common,
  id: 'org/service/repository/portal/console/tickets/end.get',
  summary: 'Ask before all tickets end.',
  method: 'GET',
  input: {},
  async perform(context) {
    const { reader, run } = inConsole(context);
    const signedIn = await countSignedIn(run);
    if (isRefusal(signedIn)) return signedIn;
    const { count, isAll } = signedIn;
    const { say } = reader;
    const sentence = say(isAll ? 'console.tickets.endSentence' : 'console.tickets.endManySentence', {
      count,
    });
    const title = say('console.tickets.endTitle');
    const submit = say('console.tickets.endAll');
    const body = confirmation(reader, {
      sentence,
      submit,
      isDangerous: true,
      action: `${TICKETS}/end`,
      cancel: TICKETS,
    });
    return answer(consolePage(reader, { title, body, current: TICKETS }));
  },
});

const end = page({
  ...common,
  id: 'org/service/repository/portal/console/tickets/end.post',
  summary: 'End all tickets.',
  method: 'POST',
  input: { body: form({}) },
  async perform(context) {
    const { run } = inConsole(context);
    const outcome = await run(ticketsDelete, {});
    if (isRefusal(outcome)) return outcome;
    return changedThen(addressWith(TICKETS, { done: 'ended' }), outcome);
  },
});

/** The page that asks before all tickets end, and the form that ends them. */
export const endPages: readonly AnyOperation[] = [ask, end];
