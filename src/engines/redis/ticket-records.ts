import {
  type AuthenticationMethod,
  type Digest,
  isOfProgram,
  type KeptTicket,
  type Lifetime,
  type TicketOrigin,
} from '../../core/domain/ticket.ts';
import { script } from './servers.ts';

// What Redis keeps of a ticket, and the scripts that read and write it.

/** How long Redis keeps a ticket after its end, in milliseconds: clocks may differ, and the sweeper records expired tickets. */
const GRACE = 10 * 60_000;

/** Begins the record of a ticket whose unit is not yet committed: no look-up finds such a ticket. */
export const PENDING = '?';

/** Begins the field of a program's credential in the record of a ticket. */
const CREDENTIALS = [
  ['p', 'appPassword'],
  ['t', 'tokenProvider'],
  ['a', 'application'],
] as const;

/** The credential of a program that a ticket was issued for. */
type ProgramCredential = Partial<Pick<TicketOrigin, (typeof CREDENTIALS)[number][1]>>;

/**
 * A ticket's record. The digest is in its key. The credential of its program stands here and not in the record of its origin,
 * which may be lost: the ticket has to end with its app password, and opens no page. A version without app passwords refuses
 * such a ticket as unknown. One without access tokens takes the provider for an app password, which opens as little, and so does one
 * without applications.
 */
export function ticketRecord(ticket: KeptTicket, origin: ProgramCredential = {}): string {
  const { userId, userGeneration, serverGeneration, issuedAt, usedAt } = ticket;
  const record = `${userId} ${userGeneration} ${serverGeneration} ${issuedAt} ${usedAt}`;
  const credential = CREDENTIALS.find(([, member]) => origin[member] !== undefined);
  if (credential === undefined) return record;
  const [mark, member] = credential;
  return `${record} ${mark}${Buffer.from(origin[member] as string).toString('base64url')}`;
}

/** The ticket in a record; undefined for any other text. */
export function ticketIn(digest: Digest, record: string): KeptTicket | undefined {
  const [userId, userGeneration, serverGeneration, issuedAt, usedAt, ...more] = record.split(' ').map(Number);
  if (usedAt === undefined || more.length > 1 || !Number.isInteger(userId)) return undefined;
  return {
    digest,
    userId: userId as number,
    userGeneration: userGeneration as number,
    serverGeneration: serverGeneration as number,
    issuedAt: issuedAt as number,
    usedAt,
  };
}

/**
 * The origin of a ticket in a record of its own, whose key is that of the ticket and an `o`. The version before reads only
 * ticket records without it. The methods stand behind the address, which has no semicolon.
 */
export function originRecord({ from, program = '', methods }: TicketOrigin): string {
  return `${[from, ...(methods ?? [])].join(';')} ${program}`;
}

/** The credential of a program in the record of a ticket, pending or not. */
function credentialIn(record: string | null): Pick<TicketOrigin, 'appPassword'> & ProgramCredential {
  const [, , , , , field = ''] = record?.split(' ') ?? [];
  const [, member] = CREDENTIALS.find(([mark]) => field.startsWith(mark)) ?? [];
  const name = Buffer.from(field.slice(1), 'base64url').toString();
  return { appPassword: undefined, ...(member && { [member]: name }) };
}

/** The origin in the records of a ticket and of its origin; undefined if neither tells it. */
export function originIn(ticket: string | null, origin: string | null): TicketOrigin | undefined {
  const credential = credentialIn(ticket);
  if (origin === null) {
    const ticketOrigin: TicketOrigin = { from: 'unknown', program: undefined, ...credential };
    return isOfProgram(ticketOrigin) ? ticketOrigin : undefined;
  }
  const end = origin.indexOf(' ');
  const [from = '', ...methods] = origin.slice(0, end).split(';') as [string, ...AuthenticationMethod[]];
  return {
    from,
    program: origin.slice(end + 1) || undefined,
    ...credential,
    ...(methods.length > 0 && { methods }),
  };
}

/** The values that {@link USE} takes. */
export function useValues(at: number, { idle, age }: Lifetime, now: number): string[] {
  const limits = [idle, age].map((limit) => String(Number.isFinite(limit) ? limit : -1));
  return [String(at), String(now), ...limits, String(GRACE)];
}

