import assert from 'node:assert/strict';
import { test } from 'node:test';
import { personShown } from '../../../../src/capabilities/people/representations/person.ts';
import { newGroup } from '../../../../src/core/domain/group.ts';
import type { Role } from '../../../../src/core/domain/role.ts';
import { PASSWORD, type TestService } from '../../../service/start.ts';
import { type Answered, ask, basic, logIn } from '../../../service/talk.ts';
import { askAs, askV1, started, V1, ZOE } from './zoe.ts';

/** Gives a role to everybody in this group. */
async function giveRole({ store }: TestService, group: string, role: Role): Promise<void> {
  await store.write(async ({ groups }) => groups.change((await groups.findByKey(group))?.id ?? 0, { role }));
}

const EVERY_MEMBER = `{
	"url": "\\/alfresco\\/s\\/api\\/people\\/Zoe",
	"userName": "Zoe",
	"enabled": true,
	"firstName": "Zo\\u00eb",
	"lastName": "Di \\"Q\\" Marco",
	"jobtitle": "Cook",
	"organization": "Ice\\/Works",
	"organizationId": null,${' '}
	"location": "Torino",
	"telephone": "+39 1",
	"mobile": "+39 2",
	"email": "zoe@example.org",
	"companyaddress1": null,
	"companyaddress2": null,
	"companyaddress3": null,
	"companypostcode": null,
	"companytelephone": null,
	"companyfax": null,
	"companyemail": null,
	"skype": null,
	"instantmsg": null,
	"userStatus": null,
	"userStatusTime": null,
	"googleusername": null,
	"quota": -1,
	"sizeCurrent": 0,
	"emailFeedDisabled": false,
	"persondescription": "a &lt;b&gt; &amp; c",
	"authorizationStatus": null,
	"isDeleted": false,
	"isAdminAuthority": false
,
	"capabilities":
	{
		"isGuest":
		false
				,"isAdmin":
		false
				,"isMutable":
		true
			}
`;

const GROUPS = `	"groups": [
	{
		"itemName": "GROUP_Staff",
		"displayName": "Staff"
	},	{
		"itemName": "GROUP_cooks",
		"displayName": "The Cooks"
	},	{
		"itemName": "GROUP_site_ice",
		"displayName": "site_ice"
	}],
	"immutability":
	{
	}
}
`;

const inCrLf = (text: string) => text.replaceAll('\n', '\r\n');

test('a person is shown to the byte as the reference does it', async (t) => {
  const service = await started(t);
  const { status, headers, text } = await askAs(service, 'zoe', '/api/people/ZOE');
  assert.equal(status, 200);
  assert.equal(headers.get('content-type'), 'application/json;charset=UTF-8');
  assert.equal(text, inCrLf(`${EVERY_MEMBER}}\n`));
});

test('a person with its groups is shown to the byte as the reference does it', async (t) => {
  const service = await started(t);
  const { text } = await askAs(service, 'zoe', '/api/people/zoe?groups=true');
  assert.equal(text, inCrLf(EVERY_MEMBER.replace(/\t\}\n$/, `\t},\n${GROUPS}`)));
  const alone = await askAs(service, 'bob.smith', '/api/people/bob.smith?groups=true');
  assert.deepEqual(JSON.parse(alone.text).groups, []);
  for (const not of ['groups=TRUE', 'groups=1', 'groups='])
    assert.equal('groups' in JSON.parse((await askAs(service, 'zoe', `/api/people/zoe?${not}`)).text), false);
});

test('a person is shown in xml with the same members', async (t) => {
  const service = await started(t);
  const { headers, text } = await askAs(service, 'zoe', '/api/people/zoe?groups=true&format=xml');
  assert.equal(headers.get('content-type'), 'text/xml;charset=UTF-8');
  const alone = await askAs(service, 'zoe', '/api/people/zoe?format=xml');
  assert.doesNotMatch(alone.text, /<groups|<immutability/);
  assert.match(text, /<person><url>\/alfresco\/s\/api\/people\/Zoe<\/url><userName>Zoe<\/userName>/);
  assert.match(text, /<organizationId\/><location>Torino<\/location>/);
  assert.match(text, /<groups><group><itemName>GROUP_Staff<\/itemName><displayName>Staff<\/displayName>/);
});

test('the text of a person says what its value says', () => {
  const person = {
    userName: 'Zoe',
    enabled: true,
    profile: ZOE,
    isGuest: false,
    isAdmin: true,
    isMutable: true,
  };
  for (const groups of [undefined, [], [newGroup('cooks'), newGroup('staff')]]) {
    const shown = { person, basePath: '/alfresco/s', groups };
    assert.deepEqual(JSON.parse(personShown.jsonText(shown)), personShown.json(shown));
  }
});

test('a person is shown to a caller by user name and password as well', async (t) => {
  const { url } = await started(t);
  for (const path of ['/api/people/zoe', '/webframework/content/metadata?user=zoe'])
    assert.equal((await ask(`${url}${path}`, { headers: basic(`zoe:${PASSWORD}`) })).status, 200);
  for (const path of ['/people/-me-', '/people/-me-/groups'])
    assert.equal((await ask(`${url}${V1}${path}`, { headers: basic(`zoe:${PASSWORD}`) })).status, 200);
});

const PATHS = ['/api/people/X', '/api/people/X?groups=true', '/webframework/content/metadata?user=X'];

