import { test } from 'node:test';
import { PASSWORD, startTestService } from '../../service/start.ts';
import { basic, logIn } from '../../service/talk.ts';
import { NOBODY_WAITS, play, type Scenario } from './scenario.ts';

const TIME = '\\d{4}-\\d\\d-\\d\\dT\\d\\d:\\d\\d:\\d\\d\\.\\d{3}Z';
const UNKNOWN = `TICKET_${'0'.repeat(40)}`;

test('a logout', async (t) => {
  const service = await startTestService(t, NOBODY_WAITS);
  const { url } = service;
  await service.addUser('mia');
  const asMia = basic(`mia:${PASSWORD}`);
  const ticket = () => logIn(url, 'mia');
  const [first, second, third, fourth, keeper] = [
    await ticket(),
    await ticket(),
    await ticket(),
    await ticket(),
    await ticket(),
  ];
  const admins = await logIn(url);
  const at = (method: string, which: string, by = keeper) =>
    `${method} /api/login/ticket/${which}?alf_ticket=${by}`;
  const notFound = (name: string, ask: string, headers = {}): Scenario => {
    return { name, ask, headers, status: 404, type: 'text/xml;charset=UTF-8', message: 'Ticket not found' };
  };

  await play(t, url, [
    {
      name: 'ends the ticket that made it, and says so in xml',
      ask: at('DELETE', first, first),
      status: 200,
      type: 'text/xml;charset=UTF-8',
      whole: new RegExp(
        `^<\\?xml version="1\\.0" encoding="UTF-8"\\?>\\n<response><status><code>200</code><name>OK</name><description>[^<]+</description></status><message>Deleted Ticket ${first}</message><exception/><callstack/><server>Tessera v3\\.2\\.0 \\(2039\\)</server><time>${TIME}</time></response>\\n$`,
      ),
    },
    { name: 'makes that ticket no credential any more', ask: at('GET', keeper, first), status: 401 },
    notFound('makes that ticket unknown to its owner', at('GET', first)),
    notFound('finds that ticket no second time', at('DELETE', first)),
    {
      name: 'ends another ticket of the caller, and says so in json',
      ask: `DELETE /api/login/ticket/${second}.json?alf_ticket=${keeper}`,
      status: 200,
      type: 'application/json;charset=UTF-8',
      whole: new RegExp(
        `^\\{"status":\\{"code":200,"name":"OK","description":"[^"]+"\\},"message":"Deleted Ticket ${second}","exception":"","callstack":\\[\\],"server":"Tessera v3\\.2\\.0 \\(2039\\)","time":"${TIME}"\\}$`,
      ),
    },
    {
      name: 'says so in html for people',
      ask: `DELETE /api/login/ticket/${third}.html?alf_ticket=${keeper}`,
      status: 200,
      type: 'text/html;charset=UTF-8',
      message: `Deleted Ticket ${third}`,
    },
    {
      name: 'knows its caller by user name and password too',
      ask: `DELETE /api/login/ticket/${fourth}`,
      headers: asMia,
      status: 200,
      message: `Deleted Ticket ${fourth}`,
    },
    notFound('finds no ticket of another user', at('DELETE', admins)),
    notFound('finds no ticket of another user even for an administrator', at('DELETE', keeper, admins)),
    { name: 'left the ticket of the other user alone', ask: at('GET', admins, admins), status: 200 },
    { name: 'left the other tickets of the caller alone', ask: at('GET', keeper), status: 200 },
    notFound('finds no ticket that was never issued', at('DELETE', UNKNOWN)),
    notFound('finds no ticket of the wrong form', at('DELETE', 'not-a-ticket')),
    { name: 'asks who calls first', ask: `DELETE /api/login/ticket/${keeper}`, status: 401 },
    { name: 'did nothing for a caller it did not know', ask: at('GET', keeper), status: 200 },
  ]);
});
