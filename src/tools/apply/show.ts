import { visible } from '../../core/visible.ts';
import type { ShownValue, StateChange, StateKind } from './plan.ts';

const SIGNS = { add: '+', change: '~', remove: '-' } as const;
const KINDS: Readonly<Record<StateKind, string>> = {
  group: 'group',
  user: 'user',
  client: 'client',
  apiKey: 'API key',
  gateRule: 'gate rule',
};

function valueText(value: ShownValue): string {
  if (value === undefined) return 'none';
  if (typeof value === 'string') return JSON.stringify(value);
  if (typeof value !== 'object') return String(value);
  return value.length === 0 ? 'none' : value.map((each) => JSON.stringify(each)).join(', ');
}

/** One line for a change, such as `~ user "ben" disabled: false → true`. */
export function lineOf({ change, kind, name, field, from, to, members = {} }: StateChange): string {
  // A rule is its own name, in JSON.
  const what = `${SIGNS[change]} ${KINDS[kind]} ${kind === 'gateRule' ? name : JSON.stringify(name)}`;
  if (field !== undefined) return visible(`${what} ${field}: ${valueText(from)} → ${valueText(to)}`);
  const parts = Object.entries(members).map(([member, value]) => `${member}: ${valueText(value)}`);
  return visible(parts.length === 0 ? what : `${what} (${parts.join('; ')})`);
}

const VERBS = {
  done: { add: 'Added', change: 'changed', remove: 'removed' },
  wouldBe: { add: 'Would add', change: 'change', remove: 'remove' },
} as const;

/** How many things were added, changed and removed, or would be. */
export function summaryOf(changes: readonly StateChange[], when: keyof typeof VERBS): string {
  const of = (verb: StateChange['change']) => {
    const things = changes.filter(({ change }) => change === verb).map(({ kind, name }) => `${kind} ${name}`);
    return `${VERBS[when][verb]} ${new Set(things).size}`;
  };
  return `${of('add')}, ${of('change')}, ${of('remove')}.`;
}