test('users see themselves only, and nobody tells them whether another user exists', async (t) => {
  const service = await started(t);
  const told = ({ status, text }: Answered, name: string) =>
    `${status} ${text.replaceAll(name, 'X').replace(/"time":"[^"]*"|<[^>]*>|\d\d:\d\d:\d\d/g, '')}`;
  for (const path of PATHS) {
    const [another, nobody] = ['Zoe', 'Zed'].map(async (name) =>
      told(await askAs(service, 'bob.smith', path.replace('X', name)), name),
    );
    assert.match((await another) ?? '', /^404 .*Person X does not exist/s);
    assert.equal((await another)?.replace(/\d{4}-\S*/g, ''), (await nobody)?.replace(/\d{4}-\S*/g, ''));
  }
  for (const path of ['/people/Zoe', '/people/Zed', '/people/Zoe/groups', '/people/Zed/groups'])
    assert.equal((await askV1(service, 'bob.smith', path)).status, 404);
});

test('an administrator sees everybody, and so does every user if the setting says so', async (t) => {
  const service = await started(t);
  for (const path of PATHS) {
    assert.equal((await askAs(service, 'admin', path.replace('X', 'zoe'))).status, 200);
    assert.equal((await askAs(service, 'admin', path.replace('X', 'nobody'))).status, 404);
  }
  const open = await started(t, { TESSERA_PEOPLE_VISIBLE: 'all' });
  for (const path of PATHS) {
    assert.equal((await askAs(open, 'bob.smith', path.replace('X', 'zoe'))).status, 200);
    assert.equal((await askAs(open, 'bob.smith', path.replace('X', 'nobody'))).status, 404);
  }
  assert.equal((await askV1(open, 'bob.smith', '/people/zoe/groups')).status, 200);
  const { capabilities } = JSON.parse((await askAs(open, 'bob.smith', '/api/people/zoe')).text);
  assert.equal(capabilities.isMutable, false, 'who sees a user may not change it');
});

test('who has the role administrator by a group is an administrator', async (t) => {
  const service = await started(t);
  const shown = async (caller: string, name: string) =>
    JSON.parse((await askAs(service, caller, `/api/people/${name}?groups=true`)).text);
  await giveRole(service, 'staff', 'operator');
  assert.equal((await shown('zoe', 'zoe')).isAdminAuthority, false);
  assert.equal((await askAs(service, 'zoe', '/api/people/bob.smith')).status, 404);
  await giveRole(service, 'staff', 'administrator');
  const zoe = await shown('zoe', 'zoe');
  assert.deepEqual([zoe.isAdminAuthority, zoe.capabilities.isAdmin], [true, true]);
  assert.deepEqual(
    zoe.groups.map(({ itemName }: { itemName: string }) => itemName),
    ['GROUP_ALFRESCO_ADMINISTRATORS', 'GROUP_Staff', 'GROUP_cooks', 'GROUP_site_ice'],
  );
  const bob = await shown('zoe', 'bob.smith');
  assert.deepEqual([bob.isAdminAuthority, bob.capabilities.isMutable], [false, true]);
});

test('a user without a password is a guest, which nobody can change', async (t) => {
  const service = await started(t);
  const { text } = await askAs(service, 'admin', '/api/people/guest');
  assert.deepEqual(JSON.parse(text).capabilities, { isGuest: true, isAdmin: false, isMutable: false });
});

test('a disabled user is shown as not enabled', async (t) => {
  const service = await started(t);
  await service.store.write(async ({ users }) =>
    users.change((await users.findByKey('zoe'))?.id ?? 0, { disabled: true }),
  );
  assert.equal(JSON.parse((await askAs(service, 'admin', '/api/people/zoe')).text).enabled, false);
  assert.equal(JSON.parse((await askV1(service, 'admin', '/people/zoe')).text).entry.enabled, false);
});

test('a ticket in the place of a name is not repeated', async (t) => {
  const service = await started(t);
  const ticket = await logIn(service.url);
  for (const path of PATHS) {
    const { status, text } = await askAs(service, 'zoe', path.replace('X', ticket));
    assert.equal(status, 404);
    assert.doesNotMatch(text, new RegExp(ticket));
  }
});

test('Surf applications get what they load a user from, as html in which no browser finds markup', async (t) => {
  const service = await started(t);
  const { headers, text } = await askAs(service, 'zoe', '/webframework/content/metadata?user=zoe');
  assert.equal(headers.get('content-type'), 'text/html;charset=UTF-8');
  assert.match(headers.get('content-security-policy') ?? '', /^default-src 'none'/);
  assert.doesNotMatch(text, /</);
  const cm = '{http://www.alfresco.org/model/content/1.0}';
  const { description, jobTitle, ...rest } = ZOE;
  const properties = { userName: 'Zoe', ...rest, jobtitle: jobTitle, persondescription: description };
  assert.deepEqual(JSON.parse(text), {
    code: 'OK',
    data: {
      properties: Object.fromEntries(Object.entries(properties).map(([name, value]) => [cm + name, value])),
      capabilities: { isGuest: false, isAdmin: false, isMutable: true },
      immutableProperties: {},
    },
  });
  const bob = await askAs(service, 'bob.smith', '/webframework/content/metadata?user=bob.smith');
  assert.deepEqual(JSON.parse(bob.text).data.properties, { [`${cm}userName`]: 'bob.smith' });
  const none = await askAs(service, 'zoe', '/webframework/content/metadata');
  assert.equal(none.status, 400);
  assert.match(none.text, /Argument not understood: user/);
});