/** For how many milliseconds from `now` on Redis keeps a ticket, as scripts take it; 0 is for ever. */
export function keptFor({ issuedAt, usedAt }: KeptTicket, { idle, age }: Lifetime, now: number): string {
  const endsAt = Math.min(usedAt + idle, issuedAt + age);
  if (!Number.isFinite(endsAt)) return '0';
  return String(Math.max(1, Math.round(endsAt - now + GRACE)));
}

/**
 * Reads a ticket, its cached user and the cached generation: all that a validation needs, in one trip. While the slot is
 * being moved, user and generation may be moved before the ticket: then they are missing here.
 */
export const FIND = script(
  `local kept = redis.call('GET', KEYS[1])
local user = kept and string.match(kept, '^(%d+) ')
if not user then return false end
local function cached(key)
  local value = redis.pcall('GET', ARGV[1] .. key)
  return type(value) == 'string' and value
end
return {kept, cached('u' .. user), cached('g')}`,
  'reads',
);

/**
 * Ends a ticket, even when memory is full. A mark replaces it for a while, so that {@link ACTIVATE} can tell an ended ticket
 * from a lost one. A repeated end writes again, since only a write waits for replicas.
 */
export const END = script(
  `#!lua flags=allow-oom
redis.pcall('DEL', KEYS[1] .. 'o')
return redis.call('SET', KEYS[1], 'x', 'PX', ARGV[1])`,
);

/**
 * Activates a pending ticket, and writes its origin if there is one. Returns 1; 0 if it was ended meanwhile, -1 if it is lost.
 * Writes again as {@link END} does. While the slot is being moved, the origin may be lost: no answer depends on it.
 */
export const ACTIVATE = script(
  `local kept = redis.call('GET', KEYS[1])
if kept == 'x' then return 0 end
if kept ~= ARGV[1] and kept ~= '?' .. ARGV[1] then return -1 end
local function keep(set, key, value)
  if ARGV[2] == '0' then set('SET', key, value) else set('SET', key, value, 'PX', ARGV[2]) end
end
keep(redis.call, KEYS[1], ARGV[1])
if ARGV[3] ~= '' then keep(redis.pcall, KEYS[1] .. 'o', ARGV[3]) end
return 1`,
);

/** Moves the last use forward, and keeps the origin as long. Values: its new time, the time now, idle and age limit (-1 for none), and the grace. */
export const USE = script(
  `local kept = redis.call('GET', KEYS[1])
local head, issued, used, rest = string.match(kept or '', '^(%d+ %d+ %d+ )(%-?%d+) (%-?%d+)(.*)$')
if not head or tonumber(used) >= tonumber(ARGV[1]) then return 0 end
local now, idle, age, grace = tonumber(ARGV[2]), tonumber(ARGV[3]), tonumber(ARGV[4]), tonumber(ARGV[5])
if idle < 0 then idle = math.huge end
if age < 0 then age = math.huge end
local record = head .. issued .. ' ' .. ARGV[1] .. rest
local ends = math.min(tonumber(ARGV[1]) + idle, tonumber(issued) + age)
if ends == math.huge then
  redis.call('SET', KEYS[1], record)
  redis.pcall('PERSIST', KEYS[1] .. 'o')
else
  local left = string.format('%.0f', math.max(1, ends - now + grace))
  redis.call('SET', KEYS[1], record, 'PX', left)
  redis.pcall('PEXPIRE', KEYS[1] .. 'o', left)
end
return 1`,
);

/**
 * Moves a ticket from the generation before to this one of its user, with the same end, if the announcement of the move is still there. Returns
 * 1; 0 if the ticket has ended meanwhile, -1 if the announcement is gone: then a look-up may have said already that the ticket has ended.
 * Writes an equal generation again as {@link END} does: a repeated command must wait for replicas too. While the slot is being moved, the
 * announcement may be elsewhere: then the ticket ends.
 */
export const MOVE_TO_GENERATION = script(
  `local user, generation, rest = string.match(redis.call('GET', KEYS[1]) or '', '^(%d+) (%d+) (.*)$')
local steps = user and tonumber(ARGV[1]) - tonumber(generation)
if steps ~= 0 and steps ~= 1 then return 0 end
if steps == 1 and redis.pcall('GET', KEYS[1] .. 'n') ~= ARGV[1] then return -1 end
redis.call('SET', KEYS[1], user .. ' ' .. ARGV[1] .. ' ' .. rest, 'KEEPTTL')
redis.pcall('DEL', KEYS[1] .. 'n')
return 1`,
);
