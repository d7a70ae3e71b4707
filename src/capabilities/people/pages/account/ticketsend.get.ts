import { answer } from '../../../../core/operation.ts';
import { html } from '../../../../faces/pages/html.ts';
import { pageText } from '../../../../faces/pages/layout.ts';
import { page } from '../../../../faces/pages/page.ts';
import { confirmation } from '../../../../faces/pages/parts/form.ts';
import { userReader } from '../../../../faces/pages/reader.ts';

/** Asks once before all other tickets of the user end. */
export default page({
  id: 'org/service/repository/portal/account/ticketsend.get',
  summary: 'Ask before all other own tickets end.',
  method: 'GET',
  paths: ['/account/tickets/end-others'],
  authentication: 'user',
  input: {},
  async perform(context) {
    const reader = await userReader(context);
    const { say } = reader;
    const title = say('tickets.endOthers');
    const form = confirmation(reader, {
      sentence: say('tickets.endOthersSentence', { name: context.caller.user.name }),
      action: '/portal/account/tickets/end-others',
      submit: title,
      isDangerous: true,
      cancel: '/portal/account',
    });
    const body = html`<h1>${title}</h1>${form}`;
    return answer({ text: pageText(reader, { title, body, current: '/portal/account/tickets' }) });
  },
});
