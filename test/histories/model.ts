import type { Interval } from './record.ts';

/**
 * The sequential model: one ticket and its user, at a service that does one thing at a time. Every history of operations that
 * overlap has to look as if each had happened at one moment between its call and its return, as this page says.
 */
export interface Model {
  /** Undefined as long as nothing told it. */
  readonly disabled: boolean | undefined;
  readonly locked: boolean | undefined;
  readonly password: string | undefined;
  readonly ticket: 'unissued' | 'live' | 'dead';
  readonly key: string;
}

/** What happens at one moment. */
export type Happening =
  | { readonly what: 'login'; readonly password: string | undefined; readonly issues: boolean }
  | { readonly what: 'refused login'; readonly password: string | undefined }
  | { readonly what: 'password'; readonly password: string; readonly keeps: boolean }
  | { readonly what: 'found' | 'not found' | 'end' | 'disable' | 'enable' | 'lock' | 'unlock' };

/** Whether it leaves ticket and user as they are, and only tells of them. */
export const isRead = (happening: Happening): boolean =>
  ['found', 'not found', 'refused login'].includes(happening.what) ||
  (happening.what === 'login' && !happening.issues);

function model(fields: Omit<Model, 'key'>): Model {
  const { disabled, locked, password, ticket } = fields;
  return { ...fields, key: `${disabled} ${locked} ${ticket} ${password}` };
}

/** Nothing is known of the user, and the ticket is not issued. */
export const UNKNOWN = model({
  disabled: undefined,
  locked: undefined,
  password: undefined,
  ticket: 'unissued',
});

/** A user who may log in, with whatever password. */
export const OPEN = model({ ...UNKNOWN, disabled: false, locked: false });

const ended = ({ ticket }: Model) => (ticket === 'unissued' ? ticket : 'dead');

function afterLogin(state: Model, password: string | undefined, issues: boolean): Model | undefined {
  const isWrong = password !== undefined && state.password !== undefined && state.password !== password;
  if (state.disabled || state.locked || isWrong || (issues && state.ticket !== 'unissued')) return undefined;
  const ticket = issues ? 'live' : state.ticket;
  return model({ disabled: false, locked: false, password: password ?? state.password, ticket });
}

/** The state after this has happened; undefined if it cannot happen in `state`. */
export function after(state: Model, happening: Happening): Model | undefined {
  const isFound = state.ticket === 'live' && !state.locked;
  switch (happening.what) {
    case 'login':
      return afterLogin(state, happening.password, happening.issues);
    case 'refused login': {
      const isOpen = state.disabled === false && state.locked === false;
      const isRight = happening.password === undefined || state.password === happening.password;
      return isOpen && isRight ? undefined : state;
    }
    case 'found':
      return isFound ? state : undefined;
    case 'not found':
      return isFound ? undefined : state;
    case 'end':
      return model({ ...state, ticket: ended(state) });
    case 'password': {
      const { password, keeps } = happening;
      return model({ ...state, password, ticket: keeps ? state.ticket : ended(state) });
    }
    case 'disable':
      return model({ ...state, disabled: true, ticket: ended(state) });
    case 'enable':
      return model({ ...state, disabled: false });
    case 'lock':
    case 'unlock':
      return model({ ...state, locked: happening.what === 'lock' });
  }
}

/** What an administrator did, if anything: a refusal changes nothing. An operation without an answer may do it later. */
function changes({ operation, answer }: Interval, ticket: string | undefined): Happening[] {
  if (answer === 'no') return [];
  switch (operation.act) {
    case 'end-all':
    case 'generation':
    case 'expire':
      return [{ what: 'end' }];
    case 'remove':
      return [{ what: 'disable' }];
    case 'password': {
      const { password, keeps } = operation;
      return [{ what: 'password', password, keeps: keeps !== undefined && keeps === ticket }];
    }
    case 'disable':
    case 'enable':
    case 'lock':
    case 'unlock':
      return [{ what: operation.act }];
    default:
      return [];
  }
}

/**
 * What an operation with this answer means for `ticket` and its user; without a ticket, for the logins of the user. Each item
 * happens at a moment of its own.
 */
export function happeningsOf(interval: Interval, ticket: string | undefined): Happening[] {
  const { operation, answer } = interval;
  switch (operation.act) {
    case 'login': {
      const { password } = operation;
      if (answer === 'yes') return [{ what: 'login', password, issues: ticket !== undefined }];
      return answer === 'no' ? [{ what: 'refused login', password }] : [];
    }
    case 'validate':
      return answer === undefined ? [] : [{ what: answer === 'yes' ? 'found' : 'not found' }];
    case 'log-out':
      // It finds its ticket at one moment and ends it at another: of two that overlap both may succeed.
      if (answer === 'no') return [{ what: 'not found' }];
      return answer === 'yes' ? [{ what: 'found' }, { what: 'end' }] : [{ what: 'end' }];
    default:
      return changes(interval, ticket);
  }
}
