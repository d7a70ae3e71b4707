import { blockOf, SITE } from '../../core/domain/address-block.ts';
import type { ChangeEvent, Event, RecordedEvent } from '../../core/domain/event.ts';
import { FAMILIAR_FOR } from '../../core/domain/lockout.ts';
import type { ReadUnit } from '../../core/storage/store.ts';
import { programName } from '../../faces/pages/program-name.ts';
import type { PageSignIn } from '../../faces/pages/sign-in-tools.ts';
import { sayIn } from '../../faces/pages/texts/texts.ts';

/** Right passwords, and the begin of a user: events before it are of an earlier user of the name. */
const KINDS = ['login', 'password-accepted', 'user-added'] as const;
/** How many earlier sign-ins are compared with one. */
const MOST = 200;

/** Sign-ins of one user within 30 days, the latest first. */
interface EarlierSignIns {
  readonly signIns: readonly RecordedEvent[];
  /** Whether there are no others. */
  readonly areAll: boolean;
}

/** The sign-ins of the user with this very name before this time: 200 at most, and of several users of the name those of the last. */
export async function signInsBefore(
  events: ReadUnit['events'],
  user: string,
  at: number,
): Promise<EarlierSignIns> {
  const found = await events.latest({ user, kind: KINDS, since: at - FAMILIAR_FOR, until: at, limit: MOST });
  const own = found.filter((event) => event.user === user);
  const added = own.findIndex(({ kind }) => kind === 'user-added');
  return {
    signIns: added < 0 ? own : own.slice(0, added),
    areAll: added >= 0 || found.length < MOST,
  };
}

const networkOf = ({ from = '' }: Pick<Event, 'from'>) => blockOf(from, SITE);
const nameOf = (program: string | undefined) => programName(program, sayIn('en'));

/** Whether one of the sign-ins came from this network with this program, in whichever version: the addresses of a person change. */
export async function isKnownPlace(
  signIns: EarlierSignIns['signIns'],
  place: Pick<Event, 'from' | 'program'>,
): Promise<boolean> {
  const near = signIns.filter((event) => networkOf(event) === networkOf(place));
  const programs = new Set(near.map(({ program }) => program));
  if (programs.has(place.program)) return true;
  return (await Promise.all([...programs].map(nameOf))).includes(await nameOf(place.program));
}

/** The event of a sign-in with a browser that is new, at an address that is not: the log-in itself tells of new addresses. */
export async function newBrowser(
  { events }: ReadUnit,
  { user, at, ...place }: PageSignIn,
): Promise<ChangeEvent | undefined> {
  if (!place.program?.startsWith('Mozilla/')) return undefined;
  const { signIns, areAll } = await signInsBefore(events, user, at);
  if (!areAll || !signIns.some(({ from }) => from === place.from)) return undefined;
  return (await isKnownPlace(signIns, place))
    ? undefined
    : { kind: 'login-unfamiliar', user, reason: 'new browser' };
}
