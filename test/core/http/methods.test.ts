import { test } from 'node:test';
import { PASSWORD, startTestService } from '../../service/start.ts';
import { logIn } from '../../service/talk.ts';
import { play, type Scenario } from './scenario.ts';

const LOGIN = 'GET, POST, OPTIONS';
const TICKET = 'DELETE, GET, HEAD, OPTIONS';
const SERVER = 'GET, HEAD, OPTIONS';

const wrong = (name: string, ask: string, allow: string, headers = {}): Scenario => {
  const message = ask.startsWith('HEAD')
    ? {}
    : { message: `This path does not take this method: it takes ${allow}` };
  return { name, ask, headers, status: 405, answers: { allow }, ...message };
};

test('a method', async (t) => {
  const { url } = await startTestService(t);
  const ticket = await logIn(url);
  const [first, second, third] = [await logIn(url), await logIn(url), await logIn(url)];
  const own = (method: string, which = ticket) => `${method} /api/login/ticket/${which}?alf_ticket=${ticket}`;
  const override = (method: string) => ({ 'x-http-method-override': method });
  const body = JSON.stringify({ username: 'admin', password: PASSWORD });
  const lists = (name: string, path: string, allow: string): Scenario => {
    return { name, ask: `OPTIONS ${path}`, status: 204, whole: '', answers: { allow } };
  };
  const deleted = (name: string, ask: string, which: string, headers = {}): Scenario => {
    return { name, ask, headers, status: 200, message: `Deleted Ticket ${which}` };
  };

  await play(t, url, [
    wrong('that a login does not take is 405 with those it takes', 'DELETE /api/login', LOGIN),
    wrong('that a login does not take is 405 by extension too', 'PUT /api/login.json', LOGIN),
    wrong('that a ticket does not take is 405', own('POST'), TICKET),
    wrong(
      'that a ticket does not take is 405 before the caller is authenticated',
      'PUT /api/login/ticket/x',
      TICKET,
    ),
    wrong('PATCH is 405', 'PATCH /api/server', SERVER),
    wrong('TRACE is 405, and echoes nothing', 'TRACE /api/server', SERVER),
    wrong('PROPFIND is 405', 'PROPFIND /api/server', SERVER),
    wrong(
      'HEAD is 405 on a login, which would issue a ticket',
      `HEAD /api/login?u=admin&pw=${PASSWORD}`,
      LOGIN,
    ),
    {
      name: 'HEAD is answered as GET without a body',
      ask: own('HEAD'),
      status: 200,
      type: 'text/xml;charset=UTF-8',
      whole: '',
      answers: { 'content-length': '104' },
    },
    { name: 'HEAD is challenged as GET is', ask: 'HEAD /api/login/ticket/x', status: 401, whole: '' },
    { name: 'HEAD is refused as GET is', ask: own('HEAD', 'x'), status: 404, whole: '' },
    lists('OPTIONS lists those of a login', '/api/login', LOGIN),
    lists('OPTIONS lists those of a ticket to anyone', '/alfresco/s/api/login/ticket/x.json', TICKET),
    lists('OPTIONS lists those of the server page', '/api/server', SERVER),
    { name: 'OPTIONS finds no operation where none is', ask: 'OPTIONS /api/nowhere', status: 404 },
    deleted('is overridden on POST by header', own('POST', first), first, override('DELETE')),
    deleted('is overridden on POST by argument', `${own('POST', second)}&alf_method=delete`, second),
    deleted(
      'is overridden by header before argument',
      `${own('POST', third)}&alf_method=get`,
      third,
      override('delete'),
    ),
    {
      name: 'is overridden on POST to a login by GET',
      ask: `POST /api/login?u=admin&pw=${PASSWORD}`,
      headers: override('GET'),
      status: 200,
      type: 'text/xml;charset=UTF-8',
    },
    {
      name: 'is not overridden by an empty header',
      ask: 'POST /api/login',
      headers: override(''),
      body,
      status: 200,
    },
    { name: 'is not overridden by an empty argument', ask: 'POST /api/login?alf_method=', body, status: 200 },
    { name: 'is not overridden on GET by header', ask: own('GET'), headers: override('DELETE'), status: 200 },
    { name: 'is not overridden on GET by argument', ask: `${own('GET')}&alf_method=delete`, status: 200 },
    {
      name: 'is not overridden on HEAD',
      ask: `${own('HEAD')}&alf_method=delete`,
      headers: override('DELETE'),
      status: 200,
    },
    {
      name: 'is not overridden on DELETE',
      ask: `${own('DELETE', 'x')}&alf_method=get`,
      headers: override('GET'),
      status: 404,
    },
    wrong('that overrides and is unknown is 405', own('POST'), TICKET, override('BREW')),
    { name: 'left the ticket alive through all of this', ask: own('GET'), status: 200 },
  ]);
});
