import type { ChangeEvent } from '../../../core/domain/event.ts';
import { wireNameOf } from '../../../core/domain/group.ts';
import { refuse } from '../../../core/domain/refusal.ts';
import { digestFrom, shortDigest } from '../../../core/domain/ticket.ts';
import type { User } from '../../../core/domain/user.ts';
import { Type } from '../../../core/schema.ts';
import type { ReadUnit, WriteUnit } from '../../../core/storage/store.ts';
import type {
  AccountContext,
  AccountSections,
  OtherCredential,
  OtherCredentials,
  ServiceLink,
} from '../../../faces/pages/account-sections.ts';
import { html } from '../../../faces/pages/html.ts';
import { type Reader, shownTime } from '../../../faces/pages/layout.ts';
import { form, page, seeOther } from '../../../faces/pages/page.ts';
import { changeForm } from '../../../faces/pages/parts/form.ts';
import { table } from '../../../faces/pages/parts/list.ts';
import { type Application, mayUse } from '../application.ts';
import { entryKey } from '../identifiers.ts';
import { ENDED_GRANT, type ProviderEntry } from '../tables/entries.ts';

const END = '/portal/account/applications/end';

type ConnectedApplication = Awaited<ReturnType<typeof connectedApplications>>[0][number];

/** The applications to which the user is signed in, or has consented; and all applications. */
async function connectedApplications({ store, caller, ticketState }: AccountContext) {
  const { providerEntries, applications, tickets } = store;
  const [consents, grants, all] = await Promise.all([
    providerEntries.ofUser(caller.user.id, 'Consent'),
    providerEntries.ofUser(caller.user.id, 'Grant'),
    applications.list(),
  ]);
  const isLive = async ({ ticketDigest }: ProviderEntry) => {
    const ticket = ticketDigest && (await tickets.find(digestFrom(ticketDigest)));
    return ticket !== undefined && ticketState(ticket) === 'valid';
  };
  const states = await Promise.all(grants.map(isLive));
  const live = grants.filter((_, at) => states[at]);
  const connected = all
    .map((application) => {
      const consent = consents.find(({ client }) => client === application.name);
      return {
        application,
        // An application that needs no consent has none.
        consentedAt: consent && (JSON.parse(consent.payload) as { at: number }).at,
        signIns: live.filter(({ client }) => client === application.name).length,
      };
    })
    .filter(({ consentedAt, signIns }) => consentedAt !== undefined || signIns > 0);
  return [connected, all] as const;
}

function sectionOf(reader: Reader, rows: readonly ConnectedApplication[]) {
  const { say } = reader;
  const titleOf = ({ application: { name, settings } }: ConnectedApplication) => settings.title ?? name;
  const end = say('connected.end');
  return html`<section id="applications"><h2>${say('connected.title')}</h2>
<p>${say('connected.intro')}</p>
${table<ConnectedApplication>({
  caption: say('connected.title'),
  columns: [
    { heading: say('connected.name'), cell: titleOf },
    {
      heading: say('connected.consented'),
      cell: ({ consentedAt }) =>
        consentedAt === undefined ? say('connected.notAsked') : shownTime(consentedAt, reader),
    },
    { heading: say('connected.signIns'), cell: ({ signIns }) => signIns, isNumber: true },
    {
      heading: end,
      isPlain: true,
      cell: (row) =>
        changeForm(reader, {
          action: END,
          hidden: { application: row.application.name },
          submit: end,
          submitNamed: `${end}: ${titleOf(row)}`,
          isDangerous: true,
          isCompact: true,
        }),
    },
  ],
  rows,
  whenEmpty: '',
})}</section>`;
}

/** Where people in these groups begin at the applications to which they may sign in. */
const startsFor = (all: readonly Application[], groups: readonly string[]): readonly ServiceLink[] =>
  all.flatMap(({ name, settings }) => {
    const { startUri: address, title = name, logo } = settings;
    if (address === undefined || !mayUse(groups, settings)) return [];
    return [{ title, address, logo: logo?.startsWith('/') ? logo : undefined }];
  });

