import type { BrowserContext } from '../../../../core/browser-context.ts';
import type { User } from '../../../../core/domain/user.ts';
import { answer } from '../../../../core/operation.ts';
import { Type } from '../../../../core/schema.ts';
import { html } from '../../../../faces/pages/html.ts';
import { pageText, shownTime } from '../../../../faces/pages/layout.ts';
import { page, seeOther } from '../../../../faces/pages/page.ts';
import { userReader } from '../../../../faces/pages/reader.ts';
import { returnAddress } from '../../../../faces/pages/return-address.ts';
import { SOON } from '../../../../faces/pages/sign-in.ts';
import { factorDemandOf } from '../../rules/second-factors.ts';
import { takesPasskeys } from '../passkeys/options.ts';

/** Tells a user after the sign-in until when a second factor has to be registered. */
export default page({
  id: 'org/service/repository/portal/second-factor/soon.get',
  summary: 'Tell until when a second factor has to be registered.',
  method: 'GET',
  paths: ['/second-factor/soon'],
  authentication: 'user',
  input: {
    query: Type.Object({
      return: Type.Optional(Type.String({ description: 'Where to go then.', maxLength: 4_096 })),
    }),
  },
  async perform(context) {
    const { browser, caller, input, now, store } = context;
    const own = browser as BrowserContext;
    const back = returnAddress(input.query.return, own);
    const user = (await store.users.find(caller.user.id)) as User;
    const demand = await factorDemandOf(store, user, own.secondFactors.rules, now);
    if (demand.asks !== 'soon') return seeOther(back);
    const reader = await userReader(context);
    const { say } = reader;
    const title = say('secondFactor.soonTitle');
    const body = html`<div class="card narrow"><h1>${title}</h1>
<p>${say('secondFactor.soon')} ${shownTime(demand.until, reader)}</p>
<p>${say('secondFactor.soonPrograms')}</p>
<div class="actions"><a class="button" href="/portal/account/second-factor/app">${say('secondFactor.addApp')}</a>
${takesPasskeys(own) && html`<a class="button quiet" href="/portal/account/passkeys/add">${say('passkeys.add')}</a>`}
<a class="button quiet" href="${back}">${say('secondFactor.later')}</a></div></div>`;
    return answer({ text: pageText(reader, { title, body, current: SOON }) });
  },
});
