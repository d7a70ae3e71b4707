import { answer } from '../../operation.ts';
import { pageText } from '../layout.ts';
import { page } from '../page.ts';
import { confirmation } from '../parts/form.ts';
import { userReader } from '../reader.ts';

/** Asks once before all other tickets of the user end. */
export default page({
  id: 'org/service/repository/portal/account/ticketsend.get',
  summary: 'Ask before all other own tickets end.',
  method: 'GET',
  paths: ['/account/tickets/end-others'],
  authentication: 'user',
  access: 'read',
  input: {},
  async perform(context) {
    const reader = await userReader(context);
    const { say } = reader;
    const title = say('tickets.endOthers');
    const body = confirmation(reader, {
      title,
      sentence: say('tickets.endOthersSentence', { name: context.caller.user.name }),
      action: '/portal/account/tickets/end-others',
      submit: title,
      isDangerous: true,
      cancel: '/portal/account',
    });
    return answer({ text: pageText(reader, { title, body, current: '/portal/account/tickets' }) });
  },
});
