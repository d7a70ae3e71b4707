import type { RefusalCode } from '../../core/domain/refusal.ts';
import { STATUS } from '../../core/http/status.ts';
import type { AnyOperation, Authentication } from '../../core/operation.ts';

/** Faults of the path, of its arguments in the URL or in a form, or of the format. */
const OF_TARGET: readonly RefusalCode[] = [
  'escape_broken',
  'argument_repeated',
  'format_unknown',
  'form_unreadable',
];

/** Refusals that HTTP gives for any operation, before the caller is known. */
const OF_HTTP: readonly RefusalCode[] = [
  'request_malformed',
  'host_not_served',
  'request_too_slow',
  'body_too_large',
  'url_too_long',
  'headers_too_large',
];

const OF_USERS: readonly RefusalCode[] = [
  'authentication_needed',
  'tickets_of_two_users',
  'passwords_unavailable',
  'hash_queue_full',
  'access_token_refused',
  'provider_unavailable',
];

/** Refusals that the gate gives at each level. */
const OF_LEVEL: Readonly<Record<Authentication, readonly RefusalCode[]>> = {
  none: [],
  guest: OF_USERS,
  user: OF_USERS,
  client: ['client_unknown'],
  admin: ['admin_credential_needed', 'role_needed'],
};

/** Refusals of changes by administrators, which the gate gives before it performs them. */
const ofAdministration = ({ authentication, method, ifMatch }: AnyOperation): readonly RefusalCode[] => [
  ...(authentication === 'admin' && method !== 'GET' ? (['cross_site_change'] as const) : []),
  ...(ifMatch ? (['changed_meanwhile'] as const) : []),
];

/** Every refusal that an operation can give: its own, the gate's and those of HTTP. Each once, sorted by status. */
export function refusalsOf(operation: AnyOperation): readonly RefusalCode[] {
  const { refusals, authentication, ticketsOnly, access, formatStyle, anyRequest, streams } = operation;
  const all: readonly RefusalCode[] = [
    ...refusals,
    ...(ticketsOnly ? (['ticket_needed'] as const) : OF_LEVEL[authentication]),
    ...(formatStyle === 'any' ? (['formats_differ'] as const) : []),
    ...(anyRequest ? [] : OF_TARGET),
    ...OF_HTTP,
    ...ofAdministration(operation),
    ...(streams ? (['streams_full'] as const) : []),
    ...(operation.method === 'GET' && access !== 'write' ? (['answers_unread'] as const) : []),
    ...(access === 'none' ? [] : (['store_unavailable'] as const)),
    'internal',
  ];
  return [...new Set(all)].toSorted((one, other) => STATUS[one] - STATUS[other]);
}
