import type { RefusalCode } from '../domain/refusal.ts';
import type { Code } from './shapes.ts';

/** Every code. The compiler refuses a missing one and an unknown one. */
const CODES = {
  username_missing: true,
  password_missing: true,
  password_too_long: true,
  body_unreadable: true,
  form_unreadable: true,
  token_missing: true,
  client_secret_in_body: true,
  login_failed: true,
  login_by_get_off: true,
  cross_site_login: true,
  passwords_unavailable: true,
  hash_queue_full: true,
  ticket_not_found: true,
  ticket_id_unknown: true,
  ticket_not_presented: true,
  user_not_found: true,
  person_not_found: true,
  store_not_found: true,
  node_not_found: true,
  path_not_found: true,
  definition_not_found: true,
  constraint_not_found: true,
  grouping_unknown: true,
  operation_not_found: true,
  nodes_unavailable: true,
  authentication_needed: true,
  ticket_needed: true,
  user_header_impossible: true,
  client_unknown: true,
  tickets_of_two_users: true,
  path_unknown: true,
  method_wrong: true,
  format_unknown: true,
  formats_differ: true,
  argument_invalid: true,
  skip_count_negative: true,
  max_items_not_positive: true,
  argument_repeated: true,
  escape_broken: true,
  request_malformed: true,
  host_not_served: true,
  body_too_large: true,
  url_too_long: true,
  headers_too_large: true,
  request_too_slow: true,
  answers_unread: true,
  store_unavailable: true,
  internal: true,
} as const satisfies Record<RefusalCode, true>;

/** The code in an answer; `unnamed` if it is not one of this API. A known code cannot hold a secret. */
export function codeIn(named: unknown): Code {
  return typeof named === 'string' && Object.hasOwn(CODES, named) ? (named as Code) : 'unnamed';
}
