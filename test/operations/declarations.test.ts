import assert from 'node:assert/strict';
import { readdirSync, readFileSync } from 'node:fs';
import { test } from 'node:test';
import { REFUSALS, type RefusalCode } from '../../src/core/domain/refusal.ts';
import type { AnyOperation } from '../../src/core/operation.ts';
import { refusalsOf } from '../../src/faces/description/openapi/responses.ts';
import { operations } from '../../src/main/operations.ts';

const SRC = new URL('../../src/', import.meta.url);
/** The files that list every refusal. */
const LISTS = ['core/domain/refusal.ts', 'core/http/status.ts', 'client/codes.ts'];

type Member = Readonly<Record<string, unknown>>;

/** Keywords of a schema that accepts any text. Any other keyword can refuse one. */
const ANY_TEXT = ['type', 'items', 'description', 'examples'];
const isNarrow = (member: Member) => Object.keys(member).some((keyword) => !ANY_TEXT.includes(keyword));

const membersOf = (schema: AnyOperation['input']['path']) =>
  Object.entries((schema?.properties ?? {}) as Readonly<Record<string, Member>>);

/** The refusals that the gate can give for this operation's input and node. */
function refusedByTheGate({ input, bodyStyle, scopedTo }: AnyOperation): Set<RefusalCode> {
  const codes = new Set<RefusalCode>();
  for (const schema of Object.values(input))
    for (const [, { refusal }] of membersOf(schema))
      if (refusal !== undefined) codes.add(refusal as RefusalCode);
  for (const [name, { refusal, ...member }] of membersOf(input.query)) {
    const needed = input.query?.required?.includes(name) === true;
    if (refusal === undefined && (isNarrow(member) || needed)) codes.add('argument_invalid');
  }
  if (input.body !== undefined) codes.add(bodyStyle === 'form' ? 'form_unreadable' : 'body_unreadable');
  if (scopedTo !== undefined)
    for (const code of ['store_not_found', 'node_not_found', 'nodes_unavailable'] as const) codes.add(code);
  return codes;
}

test('every refusal is given by some code', () => {
  const source = readdirSync(SRC, { recursive: true, encoding: 'utf8' })
    .filter((file) => file.endsWith('.ts') && !LISTS.includes(file))
    .map((file) => readFileSync(new URL(file, SRC), 'utf8'))
    .join('');
  for (const code of Object.keys(REFUSALS))
    assert.ok(
      source.includes(`'${code}'`),
      `${code} is given by nothing: take it out of ${LISTS.join(', ')}`,
    );
});

/** Refusals for requests that reach no operation, and those of pages and of SCIM, which are not described. */
const OF_NONE: readonly string[] = [
  ...['path_unknown', 'method_wrong', 'codes_locked'],
  ...['form_of_another_site', 'form_outdated', 'cookie_impossible', 'new_password_needed'],
  ...['filter_invalid', 'path_invalid', 'target_missing', 'attribute_fixed'],
  ...['group_has_role', 'user_has_role', 'user_not_provisioned'],
  ...['provider_not_found', 'user_not_admitted', 'name_of_another'],
  ...['sign_in_declined', 'sign_in_outdated', 'sign_in_unproven', 'clocks_differ'],
  'logout_token_refused',
];

test('every refusal is described for an operation that can give it, or comes where there is none', () => {
  const described = new Set<string>(operations.flatMap(refusalsOf));
  for (const code of Object.keys(REFUSALS))
    assert.notEqual(
      described.has(code),
      OF_NONE.includes(code),
      `${code} is described for no operation: an operation declares it, or src/faces/description/openapi/responses.ts says which can give it`,
    );
});

for (const operation of operations) {
  const { id, paths, input, method, access, takesPassword, refusals } = operation;

  test(`${id}: declares what its input and its node can be refused for`, () => {
    for (const code of refusedByTheGate(operation))
      assert.ok(refusals.includes(code), `the gate can refuse it as ${code}: add that to its refusals`);
  });

  test(`${id}: the names in its paths are those of its path input`, () => {
    const named = paths.flatMap((path) => [...path.matchAll(/\{(\w+)\}/g)].map(([, name]) => name));
    assert.deepEqual(
      [...new Set(named)].sort(),
      membersOf(input.path)
        .map(([name]) => name)
        .sort(),
    );
  });

  test(`${id}: a name in its path that its schema narrows has a refusal of its own`, () => {
    for (const [name, { refusal, ...member }] of membersOf(input.path))
      assert.ok(refusal !== undefined || !isNarrow(member), `${name}: give its schema a refusal`);
  });

  test(`${id}: a name that one of its paths lacks is optional in its path input`, () => {
    for (const name of input.path?.required ?? [])
      for (const path of paths)
        assert.ok(path.includes(`{${name}}`), `${path} has no {${name}}: make it Type.Optional`);
  });

  test(`${id}: writes by GET for a login alone`, () => {
    if (method === 'GET' && access === 'write') assert.equal(takesPassword, 'url');
  });

  test(`${id}: is called by its method at the end of its id`, () => {
    assert.ok(id.endsWith(`.${method.toLowerCase()}`));
  });
}