/** The applications that know the user, if there are any. */
export const accountSections: AccountSections = {
  async read(context) {
    // Only a service with an issuer gives pages the address of a step.
    const isProvider = context.browser.stepAddress !== undefined;
    const { store, caller } = context;
    const [[rows, all], groups] = isProvider
      ? await Promise.all([connectedApplications(context), store.groups.ofUser(caller.user.id)])
      : [[[], []], []];
    const services = startsFor(all, groups.map(wireNameOf));
    return {
      services: services.length === 0 ? undefined : services,
      sections: (reader) => (rows.length === 0 ? [] : [{ order: 45, html: sectionOf(reader, rows) }]),
      signingIn: () => [],
      staying: () => undefined,
    };
  },
};

/**
 * Ends grants and consents, also those of live tickets. Of a grant what remains is what the application still has to be told. Returns
 * the events.
 */
async function disconnect(
  { providerEntries }: WriteUnit,
  user: Pick<User, 'name'>,
  entries: readonly ProviderEntry[],
): Promise<ChangeEvent[]> {
  for (const entry of entries) {
    await providerEntries.removeOfGrant(entry.digest);
    await providerEntries.remove(entry.digest);
    if (entry.kind === 'Consent') continue;
    const digest = entryKey(ENDED_GRANT, entry.digest.toString('hex'));
    await providerEntries.put({ ...entry, digest, kind: ENDED_GRANT, grantDigest: undefined });
  }
  const names = new Set(entries.map(({ client }) => client));
  return [...names].map((reason) => ({ kind: 'application-disconnected', user: user.name, reason }));
}

const connectionsOf = async ({ providerEntries }: Pick<ReadUnit, 'providerEntries'>, userId: number) =>
  (await Promise.all(['Grant', 'Consent'].map((kind) => providerEntries.ofUser(userId, kind)))).flat();

/** What applications have of a user by the ticket of this browser, and the consents. */
const connections = (count: number): OtherCredential => ({
  text: `applications ${count}`,
  isTicked: true,
  label: (say) => say('notMe.applications', { count }),
  remove: async (unit, user) => ({
    events: await disconnect(unit, user, await connectionsOf(unit, user.id)),
  }),
});

/** All that applications have of a user: "This was not me" ends it together. */
export const otherCredentials: OtherCredentials = {
  async ofUser(unit, { id }) {
    const count = new Set((await connectionsOf(unit, id)).map(({ client }) => client)).size;
    return count === 0 ? [] : [connections(count)];
  },
  named(text) {
    const [, count] = /^applications (\d{1,9})$/.exec(text) ?? [];
    return count === undefined ? undefined : connections(Number(count));
  },
};

/**
 * Ends the tickets of the application alone: of devices, of sign-ins that outlive the browser's, and those for which it exchanged an
 * access token.
 */
async function endOwnTickets(
  { tickets }: WriteUnit,
  user: Pick<User, 'id' | 'name'>,
  application: string,
): Promise<ChangeEvent[]> {
  const all = await tickets.listOf(user.id);
  const origins = await tickets.originsOf(all);
  const own = all.filter((_, at) => origins[at]?.application === application);
  const events: ChangeEvent[] = [];
  for (const { digest } of own)
    if (await tickets.end(digest))
      events.push({
        kind: 'logout',
        user: user.name,
        digest: shortDigest(digest),
        reason: `application ${application}`,
      });
  return events;
}

const end = page({
  id: 'org/service/repository/portal/account/application-end.post',
  summary: 'End what an application has of the caller: consent, tokens, and tickets of its own.',
  method: 'POST',
  paths: ['/account/applications/end'],
  authentication: 'user',
  input: {
    body: form({ application: Type.String({ description: 'Its client_id.', examples: ['grafana'] }) }),
  },
  async perform({ input: { body }, caller: { user }, store }) {
    if ((await store.applications.find(body.application)) === undefined)
      return refuse('application_not_found');
    const all = await connectionsOf(store, user.id);
    const own = all.filter(({ client }) => client === body.application);
    const changes = [
      ...(await endOwnTickets(store, user, body.application)),
      ...(await disconnect(store, user, own)),
    ];
    return seeOther('/portal/account?done=application#applications', { changes });
  },
});

/** Ends what an application has of the user (specification, section 18). */
export default [end];
