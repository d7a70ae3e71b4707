import type { TestContext } from 'node:test';
import { failUntilWaiting } from '../../../core/identity/on-the-wire/trying.ts';
import { PASSWORD, startTestService } from '../../../service/start.ts';
import { ask, basic, logIn } from '../../../service/talk.ts';
import { tesseraOn } from '../command.ts';

/** A service with the user `ana`, and the real command line on its data folder. */
export async function serviceWithAna(t: TestContext, env: Record<string, string> = {}) {
  const service = await startTestService(t, env);
  await service.addUser('ana');
  const { url } = service;
  return {
    url,
    service,
    tessera: tesseraOn(service.data),
    /** The status of a validation of this ticket, made with the ticket itself. */
    validate: async (ticket: string) =>
      (await ask(`${url}/api/login/ticket/${ticket}?alf_ticket=${ticket}`)).status,
    /** The status of a login, and its wait, if there is one. */
    tryLogin: async (password = PASSWORD, username = 'ana') => {
      const body = JSON.stringify({ username, password });
      const { status, headers } = await ask(`${url}/api/login`, { method: 'POST', body });
      return { status, waits: headers.has('retry-after') };
    },
    /** The status of a request with this user and password: 404 if they are accepted. */
    tryBasic: async (password = PASSWORD) =>
      (await ask(`${url}/api/login/ticket/none`, { headers: basic(`ana:${password}`) })).status,
    failUntilWaiting: () => failUntilWaiting(service, 'ana'),
    logIn: (name = 'ana', password = PASSWORD) => logIn(url, name, password),
  };
}
